import type { PlanQuarters, Quarter } from "../plan-inputs";
import {
	cheapestPath,
	type Planner,
	type QuarterWays,
	topOf,
	type Way,
	withNeeded,
} from "./cheapest-path";
import {
	fromPv,
	givenToHouse,
	gridWay,
	lostPv,
	RANK,
	STEP,
	waysOf,
} from "./self-consumption";

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
export function peakShaving(plan: PlanQuarters): Planner {
	const full = [{ energy: topOf(plan) - plan.floor, worth: RANK.full }];
	const stretches = sunStretches(plan).map(({ first, end }) => {
		const quarters = plan.quarters.slice(first, end);
		const most = Math.max(
			0,
			...quarters.map(({ surplus, hours }) => surplus / hours),
		);
		const ways = quarters.map((_, at) => bandWays(plan, first + at, most));
		return { first, ways };
	});
	return (raises) => {
		let needed = 0;
		const solutions = [...stretches].reverse().map(({ first, ways }) => {
			const end = withNeeded(full, needed);
			const solution = cheapestPath(ways, plan, end, raises, first);
			needed = solution.needed;
			return solution;
		});
		const path: number[] = [];
		for (const solution of solutions.reverse()) {
			path.push(...solution.follow(path.at(-1) ?? plan.stored));
		}
		return path;
	};
}

/** Each ends with the last quarter of a local day that has surplus (sunset), the last with the plan. */
export function sunStretches({ quarters }: PlanQuarters): Stretch[] {
	const ends = quarters.flatMap(({ surplus, day }, index) => {
		if (surplus <= 0) return [];
		const next = quarters
			.slice(index + 1)
			.find((later) => later.day !== day || later.surplus > 0);
		return next?.day === day ? [] : [index + 1];
	});
	if (ends.at(-1) !== quarters.length) ends.push(quarters.length);
	return ends.map((end, at) => ({ first: ends[at - 1] ?? 0, end }));
}

/** @param most highest surplus of the stretch, kW: bands are shares of it */
function bandWays(
	plan: PlanQuarters,
	index: number,
	most: number,
): QuarterWays {
	const { oneWay } = plan;
	const quarter = plan.quarters[index] as Quarter;
	const given = givenToHouse(plan, quarter);
	// What is taken comes from the top of the surplus: what would be lost comes first.
	const lost = lostPv(quarter);
	const ways: Way[] = [
		{ energy: given, cost: RANK.house },
		{ energy: lost * oneWay, cost: RANK.pv + index * STEP },
	];
	const end = quarter.surplus - fromPv(quarter);
	let top = quarter.surplus - lost;
	for (let band = BANDS - 1; band >= 0 && top > end; band -= 1) {
		const bottom = Math.max(end, ((most * band) / BANDS) * quarter.hours);
		if (bottom >= top) continue;
		ways.push({
			energy: (top - bottom) * oneWay,
			cost: FED_IN * (1 + (BANDS - 1 - band) / BANDS),
		});
		top = bottom;
	}
	return waysOf(-given, [...ways, gridWay(plan, index)]);
}
