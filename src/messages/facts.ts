import { z } from "zod";
import {
	bandUntil,
	DEFAULT_INTERVAL,
	type Forecast,
} from "../forecast/forecast";
import { energy, instantText, type Settled } from "../forecast/series";
import { settledToday } from "../forecast/settled";
import { inputError } from "../service/errors/solar-yield-error";
import type { Quota } from "../service/quota";
import type { Site, StringMeta } from "../service/v2/sites/site";
import { isObject } from "../util/guards";
import { INTERVAL_MINUTES, SECOND_MS, utcText } from "../util/time";
import { readAs } from "./read-as";
import { REASONS } from "./reasons";
import type { Selection } from "./selection";
import { siteOfTopic } from "./topic";
import { missingGroups, stringMeta } from "./view";

const text = z.string().nullable().default(null);
const number = z.number().nullable().default(null);
/** A schema of what may be missing or null, and what is then made in its place. */
const or = <Schema extends z.ZodType, Other>(
	schema: Schema,
	other: () => Other,
) => schema.nullish().transform((value) => value ?? other());
const flag = or(z.boolean(), () => false);

const shape = {
	site_id: z
		.union([z.string().min(1), z.number()])
		.nullish()
		.transform((id) => (id == null ? null : String(id))),
	site_name: text,
	/** IANA name of the site's zone. */
	timezone: text,
	/** Degrees to 0.1 (about 10 km), null where nobody says. */
	latitude: number,
	longitude: number,
	demo: flag,
	interval: or(z.enum(["end", "start"]), () => DEFAULT_INTERVAL),
	interval_minutes: or(z.literal(INTERVAL_MINUTES), () => INTERVAL_MINUTES),
	computed_at: text,
	next_poll_at: text,
	/** UTC; when the next request is planned, null when none is. */
	next_request_at: text,
	/** Why then. */
	reason: or(z.string(), () => ""),
	/** UTC; when the answer was received, null where nobody says (hand-made input). */
	fetched_at: text,
	/** Whether the answer was known before this message's cause. */
	cached: flag,
	stale: flag,
	/** Seconds by which this machine's clock is behind the service's (negative: ahead), null while unknown or up to two minutes. */
	clock_offset_s: z.number().nullish(),
	/** Groups that the node shows and the answer lacks. */
	missing: or(z.array(z.string()), () => []),
	/** Today's quarters without a known power, null where nobody counted (hand-made input). */
	gaps: number,
	/** End of the band of variability, UTC, null when there is none. */
	band_until: text,
	/** Today's past quarters as last foreseen before they began: [end in epoch ms, W]. */
	settled: or(z.array(z.tuple([z.number(), z.number()])), () => []),
	/** Power at which a sum is cut, W, and what its quarters have above: [start in epoch ms, W uncut]; only with a limit. */
	ac_limit_w: z.number().nullish(),
	above_limit: z.array(z.tuple([z.number(), z.number()])).nullish(),
	strings: or(
		z.array(
			z.looseObject({
				string_id: z.string().nullable(),
				string_index: z.int(),
				slope: number,
				orientation: number,
				power_kw: number,
			}),
		),
		(): StringMeta[] => [],
	),
};
/** As facts come from other flows: whatever is there must be right. */
const Facts = z.looseObject(shape);

/**
 * What every message says of its forecast, as `msg.solar` and again inside
 * `payload.solar` (behaviour: Messages). Times are texts: stamps, `computed_at` and
 * `next_poll_at` in the zone that the node writes, the rest UTC.
 */
export interface SolarFacts extends z.infer<z.ZodObject<typeof shape>> {
	site_id: string;
	timezone: string;
}

const quotaShape = {
	limit: number,
	unmetered: z.boolean().nullable().default(null),
	used: number,
	remaining: number,
	/** UTC. */
	reset: text,
	/** UTC; when the service said so. */
	as_of: text,
	/** Requests of this Node-RED this month. */
	own: number,
	/** The account's use at reset if all goes on as planned, others' included. */
	projected: z.number().nullish(),
	/** How forecast requests are paced: at every `next_poll_at`, where most power is expected, or not at all. */
	pace: z.enum(["full", "spread", "held"]).nullish(),
};

/** `msg.quota` (behaviour: Messages): all null while unknown. */
export type QuotaFacts = z.infer<z.ZodObject<typeof quotaShape>>;
const UNKNOWN_QUOTA = z
	.object(quotaShape)
	.parse({ projected: null, pace: null });

// — read —

/**
 * The facts in a message, as far as it has any.
 *
 * @param name what the facts are called in an error
 * @throws SolarYieldError `INPUT` naming the field
 */
export const readFacts = (solar: unknown, name: string) =>
	readAs(Facts, solar ?? {}, name, "messages.hand_on_solar");

/**
 * The quota in a message, undefined when it has none.
 *
 * @throws SolarYieldError `INPUT` naming the field
 */
export const readQuotaFacts = (quota: unknown): QuotaFacts | undefined =>
	quota == null
		? undefined
		: readAs(
				z.looseObject(quotaShape),
				quota,
				"msg.quota",
				"messages.hand_on_quota",
			);

/**
 * The facts of a message that brings no forecast of its own (values of a
 * `solar-yield-now` node): `msg.solar`, else as much as its topic tells.
 *
 * @throws SolarYieldError `INPUT` when neither names a site
 */
export function factsFromInput(message: {
	readonly solar?: unknown;
	readonly topic?: unknown;
}): SolarFacts {
	const { solar } = message;
	const named = siteOfTopic(message.topic);
	const facts = readFacts(solar, "msg.solar");
	const site_id = facts.site_id ?? named?.site_id;
	if (site_id === undefined) {
		throw inputError("messages.no_site");
	}
	const saysDemo = isObject(solar) && solar.demo != null;
	return {
		...facts,
		site_id,
		timezone: facts.timezone ?? "UTC",
		demo: saysDemo ? facts.demo : (named?.demo ?? false),
	};
}

/** A copy of facts that shares nothing with them, whatever nodes between have added. */
export function copyOf<Data>(data: Data): Data {
	if (Array.isArray(data)) return data.map(copyOf) as Data;
	if (!isObject(data)) return data;
	const copy: Record<string, unknown> = { ...data };
	for (const name in copy) copy[name] = copyOf(copy[name]);
	return copy as Data;
}

// — made —

/** The account's use, as `msg.quota` shows it; times are epoch ms on the server's clock. */
export interface QuotaContent {
	readonly quota: Quota | null;
	/** Own requests this month. */
	readonly own: number;
	/** How forecast requests are paced; other requests are not. */
	readonly pace?: {
		readonly kind: "full" | "spread" | "held";
		/** The account's use at reset, null while unknown. */
		readonly projected: number | null;
	} | null;
}

/** A forecast, and what is known of it and of the next request; whoever polls hands in its own objects, which hold more. */
export interface ForecastContent extends QuotaContent {
	readonly forecast: Forecast;
	readonly site: Site | undefined;
	readonly head: { readonly answeredAt: number };
	readonly plan: {
		/** Null when no request is planned. */
		readonly at: number | null;
		readonly reason: keyof typeof REASONS;
	};
	readonly stale: boolean;
	/** The service's clock minus this machine's, ms; null where it is unknown, or no more than two minutes. */
	readonly clockOffsetMs?: number | null;
	readonly settled: Settled;
	readonly now: number;
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

/** Enough to know where the sun stands, and no address. */
const toTenth = (degrees: unknown): number | null =>
	typeof degrees === "number" && Number.isFinite(degrees)
		? Math.round(degrees * 10) / 10
		: null;

/** The part of `msg.solar` that depends on the answer alone. */
export function answerFacts(
	{ forecast, site, answeredAt, key, demo, cached }: Answer,
	{ include, timezone }: Pick<Selection, "include" | "timezone">,
) {
	const { zone } = forecast;
	const known = site?.strings ?? [];
	return {
		site_id: forecast.site_id ?? key,
		site_name: site?.name ?? null,
		timezone: zone.name,
		latitude: toTenth(site?.record.latitude),
		longitude: toTenth(site?.record.longitude),
		demo,
		interval: forecast.interval,
		interval_minutes: INTERVAL_MINUTES,
		computed_at: instantText(forecast.computed_at, zone, timezone),
		next_poll_at: instantText(forecast.next_poll_at, zone, timezone),
		fetched_at: utcText(answeredAt),
		cached,
		missing: missingGroups(forecast, include) as string[],
		band_until: utcText(bandUntil(forecast)),
		strings: forecast.strings
			? forecast.strings.map((string) => stringMeta(string, known))
			: known.map((string) => ({ ...string })),
	} satisfies Partial<SolarFacts>;
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
	const { forecast, head, site, plan, now, settled } = state;
	const { zone, values } = forecast;
	const { answeredAt } = head;
	const offset = state.clockOffsetMs ?? null;
	const today = zone.dayOf(now);
	return {
		...answerFacts(
			{ forecast, site, answeredAt, key, demo, cached },
			selection,
		),
		next_request_at: utcText(plan.at),
		reason: REASONS[plan.reason],
		stale: state.stale,
		clock_offset_s: offset === null ? null : Math.round(offset / SECOND_MS),
		gaps: energy(values, zone.dayStart(today), zone.dayStart(today + 1), {
			filled: new Map(settled),
		}).gaps,
		settled: settledToday(settled, forecast, now),
	};
}

/** `msg.quota` (behaviour: Messages): all null while the service has not said anything. */
export function quotaFacts({ quota, own, pace }: QuotaContent): QuotaFacts {
	if (!quota) return { ...UNKNOWN_QUOTA };
	const { limit, used, remaining, reset, asOf } = quota;
	const projected = pace?.projected ?? null;
	return {
		limit,
		unmetered: limit === null,
		used,
		remaining,
		reset: utcText(reset),
		as_of: utcText(asOf),
		own,
		// No less than what is used: the answer in hand may be newer than the pace.
		projected: projected && Math.max(projected, used),
		pace: pace?.kind ?? null,
	};
}
