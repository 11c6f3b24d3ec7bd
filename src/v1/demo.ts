import { DateTime } from "luxon";
import type { WireAnswer, WireRequest } from "../service/http/exchange";
import { FREE_GROUPS, rowsOf } from "../simulator/answer-rows";
import { v1Phase } from "./shutdown";

/** Columns by the field of V2 that they hold; `spec_` is per kW of modules. */
const COLUMNS: Readonly<Record<string, string>> = {
	GHI: "ghi",
	DHI: "dhi",
	BNI: "bni",
	pv_watts: "pv_power",
	spec_watts: "pv_power",
	temp: "temp",
	weather_code: "weather_code",
	pv_watts_clearsky: "pv_power_clearsky",
	spec_watts_clearsky: "pv_power_clearsky",
};
const DEFAULT_COLUMNS = "GHI,DHI,BNI,spec_watts,temp,weather_code";

/**
 * V1 in its simplest form under the demo's weather (spec V1, "Endpoints"): one or
 * two arrays, as the query describes them; rows of a quarter of an hour, or of a
 * month where a year is asked for. Parameters are those that the node has checked.
 *
 * @param now epoch ms
 */
export function answerV1Demo(
	{ path, query = [] }: WireRequest,
	now: number,
): WireAnswer {
	const headers = { date: new Date(now).toUTCString() };
	if (v1Phase(now) === "ended") return { status: 410, headers, body: "{}" };
	const given: Readonly<Record<string, string>> = Object.fromEntries(query);
	const endpoint = path.split("/")[2] as string;
	const number = (name: string, none = 0) => Number(given[name] ?? none);
	const point = {
		latitude: number("latitude"),
		longitude: number("longitude"),
	};
	const array = (prefix: string, power_kw: number) => ({
		slope: number(`${prefix}slope`),
		orientation: number(`${prefix}orientation`),
		power_kw,
	});
	const first = array("", number("pv_power_kw", 10));
	const second = array("second_array_", number("second_array_power_kw"));
	const system = { ...point, strings: [first, second] };
	const peak = first.power_kw + second.power_kw || 1;

	const zone = given.timezone ?? "utc";
	const today = DateTime.fromMillis(now, { zone });
	const isForecast = endpoint === "forecast";
	const rows = (from: DateTime, to: DateTime) =>
		rowsOf(system, {
			first: from,
			last: to,
			utc: false,
			groups: new Set(FREE_GROUPS),
			issued: isForecast ? now : null,
			...(!isForecast && { until: now }),
		});
	const day = (name: string, none: DateTime) =>
		given[name] ? DateTime.fromISO(given[name], { zone }) : none;
	const [from, to] = isForecast
		? [
				today.minus({ days: number("past_days") }),
				today.plus({ days: Math.max(1, number("forecast_days", 7)) - 1 }),
			]
		: [day("start_date", today.minus({ days: 7 })), day("end_date", today)];
	const columns = (given.required_data ?? DEFAULT_COLUMNS)
		.split(",")
		.map((name) => name.trim());
	if (given.clearsky_data === "true")
		columns.push("spec_watts_clearsky", "pv_watts_clearsky");
	const series = () =>
		rows(from, to).values.map((row) => ({
			dtm: String(row.timestamp).slice(0, 19).replace("T", " "),
			...Object.fromEntries(
				columns.flatMap((name) => {
					const value = row[COLUMNS[name] ?? ""];
					if (value == null) return [];
					const part = name.startsWith("spec_") ? peak : 1;
					return [[name, Number((Number(value) / part).toFixed(1))]];
				}),
			),
		}));
	/** Of last year; the days in the middle of a month stand for it. */
	const months = () =>
		Array.from({ length: 12 }, (_, month) => {
			const middle = DateTime.utc(today.year - 1, month + 1, 13);
			const { daily } = rows(middle, middle.plus({ days: 4 }));
			const kwh = daily.reduce(
				(sum, row) => sum + Number(row.pv_energy_kwh),
				0,
			);
			return { month: month + 1, pv_energy_kwh: Math.round(6 * kwh) };
		});
	const isYear = endpoint === "yield" || endpoint === "system";
	const body = {
		data: endpoint,
		...point,
		slope: first.slope,
		orientation: first.orientation,
		data_timezone: zone,
		values: isYear ? months() : series(),
	};
	return { status: 200, headers, body: JSON.stringify(body) };
}
