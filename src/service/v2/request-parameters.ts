import type { Query } from "../http/exchange";
import type { HistoricalRange } from "./historical";

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

/** Query of a forecast request; what is left out is up to the service. */
export function forecastQuery(parameters: ForecastParameters): Query {
	const query: (readonly [string, string])[] = [];
	const { forecastDays, pastDays, include, timezone } = parameters;
	if (forecastDays !== undefined) {
		query.push(["forecast_days", String(forecastDays)]);
	}
	if (pastDays !== undefined && pastDays > 0) {
		query.push(["past_days", String(pastDays)]);
	}
	for (const group of include ?? []) query.push(["include", group]);
	if (timezone !== undefined) query.push(["timezone", timezone]);
	return query;
}

export function historicalQuery({
	range,
	include,
	params,
}: HistoricalParameters): Query {
	return [
		...(range.period === undefined
			? [
					["start_date", range.startDate] as const,
					["end_date", range.endDate] as const,
				]
			: [["period", range.period] as const]),
		...(include ?? []).map((group) => ["include", group] as const),
		...Object.entries(params ?? {}),
	];
}
