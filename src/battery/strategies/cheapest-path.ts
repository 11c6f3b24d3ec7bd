/** Up to `energy` stored kWh more, at `cost` each. */
export interface Way {
	readonly energy: number;
	readonly cost: number;
}

/**
 * What can be done in a quarter hour. Without any way taken the stored energy
 * changes by `base` (0, or the most that can be given, as a negative number);
 * ways are taken in order, so their costs must not fall.
 */
export interface QuarterWays {
	readonly base: number;
	/** Energies are never 0. */
	readonly ways: readonly Way[];
}

/** Worth of each kWh that is stored between two levels. */
interface Worth {
	/** Stored energy, kWh above the one of the entry before (the first: above the floor). */
	readonly energy: number;
	/** Per kWh; must not rise from entry to entry. */
	readonly worth: number;
}

/** At the end of a quarter each kWh stored below `upTo` is worth at least `worth`. */
export interface Raise {
	readonly upTo: number;
	readonly worth: number;
}

/** Raises by quarter of the plan, in any order. */
export type Raises = ReadonlyMap<number, readonly Raise[]>;

/**
 * A strategy at work on a plan's quarters: finds the stored energy in kWh at the end
 * of each quarter that meets the raises as far as can be.
 */
export type Planner = (raises: Raises) => Float64Array;

export interface Bounds {
	/** Stored energy, kWh. */
	readonly floor: number;
	readonly ceiling: number;
}

/** Worth of a kWh that must be stored: more than any cost. */
export const MUST = 1e9;

/** Energies that are rounding, kWh. */
const ROUNDING = 1e-12;

/** A solved stretch of quarters. */
export interface Solution {
	/** Stored energy that the stretch must begin with so that all `MUST` is met, kWh above the floor. */
	readonly needed: number;
	/** @returns stored energy in kWh at the end of each quarter, from what is stored at the start */
	follow(stored: number): Float64Array;
}

const NONE: readonly Raise[] = [];

/** The raises of one quarter of the plan; each looks, so none makes an empty list. */
export const raisesAt = (raises: Raises, index: number): readonly Raise[] =>
	raises.get(index) ?? NONE;

/** Worth of each kWh stored above the floor, from there on: energies with falling worths. */
class WorthList {
	readonly #energies: Float64Array;
	readonly #worths: Float64Array;
	#length = 0;

	constructor(most: number) {
		this.#energies = new Float64Array(most);
		this.#worths = new Float64Array(most);
	}

	add(energy: number, worth: number): void {
		if (energy <= ROUNDING) return;
		const last = this.#length - 1;
		if (last >= 0 && this.#worths[last] === worth) {
			this.#energies[last] = (this.#energies[last] as number) + energy;
			return;
		}
		this.#energies[last + 1] = energy;
		this.#worths[last + 1] = worth;
		this.#length += 1;
	}

	/** Energy that is worth a `MUST`. */
	mustHave(): number {
		let energy = 0;
		for (let at = 0; at < this.#length && this.#worths[at] === MUST; at += 1) {
			energy += this.#energies[at] as number;
		}
		return energy;
	}

	/** Writes the list with a raise; false where it changes nothing. */
	raisedInto(to: WorthList, floor: number, { upTo, worth }: Raise): boolean {
		const energies = this.#energies;
		const worths = this.#worths;
		const length = this.#length;
		let level = floor;
		let at = 0;
		while (at < length && (worths[at] as number) >= worth) {
			level += energies[at] as number;
			at += 1;
		}
		if (level >= upTo) return false;
		level = floor;
		to.#length = 0;
		for (at = 0; at < length; at += 1) {
			const energy = energies[at] as number;
			const own = worths[at] as number;
			const below = Math.max(0, Math.min(energy, upTo - level));
			to.add(below, Math.max(own, worth));
			to.add(energy - below, own);
			level += energy;
		}
		return true;
	}

	/**
	 * Writes the list of a quarter's start from this one of its end: merged with the
	 * quarter's ways, from the highest worth on, what lies below the floor cut, and
	 * what lies above the ceiling.
	 *
	 * @param worthwhile takes, from `firstWay` on, up to what stored energy each way is worth its cost
	 */
	mergedInto(
		to: WorthList,
		{ base, ways }: QuarterWays,
		width: number,
		floor: number,
		worthwhile: Float64Array,
		firstWay: number,
	): void {
		const energies = this.#energies;
		const worths = this.#worths;
		const length = this.#length;
		let total = base;
		let level = floor;
		let entry = 0;
		for (let way = ways.length - 1; way >= 0; way -= 1) {
			const { energy, cost } = ways[way] as Way;
			total += energy;
			while (entry < length && (worths[entry] as number) > cost) {
				level += energies[entry] as number;
				entry += 1;
			}
			worthwhile[firstWay + way] = level;
		}
		to.#length = 0;
		let skip = total;
		let left = width;
		let way = ways.length - 1;
		entry = 0;
		if (skip < 0) {
			// More must be given than is stored near the floor: worth as much as anything there.
			const energy = Math.min(-skip, left);
			to.add(
				energy,
				Math.max(length > 0 ? (worths[0] as number) : 0, ways[way]?.cost ?? 0),
			);
			left -= energy;
		}
		while (left > ROUNDING && (way >= 0 || entry < length)) {
			let energy: number;
			let worth: number;
			if (
				way < 0 ||
				(entry < length && (worths[entry] as number) > (ways[way] as Way).cost)
			) {
				energy = energies[entry] as number;
				worth = worths[entry] as number;
				entry += 1;
			} else {
				energy = (ways[way] as Way).energy;
				worth = (ways[way] as Way).cost;
				way -= 1;
			}
			if (skip > 0) {
				const cut = Math.min(skip, energy);
				skip -= cut;
				energy -= cut;
			}
			energy = Math.min(energy, left);
			left -= energy;
			to.add(energy, worth);
		}
	}
}

/**
 * The cheapest path of the stored energy: a dynamic programme backwards in time
 * whose value function is convex and piecewise linear.
 *
 * The worth of one more stored kWh falls as the store fills, so it is a list of
 * energies with falling worths. The list of a quarter's start is the one of its
 * end, merged with the quarter's ways by cost (the infimal convolution of two
 * convex functions) and cut to the bounds. Going forwards, a way is taken while
 * one more kWh is worth more than its cost. This is the exact optimum where
 * costs do not fall within a quarter, in quarters × entries steps.
 *
 * Source: R. T. Rockafellar, Convex Analysis (1970), sections 5 and 16, for the
 * merging of slopes; the same recursion for storage at N. Secomandi, Optimal
 * commodity trading with a capacitated storage asset (Management Science, 2010).
 *
 * At equal cost and worth a way is left: what can be given is given at once.
 *
 * @param end worth of what is stored after the last quarter
 * @param first number of the first quarter in the plan
 */
export function cheapestPath(
	quarters: readonly QuarterWays[],
	bounds: Bounds,
	end: readonly Worth[],
	raises: Raises = new Map(),
	first = 0,
): Solution {
	const { floor, ceiling } = bounds;
	const count = quarters.length;
	const width = ceiling - floor;
	let most = end.length;
	let firstWay = 0;
	for (const { ways } of quarters) firstWay += ways.length;
	most += firstWay + count;
	for (const { length } of raises.values()) most += length;
	let list = new WorthList(most);
	let next = new WorthList(most);
	for (const { energy, worth } of end) list.add(energy, worth);
	/** Stored energy up to which each way is worth its cost, way by way of all quarters. */
	const worthwhile = new Float64Array(firstWay);
	for (let index = count - 1; index >= 0; index -= 1) {
		for (const raise of raisesAt(raises, first + index)) {
			if (list.raisedInto(next, floor, raise)) [list, next] = [next, list];
		}
		const quarter = quarters[index] as QuarterWays;
		firstWay -= quarter.ways.length;
		list.mergedInto(next, quarter, width, floor, worthwhile, firstWay);
		[list, next] = [next, list];
	}
	return {
		needed: list.mustHave(),
		follow: (stored) => followed(quarters, worthwhile, bounds, stored),
	};
}

/** The path from what is stored at the start: each way taken while it is worth its cost. */
function followed(
	quarters: readonly QuarterWays[],
	worthwhile: Float64Array,
	{ floor, ceiling }: Bounds,
	stored: number,
): Float64Array {
	const path = new Float64Array(quarters.length);
	let now = stored;
	let at = 0;
	for (let index = 0; index < quarters.length; index += 1) {
		const { base, ways } = quarters[index] as QuarterWays;
		let reach = now + base;
		let next = Math.max(reach, floor);
		for (const { energy } of ways) {
			reach += energy;
			const limit = Math.min(reach, worthwhile[at] as number, ceiling);
			if (limit > next) next = limit;
			at += 1;
		}
		path[index] = next;
		now = next;
	}
	return path;
}

/** `end` of a stretch whose follower needs so much to begin with. */
export function withNeeded(end: readonly Worth[], needed: number): Worth[] {
	const joined: Worth[] = [];
	if (needed > 0) joined.push({ energy: needed, worth: MUST });
	let covered = needed;
	for (const { energy, worth } of end) {
		const cut = Math.min(covered, energy);
		covered -= cut;
		if (energy > cut) joined.push({ energy: energy - cut, worth });
	}
	return joined;
}
