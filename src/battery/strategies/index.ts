import type { PlanQuarters } from "../plan-inputs";
import type { Strategy } from "../settings";
import { MUST, type Planner, type Raise, type Raises } from "./cheapest-path";
import { leastCost, leastPrice } from "./least-cost";
import { askedByMargin, type Caution, type Margin } from "./margin";
import { peakShaving } from "./peak-shaving";
import { RANK, selfConsumptionPlanner } from "./self-consumption";

/** A path of the stored energy. */
interface Path {
	/** Stored energy in kWh at the end of each quarter. */
	readonly path: readonly number[];
	/** The same without a margin; null where the strategy keeps none. */
	readonly plain: readonly number[] | null;
}

const PLANNERS: Readonly<Record<Strategy, (plan: PlanQuarters) => Planner>> = {
	"self-consumption": selfConsumptionPlanner,
	"peak-shaving": peakShaving,
	price: leastCost,
};

/**
 * What a strategy gives for its margin. Peak shaving: any PV. Price: the PV that
 * would else be fed in, whatever that brings, but nothing is bought and the house
 * does not go without.
 */
function cautionOf(plan: PlanQuarters, strategy: Strategy): Caution {
	if (strategy === "peak-shaving") {
		return { worth: RANK.full, isForLimit: false };
	}
	const { quarters, priced, oneWay } = plan;
	const feedIns = quarters.slice(0, priced).map(({ feedIn }) => feedIn);
	const worth = Math.min(
		Math.max(...feedIns) / oneWay,
		leastPrice(plan) * oneWay,
	);
	return { worth, isForLimit: true };
}

/**
 * What a strategy's margin asks for (`askedByMargin`); null where it keeps none.
 *
 * @param plain stored energy in kWh at the end of each quarter, without a margin
 */
export function marginOf(
	plan: PlanQuarters,
	strategy: Strategy,
	plain: readonly number[],
): Margin | null {
	if (strategy === "self-consumption" || plan.margin === 0) return null;
	if (strategy === "price" && plan.priced === 0) return null;
	return askedByMargin(plan, plain, cautionOf(plan, strategy));
}

/**
 * The path of the stored energy that a strategy plans, by its own costs. Targets
 * are energy that must be stored by a quarter's end, the margin is energy that PV
 * should have stored by then.
 */
export function storedPath(plan: PlanQuarters, strategy: Strategy): Path {
	const pathOf = PLANNERS[strategy](plan);
	const raises = new Map<number, Raise[]>();
	const raise = (index: number, upTo: number, worth: number) =>
		raises.set(index, [{ upTo, worth }, ...(raises.get(index) ?? [])]);
	for (const { index, stored } of plan.targets) raise(index, stored, MUST);
	const plain = pathOf(raises satisfies Raises);
	const margin = marginOf(plan, strategy, plain);
	if (!margin) return { path: plain, plain: null };
	const { upTo, worth } = margin;
	if (upTo.every((level, index) => (plain[index] as number) >= level)) {
		return { path: plain, plain };
	}
	for (const [index, level] of upTo.entries()) {
		if (level > 0) raise(index, level, worth);
	}
	return { path: pathOf(raises), plain };
}
