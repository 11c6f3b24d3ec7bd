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

interface Bounds {
	/** Stored energy, kWh. */
	readonly floor: number;
	readonly ceiling: number;
}

/** Worth of a kWh that must be stored: more than any cost. */
export const MUST = 1e9;

/** Energies that are rounding, kWh. */
const ROUNDING = 1e-12;

/** A solved stretch of quarters. */
interface Solution {
	/** Stored energy that the stretch must begin with so that all `MUST` is met, kWh above the floor. */
	readonly needed: number;
	/** @returns stored energy in kWh at the end of each quarter, from what is stored at the start */
	follow(stored: number): Float64Array;
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
 * @param raises by quarter of the plan, in any order
 * @param first number of the first quarter in the plan
 */
export function cheapestPath(
	quarters: readonly QuarterWays[],
	{ floor, ceiling }: Bounds,
	end: readonly Worth[],
	raises: ReadonlyMap<number, readonly Raise[]> = new Map(),
	first = 0,
): Solution {
	const count = quarters.length;
	const width = ceiling - floor;
	// Entries of the list, and of the one that is being made from it.
	let most = end.length;
	for (const { ways } of quarters) most += ways.length + 1;
	for (const { length } of raises.values()) most += length;
	let energies = new Float64Array(most);
	let worths = new Float64Array(most);
	let entries = 0;
	let nextEnergies = new Float64Array(most);
	let nextWorths = new Float64Array(most);
	let made = 0;
	const append = (energy: number, worth: number) => {
		if (energy <= ROUNDING) return;
		if (made > 0 && nextWorths[made - 1] === worth) {
			nextEnergies[made - 1] = (nextEnergies[made - 1] as number) + energy;
		} else {
			nextEnergies[made] = energy;
			nextWorths[made] = worth;
			made += 1;
		}
	};
	const swap = () => {
		[energies, nextEnergies] = [nextEnergies, energies];
		[worths, nextWorths] = [nextWorths, worths];
		entries = made;
		made = 0;
	};
	const raise = ({ upTo, worth }: Raise) => {
		let level = floor;
		let dear = 0;
		while (dear < entries && (worths[dear] as number) >= worth) {
			level += energies[dear] as number;
			dear += 1;
		}
		if (level >= upTo) return;
		level = floor;
		for (let at = 0; at < entries; at += 1) {
			const energy = energies[at] as number;
			const own = worths[at] as number;
			const below = Math.max(0, Math.min(energy, upTo - level));
			append(below, Math.max(own, worth));
			append(energy - below, own);
			level += energy;
		}
		swap();
	};
	for (const { energy, worth } of end) append(energy, worth);
	swap();

	/** Stored energy up to which each way is worth its cost. */
	const worthwhile: Float64Array[] = new Array(count);
	for (let index = count - 1; index >= 0; index -= 1) {
		for (const each of raises.get(first + index) ?? []) raise(each);
		const { base, ways } = quarters[index] as QuarterWays;
		const limits = new Float64Array(ways.length);
		let total = base;
		let level = floor;
		let entry = 0;
		for (let way = ways.length - 1; way >= 0; way -= 1) {
			const { energy, cost } = ways[way] as Way;
			total += energy;
			while (entry < entries && (worths[entry] as number) > cost) {
				level += energies[entry] as number;
				entry += 1;
			}
			limits[way] = level;
		}
		worthwhile[index] = limits;
		// Merge, from the highest worth on: what lies below the floor is cut, and what lies above the ceiling.
		let skip = total;
		let left = width;
		let way = ways.length - 1;
		entry = 0;
		if (skip < 0) {
			// More must be given than is stored near the floor: worth as much as anything there.
			const energy = Math.min(-skip, left);
			append(
				energy,
				Math.max(entries > 0 ? (worths[0] as number) : 0, ways[way]?.cost ?? 0),
			);
			left -= energy;
		}
		while (left > ROUNDING && (way >= 0 || entry < entries)) {
			let energy: number;
			let worth: number;
			if (
				way < 0 ||
				(entry < entries && (worths[entry] as number) > (ways[way] as Way).cost)
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
			append(energy, worth);
		}
		swap();
	}
	let needed = 0;
	for (let at = 0; at < entries && worths[at] === MUST; at += 1) {
		needed += energies[at] as number;
	}
	return {
		needed,
		follow(stored) {
			const path = new Float64Array(count);
			let now = stored;
			for (let index = 0; index < count; index += 1) {
				const { base, ways } = quarters[index] as QuarterWays;
				const limits = worthwhile[index] as Float64Array;
				let reach = now + base;
				let next = Math.max(reach, floor);
				for (let way = 0; way < ways.length; way += 1) {
					reach += (ways[way] as Way).energy;
					const limit = Math.min(reach, limits[way] as number, ceiling);
					if (limit > next) next = limit;
				}
				path[index] = next;
				now = next;
			}
			return path;
		},
	};
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
