import { DAY_MS, MINUTE_MS } from "../../util/time";
import { utcText } from "../../util/timestamp";
import { mergeConfig, mergeLeaves } from "../config";
import { type Places, timezoneOf } from "../physics/place";
import { stampText, ZoneClock } from "../physics/zone-clock";
import type { Plan } from "../plans";
import {
	type Computation,
	DEFAULT_STRING,
	modelStrings,
	type StoredSite,
} from "../stored-site";
import { computeRows, type SentRow } from "./forecast-rows";
import { availableGroups, type GroupName } from "./groups";
import type { SiteBody } from "./site-body";
import { slotAt } from "./slots";
import type { Variants } from "./variants";

/** Hard limits of the spec, whatever the plan. */
const MAX_FORECAST_DAYS = 7;
const MAX_PAST_DAYS = 30;
/** `next_poll_at` of plans with more than 96 updates a day is at least this far ahead. */
const MIN_POLL_MS = 15 * MINUTE_MS;
const DENSE_UPDATES = 96;

/** Parameters of a forecast request; days are null when not given. */
export interface ForecastQuery {
	readonly forecastDays: number | null;
	readonly pastDays: number | null;
	readonly groups: ReadonlySet<GroupName>;
	readonly utc: boolean;
}

/** Parameters of a historical request: day numbers in the site's zone, both included. */
export interface HistoricalQuery {
	readonly firstDay: number;
	readonly lastDay: number;
	readonly groups: ReadonlySet<GroupName>;
	readonly utc: boolean;
}

/** The answer of the forecast and historical endpoints (spec, Forecast response). */
interface ForecastBody {
	readonly site_id?: string;
	readonly timezone: string;
	readonly computed_at: string;
	readonly next_poll_at?: string;
	readonly included: readonly GroupName[];
	readonly available: readonly GroupName[];
	readonly daily: readonly SentRow[];
	readonly values: readonly SentRow[];
	readonly strings?: readonly SentRow[];
}

/** What is to be forecast: a stored site, or the body of an inline call. */
export interface Subject {
	readonly siteId: string | null;
	readonly place: StoredSite["place"];
	readonly timezone: string;
	readonly stringIds: readonly (string | null)[];
	readonly models: (
		year: number,
	) => readonly ReturnType<typeof modelStrings>[number][];
}

export function storedSubject(site: StoredSite): Subject {
	return {
		siteId: site.id,
		place: site.place,
		timezone: site.timezone,
		stringIds: site.strings.map(({ id }) => id),
		models: (year) => site.models(year),
	};
}

/** What an inline system is; without strings the default string stands in, as on create. */
export function inlineSubject(places: Places, input: SiteBody): Subject {
	const { latitude, longitude } = input as Required<SiteBody>;
	const strings = input.strings ?? [DEFAULT_STRING];
	const config = mergeConfig(mergeLeaves({}, input.config ?? {}));
	return {
		siteId: null,
		place: places.at(latitude, longitude),
		timezone: timezoneOf(latitude, longitude),
		stringIds: strings.map(({ id }) => id),
		models: (year) => modelStrings(strings, config, year),
	};
}

/**
 * The computation that a request at `now` gets: the one of this slot, unless
 * the site or the plan changed since. Kept on the site.
 */
export function currentComputation(
	site: StoredSite,
	plan: Plan,
	now: number,
): Computation {
	const clock = ZoneClock.of(site.timezone);
	const slot = slotAt(clock, plan.updatesPerDay, now).start;
	const last = site.computation;
	if (
		last === null ||
		last.slot !== slot ||
		last.revision !== site.revision ||
		last.plan !== plan
	)
		site.computation = {
			computedAt: Math.floor(now / 1000) * 1000,
			slot,
			revision: site.revision,
			plan,
		};
	return site.computation as Computation;
}

/** First moment at which a request returns something newer (spec, Endpoints, rules 5 and 6), epoch ms. */
export function nextPollAt(site: StoredSite, plan: Plan, now: number): number {
	const { next } = slotAt(ZoneClock.of(site.timezone), plan.updatesPerDay, now);
	const at =
		plan.updatesPerDay > DENSE_UPDATES
			? Math.max(next, now + MIN_POLL_MS)
			: next;
	return Math.ceil(at / 1000) * 1000;
}

/** A forecast; `computation` null = computed for this call alone. */
export function forecastBodyOf(
	subject: Subject,
	plan: Plan,
	now: number,
	parameters: ForecastQuery,
	variants: Variants,
	computation: Computation | null,
	nextPoll: number | null,
): ForecastBody {
	const computedAt = computation?.computedAt ?? Math.floor(now / 1000) * 1000;
	const { clock } = dayClock(subject, parameters.utc, variants);
	const today = clock.dayOf(computedAt);
	const capped = (asked: number | null, none: number, ...caps: number[]) =>
		Math.min(asked ?? none, ...caps);
	return answer(
		subject,
		plan,
		{
			...parameters,
			firstDay:
				today - capped(parameters.pastDays, 0, MAX_PAST_DAYS, plan.pastDays),
			lastDay:
				today +
				capped(
					parameters.forecastDays,
					plan.forecastDays,
					MAX_FORECAST_DAYS,
					plan.forecastDays,
				),
		},
		variants,
		{ computedAt, nextPoll, issued: computation?.slot ?? computedAt },
	);
}

/** What happened, up to the last quarter hour that has ended. */
export function historicalBodyOf(
	subject: Subject,
	plan: Plan,
	now: number,
	parameters: HistoricalQuery,
	variants: Variants,
): ForecastBody {
	return answer(subject, plan, parameters, variants, {
		computedAt: Math.floor(now / 1000) * 1000,
		nextPoll: null,
		issued: null,
		until: now,
	});
}

function answer(
	subject: Subject,
	plan: Plan,
	parameters: HistoricalQuery,
	variants: Variants,
	run: {
		computedAt: number;
		nextPoll: number | null;
		issued: number | null;
		until?: number;
	},
): ForecastBody {
	const { clock, name } = dayClock(subject, parameters.utc, variants);
	const stamp = (at: number): string =>
		parameters.utc ? utcText(at) : stampText(clock, at, variants.timestamps);
	const year = new Date(parameters.firstDay * DAY_MS).getUTCFullYear();
	return {
		...(subject.siteId === null ? {} : { site_id: subject.siteId }),
		timezone: name,
		computed_at: stamp(run.computedAt),
		...(run.nextPoll === null ? {} : { next_poll_at: stamp(run.nextPoll) }),
		included: [...parameters.groups].sort(),
		available: availableGroups(plan),
		...computeRows({
			place: subject.place,
			models: subject.models(year),
			stringIds: subject.stringIds,
			clock,
			utc: parameters.utc,
			firstDay: parameters.firstDay,
			lastDay: parameters.lastDay,
			...(run.until === undefined ? {} : { until: run.until }),
			groups: parameters.groups,
			issued: run.issued,
			variants,
		}),
	};
}

function dayClock(
	subject: Subject,
	utc: boolean,
	variants: Variants,
): { clock: ZoneClock; name: string } {
	const name = utc && variants.utcZoneName ? "UTC" : subject.timezone;
	return { clock: ZoneClock.of(name), name };
}
