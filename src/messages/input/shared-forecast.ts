import { type Forecast, placeForecast } from "../../forecast/forecast";
import {
	type ForecastAnswer,
	readForecast,
} from "../../service/v2/forecast-answer";
import { isObject } from "../../util/guards";

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
	const forecast = placeForecast(
		withZone(readForecast(own), zone ?? undefined),
		{ siteZone: zone ?? null, interval },
	);
	origins.set(forecast, { body: own, zone, interval });
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

/**
 * Whether two values are the same JSON; what is no JSON never is. A forecast has
 * thousands of numbers: one handed on to a function would be put into an object.
 */
function isSame(a: unknown, b: unknown): boolean {
	if (a === b) return a !== undefined;
	if (Array.isArray(a)) {
		if (!Array.isArray(b) || a.length !== b.length) return false;
		for (let index = 0; index < a.length; index += 1) {
			const item = a[index];
			const other = b[index];
			const isPlain = typeof item !== "object" || item === null;
			if (isPlain ? item === undefined || item !== other : !isSame(item, other))
				return false;
		}
		return true;
	}
	if (!isObject(a) || !isObject(b)) return false;
	let fields = 0;
	for (const name in a) {
		const value = a[name];
		const other = b[name];
		const isPlain = typeof value !== "object" || value === null;
		if (
			isPlain ? value === undefined || value !== other : !isSame(value, other)
		)
			return false;
		fields += 1;
	}
	// An object without fields may be a date or a map.
	if (fields === 0) return false;
	for (const _ in b) fields -= 1;
	return fields === 0;
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
