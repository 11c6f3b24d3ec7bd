/** Chance that is the same on every run: hashes of integers, and smooth curves through them. */

/** 32 well-mixed bits of two integers. */
export function hash(seed: number, index: number): number {
	let h =
		Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index, 0xc2b2ae35);
	h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
	h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
	return (h ^ (h >>> 16)) >>> 0;
}

/** A smooth curve with values in [0, 1) that changes over about one unit of `x`. */
export function noise(seed: number, x: number): number {
	const i = Math.floor(x);
	const f = ease(x - i);
	return (hash(seed, i) * (1 - f) + hash(seed, i + 1) * f) / 2 ** 32;
}

/** A smooth surface with values in [0, 1). */
export function noise2(seed: number, x: number, y: number): number {
	const j = Math.floor(y);
	const f = ease(y - j);
	return noise(hash(seed, j), x) * (1 - f) + noise(hash(seed, j + 1), x) * f;
}

function ease(f: number): number {
	return f * f * (3 - 2 * f);
}
