import type { Problem } from "./problem";
import { cheapestPath } from "./worth";

/** Steps into which the surplus is cut, for an even export at midday. */
const BANDS = 32;

/**
 * Fills the battery from the top of the midday surplus: of all plans that use
 * PV alone, take no more from the grid than self-consumption and hold as much
 * at each day's sunset, the one that loses least above the feed-in limit.
 *
 * The surplus of a day is cut into bands of power, one edge at the feed-in
 * limit. A kWh from a higher band costs less, giving to the house is worth more
 * than any band, and so is a full battery at sunset: the cheapest path then
 * takes, for every band edge at once, as much from above that edge as can be
 * had. So the limit's edge makes the loss the least possible, the others make
 * the export even. Sunset is the last quarter of a local day with surplus.
 *
 * @returns stored energy in kWh at the end of each quarter
 */
export function peakShaving(problem: Problem): Float64Array {
	const { count, surplus, days } = problem;
	const path = new Float64Array(count);
	let stored = problem.stored;
	let first = 0;
	let sunset = -1;
	const fill = (end: number) => {
		path.set(dayPath(problem, first, end, stored), first);
		if (end > first) stored = path[end - 1] as number;
		first = end;
	};
	for (let index = 0; index < count; index += 1) {
		if (days[index] !== days[index - 1] && sunset >= first) fill(sunset + 1);
		if ((surplus[index] as number) > 0) sunset = index;
	}
	if (sunset >= first) fill(sunset + 1);
	fill(count);
	return path;
}

/** Band edges in W from 0 up, the feed-in limit among them. */
function bandEdges(problem: Problem, first: number, end: number): number[] {
	let most = 0;
	let limit = Number.POSITIVE_INFINITY;
	for (let index = first; index < end; index += 1) {
		const hours = problem.hours[index] as number;
		most = Math.max(most, (problem.surplus[index] as number) / hours);
		limit = (problem.feedInMost[index] as number) / hours;
	}
	const edges = Array.from(
		{ length: BANDS },
		(_, band) => (most * band) / BANDS,
	);
	if (limit < most && !edges.includes(limit)) edges.push(limit);
	return edges.sort((a, b) => a - b);
}

function dayPath(
	problem: Problem,
	first: number,
	end: number,
	stored: number,
): Float64Array {
	const { surplus, hours, chargeMost, dischargeMost, oneWay, floor, ceiling } =
		problem;
	const edges = bandEdges(problem, first, end);
	// The highest band costs least; giving to the house ranks above them all.
	const giving = edges.length;
	const moves = {
		base: [] as number[],
		first: [0],
		energy: [] as number[],
		level: [] as number[],
	};
	for (let index = first; index < end; index += 1) {
		const energy = surplus[index] as number;
		if (energy <= 0) {
			const given = Math.min(-energy, dischargeMost[index] as number) / oneWay;
			moves.base.push(-given);
			moves.energy.push(given);
			moves.level.push(giving);
		} else {
			moves.base.push(0);
			const length = hours[index] as number;
			// The battery takes from the top of the surplus down to here.
			const bottom = Math.max(0, energy - (chargeMost[index] as number));
			let top = energy;
			for (let band = edges.length - 1; band >= 0 && top > bottom; band -= 1) {
				const edge = Math.max(bottom, (edges[band] as number) * length);
				if (edge < top) {
					moves.energy.push((top - edge) * oneWay);
					moves.level.push(edges.length - 1 - band);
					top = edge;
				}
			}
		}
		moves.first.push(moves.energy.length);
	}
	// At sunset a full battery is worth more than any band, but not than the house.
	const endWorth = new Array<number>(giving).fill(ceiling);
	endWorth.push(floor);
	return cheapestPath(moves, { stored, floor, ceiling, endWorth });
}
