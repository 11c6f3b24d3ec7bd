import type { Span } from "../prices/spans";
import type { Rank } from "./settings";

/** W·ms in a kWh. */
export const KWH = 3.6e9;
/** Load by which costs are compared where an appliance's own is not known, W. */
const NOMINAL_W = 1000;
/** kWh from PV below which a time has no sun: what is written as 0 is none. */
const LEAST_KWH = 1e-6;

/** What is known of a stretch of time, no longer than a quarter hour. */
export interface SlotFacts extends Span {
	/** Mean PV power, W; null = not known. */
	readonly pv: number | null;
	/** What of it is left over for the appliance, W, 0 or more. */
	readonly surplus: number;
	/** Price of a kWh from the grid; null = not known. */
	readonly price: number | null;
	/** What feeding a kWh in brings; null = not known. */
	readonly feedIn: number | null;
	/** Least that must be left over for the time to count, W; null = nothing need be. */
	readonly least: number | null;
}

/** A stretch of time and its worth for an appliance. */
export interface Slot extends Span {
	/** Whether PV is known. */
	readonly known: boolean;
	/** Whether an appliance may run: PV is known, and enough of it left over. */
	readonly counts: boolean;
	/** W, as in the facts; 0 where PV is not known. */
	readonly pv: number;
	readonly surplus: number;
	/** What the appliance takes of what is left over, W. */
	readonly sun: number;
	/** W times price; PV counts with what feeding it in would have brought. Null where a price that matters is not known. */
	readonly cost: number | null;
}

/**
 * @param loadW the appliance's power; null = not known, then it takes all that
 * is left over, and costs are those of 1 kW
 */
export function slotOf(facts: SlotFacts, loadW: number | null): Slot {
	const { start, end, surplus, price, feedIn, least } = facts;
	const nominal = loadW ?? NOMINAL_W;
	const own = Math.min(nominal, surplus);
	const ownCost = own === 0 ? 0 : feedIn === null ? null : own * feedIn;
	const bought = nominal - own;
	const boughtCost = bought === 0 ? 0 : price === null ? null : bought * price;
	return {
		start,
		end,
		known: facts.pv !== null,
		counts: facts.pv !== null && (least === null || surplus >= least),
		pv: facts.pv ?? 0,
		surplus,
		sun: loadW === null ? surplus : own,
		cost: ownCost === null || boughtCost === null ? null : ownCost + boughtCost,
	};
}

/** A run of time without a break, with sums over it. */
export interface Run extends Span {
	/** W·ms. */
	readonly pv: number;
	readonly sun: number;
	/** In the currency of the prices; null where a price that matters is not known. */
	readonly cost: number | null;
}

/** The run from `start` to `end`, undefined where a part of it does not count. */
function runOver(
	slots: readonly Slot[],
	first: number,
	start: number,
	end: number,
): Run | undefined {
	let pv = 0;
	let sun = 0;
	let cost: number | null = 0;
	for (let index = first; index < slots.length; index += 1) {
		const slot = slots[index] as Slot;
		if (slot.start >= end) break;
		if (!slot.counts) return undefined;
		const ms = Math.min(end, slot.end) - Math.max(start, slot.start);
		pv += slot.pv * ms;
		sun += slot.sun * ms;
		cost =
			cost === null || slot.cost === null
				? null
				: cost + (slot.cost * ms) / KWH;
	}
	return { start, end, pv, sun, cost };
}

/**
 * All runs of a length that can be the best: those that begin with a slot, and
 * the last one that fits. Powers are constant within a slot, so that for a length
 * of whole quarters no run between two of them is better than both.
 *
 * @param slots without holes, in ascending order
 * @param length ms
 */
export function runsOfLength(slots: readonly Slot[], length: number): Run[] {
	const runs: Run[] = [];
	const lastStart = (slots.at(-1)?.end ?? 0) - length;
	const add = (index: number, start: number) => {
		const run = runOver(slots, index, start, start + length);
		if (run) runs.push(run);
	};
	for (const [index, slot] of slots.entries()) {
		if (slot.start > lastStart) break;
		add(index, slot.start);
		if (slot.start < lastStart && slot.end > lastStart) add(index, lastStart);
	}
	return runs;
}

/** What runs and slots are compared by. */
type Worth = Pick<Run, "start" | "end" | "pv" | "sun" | "cost">;

/** 0 for what differs by rounding only, so that the next criterion decides. */
function difference(a: number, b: number): number {
	const size = Math.max(1, Math.abs(a), Math.abs(b));
	return Math.abs(a - b) <= 1e-9 * size ? 0 : a - b;
}

/**
 * An order of runs, or of slots, the best first. By cost: those whose cost is
 * known, then the cheaper. Then, and by sun: more solar energy for the appliance,
 * more PV in all (an appliance smaller than what is left over takes the same from
 * many times, and the sunniest of them bears a cloud best), the shorter, the earlier.
 */
export const byRank = (rank: Rank) => (a: Worth, b: Worth) =>
	(rank === "cost" && byCost(a, b)) ||
	difference(b.sun, a.sun) ||
	difference(b.pv, a.pv) ||
	a.end - a.start - (b.end - b.start) ||
	a.start - b.start;

const byCost = (a: Worth, b: Worth) =>
	a.cost === null || b.cost === null
		? (a.cost === null ? 1 : 0) - (b.cost === null ? 1 : 0)
		: difference(a.cost, b.cost);

/** Whether there is a reason to run at all: a cost to go by, or any sun. */
export const isWorthIt = (rank: Rank) => (run: Run) =>
	(rank === "cost" && run.cost !== null) || run.pv > LEAST_KWH * KWH;

/** The best of some runs, undefined where none is worth it. */
export function bestRun(runs: readonly Run[], rank: Rank): Run | undefined {
	const compare = byRank(rank);
	let best: Run | undefined;
	for (const run of runs.filter(isWorthIt(rank))) {
		if (best === undefined || compare(run, best) < 0) best = run;
	}
	return best;
}
