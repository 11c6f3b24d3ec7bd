import { bandUntil, type Forecast } from "../forecast/forecast";
import { type Settled, settledToday } from "../forecast/settled";
import { instantText } from "../forecast/stamps";
import type { Site } from "../service/v2/sites/site";
import { INTERVAL_MINUTES, QUARTER_MS, SECOND_MS } from "../util/time";
import { utcText } from "../util/timestamp";
import type { ForecastContent, QuotaContent } from "./contents";
import type { QuotaFacts, SolarFacts } from "./facts";
import { REASONS } from "./reasons";
import type { Selection } from "./selection";
import { missingGroups, stringMeta } from "./view";

const utc = (instant: number | null) =>
	instant === null ? null : utcText(instant);

/** Enough to know where the sun stands, and no address. */
const toTenth = (degrees: unknown): number | null =>
	typeof degrees === "number" && Number.isFinite(degrees)
		? Math.round(degrees * 10) / 10
		: null;

const seconds = (ms: number | null) =>
	ms === null ? null : Math.round(ms / SECOND_MS);

/** Quarters of local dates, the last included, that began before `until` and whose power is neither known nor settled. */
export function gapsIn(
	{ zone, values }: Forecast,
	firstDay: number,
	lastDay: number,
	until = Number.POSITIVE_INFINITY,
	settled: Settled = [],
): number {
	const filled = new Map(settled);
	const end = Math.min(zone.dayStart(lastDay + 1), until);
	let gaps = 0;
	for (let start = zone.dayStart(firstDay); start < end; start += QUARTER_MS) {
		if (values.valueAt(start, "pv_power") === null && !filled.has(start)) {
			gaps += 1;
		}
	}
	return gaps;
}

/** What an answer of the service tells, of the future or of the past. */
interface Answer {
	readonly forecast: Forecast;
	readonly site: Site | undefined;
	/** Epoch ms. */
	readonly answeredAt: number;
	/** The source's key, which stands for the site id of an inline forecast. */
	readonly key: string;
	readonly demo: boolean;
	readonly cached: boolean;
}

/** The part of `msg.solar` that depends on the answer alone. */
export function answerFacts(
	{ forecast, site, answeredAt, key, demo, cached }: Answer,
	selection: Pick<Selection, "include" | "timezone">,
) {
	const text = (instant: number | null) =>
		instant === null
			? null
			: instantText(instant, forecast.zone, selection.timezone);
	const known = site?.strings ?? [];
	return {
		site_id: forecast.site_id ?? key,
		site_name: site?.name ?? null,
		timezone: forecast.zone.name,
		latitude: toTenth(site?.record.latitude),
		longitude: toTenth(site?.record.longitude),
		demo,
		interval: forecast.interval,
		interval_minutes: INTERVAL_MINUTES,
		computed_at: text(forecast.computed_at),
		next_poll_at: text(forecast.next_poll_at),
		fetched_at: utcText(answeredAt),
		cached,
		missing: missingGroups(forecast, selection.include),
		band_until: utc(bandUntil(forecast)),
		strings: forecast.strings
			? forecast.strings.map((string) => stringMeta(string, known))
			: known.map((string) => ({ ...string })),
	} satisfies Partial<SolarFacts>;
}

/** Facts for one more message, so that no receiver can change another's. */
export function copyFacts(facts: SolarFacts): SolarFacts {
	return {
		...facts,
		missing: [...facts.missing],
		settled: facts.settled.map(([end, watts]) => [end, watts]),
		strings: facts.strings.map((string) => ({ ...string })),
	};
}

/** Facts that are the same for all nodes of a source, computed once for all of them. */
const shared = new WeakMap<
	ForecastContent,
	Pick<SolarFacts, "gaps" | "settled">
>();

function sharedFacts(
	state: ForecastContent,
): Pick<SolarFacts, "gaps" | "settled"> {
	let facts = shared.get(state);
	if (!facts) {
		const { forecast, now, settled } = state;
		const today = forecast.zone.dayOf(now);
		facts = {
			gaps: gapsIn(forecast, today, today, undefined, settled),
			settled: settledToday(settled, forecast, now),
		};
		shared.set(state, facts);
	}
	return facts;
}

/**
 * `msg.solar` for a node with this selection (behaviour: Messages).
 *
 * @param key the source's key, which stands for the site id of an inline forecast
 */
export function solarFacts(
	state: ForecastContent,
	key: string,
	selection: Selection,
	{ demo, cached }: { demo: boolean; cached: boolean },
): SolarFacts {
	const { forecast, head, site, plan } = state;
	const { answeredAt } = head;
	const answer = { forecast, site, answeredAt, key, demo, cached };
	return {
		...answerFacts(answer, selection),
		next_request_at: utc(plan.at),
		reason: REASONS[plan.reason],
		stale: state.stale,
		clock_offset_s: seconds(state.clockOffsetMs ?? null),
		...sharedFacts(state),
	};
}

/** No less than what is used: the answer in hand may be newer than the pace. */
const projectedUse = (used: number, projected: number | null | undefined) =>
	projected == null ? null : Math.max(projected, used);

/** `msg.quota` (behaviour: Messages): all null while the service has not said anything. */
export function quotaFacts({ quota, own, pace }: QuotaContent): QuotaFacts {
	return quota
		? {
				limit: quota.limit,
				unmetered: quota.limit === null,
				used: quota.used,
				remaining: quota.remaining,
				reset: utcText(quota.reset),
				as_of: utcText(quota.asOf),
				own,
				projected: projectedUse(quota.used, pace?.projected),
				pace: pace?.kind ?? null,
			}
		: {
				limit: null,
				unmetered: null,
				used: null,
				remaining: null,
				reset: null,
				as_of: null,
				own: null,
				projected: null,
				pace: null,
			};
}
