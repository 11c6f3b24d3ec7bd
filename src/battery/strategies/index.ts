import type { PlanQuarters } from "../plan-inputs";
import type { Strategy } from "../settings";
import {
	MUST,
	type Planner,
	type Raise,
	type Raises,
	raisesAt,
} from "./cheapest-path";
import { greatestOf, leastOf } from "./extremes";
import { leastCost } from "./least-cost";
import { askedByMargin, type Caution, type Margin } from "./margin";
import { peakShaving } from "./peak-shaving";
import { RANK, selfConsumptionPlanner } from "./self-consumption";

/** A path of the stored energy. */
interface Path {
	/** Stored energy in kWh at the end of each quarter. */
	readonly path: Float64Array;
	/** The same without a margin; null where the strategy keeps none. */
	readonly plain: Float64Array | null;
}

const PLANNERS: Readonly<
	Record<Strategy, (quarters: PlanQuarters) => Planner>
> = {
	"self-consumption": selfConsumptionPlanner,
	"peak-shaving": peakShaving,
	price: leastCost,
};

/** Targets as worths: less than what they ask for must not be stored. */
function targetRaises({ targets }: PlanQuarters): Raises {
	const raises = new Map<number, Raise[]>();
	for (const { index, stored } of targets) {
		const raise = { upTo: stored, worth: MUST };
		raises.set(index, [...raisesAt(raises, index), raise]);
	}
	return raises;
}

/**
 * What each strategy gives for its margin. Peak shaving: any PV. Price: the PV that
 * would else be fed in, whatever that brings, but nothing is bought and the house
 * does not go without.
 */
const CAUTION: Readonly<
	Record<
		Exclude<Strategy, "self-consumption">,
		(quarters: PlanQuarters) => Caution
	>
> = {
	"peak-shaving": () => ({ worth: RANK.full, isForLimit: false }),
	price: ({ oneWay, prices, priced, feedIn }) => ({
		worth: Math.min(
			greatestOf(feedIn, priced) / oneWay,
			leastOf(prices, priced) * oneWay,
		),
		isForLimit: true,
	}),
};

/**
 * What a strategy's margin asks for (`askedByMargin`); null where it keeps none.
 *
 * @param plain stored energy in kWh at the end of each quarter, without a margin
 */
export function marginOf(
	quarters: PlanQuarters,
	strategy: Strategy,
	plain: Float64Array,
): Margin | null {
	if (strategy === "self-consumption" || quarters.margin === 0) return null;
	if (strategy === "price" && quarters.priced === 0) return null;
	return askedByMargin(quarters, plain, CAUTION[strategy](quarters));
}

/**
 * The path of the stored energy that a strategy plans: by one algorithm
 * (`cheapestPath`) on the strategy's own costs. Targets are energy that must be
 * stored by a quarter's end, the margin is energy that PV should have stored by then.
 */
export function storedPath(quarters: PlanQuarters, strategy: Strategy): Path {
	const plan = PLANNERS[strategy](quarters);
	const targets = targetRaises(quarters);
	const plain = plan(targets);
	const margin = marginOf(quarters, strategy, plain);
	if (!margin) return { path: plain, plain: null };
	return {
		path: isMet(margin, plain) ? plain : plan(withMargin(targets, margin)),
		plain,
	};
}

/** Targets, and what a margin asks for. */
function withMargin(targets: Raises, { upTo, worth }: Margin): Raises {
	const raises = new Map(targets);
	for (const [index, level] of upTo.entries()) {
		if (level === 0) continue;
		raises.set(index, [{ upTo: level, worth }, ...raisesAt(targets, index)]);
	}
	return raises;
}

/** Whether a path stores all that a margin asks for; a loop, since a function would be given each number in an object. */
function isMet({ upTo }: Margin, path: Float64Array): boolean {
	for (let index = 0; index < path.length; index += 1) {
		if ((path[index] as number) < (upTo[index] as number)) return false;
	}
	return true;
}
