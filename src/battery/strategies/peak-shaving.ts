import type { PlanQuarters } from "../plan-inputs";
import {
	cheapestPath,
	type Raise,
	type Way,
	withNeeded,
} from "./cheapest-path";
import { addGrid, givenToHouse, RANK, STEP } from "./self-consumption";

/** Steps into which the surplus is cut, for an even export at midday. */
const BANDS = 32;
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
 * much from above the limit as can be had. With a margin, PV is stored as early as
 * the room for the rest allows, since a kWh that is stored cannot fail to come;
 * without one the surplus is cut into bands of power of which the highest costs
 * least, so that the export is even.
 *
 * @param raises worths that stored energy has at the end of a quarter, by quarter
 * @param early whether PV is stored early
 * @returns stored energy in kWh at the end of each quarter
 */
export function peakShaving(
	quarters: PlanQuarters,
	raises: ReadonlyMap<number, readonly Raise[]>,
	early: boolean,
): Float64Array {
	const { count, stored, floor, ceiling } = quarters;
	const full = [{ energy: ceiling - floor, worth: RANK.full }];
	let needed = 0;
	const solutions = sunStretches(quarters)
		.reverse()
		.map(({ first, end }) => {
			const edges = early ? [] : bandEdges(quarters, first, end);
			const solution = cheapestPath(
				Array.from({ length: end - first }, (_, at) =>
					waysOf(quarters, first + at, edges, early),
				),
				quarters,
				withNeeded(full, needed),
				raises,
				first,
			);
			needed = solution.needed;
			return { first, solution };
		})
		.reverse();
	const path = new Float64Array(count);
	let now = stored;
	for (const { first, solution } of solutions) {
		const part = solution.follow(now);
		path.set(part, first);
		now = part[part.length - 1] as number;
	}
	return path;
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
	early: boolean,
) {
	const { surplus, hours, chargeMost, feedInMost, oneWay } = quarters;
	const energy = surplus[index] as number;
	const most = chargeMost[index] as number;
	const given = givenToHouse(quarters, index);
	const ways: Way[] = [];
	if (given > 0) ways.push({ energy: given, cost: RANK.house });
	const limit = feedInMost[index] as number;
	const taken = Math.min(most, Math.max(0, energy));
	// What is taken comes from the top of the surplus: what would be lost comes first.
	const lost = Math.min(taken, Math.max(0, energy - limit));
	if (early) {
		const late = index * STEP;
		if (lost > 0) ways.push({ energy: lost * oneWay, cost: RANK.pv + late });
		if (taken > lost) {
			ways.push({ energy: (taken - lost) * oneWay, cost: FED_IN + late });
		}
	} else {
		let top = energy;
		for (let band = edges.length - 1; band >= 0; band -= 1) {
			const edge = Math.max(
				energy - taken,
				(edges[band] as number) * (hours[index] as number),
			);
			const cost = (FED_IN * (BANDS - 1 - band)) / BANDS;
			for (const [bottom, rank] of [
				[limit, RANK.pv],
				[0, FED_IN],
			] as const) {
				const down = Math.max(edge, bottom);
				if (down >= top) continue;
				ways.push({ energy: (top - down) * oneWay, cost: rank + cost });
				top = down;
			}
		}
	}
	addGrid(quarters, index, most - taken, ways);
	return { base: -given, ways };
}
