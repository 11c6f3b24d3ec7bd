import { HOUR_MS, QUARTER_MS } from "../../util/time";
import { dateDay } from "../../util/timestamp";
import type { SentRow } from "../answers/forecast-rows";
import { invalid } from "../answers/http-error";
import { ZoneClock } from "../physics/zone-clock";
import type { V1Parameters } from "./request-parameters";
import { dtm, flowColumns, householdOf, round } from "./row-columns";
import type { System, SystemQuarter } from "./system";

/** Caps on the days of a forecast; the spec states no bounds. */
const MAX_FORECAST_DAYS = 7;
const MAX_PAST_DAYS = 30;
const MAX_HISTORY_DAYS = 366;

/** Whole days of the past, as they happened (spec, V1, H). */
export function historyBody(
	system: System,
	parameters: V1Parameters,
	now: number,
): object {
	const [first, last] = dateRange(parameters, Number.NaN);
	if (last - first >= MAX_HISTORY_DAYS)
		throw invalid(
			["query", "end_date"],
			`A request covers at most ${MAX_HISTORY_DAYS} days`,
		);
	return seriesBody(system, parameters, first, last, null, now);
}

/** Days up to now (spec, V1, R). */
export function recentBody(
	system: System,
	parameters: V1Parameters,
	now: number,
): object {
	const today = clockOf(parameters).dayOf(now);
	const [first, last] = dateRange(parameters, today);
	return seriesBody(
		system,
		parameters,
		first,
		Math.min(last, today),
		null,
		now,
	);
}

/** Days from today, and before it when asked (spec, V1, F). */
export function forecastBody(
	system: System,
	parameters: V1Parameters,
	now: number,
): object {
	const today = clockOf(parameters).dayOf(now);
	const ahead = Math.min(parameters.number("forecast_days"), MAX_FORECAST_DAYS);
	const back = Math.min(parameters.number("past_days"), MAX_PAST_DAYS);
	// A nowcast takes in the newest quarter hour, the plain forecast comes every six hours.
	const step = parameters.flag("nowcast") ? QUARTER_MS : 6 * HOUR_MS;
	return seriesBody(
		system,
		parameters,
		today - back,
		today + Math.max(1, ahead) - 1,
		Math.floor(now / step) * step,
		Number.POSITIVE_INFINITY,
	);
}

/** The columns that `required_data` may name; others are left out. */
const COLUMNS: Readonly<Record<string, (quarter: SystemQuarter) => number>> = {
	GHI: ({ light }) => round(light.ghi, 2),
	DHI: ({ light }) => round(light.dhi, 2),
	BNI: ({ light }) => round(light.bni, 2),
	spec_watts: ({ spec }) => round(spec, 2),
	pv_watts: ({ watts }) => round(watts, 1),
	pv_watts_nosnow: ({ wattsWithoutSnow }) => round(wattsWithoutSnow, 1),
	temp: ({ air }) => round(air.temp, 1),
	weather_code: ({ air }) => air.code,
	wind_speed: ({ air }) => round(air.wind, 1),
	relative_humidity: ({ air }) => round(air.humidity, 1),
	precipitation_mm: ({ air }) => round(air.precipitation, 2),
	snow_water_equivalent: ({ air }) => round(air.snow, 1),
	gti: ({ first }) => round(first.gti, 2),
	gti_shaded: ({ first }) => round(first.gtiShaded, 2),
};

/** Rows from the start of the first day to the last quarter of the last one that ends by `until`. */
function seriesBody(
	system: System,
	parameters: V1Parameters,
	firstDay: number,
	lastDay: number,
	issued: number | null,
	until: number,
): object {
	const clock = clockOf(parameters);
	const columns = parameters
		.text("required_data")
		.split(",")
		.map((name) => name.trim())
		.filter((name) => Object.hasOwn(COLUMNS, name));
	const clear = parameters.flag("clearsky_data");
	const begin = clock.dayStart(firstDay);
	const household = parameters.flag("pv_only")
		? null
		: householdOf(system, parameters, begin);
	// The stamps of each date, as the service sends them: the first one ends a quarter of the day before.
	const quarters = system.quarters(
		begin - QUARTER_MS,
		Math.min(clock.dayStart(lastDay + 1) - QUARTER_MS, until - QUARTER_MS + 1),
		issued,
		clear,
	);
	const values: SentRow[] = [];
	for (const quarter of quarters) {
		const row: SentRow = { dtm: dtm(clock, quarter.end) };
		for (const name of columns) row[name] = COLUMNS[name]?.(quarter) as number;
		if (clear) {
			row.spec_watts_clearsky = round(quarter.clearSpec, 2);
			row.pv_watts_clearsky = round(quarter.clearWatts, 2);
		}
		if (household)
			Object.assign(
				row,
				flowColumns(
					household.step(
						quarter.end - QUARTER_MS,
						QUARTER_MS / HOUR_MS,
						quarter.watts,
						quarter.air,
					),
				),
			);
		values.push(row);
	}
	return {
		data_timezone: parameters.text("timezone"),
		values,
	};
}

/** First and last day; an empty `end_date` stands for `open`. */
function dateRange(
	parameters: V1Parameters,
	open: number,
): readonly [first: number, last: number] {
	const first = dateDay(parameters.text("start_date"));
	const end = parameters.text("end_date");
	const last = end === "" ? open : dateDay(end);
	if (last < first)
		throw invalid(["query", "end_date"], "Should not be before start_date");
	return [first, last];
}

function clockOf(parameters: V1Parameters): ZoneClock {
	const name = parameters.text("timezone");
	return ZoneClock.of(name.toLowerCase() === "utc" ? "UTC" : name);
}
