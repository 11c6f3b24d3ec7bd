import type { PlanQuarters } from "../plan-inputs";
import { falls, gapOf, type Quarter, relaxed } from "./bound";
import {
	cheapestPath,
	MUST,
	type Planner,
	type QuarterWays,
	type Raises,
	raisesAt,
	type Solution,
	type Way,
	withNeeded,
} from "./cheapest-path";
import { leastOf } from "./extremes";
import {
	givenToHouse,
	selfConsumption,
	selfConsumptionFrom,
} from "./self-consumption";

/** At equal cost PV goes to the battery rather than to the grid, and nothing is bought: per stored kWh. */
const TIE = 1e-6;
/** At equal cost the earlier PV is stored, which cannot fail to come: per quarter and kWh. */
const LATER = 1e-9;
/** Good enough: within this share of the cost without a battery of what is possible. */
const NEAR = 0.0005;
/** Quarters that relaxed plans go through at most, all plans together: 32 plans of 48 h, more of shorter ones. */
const WORK = 32 * 192;
/** Difference in cost that is rounding. */
const ROUNDING = 1e-9;

/**
 * Least cost over the quarters whose price is known; beyond them it is
 * self-consumption, and so is the whole plan where the running quarter has no
 * price. Charges from the grid where `gridCharge` allows, gives to the house, and
 * to the grid where `sell` allows.
 *
 * With `gridCharge` the priced quarters end with no less stored than at the
 * start. Where the plan goes on beyond the prices, what is then stored counts
 * with the lowest price known, less the loss on the way out: enough to keep PV
 * for tomorrow, never enough to buy for it on a guess. Where the prices reach as
 * far as the plan it counts nothing.
 *
 * Where costs rise within each quarter, which is the rule, the cheapest path is
 * the plan. Where they fall, branch and bound (A. H. Land, A. G. Doig, 1960): a
 * relaxed plan tells what no plan can be cheaper than, and is split in two where
 * its bound is below its cost, until the best plan found is as good as any can
 * be, or the work is enough.
 */
export function leastCost(quarters: PlanQuarters): Planner {
	const { count, priced, stored } = quarters;
	const priceQuarters: Quarter[] = [];
	for (let index = 0; index < priced; index += 1) {
		priceQuarters.push(quarterOf(quarters, index));
	}
	return (raises) => {
		const path = new Float64Array(count);
		const beyond = selfConsumptionBeyond(quarters, raises);
		let now = stored;
		if (priced > 0) {
			const part = pricedPath(quarters, priceQuarters, raises, beyond.needed);
			path.set(part);
			now = part[priced - 1] as number;
		}
		path.set(beyond.follow(now), priced);
		return path;
	};
}

/** Self-consumption where prices are not known: the plain one while nothing is asked of it. */
function selfConsumptionBeyond(
	quarters: PlanQuarters,
	raises: Raises,
): Solution {
	const { priced, count } = quarters;
	return [...raises.keys()].some((index) => index >= priced)
		? selfConsumptionFrom(quarters, priced, raises)
		: {
				needed: 0,
				follow: (now) => selfConsumption(quarters, priced, count, now),
			};
}

/**
 * What the priced quarters cost: bought less sold, less the worth of what is
 * stored at their end (`leastCost`), and more than anything for what a target or
 * their end lacks. The measure that `leastCost` makes least.
 *
 * @param path stored energy in kWh at the end of each quarter
 * @param least stored energy in kWh with which the priced quarters must end
 */
export function costOf(
	quarters: PlanQuarters,
	path: Float64Array,
	raises: Raises = new Map(),
	least = leastAtEnd(quarters),
): number {
	const { priced, surplus, prices, feedIn, feedInMost, oneWay } = quarters;
	let before = quarters.stored;
	let cost = 0;
	for (let index = 0; index < priced; index += 1) {
		const after = path[index] as number;
		const change = after - before;
		const left =
			(surplus[index] as number) -
			(change > 0 ? change / oneWay : change * oneWay);
		cost +=
			left > 0
				? -Math.min(left, feedInMost[index] as number) *
					(feedIn[index] as number)
				: -left * (prices[index] as number);
		for (const { upTo, worth } of raisesAt(raises, index)) {
			if (worth === MUST) cost += Math.max(0, upTo - after) * MUST;
		}
		before = after;
	}
	const beyond = before - least;
	return cost + (beyond > 0 ? -beyond * endValue(quarters) : -beyond * MUST);
}

/** Stored energy that the priced quarters must not end under, kWh. */
const leastAtEnd = ({ stored, floor, ceiling, gridCharge }: PlanQuarters) =>
	gridCharge ? Math.min(stored, ceiling) : floor;

/** Worth of a stored kWh at the end of the prices. */
function endValue({ count, priced, prices, oneWay }: PlanQuarters): number {
	return priced < count ? Math.max(0, leastOf(prices, priced)) * oneWay : 0;
}

/** What can be done in a quarter and what it costs, per stored kWh. */
function quarterOf(quarters: PlanQuarters, index: number): Quarter {
	const { oneWay, sell, gridCharge } = quarters;
	const energy = quarters.surplus[index] as number;
	const price = quarters.prices[index] as number;
	const feedIn = quarters.feedIn[index] as number;
	const feedInMost = quarters.feedInMost[index] as number;
	const chargeMost = quarters.chargeMost[index] as number;
	const dischargeMost = quarters.dischargeMost[index] as number;
	const given = givenToHouse(quarters, index);
	const sold = sell
		? Math.max(
				0,
				Math.min(
					dischargeMost / oneWay - given,
					(feedInMost - Math.max(0, energy)) / oneWay,
				),
			)
		: 0;
	const fromPv = Math.min(Math.max(0, energy), chargeMost);
	const lost = Math.min(fromPv, Math.max(0, energy - feedInMost));
	const late = index * LATER;
	const ways: Way[] = [];
	if (sold > 0) ways.push({ energy: sold, cost: feedIn * oneWay });
	if (given > 0) ways.push({ energy: given, cost: price * oneWay });
	if (lost > 0) ways.push({ energy: lost * oneWay, cost: late - TIE });
	if (fromPv > lost) {
		ways.push({
			energy: (fromPv - lost) * oneWay,
			cost: feedIn / oneWay + late - TIE,
		});
	}
	if (gridCharge && chargeMost > fromPv) {
		ways.push({
			energy: (chargeMost - fromPv) * oneWay,
			cost: price / oneWay + TIE,
		});
	}
	return { base: -given - sold, ways, from: 0, end: ways.length };
}

/** Whether costs fall within any quarter. */
function anyFalls(quarters: readonly Quarter[]): boolean {
	for (const { ways } of quarters) {
		if (falls(ways, 0, ways.length)) return true;
	}
	return false;
}

function pricedPath(
	quarters: PlanQuarters,
	root: Quarter[],
	raises: Raises,
	needed: number,
): Float64Array {
	const { priced, floor, ceiling, stored } = quarters;
	const least = Math.max(leastAtEnd(quarters), floor + needed);
	const end = withNeeded(
		[{ energy: ceiling - floor, worth: endValue(quarters) }],
		least - floor,
	);
	const solve = (branch: readonly QuarterWays[]) =>
		cheapestPath(branch, quarters, end, raises).follow(stored);
	if (!anyFalls(root)) return solve(root);
	let best: Float64Array | undefined;
	let bestCost = Number.POSITIVE_INFINITY;
	const idle = new Float64Array(priced).fill(stored);
	const near = NEAR * Math.abs(costOf(quarters, idle));
	const open: Quarter[][] = [root];
	for (let work = 0; work < WORK && open.length > 0; work += priced) {
		const branch = open.pop() as Quarter[];
		const path = solve(
			branch.map((quarter) => ({
				base: quarter.base,
				ways: relaxed(quarter),
			})),
		);
		const cost = costOf(quarters, path, raises, least);
		if (!best || cost < bestCost - ROUNDING) {
			best = path;
			bestCost = cost;
		}
		const { excess, split } = gapOf(branch, path, stored);
		if (split && cost - excess < bestCost - near) open.push(...split);
	}
	// A plan that holds what is stored is always possible: none is worse.
	const isFree = raises.size === 0 && needed === 0;
	if (isFree && costOf(quarters, idle) < bestCost - ROUNDING) return idle;
	return best as Float64Array;
}
