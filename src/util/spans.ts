/** A span of time, from `start` to before `end`, in epoch ms. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/**
 * Means of a value over spans, for spans asked for in ascending order.
 *
 * @param rows in ascending order, none overlapping another
 * @returns the mean over the part of a span that rows cover, and that part as a share from 0 to 1
 */
export function meanOver<Row extends Span>(
	rows: readonly Row[],
	value: (row: Row) => number,
): (from: number, to: number) => { mean: number; covered: number } {
	let first = 0;
	return (from, to) => {
		while (first < rows.length && (rows[first] as Row).end <= from) first += 1;
		let ms = 0;
		let total = 0;
		let rowsHere = 0;
		let mean = 0;
		for (let index = first; index < rows.length; index += 1) {
			const row = rows[index] as Row;
			if (row.start >= to) break;
			const overlap = Math.min(to, row.end) - Math.max(from, row.start);
			ms += overlap;
			total += overlap * value(row);
			// One row's own value, to the last bit: equal prices must stay equal.
			rowsHere += 1;
			mean = rowsHere === 1 ? value(row) : total / ms;
		}
		return { mean, covered: ms / (to - from) };
	};
}
