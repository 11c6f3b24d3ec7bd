import { DAY_MS, MINUTE_MS, SECOND_MS } from "./time";

/**
 * Strict readers for the service's timestamps (spec V2 "Timestamps").
 *
 * `Date.parse` is no check: it takes 30 February, and a text without an offset as if
 * it were in the process's own zone. Between date and time stands `T` or a blank;
 * `24:00` is the next midnight (ISO 8601).
 */

/** Character codes, which compare faster than characters. */
const [BLANK, DASH, COLON, PLUS, T, Z] = [32, 45, 58, 43, 84, 90] as const;

/** The number that two digits write, NaN when they are none. */
const two = (text: string, at: number): number => {
	const tens = text.charCodeAt(at) - 48;
	const ones = text.charCodeAt(at + 1) - 48;
	return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9
		? tens * 10 + ones
		: Number.NaN;
};

/**
 * Epoch ms of 00:00 UTC on a calendar date.
 *
 * @param text begins with `YYYY-MM-DD`
 * @returns NaN when the first ten characters are no date of the calendar
 */
export function readDate(text: string): number {
	const year = two(text, 0) * 100 + two(text, 2);
	const month = two(text, 5);
	const day = two(text, 8);
	if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) {
		return Number.NaN;
	}
	const ms = Date.UTC(year, month - 1, day);
	const date = new Date(ms);
	// A date that does not exist rolls over into another month.
	if (
		year < 1000 ||
		date.getUTCMonth() !== month - 1 ||
		date.getUTCDate() !== day
	) {
		return Number.NaN;
	}
	return ms;
}

const DAY_SECONDS = DAY_MS / SECOND_MS;
const REST = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?$/;

/** Ms since midnight of `HH:MM[:SS[.fraction]]`, NaN when there is no such time of day. */
function clockMs(text: string, from: number, to: number): number {
	if (to - from === 8) {
		const hour = two(text, from);
		const minute = two(text, from + 3);
		const second = two(text, from + 6);
		return text.charCodeAt(from + 2) === COLON &&
			text.charCodeAt(from + 5) === COLON &&
			(hour < 24 || hour * 3600 + minute * 60 + second === DAY_SECONDS) &&
			minute < 60 &&
			second < 60
			? (hour * 60 + minute) * MINUTE_MS + second * SECOND_MS
			: Number.NaN;
	}
	const match = REST.exec(text.slice(from, to));
	if (!match) return Number.NaN;
	const [, hour, minute, second = "0", fraction = "0"] = match;
	if (Number(minute) > 59 || Number(second) > 59) return Number.NaN;
	const ms =
		(Number(hour) * 60 + Number(minute)) * MINUTE_MS +
		Number(second) * SECOND_MS +
		Number(fraction.slice(0, 3).padEnd(3, "0"));
	return ms < DAY_MS || (ms === DAY_MS && Number(fraction) === 0)
		? ms
		: Number.NaN;
}

/**
 * Text before and after `HH:MM` of the last instant read, and the epoch ms of its
 * 00:00: the 96 rows of a day differ in hours and minutes alone.
 */
let known = { day: "?", rest: "?", ms: Number.NaN };

/**
 * Epoch ms of a timestamp that says its offset: `2026-03-29T00:15:00+01:00`,
 * `…Z`; seconds and fractions may be missing.
 *
 * @returns NaN for anything else, a text without an offset included
 */
export function readInstant(text: string): number {
	const minutes = minutesOfDay(text);
	if (
		minutes >= 0 &&
		text.length === 16 + known.rest.length &&
		text.startsWith(known.day) &&
		text.endsWith(known.rest)
	) {
		return known.ms + minutes * MINUTE_MS;
	}
	const instant = readWholeInstant(text);
	const ms = instant - minutes * MINUTE_MS;
	if (!Number.isNaN(ms)) {
		known = { day: text.slice(0, 11), rest: text.slice(16), ms };
	}
	return instant;
}

/** Minutes since midnight of the `HH:MM` after a date, NaN when there is no such time of day, or it is 24:00. */
function minutesOfDay(text: string): number {
	const hour = two(text, 11);
	const minute = two(text, 14);
	return text.charCodeAt(13) === COLON && hour < 24 && minute < 60
		? hour * 60 + minute
		: Number.NaN;
}

function readWholeInstant(text: string): number {
	const length = text.length;
	if (!isSeparator(text.charCodeAt(10))) return Number.NaN;
	if (text.charCodeAt(length - 1) === Z) {
		return readDate(text) + clockMs(text, 11, length - 1);
	}
	// ±HH:MM, ±HHMM or ±HH
	const at =
		length -
		(text.charCodeAt(length - 3) === COLON
			? 6
			: isSign(text, length - 5)
				? 5
				: 3);
	if (at < 16 || !isSign(text, at)) return Number.NaN;
	const hours = two(text, at + 1);
	const minutes = length - at === 3 ? 0 : two(text, length - 2);
	if (!(hours < 24 && minutes < 60)) return Number.NaN;
	const offset = (hours * 60 + minutes) * MINUTE_MS;
	return (
		readDate(text) +
		clockMs(text, 11, at) -
		(text.charCodeAt(at) === PLUS ? offset : -offset)
	);
}

/** Plausible years of an instant: others come from a clock that was never set, or from a typing error. */
const POSSIBLE = { from: Date.UTC(1971), until: Date.UTC(2199) } as const;

/** Whether an instant or wall-clock time, epoch ms, is plausible. */
export const isPossible = (ms: number): boolean =>
	ms >= POSSIBLE.from && ms < POSSIBLE.until;

const isSeparator = (code: number): boolean => code === T || code === BLANK;

const isSign = (text: string, at: number): boolean => {
	const code = text.charCodeAt(at);
	return code === PLUS || code === DASH;
};

/**
 * Wall-clock time of a text that says no offset, as ms since 1970-01-01 00:00
 * of that same clock. Only a zone can turn it into an instant.
 *
 * @returns NaN for anything else
 */
export function readWallClock(text: string): number {
	return isSeparator(text.charCodeAt(10))
		? readDate(text) + clockMs(text, 11, text.length)
		: Number.NaN;
}

/** Texts of dates by their day: a few dozen are asked for all the time. */
const dates = new Map<number, string>();
/** Dates kept before all are let go: more than any forecast has. */
const MOST_DATES = 200;

/** `YYYY-MM-DD` of a number of days since 1970-01-01. */
export function dateText(day: number): string {
	let text = dates.get(day);
	if (text === undefined) {
		text = new Date(day * DAY_MS).toISOString().slice(0, 10);
		if (dates.size >= MOST_DATES) dates.clear();
		dates.set(day, text);
	}
	return text;
}

/** `00` to `59` */
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) =>
	String(number).padStart(2, "0"),
);

/** `YYYY-MM-DDTHH:MM:SS` of an instant in UTC, or of a wall-clock time. */
export function utcSeconds(ms: number): string {
	const day = Math.floor(ms / DAY_MS);
	const seconds = Math.floor((ms - day * DAY_MS) / SECOND_MS);
	const minutes = Math.floor(seconds / 60);
	const hh = TWO_DIGITS[Math.floor(minutes / 60)];
	return `${dateText(day)}T${hh}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
}

/** ISO 8601 in UTC, seconds included, ending in `Z`. */
export const utcText = (instant: number): string => `${utcSeconds(instant)}Z`;

/** Days since 1970-01-01 of a `YYYY-MM-DD`, NaN when it is no date. */
export function dateDay(text: string): number {
	return text.length === 10 ? readDate(text) / DAY_MS : Number.NaN;
}

const HTTP_DATE =
	/^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) ((?:[01]\d|2[0-3]):\d\d:\d\d) GMT$/;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Epoch ms of an HTTP `Date` or `Retry-After` date (RFC 9110 section 5.6.7, the
 * one form that may be sent), or of an ISO timestamp with an offset.
 *
 * @returns NaN when unreadable
 */
export function readHttpDate(text: string): number {
	const match = HTTP_DATE.exec(text);
	if (!match) return readInstant(text);
	const [, day, name, year, time] = match;
	const month = MONTHS.indexOf(name as string) + 1;
	return readInstant(
		`${year}-${String(month).padStart(2, "0")}-${day}T${time}Z`,
	);
}
