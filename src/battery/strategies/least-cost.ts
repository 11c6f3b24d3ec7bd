import type { PlanQuarters, Quarter } from "../plan-inputs";
import {
	cheapestPath,
	MUST,
	type Planner,
	type QuarterWays,
	type Raises,
	type Solution,
	topOf,
	withNeeded,
} from "./cheapest-path";
import { gridPath } from "./grid-path";
import {
	fromGrid,
	fromPv,
	givenToHouse,
	lostPv,
	selfConsumption,
	selfConsumptionFrom,
	waysOf,
} from "./self-consumption";

/** At equal cost PV goes to the battery rather than to the grid, and nothing is bought: per stored kWh. */
const TIE = 1e-6;
/** At equal cost the earlier PV is stored, which cannot fail to come: per quarter and kWh. */
const LATER = 1e-9;

/**
 * Least cost over the quarters whose price is known; beyond them it is
 * self-consumption, and so is the whole plan where the running quarter has no
 * price. Charges from the grid where `gridCharge` allows, gives to the house, and
 * to the grid where `sell` allows.
 *
 * With `gridCharge` the priced quarters end with no less stored than at the
 * start. What is stored at their end counts with the lowest price known, less the
 * loss on the way out: enough to keep PV for tomorrow and not to sell it for less,
 * never enough to buy for it on a guess.
 *
 * Where costs rise within each quarter, which is the rule, the cheapest path is
 * exact; where they fall (a price below the feed-in price or below 0) it is sought
 * level by level.
 */
export function leastCost(plan: PlanQuarters): Planner {
	const { quarters, priced, stored, floor } = plan;
	const known = quarters.slice(0, priced);
	const ways = known.map((quarter, index) => pricedWays(plan, quarter, index));
	const choices = known.map((quarter, index) => [
		ways[index] as QuarterWays,
		...stoppedWays(plan, quarter, ways[index] as QuarterWays),
	]);
	const isRising = choices.every(
		([{ ways: each } = { ways: [] }, ...others]) =>
			others.length === 0 &&
			each.every(({ cost }, at) => cost >= (each[at - 1]?.cost ?? cost)),
	);
	return (raises) => {
		const beyond = selfConsumptionBeyond(plan, raises);
		if (priced === 0) return beyond.follow(stored);
		const least = Math.max(leastAtEnd(plan), floor + beyond.needed);
		const end = withNeeded(
			[{ energy: topOf(plan) - floor, worth: endValue(plan) }],
			least - floor,
		);
		const path = isRising
			? cheapestPath(ways, plan, end, raises).follow(stored)
			: gridPath(choices, plan, end, raises);
		return [...path, ...beyond.follow(path.at(-1) as number)];
	};
}

/** Self-consumption where prices are not known: the plain one while nothing is asked of it. */
function selfConsumptionBeyond(plan: PlanQuarters, raises: Raises): Solution {
	const { priced, quarters } = plan;
	return [...raises.keys()].some((index) => index >= priced)
		? selfConsumptionFrom(plan, priced, raises)
		: {
				needed: 0,
				follow: (now) => selfConsumption(plan, priced, quarters.length, now),
			};
}

/**
 * What a quarter costs that is bought in whole, its PV stopped, while importing
 * pays; infinite where PV must not be stopped or the import is too large.
 *
 * @param charged kWh on the side of the house
 */
function stoppedCost(
	{ mayCurtail }: PlanQuarters,
	quarter: Quarter,
	charged: number,
): number {
	const { price, pvW, loadW, hours } = quarter;
	const load = (loadW * hours) / 1000;
	const mayStop = mayCurtail && pvW > 0 && (price ?? 0) < 0;
	return mayStop && charged >= 0 && charged <= stoppedMost(quarter) + 1e-9
		? (load + charged) * (price as number)
		: Infinity;
}

/** Most that is charged while PV is stopped, kWh. */
function stoppedMost(quarter: Quarter): number {
	const { chargeMost, gridMost, importMost, loadW, hours } = quarter;
	const room = importMost - (loadW * hours) / 1000;
	return Math.max(0, Math.min(chargeMost, gridMost, room));
}

/** What a quarter with its PV costs: bought less sold. */
function sunnyCost(
	{ surplus, price, feedIn, feedInMost }: Quarter,
	charged: number,
): number {
	const bought = Math.max(charged - surplus, -feedInMost);
	return bought * (bought > 0 ? (price as number) : feedIn);
}

/** Whether PV is stopped in a quarter that charges so much, kWh (below 0 gives). */
export const isStopped = (
	plan: PlanQuarters,
	quarter: Quarter,
	charged: number,
): boolean =>
	stoppedCost(plan, quarter, charged) < sunnyCost(quarter, charged) - TIE;

/**
 * What the priced quarters cost: bought less sold, and wear, less the worth of what is
 * stored at their end (`leastCost`), and more than anything for what their end
 * lacks. The measure that `leastCost` makes least.
 *
 * @param path stored energy in kWh at the end of each quarter
 * @param least stored energy in kWh with which the priced quarters must end
 */
export function costOf(
	plan: PlanQuarters,
	path: readonly number[],
	least = leastAtEnd(plan),
): number {
	const { oneWay, wearPrice } = plan;
	let before = plan.stored;
	let cost = 0;
	for (const [index, quarter] of plan.quarters
		.slice(0, plan.priced)
		.entries()) {
		const change = (path[index] as number) - before;
		const charged = change > 0 ? change / oneWay : change * oneWay;
		cost += Math.min(
			sunnyCost(quarter, charged),
			stoppedCost(plan, quarter, charged),
		);
		cost += Math.max(0, change) * wearPrice;
		before += change;
	}
	const beyond = before - least;
	return cost - beyond * (beyond > 0 ? endValue(plan) : MUST);
}

/** Stored energy that the priced quarters must not end under, kWh. */
export const leastAtEnd = ({
	stored,
	floor,
	ceiling,
	gridCharge,
}: PlanQuarters) => (gridCharge ? Math.min(stored, ceiling) : floor);

/** Lowest price known, per kWh. */
export const leastPrice = ({ quarters, priced }: PlanQuarters): number =>
	Math.min(...quarters.slice(0, priced).map(({ price }) => price as number));

/** Worth of a stored kWh at the end of the prices. */
export const endValue = (plan: PlanQuarters): number =>
	Math.max(0, leastPrice(plan)) * plan.oneWay;

/** What can be done in a quarter and what it costs, per stored kWh. */
function pricedWays(
	plan: PlanQuarters,
	quarter: Quarter,
	index: number,
): QuarterWays {
	const { oneWay, sell, wearPrice } = plan;
	const { surplus, feedIn, feedInMost, giveMost } = quarter;
	const price = quarter.price as number;
	const given = givenToHouse(plan, quarter);
	const room = feedInMost - Math.max(0, surplus);
	const sold = sell
		? Math.max(0, Math.min(giveMost, room + given * oneWay) / oneWay - given)
		: 0;
	const lost = lostPv(quarter) * oneWay;
	const late = index * LATER + wearPrice;
	return waysOf(-given - sold, [
		{ energy: sold, cost: feedIn * oneWay },
		{ energy: given, cost: price * oneWay },
		{ energy: lost, cost: late - TIE },
		{
			energy: fromPv(quarter) * oneWay - lost,
			cost: feedIn / oneWay + late - TIE,
		},
		{
			energy: fromGrid(quarter) * oneWay,
			cost: price / oneWay + wearPrice + TIE,
		},
	]);
}

/** The same with PV stopped, where that may bring more. */
function stoppedWays(
	plan: PlanQuarters,
	quarter: Quarter,
	{ base }: QuarterWays,
): QuarterWays[] {
	const { oneWay, wearPrice } = plan;
	const cost = stoppedCost(plan, quarter, 0);
	if (cost === Infinity) return [];
	const energy = stoppedMost(quarter) * oneWay;
	const price = (quarter.price as number) / oneWay + wearPrice + TIE;
	const offset = cost - sunnyCost(quarter, base * oneWay);
	return [{ ...waysOf(0, [{ energy, cost: price }]), offset }];
}
