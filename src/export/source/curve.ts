import type { Band } from "../../forecast/band";
import type { Series } from "../../forecast/series";
import { QUARTER_MS } from "../../util/time";
import type { Zone } from "../../util/zone";

/** Longest gap that is interpolated, in quarter hours. */
const LONGEST_FILLED = 4;

/** A step of a power curve: mean power from `start` to `end` (epoch ms). */
export interface Step {
	readonly start: number;
	readonly end: number;
	readonly watts: number;
}

/** A period, epoch ms. */
export interface CurveSpan {
	readonly from: number;
	readonly to: number;
}

/** Starts of the quarters that a period touches. */
export function quartersIn({ from, to }: CurveSpan): number[] {
	const first = Math.floor(from / QUARTER_MS) * QUARTER_MS;
	const length = Math.max(0, Math.ceil((to - first) / QUARTER_MS));
	return Array.from({ length }, (_, index) => first + index * QUARTER_MS);
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
		const { starts } = series;
		let from = starts[0] ?? 0;
		let to = (starts.at(-1) ?? -QUARTER_MS) + QUARTER_MS;
		const value = (start: number) =>
			band && !band.knows(start)
				? Number.NaN
				: (series.valueAt(start, field) ?? Number.NaN);
		// Rows without power at either end shorten the curve; they are not gaps.
		while (from < to && Number.isNaN(value(from))) from += QUARTER_MS;
		while (from < to && Number.isNaN(value(to - QUARTER_MS))) to -= QUARTER_MS;
		// Quarters known to be dark extend the curve up to the ends of its dates.
		while (from < to && value(from - QUARTER_MS) === 0) from -= QUARTER_MS;
		while (from < to && value(to) === 0) to += QUARTER_MS;
		const watts: number[] = [];
		const raised = new Set<number>();
		for (const start of quartersIn({ from, to })) {
			// The series itself reads a power below 0 as 0.
			if (Number(series.rowAt(start)?.[field]) < 0) raised.add(watts.length);
			watts.push(value(start));
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

	/** Whether the power of the quarter that begins at `start` is known. */
	knows(start: number): boolean {
		return !Number.isNaN(this.at(start));
	}

	/** Starts of the quarters whose power is known, from an instant on and before another. */
	quarters(from = this.from, to = this.to): number[] {
		return quartersIn({
			from: Math.max(from, this.from),
			to: Math.min(to, this.to),
		}).filter((start) => this.knows(start));
	}

	/** Whether nothing at all is known. */
	get isEmpty(): boolean {
		return this.#watts.length === 0;
	}

	/** Mean power in W between two instants, exact, NaN when part of it is unknown. */
	mean(from: number, to: number): number {
		const wattMs = quartersIn({ from, to }).map(
			(start) =>
				this.at(start) *
				(Math.min(to, start + QUARTER_MS) - Math.max(from, start)),
		);
		return wattMs.reduce((sum, each) => sum + each, 0) / (to - from);
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
		const end = Math.min(to, this.to);
		const starts = quartersIn({ from: Math.max(from, this.from), to: end });
		const gapFrom = starts.find((start) => !this.knows(start));
		if (gapFrom === undefined) return undefined;
		const next = starts.find((start) => start > gapFrom && this.knows(start));
		return { from: gapFrom, to: next ?? end };
	}

	/** Numbers of quarters that overlap a period and were interpolated, or raised from below zero to zero. */
	changesIn({ from, to }: CurveSpan) {
		const count = (indices: ReadonlySet<number>) =>
			[...indices].filter((index) => {
				const start = this.from + index * QUARTER_MS;
				return start < to && start + QUARTER_MS > from;
			}).length;
		return {
			gaps_filled: count(this.#filled),
			negatives_raised: count(this.#raised),
		};
	}
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
