import type { PlanQuarters, Quarter } from "../plan-inputs";
import {
	cheapestPath,
	type Planner,
	type QuarterWays,
	type Raises,
	type Solution,
	topOf,
	type Way,
} from "./cheapest-path";

/**
 * Costs of which only the order counts, lowest first: PV, then a full battery,
 * the house, and the grid, which is bought from only for a target.
 */
export const RANK = { pv: 0, full: 1, house: 2, grid: 10 } as const;
/** Below every difference of ranks, for as many quarters as a plan can have. */
export const STEP = 1e-6;

/**
 * Charges at the first surplus and gives at the first lack: what an inverter
 * does when it is told nothing. No other way of charging from PV alone takes
 * less from the grid.
 *
 * @param first quarter from which on
 * @param stored energy in kWh at its start
 * @returns stored energy in kWh at the end of each quarter from `first` to before `end`
 */
export function selfConsumption(
	plan: PlanQuarters,
	first = 0,
	end = plan.quarters.length,
	stored = plan.stored,
): number[] {
	const { oneWay, floor, ceiling } = plan;
	let now = stored;
	return plan.quarters.slice(first, end).map((quarter) => {
		const charged = fromPv(quarter) * oneWay;
		const given = givenToHouse(plan, quarter);
		// Above the ceiling it stays until it can be given.
		now = Math.max(now, Math.min(now + charged, ceiling));
		now = Math.max(now - given, floor);
		return now;
	});
}

/** Plans self-consumption, where targets are to be met by the cheapest path. */
export const selfConsumptionPlanner =
	(plan: PlanQuarters): Planner =>
	(raises) =>
		raises.size === 0
			? selfConsumption(plan)
			: selfConsumptionFrom(plan, 0, raises).follow(plan.stored);

/** The cheapest path of self-consumption from a quarter to the plan's end. */
export function selfConsumptionFrom(
	plan: PlanQuarters,
	first: number,
	raises: Raises,
): Solution {
	return cheapestPath(
		plan.quarters
			.slice(first)
			.map((_, at) => selfConsumptionWays(plan, first + at)),
		plan,
		[{ energy: topOf(plan) - plan.floor, worth: RANK.full }],
		raises,
		first,
	);
}

/**
 * The same as ways with costs, for plans that have targets to meet: the first
 * surplus is the cheapest, the first lack the one most worth giving to, and the
 * grid, where it may be charged from, the dearest.
 */
export function selfConsumptionWays(
	plan: PlanQuarters,
	index: number,
): QuarterWays {
	const quarter = plan.quarters[index] as Quarter;
	const given = givenToHouse(plan, quarter);
	const house = { energy: given, cost: RANK.house - index * STEP };
	const charged = fromPv(quarter) * plan.oneWay;
	const pv = { energy: charged, cost: RANK.pv + index * STEP };
	return waysOf(-given, [house, pv, gridWay(plan, index)]);
}

/** What can be done in a quarter, without ways that have no energy. */
export const waysOf = (base: number, ways: readonly Way[]): QuarterWays => ({
	base,
	ways: ways.filter(({ energy }) => energy > 0),
});

/** What PV leaves over beyond the load, or beyond what the inverter passes, as far as it can be charged, kWh. */
export const fromPv = ({ surplus, feedInMost, chargeMost }: Quarter): number =>
	Math.min(Math.max(0, surplus, surplus - feedInMost), chargeMost);

/** What of it would be lost above the feed-in limit, kWh. */
export const lostPv = (quarter: Quarter): number =>
	Math.min(fromPv(quarter), Math.max(0, quarter.surplus - quarter.feedInMost));

/** Most that the house can be given in a quarter, kWh from the store. */
export const givenToHouse = (
	{ oneWay }: PlanQuarters,
	{ surplus, giveMost }: Quarter,
): number => Math.min(Math.max(0, -surplus), giveMost) / oneWay;

/** Most that the grid can add in a quarter, kWh. */
export function fromGrid(quarter: Quarter): number {
	const { surplus, feedInMost, importMost } = quarter;
	// What the house lacks comes through the main fuse first.
	const room = importMost - Math.max(0, -surplus, -feedInMost);
	const left = quarter.chargeMost - fromPv(quarter);
	return Math.max(0, Math.min(left, quarter.gridMost, room));
}

/** Charging from the grid for a target: where it is cheapest, and else as late as can be. */
export function gridWay(plan: PlanQuarters, index: number): Way {
	const { quarters, priced, meanPrice, targets, oneWay } = plan;
	const quarter = quarters[index] as Quarter;
	const price = index < priced ? (quarter.price as number) : meanPrice;
	return {
		energy: targets.length > 0 ? fromGrid(quarter) * oneWay : 0,
		cost: RANK.grid + Math.atan(price) + (quarters.length - index) * STEP,
	};
}
