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
	const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
	const day = ms / DAY_MS;
	// A date that does not exist rolls over into another month.
	return Number.isNaN(day) || dateText(day) !== text ? Number.NaN : day;
}

/** ISO 8601 in UTC, to the second, ending in `Z`. */
export const utcText = (instant: number): string =>
	new Date(instant).toISOString().replace(/\.\d+Z$/, "Z");

/** Forms of a stamp that are read (spec V2 "Timestamps"): `Date.parse` takes many more, and dates that no calendar has. */
const STAMP =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/;

/** What a stamp says. */
interface Stamp {
	/** Epoch ms, of its own clock where it says no offset; NaN where it is no stamp. */
	readonly ms: number;
	/** Ms east of Greenwich, NaN where there is none. */
	readonly offset: number;
}

/** Reads a stamp: `T` or a blank before the time, `24:00` for the next midnight. */
export function readStamp(text: string): Stamp {
	const [, date = "", time = "", sign, hours, minutes = 0] =
		STAMP.exec(text) ?? [];
	const clock = Number.isNaN(dateDay(date))
		? Number.NaN
		: Date.parse(`${date}T${time.replace(",", ".")}Z`);
	const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
	const isUtc = text.endsWith("Z") && !Number.isNaN(clock);
	const offset = isUtc ? 0 : sign === "-" ? -size : size;
	return { ms: clock - (Number.isNaN(offset) ? 0 : offset), offset };
}

/** Epoch ms of a stamp that says its offset (`…+01:00`, `…Z`); NaN for any other text. */
export function readInstant(text: string): number {
	const { ms, offset } = readStamp(text);
	return Number.isNaN(offset) ? Number.NaN : ms;
}

/** Whether an instant or a wall-clock time is plausible: others come from a clock that was never set, or from a slip. */
export const isPossible = (ms: number): boolean =>
	ms >= Date.UTC(1971) && ms < Date.UTC(2199);
