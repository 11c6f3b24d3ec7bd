import type { PlanQuarters } from "../plan-inputs";
import type { Strategy } from "../settings";
import { MUST, type Planner, type Raise, raisesAt } from "./cheapest-path";
import { greatestOf, leastOf } from "./extremes";
import { leastCost } from "./least-cost";
import { type Caution, marginRaises } from "./margin";
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
function targetRaises({ targets }: PlanQuarters): Map<number, Raise[]> {
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
 * What a strategy's margin asks for (`marginRaises`); null where it keeps none.
 *
 * @param plain stored energy in kWh at the end of each quarter, without a margin
 */
export function marginOf(
	quarters: PlanQuarters,
	strategy: Strategy,
	plain: Float64Array,
): Map<number, Raise[]> | null {
	if (strategy === "self-consumption" || quarters.margin === 0) return null;
	if (strategy === "price" && quarters.priced === 0) return null;
	return marginRaises(quarters, plain, CAUTION[strategy](quarters));
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
	const raises = marginOf(quarters, strategy, plain);
	if (!raises) return { path: plain, plain: null };
	if (isMet(raises, plain)) return { path: plain, plain };
	for (const [index, raise] of targets) {
		raises.set(index, [...raisesAt(raises, index), ...raise]);
	}
	return { path: plan(raises), plain };
}

/** Whether a path stores all that is asked of it. */
function isMet(
	raises: ReadonlyMap<number, readonly Raise[]>,
	path: Float64Array,
): boolean {
	for (let index = 0; index < path.length; index += 1) {
		const stored = path[index] as number;
		for (const { upTo } of raisesAt(raises, index)) {
			if (stored < upTo) return false;
		}
	}
	return true;
}
