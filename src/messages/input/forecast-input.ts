import {
	bandUntil,
	type Forecast,
	placeForecast,
} from "../../forecast/forecast";
import {
	inputError,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
import { readForecast } from "../../service/v2/forecast-answer";
import { show } from "../../service/v2/schema-errors";
import { isObject } from "../../util/guards";
import { readStamp, utcText } from "../../util/time";

import { readFacts, type SolarFacts } from "../facts";
import { readSiteId } from "../selection";
import { isNow } from "./now-input";

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
		throw inputError("messages.no_json", { json: show(json) });
	}
}

function checkShape(
	payload: unknown,
): asserts payload is Record<string, unknown> {
	if (!isObject(payload)) {
		throw inputError("messages.no_forecast", { payload: show(payload) });
	}
	if ("string_index" in payload && "power_kw" in payload) {
		throw inputError("messages.string_rows");
	}
	if (Array.isArray(payload.values)) return;
	if ("date" in payload) throw inputError("messages.daily_row");
	if (isNow(payload)) {
		throw inputError("messages.now_values");
	}
	throw inputError("messages.no_values", { values: show(payload.values) });
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
		throw inputError("messages.other_site", {
			asked: show(asked),
			site: show(site),
		});
	}
	const forecast = forecastOf(body, facts);
	const { zone } = forecast;
	return {
		forecast,
		solar: {
			...facts,
			site_id: String(site ?? asked ?? "site"),
			timezone: zone.name,
			computed_at: facts.computed_at ?? zone.format(forecast.computed_at),
			next_poll_at: facts.next_poll_at ?? zone.format(forecast.next_poll_at),
			band_until: facts.band_until ?? utcText(bandUntil(forecast)),
		},
	};
}

/** Copies of rows: a flow may keep a message and change it while a node still uses the forecast. */
const ownRows = (rows: unknown): unknown =>
	Array.isArray(rows)
		? rows.map((row) => (isObject(row) ? { ...row } : row))
		: rows;

function forecastOf(
	body: Record<string, unknown>,
	{
		timezone,
		interval,
	}: Pick<ReturnType<typeof readFacts>, "timezone" | "interval">,
): Forecast {
	try {
		const { envelope, ...rows } = readForecast({
			...body,
			daily: ownRows(body.daily),
			values: ownRows(body.values),
			strings: ownRows(body.strings),
		});
		const isNaive = rows.values.some((row) =>
			Number.isNaN(readStamp(String(row.timestamp)).offset),
		);
		// The facts' zone is the site's; stamps without an offset stay in the payload's.
		const zone = (isNaive ? undefined : timezone) ?? envelope.timezone;
		return placeForecast(
			{ ...rows, envelope: { ...envelope, timezone: zone } },
			{ siteZone: timezone, interval },
		);
	} catch (error) {
		if (error instanceof SolarYieldError && error.kind === "RESPONSE") {
			throw inputError("messages.unusable", {
				what: error.text.values?.what ?? "",
			});
		}
		throw error;
	}
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
	throw inputError("messages.follows_other", {
		site: show(solar.site_id),
		followed: show(followed),
	});
}
