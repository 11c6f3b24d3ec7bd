import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/util/time";
import { type Ages, agesOf } from "./ages";
import { oracleAge } from "./oracle";
import { type Asked, runOurs } from "./ours";
import { LightService, type ServicePlan } from "./service";
import { chance, type Season, Sun } from "./sun";

export const SEASONS: readonly Season[] = [
	{
		name: "December",
		latitude: 52.5,
		longitude: 13.4,
		zone: "Europe/Berlin",
		start: Date.UTC(2026, 11, 1),
		end: Date.UTC(2027, 0, 1),
	},
	{
		name: "June",
		latitude: 52.5,
		longitude: 13.4,
		zone: "Europe/Berlin",
		start: Date.UTC(2026, 5, 1),
		end: Date.UTC(2026, 6, 1),
	},
	{
		name: "69° N, December",
		latitude: 69.6,
		longitude: 18.9,
		zone: "Europe/Oslo",
		start: Date.UTC(2026, 11, 1),
		end: Date.UTC(2027, 0, 1),
	},
	{
		name: "69° N, June",
		latitude: 69.6,
		longitude: 18.9,
		zone: "Europe/Oslo",
		start: Date.UTC(2026, 5, 1),
		end: Date.UTC(2026, 6, 1),
	},
];

export interface NamedPlan extends ServicePlan {
	readonly name: string;
	/** Days after today in a forecast. */
	readonly forecastDays: number;
}

export const PLANS: readonly NamedPlan[] = [
	{ name: "250/1", limit: 250, updates: 1, forecastDays: 1 },
	{ name: "3000/24", limit: 3000, updates: 24, forecastDays: 3 },
	{ name: "3000/96", limit: 3000, updates: 96, forecastDays: 7 },
	{ name: "3000/144", limit: 3000, updates: 144, forecastDays: 7 },
	{ name: "unmetered/144", limit: null, updates: 144, forecastDays: 7 },
];

const SITES = [1, 3, 20] as const;
/** Requests of others a day. */
const OTHERS = [0, 10, 50] as const;

/** What is simulated: a month of a plan, with so many sites and so much use by others. */
export interface Cell {
	readonly season: Season;
	readonly plan: NamedPlan;
	readonly sites: number;
	readonly others: number;
}

export const CELLS: readonly Cell[] = SEASONS.flatMap((season) =>
	PLANS.flatMap((plan) =>
		SITES.flatMap((sites) =>
			OTHERS.map((others) => ({ season, plan, sites, others })),
		),
	),
);

/** What asking came to. */
export interface Outcome extends Ages {
	readonly requests: number;
	/** Of these, answered with 429. */
	readonly refused: number;
}

export interface CellResult {
	readonly cell: Cell;
	readonly ours: Outcome;
	/** Least mean age for as many requests, minutes; null without any power. */
	readonly oracle: number | null;
	/** Whether others alone leave more than the reserve. */
	readonly isOpen: boolean;
	/** What was left at the end of the month; null when unmetered. */
	readonly left: number | null;
	readonly reserve: number;
	/** Longest time without a request while there was more than the reserve, ms. */
	readonly longestGap: number;
}

/** Peak powers of the sites in turn, kW. */
const KILOWATTS = [10, 6, 15, 8, 4];

/** Sites of a season, each under clouds of its own. */
export function sunsOf(season: Season, sites: number): Sun[] {
	return Array.from(
		{ length: sites },
		(_, index) =>
			new Sun(season, index + 1, KILOWATTS[index % KILOWATTS.length] as number),
	);
}

/** What is left for others where nothing else is set. */
export const reserveOf = ({ limit }: ServicePlan) =>
	limit === null ? 0 : Math.ceil(limit * 0.05);

/**
 * Times of others' requests, at any hour.
 *
 * @param perDay how many on the day that begins at an instant (UTC)
 */
export function othersTimes(
	{ start, end }: Season,
	perDay: (day: number) => number,
): number[] {
	const times: number[] = [];
	for (let day = start; day < end; day += DAY_MS) {
		for (let index = 0; index < perDay(day); index += 1) {
			times.push(day + Math.floor(chance(day / DAY_MS, index, 77) * DAY_MS));
		}
	}
	return times.sort((a, b) => a - b);
}

/** Simulates a cell: ours, and the least that is possible. */
export function runCell(cell: Cell): CellResult {
	const { season, plan, sites, others } = cell;
	const { start, end } = season;
	const { limit, updates, forecastDays } = plan;
	const suns = sunsOf(season, sites);
	const zones = suns.map(({ zone }) => zone);
	const foreign = othersTimes(season, () => others);
	const reserve = reserveOf(plan);
	const service = new LightService(
		plan,
		zones,
		foreign,
		limit === null ? 0 : limit - reserve,
	);
	const { asked } = runOurs(service, suns, { start, end, forecastDays });
	service.advance(end - 1);
	return {
		cell,
		ours: {
			requests: asked.length,
			refused: asked.filter(({ status }) => status === 429).length,
			...agesOf(asked, suns, start, end),
		},
		oracle: oracleAge(
			suns,
			updates,
			start,
			end,
			asked.length - sites,
			limit === null ? end : (foreign[limit - 1] ?? end),
		),
		isOpen: limit === null || limit - foreign.length > reserve,
		left: limit === null ? null : limit - service.used,
		reserve,
		longestGap: longestGap(asked, start, service.reachedAt ?? end),
	};
}

function longestGap(
	asked: readonly Asked[],
	start: number,
	until: number,
): number {
	let before = start;
	let longest = 0;
	for (const { at } of asked) {
		if (at > until) break;
		longest = Math.max(longest, at - before);
		before = at;
	}
	return Math.max(longest, until - before);
}

/** How far a mean age may lie above the oracle's, which knows clouds and others' use beforehand. */
export const MOST_RATIO = 1.15;
/** A day of 25 hours, and the seconds behind a slot. */
const LONGEST_DAY_MS = 25 * HOUR_MS + MINUTE_MS;

/** What a cell does not hold of what the schedule promises. */
export function violations(result: CellResult): string[] {
	const { ours, oracle, isOpen, left, reserve } = result;
	const found: string[] = [];
	const must = (isTrue: boolean, text: string) => {
		if (!isTrue) found.push(text);
	};
	// Where others use up the month between two polls, the last of these learns it.
	must(ours.refused <= (isOpen ? 0 : 1), `${ours.refused} × 429`);
	if (isOpen && left !== null) {
		must(left >= reserve, `${left} left of a reserve of ${reserve}`);
	}
	if (isOpen && ours.mean !== null && oracle !== null) {
		const ratio = ours.mean / oracle;
		must(ratio <= MOST_RATIO, `${ratio.toFixed(2)} × the oracle's age`);
	} else {
		must(
			result.longestGap <= LONGEST_DAY_MS,
			`${(result.longestGap / HOUR_MS).toFixed(0)} h without a poll`,
		);
	}
	return found;
}
