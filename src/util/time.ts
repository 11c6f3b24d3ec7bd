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

/** The last date that was written: the rows of a day differ in their clock alone, and a battery writes some hundred a minute. */
let lastDate = { day: Number.NaN, text: "" };

/** `YYYY-MM-DD` of a number of days since 1970-01-01. */
export function dateText(day: number): string {
	if (day !== lastDate.day) {
		const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
		lastDate = { day, text };
	}
	return lastDate.text;
}

const two = (value: number) => String(Math.floor(value)).padStart(2, "0");

/** `HH:MM` of each minute of a day: rows are read and written by them. */
const CLOCKS = Array.from(
	{ length: DAY_MS / MINUTE_MS },
	(_, minute) => `${two(minute / 60)}:${two(minute % 60)}`,
);
const MINUTES = new Map(CLOCKS.map((text, minute) => [text, minute]));

/** `HH:MM` of ms since midnight. */
export const minuteText = (ms: number): string =>
	CLOCKS[Math.floor(ms / MINUTE_MS)] ?? "";

/** `YYYY-MM-DDTHH:MM:SS` of a wall-clock time, or of an instant in UTC. */
export function wallText(ms: number): string {
	const day = Math.floor(ms / DAY_MS);
	const clock = ms - day * DAY_MS;
	return `${dateText(day)}T${minuteText(clock)}:${two((clock % MINUTE_MS) / SECOND_MS)}`;
}

/** ISO 8601 in UTC, to the second, ending in `Z`; of an instant that is not known, null, there is none. */
export const utcText = <Instant extends number | null>(instant: Instant) =>
	(instant === null ? null : `${wallText(instant)}Z`) as Instant extends number
		? string
		: null;

/** Days since 1970-01-01 of a `YYYY-MM-DD`, NaN when it is no date. */
export function dateDay(text: string): number {
	const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
	const day = ms / DAY_MS;
	// A date that does not exist rolls over into another month.
	return Number.isNaN(day) || dateText(day) !== text ? Number.NaN : day;
}

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

/** What stood around `HH:MM` of the last stamp, and its midnight: rows of a day differ in nothing else. */
let last = { around: "", midnight: Number.NaN, offset: Number.NaN };

/** Reads a stamp: `T` or a blank before the time, `24:00` for the next midnight. */
export function readStamp(text: string): Stamp {
	const minute = MINUTES.get(text.slice(11, 16));
	if (minute === undefined) return readWhole(text);
	const around = text.slice(0, 11) + text.slice(16);
	if (around !== last.around) {
		const { ms, offset } = readWhole(text);
		last = { around, midnight: ms - minute * MINUTE_MS, offset };
	}
	return { ms: last.midnight + minute * MINUTE_MS, offset: last.offset };
}

function readWhole(text: string): Stamp {
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

/** Epoch ms below this are seconds, or a number that is no time at all: 1973. */
const LEAST_MS = 1e11;
const MOST_MS = 8.64e15;

/** Epoch ms of an instant that a flow gives: a `Date`, epoch ms, also as text, or a stamp with its offset; NaN for anything else. */
export function readTime(value: unknown): number {
	const isStamp = typeof value === "string" && !/^\d+$/.test(value);
	const isOther = value instanceof Date || typeof value === "string";
	const ms = isStamp ? readInstant(value) : isOther ? Number(value) : value;
	return typeof ms === "number" && ms >= LEAST_MS && ms <= MOST_MS
		? ms
		: Number.NaN;
}

/** Plausible years: others come from a clock that was never set, or from a slip. */
const [FROM_MS, UNTIL_MS] = [Date.UTC(1971), Date.UTC(2199)];

/** Whether an instant or a wall-clock time is plausible. */
export const isPossible = (ms: number): boolean =>
	ms >= FROM_MS && ms < UNTIL_MS;
