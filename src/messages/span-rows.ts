import {
	inputError,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isBlank } from "../util/guards";
import { HOUR_MS, MINUTE_MS } from "../util/time";
import type { Zone } from "../util/zone";
import { reading, readMoments } from "./value-readers";

/** A row as it came. */
export type Fields = Readonly<Record<string, unknown>>;

/** A row as it was read; times in epoch ms. */
export interface LooseRow {
	readonly name: string;
	readonly start: number;
	/** Undefined where none can be read: starts are enough. */
	readonly end: number | undefined;
	/** Null in a hole, which ends the row before it. */
	readonly value: number | null;
}

/** The end of what is valid until further notice, epoch ms. */
export const OPEN_END = Date.UTC(2200);

/** What a row's start is called, the surest first, and its end. */
const STARTS =
	"start|ab|von|startsat|starttime|starttimestamp|startdate|startdatetime|timestart|deliverystart|from|validfrom|timeutc|hourutc|datetime|timestamp|time|hour|period|date|readingdate|unixseconds|timedk|hourdk";
const ENDS =
	"end|bis|endsat|endtime|endtimestamp|enddate|enddatetime|timeend|deliveryend|to|till|until|validto";

const PLURAL = /(?<=time|stamp|start|price)s$/i;

export const TIMES = `${STARTS}|${ENDS}`;

/** Those of some fields that are called so, in the names' order: `start_time` and `StartTime` are one name. */
export const fieldsOf = (fields: readonly string[], names: string): string[] =>
	names
		.split("|")
		.flatMap((name) =>
			fields.filter(
				(field) => field.replaceAll(/[^a-z]/gi, "").toLowerCase() === name,
			),
		);

/** Rows of arrays beside each other, like `times` and `price`, one of which has starts; undefined where none has. */
export function rowsOfColumns(fields: Fields): Fields[] | undefined {
	const columns = Object.entries(fields).flatMap(([field, list]) =>
		Array.isArray(list) ? [[field.replace(PLURAL, ""), list] as const] : [],
	);
	const byName = new Map(columns);
	const [starts = ""] = fieldsOf([...byName.keys()], STARTS);
	return byName
		.get(starts)
		?.map((_, at) =>
			Object.fromEntries(columns.map(([field, list]) => [field, list[at]])),
		);
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const CLOCK = /^\d\d:\d\d(:\d\d)?$/;

/** What the first field that is a time can mean; a date beside it makes a clock a time, and is none by itself. */
function momentsOf(row: Fields, at: string, names: string, zone?: Zone) {
	const given = fieldsOf(Object.keys(row), names).filter(
		(field) => !isBlank(row[field]),
	);
	const date = given.find((field) => DATE.test(String(row[field])));
	const tried = given
		.filter((field) => field !== date || given.length === 1)
		.map((field) => {
			const isClock = date && CLOCK.test(String(row[field]));
			const value = isClock ? `${row[date]}T${row[field]}` : row[field];
			return reading(() => readMoments(`${at}.${field}`, value, zone));
		});
	return tried.find(({ value }) => value) ?? tried[0];
}

/**
 * Rows of a list, each with the value that `readValue` finds in it. Of a time without
 * an offset that autumn repeats the first row has the earlier reading. A row whose
 * value cannot be read is a hole, and is told.
 *
 * @param list its name, for errors; the key of the error for a row without a start; the site's zone
 */
export function looseRows(
	items: readonly unknown[],
	list: { name: string; key: string; zone: Zone | undefined },
	readValue: (row: Fields, at: string) => number | null,
) {
	const { name, key, zone } = list;
	const seen = new Set<number>();
	const errors: SolarYieldError[] = [];
	const rows = items.flatMap((item, index): LooseRow[] => {
		const at = `${name}[${index}]`;
		const row: Fields = Object(item);
		const starts = momentsOf(row, at, STARTS, zone) ?? {
			errors: [inputError(key, { name: at, value: show(item) })],
		};
		const { value = null, errors: wrong } = reading(() => readValue(row, at));
		errors.push(...[...starts.errors, ...wrong].slice(0, 1));
		if (!starts.value) return [];
		const [earlier = 0, later = earlier] = starts.value;
		const start = seen.has(earlier) ? later : earlier;
		seen.add(earlier);
		const ends = [...(momentsOf(row, at, ENDS, zone)?.value ?? [])];
		const [open] = fieldsOf(Object.keys(row), "validto");
		if (open && row[open] === null) ends.push(OPEN_END);
		return [{ name: at, start, end: ends.find((end) => end > start), value }];
	});
	return { rows, errors };
}

/** So many steps of one length, and such a share of all, make it a usual one. */
const [USUAL, USUAL_SHARE] = [3, 0.1];

/** The longest usual step between starts, an hour at most, for longer ones are the blocks of a tariff; undefined where there is none. */
function usualStep(starts: readonly number[]): number | undefined {
	const steps = starts.slice(1).map((start, at) => start - Number(starts[at]));
	const least = Math.max(USUAL, steps.length * USUAL_SHARE);
	const usual = [...new Set(steps)].filter(
		(step) =>
			step <= HOUR_MS && steps.filter((one) => one === step).length >= least,
	);
	return usual.sort((a, b) => b - a)[0];
}

/**
 * Spans in ascending order, none overlapping another. Starts count: a row lasts to the
 * next one where its end is missing, wrong, beyond that or within a minute of it, but
 * without one no longer than the usual step; the last as long as the one before, or an hour. Of rows with one start the first that
 * has a value holds, and one that differs is told.
 */
export function arrangeRows(rows: readonly LooseRow[]) {
	const byStart = new Map<number, LooseRow>();
	const errors: SolarYieldError[] = [];
	for (const row of rows) {
		const other = byStart.get(row.start);
		if (other == null || other.value === null) byStart.set(row.start, row);
		else if (row.value !== null && row.value !== other.value) {
			const values = { name: row.name, other: other.name };
			errors.push(inputError("value.twice", values));
		}
	}
	const sorted = [...byStart.values()].sort((a, b) => a.start - b.start);
	const step = usualStep(sorted.map(({ start }) => start));
	let length = HOUR_MS;
	const spans = sorted.flatMap(({ start, end, value }, index) => {
		const next = sorted[index + 1]?.start;
		const most = end === undefined && step ? start + step : OPEN_END;
		const usual = Math.min(next ?? start + length, most);
		const isOff = end === undefined || (next !== undefined && end > next);
		const until = isOff || Math.abs(end - usual) <= MINUTE_MS ? usual : end;
		if (value === null) return [];
		length = until - start;
		return [{ start, end: until, value }];
	});
	return { spans, errors };
}
