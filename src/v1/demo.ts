import type { WireAnswer, WireRequest } from "../service/http/exchange";
import { dateDay, QUARTER_MS } from "../util/time";
import { Zone } from "../util/zone";
import { v1Phase } from "./shutdown";

/** Recorded days of 1 kW that looks south, a value for each quarter of an hour, by V1's columns; and kWh by month. */
const { days, monthsKwh }: Recorded = require("./demo-days.json");
interface Recorded {
	readonly days: readonly Readonly<Record<string, readonly number[]>>[];
	readonly monthsKwh: readonly number[];
}

const DEFAULT_COLUMNS = "GHI,DHI,BNI,spec_watts,temp,weather_code";

/**
 * V1 in its simplest form (spec V1, "Endpoints"): recorded days in turn, times the
 * peak power of both arrays; months where a year is asked for. Parameters are those
 * that the node has checked.
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
	const number = (name: string, none = 0) => Number(given[name] ?? none);
	const endpoint = path.split("/")[2];
	const peak = number("pv_power_kw", 10) + number("second_array_power_kw");
	const data_timezone = given.timezone ?? "utc";
	const zone = Zone.of(data_timezone) ?? Zone.utc;

	const today = zone.dayOf(now);
	const day = (name: string, none: number) =>
		given[name] ? dateDay(given[name]) : none;
	const isForecast = endpoint === "forecast";
	const [first, last] = isForecast
		? [
				today - number("past_days"),
				today + Math.max(1, number("forecast_days", 7)) - 1,
			]
		: [day("start_date", today - 7), day("end_date", today)];
	const end = zone.dayStart(last + 1);
	const columns = (given.required_data ?? DEFAULT_COLUMNS).split(",");
	if (given.clearsky_data === "true")
		columns.push("spec_watts_clearsky", "pv_watts_clearsky");

	function* series() {
		const until = isForecast ? end : Math.min(end, now);
		for (let at = zone.dayStart(first); at < until; at += QUARTER_MS) {
			const recorded = days[zone.dayOf(at) % days.length] ?? {};
			const row: Record<string, unknown> = {
				dtm: zone.format(at).slice(0, 19).replace("T", " "),
			};
			for (const name of columns.map((it) => it.trim())) {
				const isSite = name.startsWith("pv_");
				const values = recorded[isSite ? name.replace("pv", "spec") : name];
				const value = values?.[zone.quarterOfDay(at)];
				if (value !== undefined) row[name] = isSite ? value * peak : value;
			}
			yield row;
		}
	}
	const months = () =>
		monthsKwh.map((kwh, index) => ({
			month: index + 1,
			pv_energy_kwh: Math.round(kwh * peak),
		}));
	const isYear = endpoint === "yield" || endpoint === "system";
	const body = {
		data: endpoint,
		latitude: number("latitude"),
		longitude: number("longitude"),
		slope: number("slope"),
		orientation: number("orientation"),
		data_timezone,
		values: isYear ? months() : [...series()],
	};
	return { status: 200, headers, body: JSON.stringify(body) };
}
