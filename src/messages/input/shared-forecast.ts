import { type Forecast, placeForecast } from "../../forecast/forecast";
import {
	type ForecastAnswer,
	readForecast,
} from "../../service/v2/forecast-answer";
import { isObject } from "../../util/guards";
import { sameBody } from "./same-body";

/** What a forecast was made of. */
interface Origin {
	readonly isBody: ReturnType<typeof sameBody>;
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
 *
 * @param body the payload without its facts
 * @param zone the site's, IANA name
 * @throws SolarYieldError `RESPONSE` when the payload is no forecast
 */
export function sharedForecast(
	body: Record<string, unknown>,
	zone: string | null | undefined,
	interval: Forecast["interval"],
): Forecast {
	for (const each of lately) {
		const forecast = each.deref();
		const origin = forecast && origins.get(forecast);
		if (
			origin?.zone === zone &&
			origin?.interval === interval &&
			origin.isBody(body)
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
	const forecast = placeForecast(
		withZone(readForecast(own), zone ?? undefined),
		{ siteZone: zone ?? null, interval },
	);
	origins.set(forecast, { isBody: sameBody(own), zone, interval });
	lately = [new WeakRef(forecast), ...lately].slice(0, MOST_LATELY);
	return forecast;
}

/**
 * Copies of rows: a flow may keep a message and change it later, while a node still
 * uses the forecast.
 */
const ownRows = (rows: unknown): unknown =>
	Array.isArray(rows)
		? rows.map((row) => (isObject(row) ? { ...row } : row))
		: rows;

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
