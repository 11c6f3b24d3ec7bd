/** How closely the looks planned meet what may be spent. */
const TOLERANCE = 0.01;
/** No price is sought beyond these, W h²: any look is worth the one, none the other. */
const PRICES = { least: 1e-9, most: 1e15 } as const;
/** Largest step of the search, as a factor. */
const MOST_STEP = 64;

/**
 * The price of a look at which about as many are worth it as may be made.
 *
 * @param looksAt how many are worth a price; no more at a higher one
 * @param guess the price so far; it is kept if it still fits
 * @returns the price in W h², and how many looks are worth it
 */
export function findPrice(
	looksAt: (price: number) => number,
	may: number,
	guess = 1,
): { price: number; looks: number } {
	let price = Math.min(Math.max(guess, PRICES.least), PRICES.most);
	let low = 0;
	let high = Number.POSITIVE_INFINITY;
	for (;;) {
		const looks = looksAt(price);
		const ratio = looks / may;
		if (
			Math.abs(ratio - 1) <= TOLERANCE ||
			(ratio < 1 ? price <= PRICES.least : price >= PRICES.most)
		) {
			return { price, looks };
		}
		if (ratio > 1) low = price;
		else high = price;
		// Looks come whole: between two prices there may be none that fits exactly.
		if (high / low < 1 + TOLERANCE) {
			return { price: high, looks: looksAt(high) };
		}
		// Looks go with the root of the price where slots are plenty.
		const step = Math.min(Math.max(ratio ** 2, 1 / MOST_STEP), MOST_STEP);
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
