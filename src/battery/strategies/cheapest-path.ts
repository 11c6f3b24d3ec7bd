/** Up to `energy` stored kWh more, at `cost` each. */
export interface Way {
	readonly energy: number;
	readonly cost: number;
}

/**
 * What can be done in a quarter hour. Without any way taken the stored energy
 * changes by `base` (0, or the most that can be given, as a negative number);
 * ways are taken in order.
 */
export interface QuarterWays {
	readonly base: number;
	/** Energies are never 0. */
	readonly ways: readonly Way[];
	/** Cost without any way taken, beside another choice for the same quarter. */
	readonly offset?: number;
}

/** Worth of each kWh that is stored between two levels. */
export interface Worth {
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
export type Planner = (raises: Raises) => number[];

export interface Bounds {
	/** Stored energy, kWh. */
	readonly floor: number;
	readonly ceiling: number;
	/** At the start of the plan; may lie above the ceiling, and is not charged then. */
	readonly stored: number;
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
	follow(stored: number): number[];
}

/** What is stored that can be of any worth, kWh. */
export const topOf = ({ ceiling, stored }: Bounds): number =>
	Math.max(ceiling, stored);

/** Without the first `skip` kWh, and what lies beyond `width`; neighbours of one worth are one. */
function cut(list: readonly Worth[], skip: number, width: number): Worth[] {
	const kept: Worth[] = [];
	let [over, left] = [skip, width];
	for (const { energy, worth } of list) {
		const skipped = Math.min(over, energy);
		over -= skipped;
		const here = Math.min(energy - skipped, left);
		left -= here;
		if (here <= ROUNDING) continue;
		const last = kept.at(-1);
		if (last?.worth === worth) {
			kept[kept.length - 1] = { energy: last.energy + here, worth };
		} else kept.push({ energy: here, worth });
	}
	return kept;
}

/** The list with each kWh below a level worth at least so much. */
function raised(list: Worth[], floor: number, { upTo, worth }: Raise): Worth[] {
	let level = floor;
	let at = 0;
	for (; (list[at]?.worth ?? -Infinity) >= worth; at += 1) {
		level += (list[at] as Worth).energy;
	}
	if (level >= upTo) return list;
	const result = list.slice(0, at);
	for (const entry of list.slice(at)) {
		const below = Math.max(0, Math.min(entry.energy, upTo - level));
		level += entry.energy;
		if (below > ROUNDING) result.push({ energy: below, worth });
		if (entry.energy - below > ROUNDING) {
			result.push({ energy: entry.energy - below, worth: entry.worth });
		}
	}
	return result;
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
 * @param quarters whose ways' costs do not fall
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
	const { floor } = bounds;
	const width = topOf(bounds) - floor;
	let list = cut(end, 0, width);
	/** Stored energy up to which each way of each quarter is worth its cost. */
	const worthwhile: number[][] = [];
	for (let index = quarters.length - 1; index >= 0; index -= 1) {
		for (const raise of raises.get(first + index) ?? []) {
			list = raised(list, floor, raise);
		}
		const { base, ways } = quarters[index] as QuarterWays;
		const levels: number[] = [];
		const merged: Worth[] = [];
		let total = base;
		let level = floor;
		let at = 0;
		for (const { energy, cost } of [...ways].reverse()) {
			for (; (list[at]?.worth ?? cost) > cost; at += 1) {
				level += (list[at] as Worth).energy;
				merged.push(list[at] as Worth);
			}
			levels.unshift(level);
			merged.push({ energy, worth: cost });
			total += energy;
		}
		merged.push(...list.slice(at));
		if (total < 0) {
			// More must be given than is stored near the floor: worth as much as anything there.
			const worth = Math.max(list[0]?.worth ?? 0, ways.at(-1)?.cost ?? 0);
			merged.unshift({ energy: -total, worth });
		}
		list = cut(merged, Math.max(0, total), width);
		worthwhile[index] = levels;
	}
	return {
		needed: list[0]?.worth === MUST ? list[0].energy : 0,
		follow(stored) {
			let now = stored;
			return quarters.map(({ base, ways }, index) => {
				const most = Math.max(now, bounds.ceiling);
				let reach = now + base;
				now = Math.max(reach, floor);
				for (const [way, { energy }] of ways.entries()) {
					reach += energy;
					const upTo = worthwhile[index]?.[way] as number;
					now = Math.max(now, Math.min(reach, upTo, most));
				}
				return now;
			});
		},
	};
}

/** `end` of a stretch whose follower needs so much to begin with. */
export function withNeeded(end: readonly Worth[], needed: number): Worth[] {
	const total = end.reduce((sum, { energy }) => sum + energy, 0);
	const beyond = cut(end, needed, total);
	return needed > 0 ? [{ energy: needed, worth: MUST }, ...beyond] : beyond;
}
