import type { PlanQuarters } from "../plan-inputs";
import {
	cheapestPath,
	type Planner,
	type QuarterWays,
	type Way,
	withNeeded,
} from "./cheapest-path";
import { addGrid, givenToHouse, RANK, STEP } from "./self-consumption";

/** Steps into which the surplus is cut, for an even export at midday. */
const BANDS = 16;
/** Rank of PV that can be fed in; what would be lost above the limit ranks below. */
const FED_IN = 0.5;

/** From quarter `first` to before quarter `end`. */
interface Stretch {
	readonly first: number;
	readonly end: number;
}

/**
 * Keeps room for the PV above the feed-in limit: of all plans that use PV alone,
 * take no more from the grid than self-consumption and hold as much at each
 * day's sunset, one that loses least above the limit.
 *
 * Energy that would be lost costs least, giving to the house is worth more than
 * any PV, and so is a full battery at sunset: the cheapest path then takes as
 * much from above the limit as can be had, the earlier the better. What else it
 * needs comes from the top of the day, so that the export is even: the surplus is
 * cut into bands of power of which the highest costs least.
 */
export function peakShaving(quarters: PlanQuarters): Planner {
	const { count, stored, floor, ceiling } = quarters;
	const full = [{ energy: ceiling - floor, worth: RANK.full }];
	const stretches = sunStretches(quarters).map(({ first, end }) => {
		const edges = bandEdges(quarters, first, end);
		const ways = Array.from({ length: end - first }, (_, at) =>
			waysOf(quarters, first + at, edges),
		);
		return { first, ways };
	});
	return (raises) => {
		let needed = 0;
		const solutions = [...stretches].reverse().map(({ first, ways }) => {
			const end = withNeeded(full, needed);
			const solution = cheapestPath(ways, quarters, end, raises, first);
			needed = solution.needed;
			return { first, solution };
		});
		const path = new Float64Array(count);
		let now = stored;
		for (const { first, solution } of solutions.reverse()) {
			const part = solution.follow(now);
			path.set(part, first);
			now = part[part.length - 1] as number;
		}
		return path;
	};
}

/** Each ends with the last quarter of a local day that has surplus (sunset), the last with the plan. */
export function sunStretches({
	count,
	surplus,
	days,
}: PlanQuarters): Stretch[] {
	const stretches: Stretch[] = [];
	let first = 0;
	let sunset = -1;
	const close = (end: number) => {
		if (end > first) stretches.push({ first, end });
		first = end;
	};
	for (let index = 0; index < count; index += 1) {
		if (days[index] !== days[index - 1] && sunset >= first) close(sunset + 1);
		if ((surplus[index] as number) > 0) sunset = index;
	}
	if (sunset >= first) close(sunset + 1);
	close(count);
	return stretches;
}

/** Bands of power in W from 0 up to the highest surplus. */
function bandEdges(
	{ surplus, hours }: PlanQuarters,
	first: number,
	end: number,
): number[] {
	let most = 0;
	for (let index = first; index < end; index += 1) {
		most = Math.max(
			most,
			(surplus[index] as number) / (hours[index] as number),
		);
	}
	return Array.from({ length: BANDS }, (_, band) => (most * band) / BANDS);
}

function waysOf(
	quarters: PlanQuarters,
	index: number,
	edges: readonly number[],
): QuarterWays {
	const { surplus, hours, chargeMost, feedInMost, oneWay } = quarters;
	const energy = surplus[index] as number;
	const most = chargeMost[index] as number;
	const given = givenToHouse(quarters, index);
	const ways: Way[] = [];
	if (given > 0) ways.push({ energy: given, cost: RANK.house });
	const taken = Math.min(most, Math.max(0, energy));
	// What is taken comes from the top of the surplus: what would be lost comes first.
	const lost = Math.min(
		taken,
		Math.max(0, energy - (feedInMost[index] as number)),
	);
	if (lost > 0) {
		ways.push({ energy: lost * oneWay, cost: RANK.pv + index * STEP });
	}
	let top = energy - lost;
	for (let band = BANDS - 1; band >= 0 && top > energy - taken; band -= 1) {
		const edge = (edges[band] as number) * (hours[index] as number);
		const bottom = Math.max(energy - taken, edge);
		if (bottom >= top) continue;
		ways.push({
			energy: (top - bottom) * oneWay,
			cost: FED_IN * (1 + (BANDS - 1 - band) / BANDS),
		});
		top = bottom;
	}
	addGrid(quarters, index, most - taken, ways);
	return { base: -given, ways };
}
