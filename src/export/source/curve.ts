import type { Band } from "../../forecast/band";
import type { Series } from "../../forecast/series";
import type { Row } from "../../service/v2/forecast-answer";
import { QUARTER_MS } from "../../util/time";
import type { Zone } from "../../util/zone";

/** Longest gap that is interpolated, in quarter hours. */
const LONGEST_FILLED = 4;

/** A step of a power curve: mean power from `start` to `end` (epoch ms). */
interface Step {
	readonly start: number;
	readonly end: number;
	readonly watts: number;
}

/** A period, epoch ms. */
export interface CurveSpan {
	readonly from: number;
	readonly to: number;
}

/**
 * Power of consecutive quarter hours, made ready for consumers: never negative,
 * gaps of up to an hour interpolated, longer ones NaN. All differences between
 * exports and the rows of the forecast are made here.
 */
export class Curve {
	/** Start of the first quarter, epoch ms. */
	readonly from: number;
	/** End of the last quarter, epoch ms. */
	readonly to: number;
	readonly #watts: readonly number[];
	/** Indices of quarters that were interpolated, and of those that were below zero. */
	readonly #filled: ReadonlySet<number>;
	readonly #raised: ReadonlySet<number>;

	/**
	 * @param series the rows
	 * @param field a power field in W
	 * @param band outside of which the field means nothing
	 */
	constructor(series: Series, field = "pv_power", band?: Band) {
		const { starts, rows } = series;
		let from = starts[0] ?? 0;
		let to = (starts[starts.length - 1] ?? -QUARTER_MS) + QUARTER_MS;
		const value = (start: number) =>
			wattsOf(series, series.rowAt(start), start, field, band);
		// Rows without power at either end shorten the curve; they are not gaps.
		while (from < to && Number.isNaN(value(from))) from += QUARTER_MS;
		while (from < to && Number.isNaN(value(to - QUARTER_MS))) to -= QUARTER_MS;
		// Quarters known to be dark extend the curve up to the ends of its dates.
		while (from < to && value(from - QUARTER_MS) === 0) from -= QUARTER_MS;
		while (from < to && value(to) === 0) to += QUARTER_MS;
		const watts: number[] = [];
		const raised = new Set<number>();
		let next = series.indexFrom(from);
		for (let start = from; start < to; start += QUARTER_MS) {
			const row = starts[next] === start ? rows[next] : undefined;
			if (row) next += 1;
			// The series itself reads a power below 0 as 0.
			if (Number(row?.[field]) < 0) raised.add(watts.length);
			watts.push(wattsOf(series, row, start, field, band));
		}
		this.from = from;
		this.to = to;
		this.#raised = raised;
		this.#filled = fillShortGaps(watts);
		this.#watts = watts;
	}

	/** W in the quarter that begins at `start`, NaN when unknown. */
	at(start: number): number {
		return this.#watts[(start - this.from) / QUARTER_MS] ?? Number.NaN;
	}

	/** Whether nothing at all is known. */
	get isEmpty(): boolean {
		return this.#watts.length === 0;
	}

	/** Mean power in W between two instants, exact, NaN when part of it is unknown. */
	mean(from: number, to: number): number {
		let wattMs = 0;
		for (
			let start = Math.floor(from / QUARTER_MS) * QUARTER_MS;
			start < to;
			start += QUARTER_MS
		) {
			wattMs +=
				this.at(start) *
				(Math.min(to, start + QUARTER_MS) - Math.max(from, start));
		}
		return wattMs / (to - from);
	}

	/**
	 * Whole steps of equal length from an instant on; what does not fill a step at
	 * the end is left out, and so are steps of which a part is unknown.
	 *
	 * @param from where the first step begins, epoch ms
	 * @param to no step ends later
	 */
	steps(from: number, to: number, stepMs: number): Step[] {
		const steps: Step[] = [];
		for (
			let start = from;
			start + stepMs <= Math.min(to, this.to);
			start += stepMs
		) {
			const watts = this.mean(start, start + stepMs);
			if (!Number.isNaN(watts)) {
				steps.push({ start, end: start + stepMs, watts });
			}
		}
		return steps;
	}

	/** The first period without power between two instants within the curve. */
	gap(from: number, to: number): CurveSpan | undefined {
		let gapFrom: number | undefined;
		for (
			let start =
				Math.floor(Math.max(from, this.from) / QUARTER_MS) * QUARTER_MS;
			start < Math.min(to, this.to);
			start += QUARTER_MS
		) {
			if (Number.isNaN(this.at(start))) gapFrom ??= start;
			else if (gapFrom !== undefined) return { from: gapFrom, to: start };
		}
		return gapFrom === undefined
			? undefined
			: { from: gapFrom, to: Math.min(to, this.to) };
	}

	/** Number of interpolated quarters that overlap a period. */
	filledIn(span: CurveSpan): number {
		return this.#countIn(this.#filled, span);
	}

	/** Number of quarters that overlap a period and were raised from below zero to zero. */
	raisedIn(span: CurveSpan): number {
		return this.#countIn(this.#raised, span);
	}

	#countIn(indices: ReadonlySet<number>, { from, to }: CurveSpan): number {
		let count = 0;
		for (const index of indices) {
			const start = this.from + index * QUARTER_MS;
			if (start < to && start + QUARTER_MS > from) count += 1;
		}
		return count;
	}
}

/** W in a quarter, NaN when unknown. */
function wattsOf(
	series: Series,
	row: Row | undefined,
	start: number,
	field: string,
	band: Band | undefined,
): number {
	if (band && !band.knows(start)) return Number.NaN;
	return series.valueOf(row, start, field) ?? Number.NaN;
}

/** Interpolates each short gap between two known quarters. */
function fillShortGaps(watts: number[]): Set<number> {
	const filled = new Set<number>();
	let known = Number.NaN;
	for (let index = 0; index < watts.length; index += 1) {
		const after = watts[index] as number;
		if (Number.isNaN(after)) continue;
		const length = index - known - 1;
		if (length > 0 && length <= LONGEST_FILLED) {
			const before = watts[known] as number;
			for (let step = 1; step <= length; step += 1) {
				watts[known + step] = before + ((after - before) * step) / (length + 1);
				filled.add(known + step);
			}
		}
		known = index;
	}
	return filled;
}

/**
 * Start of the step of the site's clock that holds an instant: 10:00, 10:30 …
 * for half hours, also in zones of :30 and :45, so that midnight begins a step.
 *
 * @param stepMs divides an hour
 */
export function stepStart(zone: Zone, instant: number, stepMs: number): number {
	const wallClock = zone.wallClock(instant);
	const into = ((wallClock % stepMs) + stepMs) % stepMs;
	// A clock change begins a step.
	return Math.max(instant - into, zone.hourOf(instant).start);
}
