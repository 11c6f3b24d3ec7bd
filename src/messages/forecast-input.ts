import { z } from "zod";
import {
	bandUntil,
	DEFAULT_INTERVAL,
	type Forecast,
	placeForecast,
} from "../forecast/forecast";
import type { NowPayload } from "../forecast/now";
import {
	inputError,
	SolarYieldError,
} from "../service/errors/solar-yield-error";
import {
	type ForecastAnswer,
	readForecast,
} from "../service/v2/forecast-answer";
import { pathText, show } from "../service/v2/schema-errors";
import { isObject } from "../util/guards";
import { INTERVAL_MINUTES } from "../util/time";
import { utcText } from "../util/timestamp";
import type { QuotaFacts, SolarFacts } from "./facts";
import { readSiteId } from "./selection";
import { siteOfTopic } from "./topic";

/** The parts of a message that make a forecast; none is trusted. */
export interface InputMessage {
	/** Output 1 of the forecast node, as an object or as JSON text. */
	readonly payload?: unknown;
	/** Its facts; win over `payload.solar`. */
	readonly solar?: unknown;
	/** The site that the message means to bring. */
	readonly siteId?: unknown;
}

/** A forecast from a message, with what is known of it. */
export interface ForecastInput {
	readonly forecast: Forecast;
	readonly solar: SolarFacts;
}

const text = z.string().nullish();
const number = z.number().nullish();
const siteId = z.union([z.string().min(1), z.number()]).transform(String);

/** `msg.solar` as it may come from other flows: whatever is there must be right. */
const Facts = z.looseObject({
	site_id: siteId.nullish(),
	site_name: text,
	timezone: text,
	latitude: number,
	longitude: number,
	demo: z.boolean().nullish(),
	interval: z.enum(["end", "start"]).nullish(),
	interval_minutes: z.literal(INTERVAL_MINUTES).nullish(),
	computed_at: text,
	next_poll_at: text,
	next_request_at: text,
	reason: text,
	fetched_at: text,
	cached: z.boolean().nullish(),
	stale: z.boolean().nullish(),
	clock_offset_s: number,
	missing: z.array(z.string()).nullish(),
	gaps: number,
	band_until: text,
	settled: z.array(z.tuple([z.number(), z.number()])).nullish(),
	strings: z
		.array(
			z.looseObject({
				string_id: z.string().nullable(),
				string_index: z.int(),
				slope: number,
				orientation: number,
				power_kw: number,
			}),
		)
		.nullish(),
});

/** `msg.quota`, likewise. */
const Quota = z.looseObject({
	limit: number.default(null),
	unmetered: z.boolean().nullish().default(null),
	used: number.default(null),
	remaining: number.default(null),
	reset: text.default(null),
	as_of: text.default(null),
	own: number.default(null),
});

const REMEDY =
	"wire output 1 of a solar-yield-forecast node here, as an object or as JSON text";

const fault = (what: string) => inputError(`${what}; ${REMEDY}`);

/**
 * A message's payload as a value: JSON text and the bytes of JSON text are parsed.
 *
 * @throws SolarYieldError `INPUT` when text is no JSON
 */
export function readPayload(payload: unknown): unknown {
	const json =
		payload instanceof Uint8Array ? new TextDecoder().decode(payload) : payload;
	if (typeof json !== "string") return json;
	try {
		return JSON.parse(json.replace(/^\uFEFF/, ""));
	} catch {
		throw fault(`msg.payload is text and no JSON: ${show(json)}`);
	}
}

function checkShape(
	payload: unknown,
): asserts payload is Record<string, unknown> {
	if (!isObject(payload)) {
		throw fault(`msg.payload is ${show(payload)} and no forecast`);
	}
	if ("string_index" in payload && "power_kw" in payload) {
		throw fault("msg.payload is the rows of one string (output 3)");
	}
	if (Array.isArray(payload.values)) return;
	if ("date" in payload) throw fault("msg.payload is one daily row (output 2)");
	if (isNow(payload)) {
		throw fault("msg.payload is the values of a solar-yield-now node");
	}
	throw fault(`msg.payload is no forecast: values is ${show(payload.values)}`);
}

const isNow = (payload: Record<string, unknown>) => "power_now_w" in payload;

/** As much of the payload of `solar-yield-now` as its readers lean on. */
const Now = z.looseObject({
	power_now_w: z.number().nullable(),
	days: z.array(
		z.looseObject({ date: z.string(), pv_energy_kwh: z.number().nullable() }),
	),
	strings: z.array(z.looseObject({ string_id: z.string() })),
});

/**
 * A copy of the values of a `solar-yield-now` node, undefined when a payload is something else.
 *
 * @param payload as `readPayload` gave it
 * @throws SolarYieldError `INPUT` naming the field when the values are broken
 */
export function nowFromInput(payload: unknown): NowPayload | undefined {
	if (!isObject(payload) || !isNow(payload)) return undefined;
	const result = Now.safeParse(payload);
	if (result.success) return result.data as unknown as NowPayload;
	throw inputError(
		`${issueText(result.error, payload, "msg.payload")}; hand on the payload of a solar-yield-now node unchanged`,
	);
}

/** What zod found first: `msg.solar.gaps is "x" (expected number)`. */
function issueText(error: z.ZodError, value: unknown, name: string): string {
	const [issue] = error.issues;
	let found = value;
	for (const part of issue?.path ?? []) {
		found = (found as Record<PropertyKey, unknown> | undefined)?.[part];
	}
	const path = [name, pathText(issue?.path ?? [])].filter(Boolean).join(".");
	return `${path} is ${show(found)} (${issue?.message})`;
}

/**
 * The facts in a message, as far as it has any.
 *
 * @param name what the facts are called in an error
 * @throws SolarYieldError `INPUT` naming the field
 */
function readFacts(solar: unknown, name: string): z.infer<typeof Facts> {
	if (solar === undefined || solar === null) return {};
	const result = Facts.safeParse(solar);
	if (result.success) return result.data;
	throw inputError(
		`${issueText(result.error, solar, name)}; hand on msg.solar as a solar-yield-forecast node sends it, or delete it`,
	);
}

/**
 * The quota in a message, undefined when it has none.
 *
 * @throws SolarYieldError `INPUT` naming the field
 */
export function quotaFromInput(quota: unknown): QuotaFacts | undefined {
	if (quota === undefined || quota === null) return undefined;
	const result = Quota.safeParse(quota);
	if (result.success) return result.data as QuotaFacts;
	throw inputError(
		`${issueText(result.error, quota, "msg.quota")}; hand on msg.quota as a solar-yield-forecast node sends it, or delete it`,
	);
}

/** Facts with everything that is not known set to what says so. */
function completeFacts(
	facts: z.infer<typeof Facts>,
	known: Pick<SolarFacts, "site_id" | "timezone"> & Partial<SolarFacts>,
): SolarFacts {
	return {
		...facts,
		...known,
		site_name: facts.site_name ?? null,
		latitude: facts.latitude ?? null,
		longitude: facts.longitude ?? null,
		demo: facts.demo ?? false,
		interval: facts.interval ?? DEFAULT_INTERVAL,
		interval_minutes: INTERVAL_MINUTES,
		computed_at: facts.computed_at ?? known.computed_at ?? null,
		next_poll_at: facts.next_poll_at ?? known.next_poll_at ?? null,
		next_request_at: facts.next_request_at ?? null,
		reason: facts.reason ?? "",
		fetched_at: facts.fetched_at ?? null,
		cached: facts.cached ?? false,
		stale: facts.stale ?? false,
		missing: facts.missing ?? [],
		gaps: facts.gaps ?? null,
		band_until: facts.band_until ?? known.band_until ?? null,
		settled: facts.settled ?? [],
		strings: (facts.strings ?? []).map((string) => ({
			...string,
			slope: string.slope ?? null,
			orientation: string.orientation ?? null,
			power_kw: string.power_kw ?? null,
		})),
	};
}

/**
 * Takes a forecast out of a message (behaviour: Messages, `solar-yield-now`): output 1 of
 * the forecast node, also as JSON text or as a bare payload.
 *
 * Without facts (hand-made input) the payload's own `timezone` and
 * `interval: end` hold.
 *
 * @throws SolarYieldError `INPUT` naming the field and what to wire instead
 */
export function forecastFromInput(message: InputMessage): ForecastInput {
	const payload = readPayload(message.payload);
	checkShape(payload);
	const { solar: inner, ...body } = payload;
	const facts =
		message.solar === undefined
			? readFacts(inner, "msg.payload.solar")
			: readFacts(message.solar, "msg.solar");
	const asked = readSiteId(message.siteId);
	const site = facts.site_id ?? (body.site_id as string | null | undefined);
	if (asked !== undefined && site != null && String(site) !== asked) {
		throw inputError(
			`msg.siteId is ${show(asked)}, but the forecast is of site ${show(site)}; send that site's forecast, or delete msg.siteId`,
		);
	}
	const forecast = place(body, facts);
	const moment = (instant: number | null) =>
		instant === null ? null : forecast.zone.format(instant);
	const bandEnd = bandUntil(forecast);
	return {
		forecast,
		solar: completeFacts(facts, {
			site_id: String(site ?? asked ?? "site"),
			timezone: forecast.zone.name,
			computed_at: moment(forecast.computed_at),
			next_poll_at: moment(forecast.next_poll_at),
			band_until: bandEnd === null ? null : utcText(bandEnd),
		}),
	};
}

/** What a forecast was made of; the rows are its own. */
interface Origin {
	readonly body: Readonly<Record<string, unknown>>;
	readonly zone: string | null | undefined;
	readonly interval: Forecast["interval"];
}
const origins = new WeakMap<Forecast, Origin>();
/** The last ones, the newest first, as long as anybody uses them. */
let lately: readonly WeakRef<Forecast>[] = [];
/** So many are looked through: a few sites, as they came and as corrected. */
const MOST_LATELY = 8;

/**
 * The forecast of a message. The nodes behind one output all get the same, each in a
 * copy by Node-RED: they share one forecast, and what was reckoned of it.
 */
function place(
	body: Record<string, unknown>,
	{ timezone: zone, interval: named }: z.infer<typeof Facts>,
): Forecast {
	const interval = named ?? DEFAULT_INTERVAL;
	for (const each of lately) {
		const forecast = each.deref();
		const origin = forecast && origins.get(forecast);
		if (
			origin?.zone === zone &&
			origin?.interval === interval &&
			isSame(body, origin.body)
		) {
			return forecast as Forecast;
		}
	}
	const own = {
		...body,
		daily: ownRows(body.daily),
		values: ownRows(body.values),
		...("strings" in body && { strings: ownRows(body.strings) }),
	};
	const forecast = read(own, zone ?? undefined, interval);
	origins.set(forecast, { body: own, zone, interval });
	lately = [new WeakRef(forecast), ...lately].slice(0, MOST_LATELY);
	return forecast;
}

function read(
	body: Readonly<Record<string, unknown>>,
	zone: string | undefined,
	interval: Forecast["interval"],
): Forecast {
	try {
		return placeForecast(withZone(readForecast(body), zone), {
			siteZone: zone ?? null,
			interval,
		});
	} catch (error) {
		if (error instanceof SolarYieldError && error.kind === "RESPONSE") {
			throw fault(`msg.payload cannot be used: ${error.cause.detail}`);
		}
		throw error;
	}
}

/**
 * Copies of rows: a flow may keep a message and change it later, while a node still
 * uses the forecast.
 */
const ownRows = (rows: unknown): unknown =>
	Array.isArray(rows)
		? rows.map((row) => (isObject(row) ? { ...row } : row))
		: rows;

/** Whether two values are the same JSON; what is no JSON never is. */
function isSame(a: unknown, b: unknown): boolean {
	if (a === b) return a !== undefined;
	if (Array.isArray(a)) {
		return (
			Array.isArray(b) &&
			a.length === b.length &&
			a.every((item, index) => isSame(item, b[index]))
		);
	}
	if (!isObject(a) || !isObject(b)) return false;
	let fields = 0;
	for (const name in a) {
		if (!isSame(a[name], b[name])) return false;
		fields += 1;
	}
	for (const _ in b) fields -= 1;
	// An object without fields may be a date or a map.
	return fields === 0 && Object.keys(a).length > 0;
}

/** The facts' zone is the site's; stamps without an offset stay in the payload's. */
function withZone(
	answer: ForecastAnswer,
	zone: string | undefined,
): ForecastAnswer {
	const naive = [answer.values, ...(answer.strings ?? [])].some(
		({ instants }) => instants.some(Number.isNaN),
	);
	return zone === undefined || naive
		? answer
		: { ...answer, envelope: { ...answer.envelope, timezone: zone } };
}

/**
 * The site that a node follows after a message. It follows the first site it
 * hears of; another one's forecast is refused unless `msg.siteId` names it.
 *
 * @param followed undefined while none is followed
 * @throws SolarYieldError `INPUT`
 */
export function followSite(
	followed: string | undefined,
	solar: Pick<SolarFacts, "site_id">,
	siteId: unknown,
): string {
	const asked = readSiteId(siteId);
	if (followed === undefined || [followed, asked].includes(solar.site_id)) {
		return solar.site_id;
	}
	throw inputError(
		`The forecast is of site ${show(solar.site_id)}, but this node follows site ${show(followed)}; give each site a node of its own, or set msg.siteId to ${show(solar.site_id)} to follow that site from now on`,
	);
}

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
	const facts = readFacts(message.solar, "msg.solar");
	const named = siteOfTopic(message.topic);
	const site = facts.site_id ?? named?.site_id;
	if (site === undefined) {
		throw inputError(
			"The message names no site; hand on msg.solar or the topic <prefix>/<site_id>/now",
		);
	}
	return completeFacts(
		{ ...facts, demo: facts.demo ?? named?.demo },
		{ site_id: site, timezone: facts.timezone ?? "UTC" },
	);
}
