import type { PlanQuarters } from "../plan-inputs";
import type { Strategy } from "../settings";
import { cheapestPath, MUST, type Raise } from "./cheapest-path";
import { leastCost } from "./least-cost";
import { marginRaises, type Room } from "./margin";
import { peakShaving } from "./peak-shaving";
import { RANK, selfConsumption, selfConsumptionWays } from "./self-consumption";

type Raises = ReadonlyMap<number, readonly Raise[]>;

/** A path of the stored energy. */
interface Path {
	/** Stored energy in kWh at the end of each quarter. */
	readonly path: Float64Array;
	/** The same without a margin; null where the strategy keeps none. */
	readonly plain: Float64Array | null;
}

/** Each finds a path that meets the raises as far as can be; `early` = PV is stored early where that costs nothing. */
const STRATEGY: Readonly<
	Record<
		Strategy,
		(quarters: PlanQuarters, raises: Raises, early: boolean) => Float64Array
	>
> = {
	"self-consumption": (quarters, raises) =>
		raises.size === 0
			? selfConsumption(quarters)
			: cheapestPath(
					Array.from({ length: quarters.count }, (_, index) =>
						selfConsumptionWays(quarters, index),
					),
					quarters,
					[{ energy: quarters.ceiling - quarters.floor, worth: RANK.full }],
					raises,
				).follow(quarters.stored),
	"peak-shaving": peakShaving,
	price: leastCost,
};

/** Targets as worths: less than what they ask for must not be stored. */
function targetRaises({ targets }: PlanQuarters): Map<number, Raise[]> {
	const raises = new Map<number, Raise[]>();
	for (const { index, stored } of targets) {
		const raise = { upTo: stored, worth: MUST };
		raises.set(index, [...(raises.get(index) ?? []), raise]);
	}
	return raises;
}

/**
 * Room that each strategy keeps. Peak shaving: for what would be lost above the
 * limit, and any PV is stored for what the margin asks for. Price: for any PV, and
 * what the margin asks for is worth the loss to be expected: the highest price at
 * which the battery could have saved it, by the share that may fail to come.
 */
const ROOM: Readonly<
	Record<
		Exclude<Strategy, "self-consumption">,
		(quarters: PlanQuarters) => Room
	>
> = {
	"peak-shaving": (quarters) => {
		const { surplus, feedInMost, chargeMost, oneWay } = quarters;
		return {
			of: (index) =>
				Math.min(
					Math.max(
						0,
						(surplus[index] as number) - (feedInMost[index] as number),
					),
					chargeMost[index] as number,
				) * oneWay,
			most: quarters.ceiling - quarters.floor,
			worth: RANK.full,
		};
	},
	price: ({ surplus, chargeMost, oneWay, prices, priced, margin }) => {
		let highest = 0;
		for (let index = 0; index < priced; index += 1) {
			if ((surplus[index] as number) < 0) {
				highest = Math.max(highest, prices[index] as number);
			}
		}
		return {
			of: (index) =>
				Math.min(
					Math.max(0, surplus[index] as number),
					chargeMost[index] as number,
				) * oneWay,
			most: Number.POSITIVE_INFINITY,
			worth: (highest * oneWay * margin) / 100,
		};
	},
};

/**
 * The path of the stored energy that a strategy plans: by one algorithm
 * (`cheapestPath`) on the strategy's own costs. Targets are energy that must be
 * stored by a quarter's end, the margin is energy that PV must have stored by then.
 */
export function storedPath(quarters: PlanQuarters, strategy: Strategy): Path {
	const plan = STRATEGY[strategy];
	const targets = targetRaises(quarters);
	if (strategy === "self-consumption" || quarters.margin === 0) {
		return { path: plan(quarters, targets, false), plain: null };
	}
	const plain = plan(quarters, targets, true);
	const raises = marginRaises(quarters, plain, ROOM[strategy](quarters));
	if (raises.size === 0) return { path: plain, plain };
	for (const [index, raise] of targets) {
		raises.set(index, [...(raises.get(index) ?? []), ...raise]);
	}
	return { path: plan(quarters, raises, true), plain };
}
