import type { FeedIn } from "./reader";
import { SpanMeans } from "./spans";

/**
 * Mean prices over spans of time, for spans asked for in ascending order.
 *
 * @returns null for a span of which any part has no price
 */
export function priceReader(
	prices: FeedIn,
): (start: number, end: number) => number | null {
	if (typeof prices === "number") return () => prices;
	const means = new SpanMeans(prices, ({ price }) => price);
	return (start, end) => {
		const price = means.whole(start, end);
		return Number.isNaN(price) ? null : price;
	};
}
