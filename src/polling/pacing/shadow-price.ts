/** How closely the planned polls meet what may be spent. */
const TOLERANCE = 0.01;
/** Search range, W h². */
const PRICES = { lowest: 1e-9, highest: 1e15 } as const;
/** Largest step of the search, as a factor. */
const LARGEST_STEP = 64;

/**
 * The shadow price of a poll: the price at which about as many polls are worth it
 * as may be made, found by bisection.
 *
 * @param pollsAt how many are worth a price; no more at a higher one
 * @param may how many may be made
 * @param guess the price so far; it is kept if it still fits
 * @returns the price in W h², and how many polls are worth it
 */
export function findShadowPrice(
	pollsAt: (price: number) => number,
	may: number,
	guess = 1,
): { price: number; polls: number } {
	let price = Math.min(Math.max(guess, PRICES.lowest), PRICES.highest);
	let low = 0;
	let high = Number.POSITIVE_INFINITY;
	for (;;) {
		const polls = pollsAt(price);
		const ratio = polls / may;
		if (
			Math.abs(ratio - 1) <= TOLERANCE ||
			(ratio < 1 ? price <= PRICES.lowest : price >= PRICES.highest)
		) {
			return { price, polls };
		}
		if (ratio > 1) low = price;
		else high = price;
		// Polls come whole: between two prices there may be none that fits exactly.
		if (high / low < 1 + TOLERANCE) {
			return { price: high, polls: pollsAt(high) };
		}
		// Where slots are plenty, the number of polls goes with the root of the price.
		const step = Math.min(Math.max(ratio ** 2, 1 / LARGEST_STEP), LARGEST_STEP);
		price = within(price * step, low, high);
	}
}

/** A price well inside the bounds: the one at hand, else half-way. */
function within(price: number, low: number, high: number): number {
	const margin = 1 + TOLERANCE / 2;
	if (price > low * margin && price < high / margin) return price;
	if (high === Number.POSITIVE_INFINITY) return low * 2;
	return low === 0 ? high / 2 : Math.sqrt(low * high);
}
