import {
	type CheckedRows,
	type Row,
	stepError,
} from "../service/v2/forecast-answer";
import { responseError } from "../service/v2/schema-errors";
import { DAY_MS, QUARTER_MS } from "../util/time";
import { dateText, readWallClock } from "../util/timestamp";
import { Series } from "./series";
import type { Zone } from "./zone";

/** Whether a row's timestamp names the end or the start of its quarter hour. */
export type Interval = "end" | "start";

/** Longest time between first and last row, years: more than any history, far less than a clock's error. */
const LONGEST_YEARS = 10;

/**
 * Instants of stamps without an offset. In the repeated hour of autumn the first
 * row of a stamp is the earlier one: order within the block decides.
 */
function naiveInstants(
	{ rows, instants: known }: CheckedRows,
	block: string,
	zone: Zone,
): number[] {
	const wallClocks = rows.map((row) => readWallClock(row.timestamp as string));
	// First, since each day that a zone is asked about takes its time.
	let first = Number.POSITIVE_INFINITY;
	let last = Number.NEGATIVE_INFINITY;
	for (const ms of wallClocks) {
		if (ms < first) first = ms;
		if (ms > last) last = ms;
	}
	checkSpan(block, first, last);
	const seen = new Map<number, number>();
	return wallClocks.map((wallClock, index) => {
		const instant = known[index] as number;
		if (!Number.isNaN(instant)) return instant;
		const times = seen.get(wallClock) ?? 0;
		seen.set(wallClock, times + 1);
		const instants = zone.instantsOf(wallClock);
		return instants[Math.min(times, instants.length - 1)] ?? Number.NaN;
	});
}

/**
 * The rows of a block in order of time.
 *
 * @param block its name, for errors
 * @param stampZone zone of stamps without an offset
 * @throws SolarYieldError `RESPONSE` when no row names an instant, or when they lie
 * years apart
 */
export function placeRows(
	checked: CheckedRows,
	block: string,
	zone: Zone,
	stampZone: Zone,
	interval: Interval,
): Series {
	const { rows } = checked;
	let { instants } = checked;
	const shift = interval === "end" ? QUARTER_MS : 0;
	let starts = startsOf(instants, shift);
	if (!starts && instants.some(Number.isNaN)) {
		instants = naiveInstants(checked, block, stampZone);
		starts = startsOf(instants, shift);
	}
	if (starts) return seriesOf(block, zone, starts, rows);
	// Of two rows on one instant the later received counts. A wall-clock time that
	// spring skips names no instant, and its row no quarter.
	const byStart = new Map<number, Row>();
	for (const [index, row] of rows.entries()) {
		const instant = instants[index] as number;
		if (!Number.isNaN(instant)) byStart.set(instant - shift, row);
	}
	if (byStart.size === 0) throw responseError("value.no_rows", { block });
	const sorted = [...byStart.keys()].sort((a, b) => a - b);
	const inOrder = sorted.map((start) => byStart.get(start) as Row);
	return seriesOf(block, zone, sorted, inOrder);
}

/** A series that can be walked through quarter by quarter. */
function seriesOf(
	block: string,
	zone: Zone,
	starts: readonly number[],
	rows: readonly Row[],
): Series {
	checkSpan(block, starts[0] as number, starts.at(-1) as number);
	checkStep(block, starts);
	return new Series(zone, starts, rows);
}

/** Rows of half a day: fewer with holes between them say nothing of a step. */
const LEAST_STEPPED = 12;

/** Refuses rows in half hours or hours: a mean over those would be read as a quarter between gaps. */
function checkStep(block: string, starts: readonly number[]): void {
	if (starts.length < LEAST_STEPPED) return;
	const counts = new Map<number, number>();
	for (let index = 1; index < starts.length; index += 1) {
		const step = (starts[index] as number) - (starts[index - 1] as number);
		if (step === QUARTER_MS) return;
		counts.set(step, (counts.get(step) ?? 0) + 1);
	}
	const [[usual] = [0]] = [...counts].sort(([, a], [, b]) => b - a);
	const least = Math.min(...counts.keys());
	// Nights may be left out.
	if ([...counts.keys()].every((step) => step % least === 0)) {
		throw stepError(block, usual);
	}
}

function checkSpan(block: string, first: number, last: number): void {
	if (last - first > LONGEST_YEARS * 366 * DAY_MS) {
		const date = (ms: number) => dateText(Math.floor(ms / DAY_MS));
		throw responseError("value.reach", {
			block,
			from: date(first),
			to: date(last),
			years: LONGEST_YEARS,
		});
	}
}

/** Starts of quarters, undefined when an instant is unknown or the order is not that of time. */
function startsOf(
	instants: readonly number[],
	shift: number,
): number[] | undefined {
	const starts = new Array<number>(instants.length);
	let before = Number.NEGATIVE_INFINITY;
	for (let index = 0; index < instants.length; index += 1) {
		const instant = instants[index] as number;
		if (!(instant > before)) return undefined;
		starts[index] = instant - shift;
		before = instant;
	}
	return starts;
}
