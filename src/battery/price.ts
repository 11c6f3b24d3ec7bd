import type { Problem } from "./problem";
import { flawOf, type Quarter, ranked, type Way } from "./relaxation";
import { selfConsumption } from "./self-consumption";
import { cheapestPath } from "./worth";

/** At equal cost PV goes to the battery rather than to the grid: off each stored kWh. */
const TIE = 1e-6;
/** Good enough: within this share of the cost without a battery of what is possible. */
const NEAR = 0.001;
/** Quarters that relaxed plans go through at most, all plans together: 8 plans of 48 h, more of shorter ones. */
const WORK = 8 * 192;
/** Difference in cost that is rounding. */
const ROUNDING = 1e-9;

/**
 * Least cost over the quarters whose price is known, charging from the grid
 * allowed, giving to the house only (never from the battery to the grid), and
 * ending with no less stored than at the start. Beyond the prices it is
 * self-consumption; so is the whole plan where the running quarter has no price.
 *
 * Where the plan goes on beyond the prices, what is then stored beyond the start
 * counts with the lowest price known, less the loss on the way out: enough to
 * keep PV for tomorrow, never enough to buy for it on a guess. Where the prices
 * reach as far as the plan it counts nothing.
 *
 * @returns stored energy in kWh at the end of each quarter
 */
export function leastCost(problem: Problem): Float64Array {
	const { count, priced } = problem;
	const path = new Float64Array(count);
	if (priced > 0) path.set(pricedPath(problem));
	return selfConsumption(problem, path, priced);
}

/**
 * What the priced quarters cost: bought less sold, less the worth of what is
 * stored beyond the start at their end (0 where the prices reach as far as the
 * plan). The measure that `leastCost` makes least.
 *
 * @param path stored energy in kWh at the end of each quarter
 */
export function costOf(problem: Problem, path: Float64Array): number {
	const { priced, surplus, prices, feedInMost, feedInPrice, oneWay } = problem;
	let before = problem.stored;
	let cost = 0;
	for (let index = 0; index < priced; index += 1) {
		const after = path[index] as number;
		const change = after - before;
		const left =
			(surplus[index] as number) -
			(change > 0 ? change / oneWay : change * oneWay);
		cost +=
			left > 0
				? -Math.min(left, feedInMost[index] as number) * feedInPrice
				: -left * (prices[index] as number);
		before = after;
	}
	return cost - endValue(problem) * Math.max(0, before - target(problem));
}

/** Stored energy that the priced quarters must not end under, kWh. */
const target = ({ stored, ceiling }: Problem) => Math.min(stored, ceiling);

/** Worth of a kWh stored beyond the start at the end of the prices. */
function endValue({ count, priced, prices, oneWay }: Problem): number {
	return priced < count
		? Math.max(0, Math.min(...prices.subarray(0, priced))) * oneWay
		: 0;
}

/** Worth of the best use that any stored kWh can find: bought dearer it never pays. */
function mostWorth(problem: Problem): number {
	const { priced, surplus, prices, oneWay } = problem;
	let most = endValue(problem);
	for (let index = 0; index < priced; index += 1) {
		if ((surplus[index] as number) < 0) {
			most = Math.max(most, (prices[index] as number) * oneWay);
		}
	}
	return most;
}

/** What can be done in a quarter and what it costs, per stored kWh. */
function quarterOf(problem: Problem, index: number, most: number): Quarter {
	const { oneWay, feedInPrice } = problem;
	const energy = problem.surplus[index] as number;
	const price = problem.prices[index] as number;
	const chargeMost = problem.chargeMost[index] as number;
	const given =
		Math.min(Math.max(0, -energy), problem.dischargeMost[index] as number) /
		oneWay;
	const fromPv = Math.min(Math.max(0, energy), chargeMost);
	const lost = Math.min(
		fromPv,
		Math.max(0, energy - (problem.feedInMost[index] as number)),
	);
	const ways: Way[] = [];
	if (given > 0) ways.push({ energy: given, cost: price * oneWay });
	if (lost > 0) ways.push({ energy: lost * oneWay, cost: -TIE });
	if (fromPv > lost) {
		ways.push({
			energy: (fromPv - lost) * oneWay,
			cost: feedInPrice / oneWay - TIE,
		});
	}
	const fromGrid = price / oneWay;
	if (fromGrid < most && chargeMost > fromPv) {
		ways.push({ energy: (chargeMost - fromPv) * oneWay, cost: fromGrid });
	}
	return { base: -given, ways, from: 0, end: ways.length };
}

/**
 * Where costs rise within each quarter, which is the rule, the cheapest path is
 * the plan. Where they fall, branch and bound: a relaxed plan tells what no plan
 * can be cheaper than, and is split in two where it is too good to be true, until
 * the best plan found is as good as any can be, or the work is enough.
 */
function pricedPath(problem: Problem): Float64Array {
	const { priced, floor, ceiling, stored } = problem;
	const rest = endValue(problem);
	const least = target(problem);
	const solve = (quarters: readonly Quarter[]) => {
		const { moves, costs } = ranked(quarters);
		const endWorth = costs.map((cost) => (cost < rest ? ceiling : least));
		return cheapestPath(moves, { stored, floor, ceiling, endWorth });
	};
	// Doing nothing is always possible: the plan is never worse than no battery.
	let best: Float64Array = new Float64Array(priced).fill(stored);
	const withoutBattery = costOf(problem, best);
	let bestCost = withoutBattery;
	const near = NEAR * Math.abs(withoutBattery);

	const most = mostWorth(problem);
	const open: Quarter[][] = [
		Array.from({ length: priced }, (_, index) =>
			quarterOf(problem, index, most),
		),
	];
	for (let work = 0; work < WORK && open.length > 0; work += priced) {
		const quarters = open.pop() as Quarter[];
		const path = solve(quarters);
		const cost = costOf(problem, path);
		// At equal cost a plan is better than none: it keeps PV.
		if (cost < bestCost + ROUNDING) {
			best = path;
			bestCost = cost;
		}
		const { excess, split } = flawOf(quarters, path, stored);
		if (split && cost - excess < bestCost - near) open.push(...split);
	}
	return best;
}
