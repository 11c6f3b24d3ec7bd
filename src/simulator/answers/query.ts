import { DAY_MS } from "../../util/time";
import { dateDay } from "../../util/timestamp";
import { ZoneClock } from "../physics/zone-clock";
import type { ForecastQuery, HistoricalQuery } from "./forecast-body";
import { readGroups } from "./groups";
import { invalid } from "./http-error";

/** Days of one historical request. */
const MAX_HISTORICAL_DAYS = 366;

/** Reads the query of a forecast request (spec, GET /v2/forecast/{site_id}); 422 names the parameter. */
export function readForecastQuery(query: URLSearchParams): ForecastQuery {
	return {
		forecastDays: days(query, "forecast_days"),
		pastDays: days(query, "past_days"),
		groups: readGroups(query.getAll("include")),
		utc: isUtc(query),
	};
}

/**
 * Reads the query of a historical request: `start_date` with `end_date`, both
 * included, or `period`, which ends today ("7d" = today and the six days
 * before). Dates are local to the site.
 */
export function readHistoricalQuery(
	query: URLSearchParams,
	timezone: string,
	now: number,
): HistoricalQuery {
	const today = ZoneClock.of(timezone).dayOf(now);
	const [firstDay, lastDay] = query.has("period")
		? periodDays(query, today)
		: [day(query, "start_date"), day(query, "end_date")];
	if (lastDay < firstDay)
		throw invalid(["query", "end_date"], "Should not be before start_date");
	if (firstDay > today)
		throw invalid(["query", "start_date"], "Should not be in the future");
	if (lastDay - firstDay >= MAX_HISTORICAL_DAYS)
		throw invalid(
			["query", "end_date"],
			`A request covers at most ${MAX_HISTORICAL_DAYS} days`,
		);
	return {
		firstDay,
		lastDay,
		groups: readGroups(query.getAll("include")),
		utc: isUtc(query),
	};
}

function periodDays(query: URLSearchParams, today: number): [number, number] {
	if (query.has("start_date") || query.has("end_date"))
		throw invalid(
			["query", "period"],
			"Give either period or start_date and end_date",
		);
	const match = /^([1-9]\d{0,3})([dmy])$/.exec(query.get("period") ?? "");
	if (match === null)
		throw invalid(
			["query", "period"],
			"Should be digits followed by d, m or y",
		);
	const [, count, unit] = match;
	return [dayBefore(today, Number(count), unit as "d" | "m" | "y") + 1, today];
}

/** The day so many days, months or years before another; the end of a month that is too short for it. */
function dayBefore(day: number, count: number, unit: "d" | "m" | "y"): number {
	if (unit === "d") return day - count;
	const date = new Date(day * DAY_MS);
	const months = unit === "m" ? count : 12 * count;
	const month = date.getUTCMonth() - months;
	const first = Date.UTC(date.getUTCFullYear(), month, 1);
	const next = Date.UTC(date.getUTCFullYear(), month + 1, 1);
	// Days are counted from 1 within a month.
	return Math.min(first / DAY_MS + date.getUTCDate(), next / DAY_MS) - 1;
}

function day(query: URLSearchParams, name: string): number {
	const text = query.get(name);
	if (text === null) throw invalid(["query", name], "Field required");
	const number = dateDay(text);
	if (Number.isNaN(number))
		throw invalid(["query", name], "Should be a date, YYYY-MM-DD");
	return number;
}

/** A number of days, 0 or more, or null when not given. */
function days(query: URLSearchParams, name: string): number | null {
	const text = query.get(name);
	if (text === null) return null;
	if (!/^\d{1,9}$/.test(text))
		throw invalid(["query", name], "Should be an integer of 0 or more");
	return Number(text);
}

function isUtc(query: URLSearchParams): boolean {
	const value = query.get("timezone") ?? "local";
	if (value !== "local" && value !== "utc")
		throw invalid(["query", "timezone"], "Should be local or utc");
	return value === "utc";
}
