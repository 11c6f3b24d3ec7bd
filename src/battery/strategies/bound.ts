import type { Way } from "./cheapest-path";

/** Difference in cost or energy that is rounding. */
const ROUNDING = 1e-9;
/** Cost of a way that must be taken. */
const MUST_TAKE = -1e6;

/**
 * A quarter hour with the true costs of its ways, in the order in which they can
 * be taken (`QuarterWays`), which may fall.
 */
export interface Quarter {
	readonly base: number;
	readonly ways: readonly Way[];
	/** Ways before this one must be taken, and those from `end` on must not. */
	readonly from: number;
	readonly end: number;
}

/**
 * The ways of a quarter with costs that do not fall. Where a later way is
 * cheaper (a price below the feed-in price or below 0) ways are taken together
 * at their mean cost, the convex envelope: a lower bound of the true cost.
 */
export function relaxed({ ways, from, end }: Quarter): readonly Way[] {
	if (from === 0 && end === ways.length && !falls(ways, from, end)) return ways;
	const risen: Way[] = [];
	for (let number = 0; number < end; number += 1) {
		let { energy, cost } = ways[number] as Way;
		if (number < from) {
			risen.push({ energy, cost: MUST_TAKE });
			continue;
		}
		for (
			let lower = risen[risen.length - 1];
			lower !== undefined && lower.cost > cost;
			lower = risen[risen.length - 1]
		) {
			cost =
				(cost * energy + lower.cost * lower.energy) / (energy + lower.energy);
			energy += lower.energy;
			risen.pop();
		}
		risen.push({ energy, cost });
	}
	return risen;
}

/** Cost of taking ways in order until `energy` is reached. */
function costUpTo(ways: readonly Way[], energy: number): number {
	let cost = 0;
	let left = energy;
	for (const way of ways) {
		if (left <= 0) break;
		cost += Math.min(left, way.energy) * way.cost;
		left -= way.energy;
	}
	return cost;
}

/**
 * The difference between a relaxed plan's true cost and its bound, and the two
 * branches that close the gap of its worst quarter; no branches where there is no
 * gap, or where the plan leaves out what it must do.
 */
export function gapOf(
	quarters: readonly Quarter[],
	path: Float64Array,
	stored: number,
): { excess: number; split: [Quarter[], Quarter[]] | undefined } {
	let before = stored;
	let excess = 0;
	let worst = 0;
	let worstAt = -1;
	let taken = 0;
	for (const [index, quarter] of quarters.entries()) {
		const after = path[index] as number;
		const energy = after - before - quarter.base;
		before = after;
		const { ways, from, end } = quarter;
		if (from === 0 && !falls(ways, from, end)) continue;
		const must = ways.slice(0, from);
		const mustEnergy = must.reduce((sum, way) => sum + way.energy, 0);
		if (energy < mustEnergy - ROUNDING) return { excess: 0, split: undefined };
		const free = ways.slice(from, end);
		const here =
			costUpTo(free, energy - mustEnergy) -
			costUpTo(relaxed(quarter).slice(from), energy - mustEnergy);
		excess += here;
		if (here > worst + ROUNDING) {
			worst = here;
			worstAt = index;
			taken = energy;
		}
	}
	const quarter = quarters[worstAt];
	if (!quarter) return { excess, split: undefined };
	const kink = kinkNear(quarter, taken);
	const replaced = (part: Partial<Quarter>) => {
		const copy = [...quarters];
		copy[worstAt] = { ...quarter, ...part };
		return copy;
	};
	return {
		excess,
		split: [replaced({ from: kink }), replaced({ end: kink })],
	};
}

/** Whether a later way, among those that can be chosen, costs less than the one before. */
export function falls(
	ways: readonly Way[],
	from: number,
	end: number,
): boolean {
	for (let number = from + 1; number < end; number += 1) {
		if ((ways[number] as Way).cost < (ways[number - 1] as Way).cost)
			return true;
	}
	return false;
}

/** The first way, among those that cost less than the one before, that the plan does not take whole. */
function kinkNear({ ways, from, end }: Quarter, taken: number): number {
	let reach = 0;
	let kink = from + 1;
	for (let number = 0; number < end; number += 1) {
		const way = ways[number] as Way;
		if (number > from && way.cost < (ways[number - 1] as Way).cost) {
			kink = number;
			if (reach + way.energy >= taken) break;
		}
		reach += way.energy;
	}
	return kink;
}
