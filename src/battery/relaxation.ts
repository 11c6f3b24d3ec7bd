import type { Moves } from "./worth";

/** Difference in cost or energy that is rounding. */
const ROUNDING = 1e-9;
/** Cost of a way that must be taken. */
const MUST = -1e6;

/** Up to `energy` stored kWh more, at `cost` each. */
export interface Way {
	readonly energy: number;
	readonly cost: number;
}

/** The moves of one quarter with their true costs, in the order of their nature (see `Moves`). */
export interface Quarter {
	readonly base: number;
	/** Energies are never 0. */
	readonly ways: readonly Way[];
	/** Ways before this one must be taken, and those from `end` on must not. */
	readonly from: number;
	readonly end: number;
}

/**
 * The moves of a quarter with costs that do not fall. Where a later way is
 * cheaper (a price below the feed-in price or below 0) the ways are taken
 * together at their mean cost: no plan costs less than these moves say.
 */
function relaxed({ ways, from, end }: Quarter): readonly Way[] {
	if (from === 0 && end === ways.length && !falls(ways, from, end)) return ways;
	const risen: Way[] = [];
	for (let number = 0; number < end; number += 1) {
		let { energy, cost } = ways[number] as Way;
		if (number < from) {
			risen.push({ energy, cost: MUST });
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

/** The relaxed moves of all quarters, by rank of their costs, and these costs in ascending order. */
export function ranked(quarters: readonly Quarter[]): {
	moves: Moves;
	costs: Float64Array;
} {
	const base: number[] = [];
	const first = [0];
	const energy: number[] = [];
	const cost: number[] = [];
	for (const quarter of quarters) {
		base.push(quarter.base);
		for (const way of relaxed(quarter)) {
			energy.push(way.energy);
			cost.push(way.cost);
		}
		first.push(energy.length);
	}
	const costs = new Float64Array(cost)
		.sort()
		.filter((value, at, all) => value !== all[at - 1]);
	const level = cost.map((value) => rankOf(costs, value));
	return { costs, moves: { base, first, energy, level } };
}

/** Index of a value in an ascending list that holds it. */
function rankOf(list: Float64Array, value: number): number {
	let low = 0;
	let high = list.length - 1;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((list[middle] as number) < value) low = middle + 1;
		else high = middle;
	}
	return low;
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
 * By how much a relaxed plan's cost is too low, and the two sets of moves that
 * mend its worst quarter; no split where nothing is to mend, or where the plan
 * leaves out what it must do.
 */
export function flawOf(
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

function falls(ways: readonly Way[], from: number, end: number): boolean {
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
