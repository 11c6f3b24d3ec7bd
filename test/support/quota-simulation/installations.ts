import { DAY_MS, HOUR_MS } from "../../../src/util/time";
import { agesOf } from "./ages";
import {
	MOST_RATIO,
	type NamedPlan,
	othersTimes,
	PLANS,
	reserveOf,
	SEASONS,
	sunsOf,
} from "./cells";
import { oracleAge } from "./oracle";
import { runOurs } from "./ours";
import { LightService, slotOf } from "./service";
import type { Season, Sun } from "./sun";

/** Days of the month on which this package is installed. */
const DAYS = [5, 11, 21, 28] as const;
/** Hour of the day (UTC) at which it is. */
const INSTALLED_HOUR = 9;
const SITES = [1, 3] as const;

/** Share of the month's requests that others use each day: who end, who go on, who begin. */
const USED_A_DAY = { end: 1 / 30, "go on": 1 / 60, begin: 1 / 60 } as const;
/** What that is a share of where there is no limit. */
const UNMETERED = 3000;

/** What others do: they end with our first request, go on, or begin a day later. */
const OTHERS = ["end", "go on", "begin"] as const;

/** A month in which this package is installed late, on an account that others use or have used. */
export interface Installation {
	readonly season: Season;
	readonly plan: NamedPlan;
	readonly sites: number;
	/** Of the month. */
	readonly day: number;
	readonly others: (typeof OTHERS)[number];
}

export const INSTALLATIONS: readonly Installation[] = SEASONS.slice(
	0,
	2,
).flatMap((season) =>
	PLANS.flatMap((plan) =>
		SITES.flatMap((sites) =>
			DAYS.flatMap((day) =>
				OTHERS.map((others) => ({ season, plan, sites, day, others })),
			),
		),
	),
);

/** A day of the sites' zone. */
interface DayOfPolls {
	readonly polls: number;
	/** Requests above the reserve at its begin. */
	readonly left: number;
	/** An even share of those which others do not use, and of no more than there are forecasts. */
	readonly evenShare: number;
}

/** What a month came to, from our first request on. */
export interface LateMonth {
	/** Mean age weighted by power, minutes. */
	readonly mean: number;
	/** The least that one could reach who knows others' use from our first request on. */
	readonly oracle: number;
	readonly refused: number;
	/** Requests above the reserve at the end of the month, null when unmetered. */
	readonly left: number | null;
	/** Full days. */
	readonly days: readonly DayOfPolls[];
}

/** Times of others' requests, ascending, epoch ms. */
function othersOf(
	{ season, plan, others }: Installation,
	start: number,
): number[] {
	const perDay = Math.floor((plan.limit ?? UNMETERED) * USED_A_DAY[others]);
	return othersTimes(season, () => perDay).filter(
		(at) =>
			others === "go on" ||
			(others === "end" ? at < start : at >= start + DAY_MS),
	);
}

/** Simulates the month from the installation on. */
export function runInstallation(installation: Installation): LateMonth {
	const { season, day } = installation;
	const start = season.start + (day - 1) * DAY_MS + INSTALLED_HOUR * HOUR_MS;
	return runFrom(installation, start, othersOf(installation, start));
}

/**
 * Simulates a month from our first request on.
 *
 * @param start of that request, epoch ms
 * @param foreign times of others' requests from the month's begin on, ascending
 */
export function runFrom(
	{ season, plan, sites }: Pick<Installation, "season" | "plan" | "sites">,
	start: number,
	foreign: readonly number[],
): LateMonth {
	const { end } = season;
	const { limit, updates, forecastDays } = plan;
	const suns = sunsOf(season, sites);
	const zones = suns.map(({ zone }) => zone);
	const service = new LightService(plan, zones, foreign);
	const { asked } = runOurs(service, suns, { start, end, forecastDays });
	service.advance(end - 1);
	const mayUse =
		limit === null ? Number.POSITIVE_INFINITY : limit - reserveOf(plan);
	const times = asked.map(({ at }) => at);
	const fullDay = Math.min(updates, 96) * sites;
	const days: DayOfPolls[] = [];
	const { zone } = suns[0] as Sun;
	for (let date = zone.dayOf(start) + 1; ; date += 1) {
		const [from, to] = [zone.dayStart(date), zone.dayStart(date + 1)];
		if (to > end) break;
		const left = mayUse - countBefore(foreign, from) - countBefore(times, from);
		const forUs = left - (foreign.length - countBefore(foreign, from));
		days.push({
			polls: countBefore(times, to) - countBefore(times, from),
			left,
			evenShare: Math.min(
				Math.max(0, forUs) / ((end - from) / DAY_MS),
				fullDay,
			),
		});
	}
	return {
		mean: agesOf(asked, suns, start, end).mean as number,
		oracle: oracleAge(
			suns,
			updates,
			start,
			end,
			mayUse - foreign.length - sites,
			end,
			(sun) =>
				updates > 96 ? 0 : start - slotOf(sun.zone, updates, start).start,
		) as number,
		refused: asked.filter(({ status }) => status === 429).length,
		left: limit === null ? null : mayUse - service.used,
		days,
	};
}

const countBefore = (times: readonly number[], instant: number) =>
	times.filter((at) => at < instant).length;

/** What a month does not hold of what the schedule promises. */
export function lateMonthViolations({
	mean,
	oracle,
	refused,
	left,
	days,
}: LateMonth): string[] {
	const found: string[] = [];
	if (refused > 0) found.push(`${refused} × 429`);
	if (left !== null && left < 0) found.push(`${-left} of the reserve used`);
	if (mean > oracle * MOST_RATIO) {
		found.push(`${(mean / oracle).toFixed(2)} × the oracle's age`);
	}
	for (const { polls, left, evenShare } of days) {
		if (polls < 1 && left >= 1) found.push(`no poll with ${left} left`);
		if (polls < Math.floor(evenShare / 2)) {
			found.push(`${polls} polls of an even share of ${evenShare.toFixed(1)}`);
		}
	}
	return found;
}
