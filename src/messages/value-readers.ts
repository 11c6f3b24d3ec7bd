import {
	inputError,
	SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { joinTexts, type Value } from "../texts/texts";
import { isBlank } from "../util/guards";
import { DAY_MS, dateDay, MINUTE_MS, readStamp, SECOND_MS } from "../util/time";
import type { Zone } from "../util/zone";

/** Instants that are plausible; what is a tenth of one are seconds. */
const [EARLIEST_MS, LATEST_MS] = [Date.UTC(1990), Date.UTC(2200)];

/** What a number must be. `above` excludes the bound itself, `least` includes it. */
export interface NumberBounds {
	readonly unit: Value;
	readonly least?: number;
	readonly above?: number;
	readonly most?: number;
}

/** The key of what an error wants, by which bounds there are. */
function wanted({ least, above, most }: NumberBounds): string {
	if (above !== undefined)
		return most === undefined ? "number.above" : "number.above_to";
	if (least === undefined) return "number.any";
	return most === undefined ? "number.from" : "number.from_to";
}

/**
 * A number given as such or as text.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readNumber(
	field: string,
	value: unknown,
	bounds: NumberBounds,
): number {
	const number =
		typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	if (
		typeof number !== "number" ||
		!Number.isFinite(number) ||
		number < (bounds.least ?? Number.NEGATIVE_INFINITY) ||
		number <= (bounds.above ?? Number.NEGATIVE_INFINITY) ||
		number > (bounds.most ?? Number.POSITIVE_INFINITY)
	) {
		throw inputError(wanted(bounds), {
			...bounds,
			field,
			value: show(value),
		});
	}
	return number;
}

/** A value as JSON has it, of a text what it says; undefined where that cannot be. A number that is none becomes text, to be told and not taken for null. */
export function plainJson(value: unknown): unknown {
	const said = (_: string, inner: unknown) =>
		typeof inner === "number" && !Number.isFinite(inner)
			? String(inner)
			: inner;
	try {
		return JSON.parse(
			typeof value === "string" ? value : JSON.stringify(value, said),
		);
	} catch {
		return undefined;
	}
}

const NO_READING = ["", "unavailable", "unknown", "none", "null", "nan"];

/**
 * Whether a value is what Home Assistant and others say in place of a reading that
 * they do not have (behaviour: Messages "Input").
 */
export const isNoReading = (value: unknown): boolean =>
	value === null ||
	(typeof value === "string" &&
		NO_READING.includes(value.trim().toLowerCase()));

/**
 * Inputs that a message has no value for now: words in place of one, and for a
 * reading a blank as well, which takes back any other.
 *
 * @param names of all inputs
 * @param readings those of them that a meter or a sensor gives
 */
export const absentInputs = <Name extends string>(
	msg: Readonly<Record<string, unknown>>,
	names: readonly Name[],
	readings: readonly Name[],
): Name[] =>
	names.filter((name) => {
		const value = msg[name];
		return (
			name in msg &&
			isNoReading(value) &&
			(readings.includes(name) || !isBlank(value))
		);
	});

/**
 * A yes or no, also as text, as MQTT, HTTP and dashboards bring it; blank is no, and
 * so is a sensor that has no value now.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readFlag(field: string, value: unknown): boolean {
	if (isBlank(value) || isNoReading(value)) return false;
	const flag =
		typeof value === "string" ? value.trim().toLowerCase() : String(value);
	if (flag === "true") return true;
	if (flag === "false") return false;
	throw inputError("value.flag", { field, value: show(value) });
}

/**
 * One of a few words, the first of which a blank stands for.
 *
 * @param key of the error
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readChoice<Choice extends string>(
	field: string,
	value: unknown,
	choices: readonly [Choice, ...Choice[]],
	key = "value.choice",
): Choice {
	if (isBlank(value)) return choices[0];
	const choice = choices.find((known) => known === value);
	if (choice === undefined) {
		throw inputError(key, {
			field,
			value: show(value),
			choices: choices.join(", "),
		});
	}
	return choice;
}

/**
 * The instants that a time can mean, to the minute: one as a rule, two in the hour
 * that autumn repeats. A `Date`, epoch seconds or milliseconds, or ISO 8601; without
 * an offset it is of the site's clock, in a field whose name ends in `utc` of UTC.
 *
 * @param zone the site's; without one a time must say its offset
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readMoments(
	field: string,
	value: unknown,
	zone?: Zone,
): readonly number[] {
	const text = typeof value === "string" ? value.trim() : "";
	const number = Number(
		typeof value === "number" || value instanceof Date ? value : text || "-",
	);
	const ms = number < EARLIEST_MS / 10 ? number * SECOND_MS : number;
	const day = dateDay(text) * DAY_MS;
	const stamp = Number.isNaN(day)
		? readStamp(text)
		: { ms: day, offset: Number.NaN };
	const isWall = Number.isNaN(stamp.offset) && !/utc$/i.test(field);
	const isStamp = !Number.isNaN(stamp.ms);
	let found: readonly number[] = [isStamp ? stamp.ms : ms];
	if (isStamp && isWall) found = zone?.instantsOf(stamp.ms) ?? [];
	if (!found[0] || found.some((ms) => !(ms >= EARLIEST_MS && ms < LATEST_MS))) {
		throw inputError("value.time", { field, value: show(value) });
	}
	return found.map((ms) => Math.round(ms / MINUTE_MS) * MINUTE_MS);
}

/**
 * Refuses keys that are not known: a slip of the pen must not pass for a wish.
 *
 * @throws SolarYieldError `INPUT` naming the key and those that are known
 */
export function refuseUnknownKeys(
	name: string,
	given: Readonly<Record<string, unknown>>,
	known: readonly string[],
): void {
	const unknown = Object.keys(given).find((key) => !known.includes(key));
	if (unknown !== undefined) {
		throw inputError("value.unknown_key", {
			name,
			key: unknown,
			names: known.join(", "),
		});
	}
}

/** What was read of an input: its value, if there is any, and what could not be read. */
export interface ReadResult<Value> {
	/** Absent when nothing could be read. */
	readonly value?: Value;
	readonly errors: readonly SolarYieldError[];
	/** What is to be asked of a value that is used and can hardly be meant. */
	readonly question?: SolarYieldError;
}

/**
 * Questions that are to be told: one of each input, and again after a value that raised none.
 *
 * @param asked inputs whose question was told, and no value since that raised none
 * @param reads by input
 */
export function newQuestions(
	asked: readonly string[],
	reads: Readonly<Record<string, ReadResult<unknown> | undefined>>,
): { readonly asked: readonly string[]; readonly told: SolarYieldError[] } {
	const told: SolarYieldError[] = [];
	const after = new Set(asked);
	for (const [name, read] of Object.entries(reads)) {
		if (read?.question && !after.has(name)) told.push(read.question);
		if (read?.question) after.add(name);
		else if (read?.value != null) after.delete(name);
	}
	return { asked: [...after], told };
}

/** Runs a reader that throws. */
export function reading<Value>(read: () => Value): ReadResult<Value> {
	try {
		return { value: read(), errors: [] };
	} catch (error) {
		if (error instanceof SolarYieldError) return { errors: [error] };
		throw error;
	}
}

/**
 * One error for all rows that are wrong in the same list: the first, and how many more there are.
 *
 * @param isUsed whether any row is left to be used
 */
export function rowErrors(
	errors: readonly SolarYieldError[],
	isUsed: boolean,
): readonly SolarYieldError[] {
	const [first, ...more] = errors;
	if (!first || more.length === 0) return errors;
	const one = more.length === 1;
	const key = isUsed
		? one
			? "rows.one_more_used"
			: "rows.more_used"
		: one
			? "rows.one_more"
			: "rows.more";
	return [inputError(key, { first: first.text, count: more.length })];
}

/** One error for all faults of a message. */
export function joinErrors(
	errors: readonly SolarYieldError[],
): SolarYieldError {
	const [first, ...more] = errors;
	if (first && more.length === 0) return first;
	const { key, values } = joinTexts(
		"value.several",
		errors.map(({ text }) => text),
	);
	return inputError(key, values);
}

/** Time of day in ms since midnight of `HH:MM`, NaN for anything else; 24:00 is the day's end. */
export function readClock(value: unknown): number {
	const match =
		typeof value === "string" && /^(\d{1,2}):(\d\d)$/.exec(value.trim());
	if (!match) return Number.NaN;
	const [hour, minute] = [Number(match[1]), Number(match[2])];
	const ms = (hour * 60 + minute) * MINUTE_MS;
	return minute < 60 && ms <= DAY_MS ? ms : Number.NaN;
}

/** A time of each day (ms since midnight of the site's clock) or an instant (epoch ms). */
export type ClockOrInstant =
	| { readonly clock: number }
	| { readonly instant: number };

/**
 * `HH:MM` of each day, or an instant.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readClockOrInstant(
	field: string,
	value: unknown,
): ClockOrInstant {
	const clock = readClock(value);
	if (!Number.isNaN(clock)) return { clock };
	try {
		const [instant] = readMoments(field, value);
		return { instant: instant as number };
	} catch {
		throw inputError("value.clock_or_moment", { field, value: show(value) });
	}
}
