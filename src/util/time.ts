/** Durations in milliseconds. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours; a day of a zone may have 23 or 25. */
export const DAY_MS = 24 * HOUR_MS;

/** Minutes that one row of a forecast covers. */
export const INTERVAL_MINUTES = 15;
/** Milliseconds that one row of a forecast covers. */
export const QUARTER_MS = INTERVAL_MINUTES * MINUTE_MS;

/** `YYYY-MM-DD` of a number of days since 1970-01-01. */
export const dateText = (day: number): string =>
	new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Days since 1970-01-01 of a `YYYY-MM-DD`, NaN when it is no date. */
export function dateDay(text: string): number {
	const day = /^\d{4}-\d\d-\d\d$/.test(text)
		? Date.parse(text) / DAY_MS
		: Number.NaN;
	// A date that does not exist rolls over into another month.
	return day >= 0 && dateText(day) === text ? day : Number.NaN;
}

/** ISO 8601 in UTC, to the second, ending in `Z`. */
export const utcText = (instant: number): string =>
	new Date(instant).toISOString().replace(/\.\d+Z$/, "Z");
