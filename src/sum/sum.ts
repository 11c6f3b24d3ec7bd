import { bandUntil, type Forecast, placeForecast } from "../forecast/forecast";
import { energy } from "../forecast/series";
import { copyOf, type SolarFacts } from "../messages/facts";
import type { ForecastInput } from "../messages/input/forecast-input";
import type { ForecastView } from "../messages/view";
import { inputError } from "../service/errors/solar-yield-error";
import { type Row, readForecast } from "../service/v2/forecast-answer";
import { INTERVAL_MINUTES, QUARTER_MS } from "../util/time";
import { readInstant, utcText } from "../util/timestamp";
import { lossesOf, sumDays } from "./days";
import { stringRows, sumStrings } from "./strings";
import { rounded, type SumRow, sumRows } from "./sum-rows";
import type { SumSettings } from "./sum-settings";

/** `msg.solar` of a sum. */
export interface SumFacts extends SolarFacts {
	/** The sites that were added, in their order. */
	sum_of: string[];
	/** Energy above the limit by local date, kWh, for every date with rows; only with a limit. */
	limited_kwh?: Record<string, number>;
}

/** Output 1 of a site that is the sum of others. */
export interface ForecastSum {
	readonly payload: ForecastView & { solar: SumFacts };
	readonly solar: SumFacts;
}

/** Today's past quarters of all parts where each has one: [end in epoch ms, W]. */
function sumSettled(
	parts: readonly ForecastInput[],
	limit: number,
): [endMs: number, watts: number][] {
	const [first, ...others] = parts.map(({ solar }) => new Map(solar.settled));
	return [...(first ?? [])].flatMap(([end, watts]): [number, number][] => {
		let sum = watts;
		for (const other of others) {
			const more = other.get(end);
			if (more === undefined) return [];
			sum += more;
		}
		return [[end, rounded(Math.min(sum, limit))]];
	});
}

/** The earliest of several times, null when none is known. */
function earliest(times: readonly (string | null)[]): string | null {
	let least: string | null = null;
	for (const time of times) {
		const instant = readInstant(time ?? "");
		if (Number.isNaN(instant)) continue;
		if (least === null || instant < readInstant(least)) least = time;
	}
	return least;
}

const least = (instants: readonly (number | null)[]) => {
	const known = instants.filter((instant) => instant !== null);
	return known.length > 0 ? Math.min(...known) : null;
};

/** What all lists hold, in the order of the first. */
const inAll = (lists: readonly (readonly string[])[]) =>
	(lists[0] ?? []).filter((item) => lists.every((list) => list.includes(item)));

/** Distance in degrees up to which roofs stand under the same sun. */
const SAME_PLACE = 0.5;

/** Position of roofs that stand together: the first one's; null where one is elsewhere or nobody says. */
function positionOf(
	facts: readonly SolarFacts[],
): Pick<SolarFacts, "latitude" | "longitude"> {
	const [{ latitude, longitude }] = facts as [SolarFacts];
	const isNear = (a: number | null, b: number | null) =>
		a !== null && b !== null && Math.abs(a - b) <= SAME_PLACE;
	return facts.every(
		(each) =>
			isNear(each.latitude, latitude) && isNear(each.longitude, longitude),
	)
		? { latitude, longitude }
		: { latitude: null, longitude: null };
}

/**
 * Adds forecasts of sites that lie in one time zone, as the output of a site of
 * its own. Powers add up where all parts have the quarter hour, bands least to
 * least and most to most, and all of it is cut at the limit of the inverter. How
 * the parts label their rows and write their times makes no difference: the sum
 * labels the end and writes the site's own time.
 *
 * @param parts as `SumParts` holds them, at least one
 * @param nowMs epoch ms; what is counted for today is counted for this date
 * @throws SolarYieldError `INPUT` when there is no quarter hour that all parts have
 */
export function sumForecasts(
	parts: readonly ForecastInput[],
	settings: SumSettings,
	nowMs: number,
): ForecastSum {
	const forecasts = parts.map(({ forecast }) => forecast);
	const facts = parts.map(({ solar }) => solar);
	const [first] = forecasts as [Forecast];
	const { zone } = first;
	const limit = settings.acLimitW ?? Number.POSITIVE_INFINITY;
	const rows = sumRows(forecasts, limit);
	if (rows.length === 0) {
		throw inputError(
			`The forecasts of ${facts.map(({ site_id }) => site_id).join(", ")} have no quarter hour in common, so there is nothing to add; see that all of them are up to date`,
		);
	}
	const write = (start: number) => zone.format(start + QUARTER_MS);
	const text = (instant: number | null) =>
		instant === null ? null : zone.format(instant);
	const losses = lossesOf(rows, first);
	const strings = sumStrings(parts);
	const hasStrings = forecasts.every((forecast) => forecast.strings);
	const hasBand = "pv_power_min" in (rows[0] as SumRow).fields;
	const isShown = (group: string) =>
		group === "strings" ? hasStrings : group !== "variability" || hasBand;

	const body = {
		site_id: settings.sumId,
		timezone: zone.name,
		computed_at: text(least(forecasts.map((each) => each.computed_at))),
		next_poll_at: text(least(forecasts.map((each) => each.next_poll_at))),
		included: inAll(forecasts.map(({ included }) => included)).filter(isShown),
		available: inAll(forecasts.map(({ available }) => available ?? [])),
		daily: sumDays(forecasts, losses),
		values: rows.map(({ start, fields }) => {
			const row: Record<string, unknown> = { timestamp: write(start) };
			for (const [field, value] of Object.entries(fields)) {
				row[field] =
					typeof value === "number" && field.startsWith("pv_power")
						? rounded(value)
						: value;
			}
			return row as Row;
		}),
		...(hasStrings && { strings: stringRows(strings, rows, write) }),
	};
	// Read as a node behind will read it.
	const sum = placeForecast(readForecast(body), { siteZone: zone.name });
	const bandEnd = bandUntil(sum);
	const nextRequest = earliest(facts.map((each) => each.next_request_at));
	const today = zone.dayOf(nowMs);
	const solar: SumFacts = {
		site_id: settings.sumId,
		site_name: settings.name ?? settings.sumId,
		timezone: zone.name,
		...positionOf(facts),
		demo: facts.some(({ demo }) => demo),
		interval: "end",
		interval_minutes: INTERVAL_MINUTES,
		computed_at: body.computed_at,
		next_poll_at: body.next_poll_at,
		next_request_at: nextRequest,
		reason:
			facts.find((each) => each.next_request_at === nextRequest)?.reason ?? "",
		fetched_at: earliest(facts.map((each) => each.fetched_at)),
		cached: facts.every(({ cached }) => cached),
		stale: facts.some(({ stale }) => stale),
		missing: [...new Set(facts.flatMap(({ missing }) => missing))],
		gaps: energy(sum.values, zone.dayStart(today), zone.dayStart(today + 1))
			.gaps,
		band_until: bandEnd === null ? null : utcText(bandEnd),
		settled: sumSettled(parts, limit),
		strings: strings.map(({ meta }) => meta),
		sum_of: facts.map(({ site_id }) => site_id),
		...(settings.acLimitW !== null && {
			limited_kwh: Object.fromEntries(
				[...losses].map(([date, day]) => [
					date,
					rounded(day.get("pv_energy_kwh") ?? 0),
				]),
			),
		}),
	};
	return { payload: { ...body, solar: copyOf(solar) }, solar };
}
