import type { Query } from "../http/exchange";

/** Query parameters of the forecast endpoints (spec V2, "GET /v2/forecast/{site_id}"). */
export interface ForecastParameters {
	/** Days after today, 0 to 7; left out for all that the plan has. */
	readonly forecastDays?: number;
	/** Days before today, 0 to 30. */
	readonly pastDays?: number;
	/** Field groups; sent as a repeated `include`. */
	readonly include?: readonly string[];
	readonly timezone?: "local" | "utc";
	/** IANA zone of the site, for the times in errors; not sent. */
	readonly zone?: string | undefined;
}

/**
 * The days of a historical request (behaviour: Where the service's description is silent "historical parameters"): from
 * one site-local date to another, both included, or a period that ends now.
 */
export type HistoricalRange =
	| {
			/** YYYY-MM-DD */
			readonly startDate: string;
			/** YYYY-MM-DD */
			readonly endDate: string;
			readonly period?: undefined;
	  }
	| {
			/** Digits and `d`, `m` or `y`. */
			readonly period: string;
			readonly startDate?: undefined;
			readonly endDate?: undefined;
	  };

/** A period of history: a number of days, months or years. */
export const PERIOD = /^[1-9]\d{0,3}[dmy]$/;

/** Query parameters of the historical endpoints (behaviour: Where the service's description is silent "historical parameters"). */
export interface HistoricalParameters {
	readonly range: HistoricalRange;
	/** Field groups; sent as a repeated `include`. */
	readonly include?: readonly string[];
	/** Parameters that the spec does not show, passed through as they are. */
	readonly params?: Readonly<Record<string, string>>;
	/** IANA zone of the site, for the times in errors; not sent. */
	readonly zone?: string | undefined;
}

/** A system without a stored site (behaviour: Where the service's description is silent "inline bodies"). */
export interface InlineSystem {
	/** degrees */
	readonly latitude: number;
	/** degrees */
	readonly longitude: number;
	readonly strings: readonly Readonly<Record<string, unknown>>[];
	readonly config?: Readonly<Record<string, unknown>>;
}

/** Parameters by name; a list is repeated, and what is undefined is up to the service. */
const query = (
	values: Readonly<
		Record<string, string | number | readonly string[] | undefined>
	>,
): Query =>
	Object.entries(values).flatMap(([name, value = []]) =>
		[value].flat().map((it) => [name, String(it)] as const),
	);

export const forecastQuery = (parameters: ForecastParameters): Query =>
	query({
		forecast_days: parameters.forecastDays,
		past_days: parameters.pastDays || undefined,
		include: parameters.include,
		timezone: parameters.timezone,
	});

export const historicalQuery = ({
	range,
	include,
	params,
}: HistoricalParameters): Query =>
	query({
		start_date: range.startDate,
		end_date: range.endDate,
		period: range.period,
		include,
		...params,
	});
