import type { Row } from "../service/v2/forecast-answer";
import { responseError } from "../service/v2/schema-errors";
import {
	DAY_MS,
	MINUTE_MS,
	QUARTER_MS,
	readStamp,
	utcText,
} from "../util/time";
import type { Zone } from "../util/zone";
import { Series } from "./series";

/** Whether a row's timestamp names the end or the start of its quarter hour. */
export type Interval = "end" | "start";

/**
 * Instants of stamps, NaN for a time that spring skips. Of stamps without an offset the
 * first of two alike is the earlier one: in the repeated hour of autumn order decides.
 */
function instantsOf(rows: readonly Row[], zone: Zone): number[] {
	const seen = new Map<number, number>();
	return rows.map((row) => {
		const { ms, offset } = readStamp(row.timestamp as string);
		if (!Number.isNaN(offset)) return ms;
		const times = seen.get(ms) ?? 0;
		seen.set(ms, times + 1);
		const instants = zone.instantsOf(ms);
		return instants[Math.min(times, instants.length - 1)] ?? Number.NaN;
	});
}

/**
 * The rows of a block in order of time.
 *
 * @param block its name, for errors
 * @param stampZone zone of stamps without an offset
 * @throws SolarYieldError `RESPONSE` when no row names an instant, or when rows are no
 * quarters or lie years apart
 */
export function placeRows(
	rows: readonly Row[],
	block: string,
	zone: Zone,
	stampZone: Zone,
	interval: Interval,
): Series {
	const shift = interval === "end" ? QUARTER_MS : 0;
	// Of two rows on one instant the later received counts. A wall-clock time that
	// spring skips names no instant, and its row no quarter.
	const byStart = new Map<number, Row>();
	for (const [index, instant] of instantsOf(rows, stampZone).entries()) {
		if (!Number.isNaN(instant))
			byStart.set(instant - shift, rows[index] as Row);
	}
	const starts = [...byStart.keys()].sort((a, b) => a - b);
	checkStep(block, starts);
	const inOrder = starts.map((start) => byStart.get(start) as Row);
	return new Series(zone, starts, inOrder);
}

/** Rows of half a day: fewer with holes between them say nothing of a step. */
const LEAST_STEPPED = 12;
/** More than any history, far less than a clock's error. */
const MOST_YEARS = 3;

/** Refuses rows in half hours or hours: a mean over those would be read as a quarter between gaps. */
function checkStep(block: string, starts: readonly number[]): void {
	const [first, last] = [starts[0], starts.at(-1)];
	if (first === undefined || last === undefined) {
		throw responseError("value.no_rows", { block });
	}
	if (last - first > MOST_YEARS * 366 * DAY_MS) {
		const [from, to] = [first, last].map((ms) => utcText(ms).slice(0, 10));
		throw responseError("value.reach", {
			block,
			from: from as string,
			to: to as string,
			years: MOST_YEARS,
		});
	}
	const steps = starts
		.slice(1)
		.map((start, index) => start - (starts[index] as number))
		.sort((a, b) => a - b);
	const usual = steps[steps.length >> 1] as number;
	if (starts.length >= LEAST_STEPPED && !steps.includes(QUARTER_MS)) {
		throw responseError("value.rows_apart", {
			block,
			minutes: usual / MINUTE_MS,
		});
	}
}
