import type { PlanQuarters } from "../plan-inputs";
import {
	cheapestPath,
	type Planner,
	type QuarterWays,
	type Raises,
	type Solution,
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
	quarters: PlanQuarters,
	first = 0,
	end = quarters.count,
	stored = quarters.stored,
): Float64Array {
	const { surplus, chargeMost, dischargeMost, oneWay, floor, ceiling } =
		quarters;
	const path = new Float64Array(end - first);
	let now = stored;
	for (let index = first; index < end; index += 1) {
		const energy = surplus[index] as number;
		if (energy > 0) {
			const taken = Math.min(energy, chargeMost[index] as number) * oneWay;
			// Above the ceiling it stays until it can be given.
			now = Math.max(now, Math.min(now + taken, ceiling));
		} else {
			const given = Math.min(-energy, dischargeMost[index] as number) / oneWay;
			now = Math.max(now - given, floor);
		}
		path[index - first] = now;
	}
	return path;
}

/** Plans self-consumption, where targets are to be met by the cheapest path. */
export const selfConsumptionPlanner =
	(quarters: PlanQuarters): Planner =>
	(raises) =>
		raises.size === 0
			? selfConsumption(quarters)
			: selfConsumptionFrom(quarters, 0, raises).follow(quarters.stored);

/** The cheapest path of self-consumption from a quarter to the plan's end. */
export function selfConsumptionFrom(
	quarters: PlanQuarters,
	first: number,
	raises: Raises,
): Solution {
	return cheapestPath(
		Array.from({ length: quarters.count - first }, (_, at) =>
			selfConsumptionWays(quarters, first + at),
		),
		quarters,
		[{ energy: quarters.ceiling - quarters.floor, worth: RANK.full }],
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
	quarters: PlanQuarters,
	index: number,
): QuarterWays {
	const { surplus, chargeMost, oneWay } = quarters;
	const energy = surplus[index] as number;
	const ways: Way[] = [];
	const given = givenToHouse(quarters, index);
	if (given > 0) ways.push({ energy: given, cost: RANK.house - index * STEP });
	const fromPv = Math.min(Math.max(0, energy), chargeMost[index] as number);
	if (fromPv > 0) {
		ways.push({ energy: fromPv * oneWay, cost: RANK.pv + index * STEP });
	}
	addGrid(quarters, index, (chargeMost[index] as number) - fromPv, ways);
	return { base: -given, ways };
}

/** Most that the house can be given in a quarter, kWh from the store. */
export function givenToHouse(
	{ surplus, dischargeMost, oneWay }: PlanQuarters,
	index: number,
): number {
	return (
		Math.min(
			Math.max(0, -(surplus[index] as number)),
			dischargeMost[index] as number,
		) / oneWay
	);
}

/** Charging from the grid for a target: where it is cheapest, and else as late as can be. */
export function addGrid(
	quarters: PlanQuarters,
	index: number,
	room: number,
	ways: Way[],
): void {
	const { gridCharge, targets, prices, priced, oneWay, count } = quarters;
	if (!gridCharge || targets.length === 0 || room <= 0) return;
	const price = index < priced ? (prices[index] as number) : quarters.meanPrice;
	ways.push({
		energy: room * oneWay,
		cost: RANK.grid + Math.atan(price) + (count - index) * STEP,
	});
}
