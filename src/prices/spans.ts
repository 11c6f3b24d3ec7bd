/** A span of time, from `start` to before `end`, in epoch ms. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** Means of a value over spans, for spans asked for in ascending order. */
export class SpanMeans<Row extends Span> {
	readonly #rows: readonly Row[];
	readonly #value: (row: Row) => number;
	/** Index of the first row that is not over at the last span's start. */
	#first = 0;

	/** @param rows in ascending order, none overlapping another */
	constructor(rows: readonly Row[], value: (row: Row) => number) {
		this.#rows = rows;
		this.#value = value;
	}

	/** The mean over the part of a span that rows cover, and that part as a share from 0 to 1. */
	over(from: number, to: number): { mean: number; covered: number } {
		const rows = this.#rows;
		let first = this.#first;
		while (first < rows.length && (rows[first] as Row).end <= from) first += 1;
		this.#first = first;
		let ms = 0;
		let total = 0;
		let rowsHere = 0;
		let mean = 0;
		for (let index = first; index < rows.length; index += 1) {
			const row = rows[index] as Row;
			if (row.start >= to) break;
			const overlap = Math.min(to, row.end) - Math.max(from, row.start);
			const value = this.#value(row);
			ms += overlap;
			total += overlap * value;
			// One row's own value, to the last bit: equal prices must stay equal.
			rowsHere += 1;
			mean = rowsHere === 1 ? value : total / ms;
		}
		return { mean, covered: ms / (to - from) };
	}

	/** The mean over a whole span, NaN where rows do not cover all of it. */
	whole(from: number, to: number): number {
		const { mean, covered } = this.over(from, to);
		// Shares of time are sums of whole ms: a full cover is exactly 1.
		return covered === 1 ? mean : Number.NaN;
	}
}
