import type { Problem } from "./problem";

/**
 * Charges at the first surplus and gives at the first lack: what an inverter
 * does when it is told nothing. No other way of charging from PV alone takes
 * less from the grid.
 *
 * @param path stored energy in kWh at the end of each quarter, filled from `first` on
 * @returns `path`
 */
export function selfConsumption(
	problem: Problem,
	path = new Float64Array(problem.count),
	first = 0,
): Float64Array {
	const { count, surplus, chargeMost, dischargeMost, oneWay, floor, ceiling } =
		problem;
	let stored = first === 0 ? problem.stored : (path[first - 1] as number);
	for (let index = first; index < count; index += 1) {
		const energy = surplus[index] as number;
		if (energy > 0) {
			const taken = Math.min(energy, chargeMost[index] as number) * oneWay;
			// Above the ceiling it stays until it can be given.
			stored = Math.max(stored, Math.min(stored + taken, ceiling));
		} else {
			const given = Math.min(-energy, dischargeMost[index] as number) / oneWay;
			stored = Math.max(stored - given, floor);
		}
		path[index] = stored;
	}
	return path;
}
