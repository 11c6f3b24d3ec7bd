import type { Interval } from "../forecast/forecast";
import type { StringMeta } from "../service/v2/sites/site";
import { isObject } from "../util/guards";

/**
 * What every message says of its forecast, as `msg.solar` and again inside
 * `payload.solar` (behaviour: Messages). Times are texts: stamps, `computed_at` and
 * `next_poll_at` in the zone that the node writes, the rest UTC.
 */
export interface SolarFacts {
	site_id: string;
	site_name: string | null;
	/** IANA name of the site's zone. */
	timezone: string;
	/** Degrees to 0.1 (about 10 km), null where nobody says. */
	latitude: number | null;
	longitude: number | null;
	demo: boolean;
	interval: Interval;
	interval_minutes: number;
	computed_at: string | null;
	next_poll_at: string | null;
	/** UTC; when the next request is planned, null when none is. */
	next_request_at: string | null;
	/** Why then. */
	reason: string;
	/** UTC; when the answer was received, null where nobody says (hand-made input). */
	fetched_at: string | null;
	/** Whether the answer was known before this message's cause. */
	cached: boolean;
	stale: boolean;
	/** Seconds by which this machine's clock is behind the service's (negative: ahead), null while unknown or up to two minutes. */
	clock_offset_s?: number | null | undefined;
	/** Groups that the node shows and the answer lacks. */
	missing: string[];
	/** Today's quarters without a known power, null where nobody counted (hand-made input). */
	gaps: number | null;
	/** End of the band of variability, UTC, null when there is none. */
	band_until: string | null;
	/** Today's past quarters as last foreseen before they began: [end in epoch ms, W]. */
	settled: [endMs: number, watts: number][];
	strings: StringMeta[];
}

/** `msg.quota` (behaviour: Messages): all null while unknown. */
export interface QuotaFacts {
	limit: number | null;
	unmetered: boolean | null;
	used: number | null;
	remaining: number | null;
	/** UTC. */
	reset: string | null;
	/** UTC; when the service said so. */
	as_of: string | null;
	/** Requests of this Node-RED this month. */
	own: number | null;
	/** The account's use at reset if all goes on as planned, others' included. */
	projected?: number | null;
	/** How forecast requests are paced: at every `next_poll_at`, where most power is expected, or not at all. */
	pace?: "full" | "spread" | "held" | null;
}

/**
 * A copy of facts that shares nothing with them, whatever nodes between have added.
 * (`structuredClone` takes five times as long for as little.)
 */
export function copyOf<Data>(data: Data): Data {
	if (Array.isArray(data)) return data.map(copyOf) as Data;
	if (!isObject(data)) return data;
	const copy: Record<string, unknown> = { ...data };
	for (const name in copy) copy[name] = copyOf(copy[name]);
	return copy as Data;
}
