/** Price of a kWh over a span of time, epoch ms; may be negative. */
export interface PriceRow {
	readonly start: number;
	readonly end: number;
	readonly price: number;
}

/** What feeding a kWh in brings: one price, or rows of prices. */
export type FeedIn = number | readonly PriceRow[];

/**
 * Mean prices over spans of time, for spans asked for in ascending order.
 *
 * @param rows in ascending order, none overlapping another
 * @returns null for a span of which any part has no price
 */
export function priceReader(
	rows: readonly PriceRow[],
): (start: number, end: number) => number | null {
	let first = 0;
	return (start, end) => {
		while (first < rows.length && (rows[first] as PriceRow).end <= start) {
			first += 1;
		}
		let covered = 0;
		let total = 0;
		for (let index = first; index < rows.length; index += 1) {
			const row = rows[index] as PriceRow;
			if (row.start >= end) break;
			const ms = Math.min(end, row.end) - Math.max(start, row.start);
			// One row's own price to the last bit: equal prices must stay equal.
			if (ms === end - start) return row.price;
			covered += ms;
			total += ms * row.price;
		}
		return covered === end - start ? total / covered : null;
	};
}

/** The same for what feeding in brings. */
export const feedInReader = (
	feedIn: FeedIn,
): ((start: number, end: number) => number | null) =>
	typeof feedIn === "number" ? () => feedIn : priceReader(feedIn);
