import { clockOf } from "../forecast/answers";
import { DAY, MINUTE, QUARTER } from "./support";

/** What is asked for, in the words of a dialog. */
export interface Wish {
	readonly hours: number;
	readonly pieces: "one" | "any";
	readonly from: string;
	readonly to: string;
	readonly minPowerW: number | null;
	readonly loadW: number | null;
	readonly baseLoadW: number;
	readonly rank: "sun" | "cost";
}

/** The world, quarter by quarter; prices in whole cents so that sums are exact. */
export interface World {
	readonly zone: string;
	/** W, null = not known. */
	readonly pv: (quarter: number) => number | null;
	/** Cents, null = not known. */
	readonly price: (quarter: number) => number | null;
	readonly feedIn: number;
}

/** Worth of a time: smaller first, the first that differs decides. */
type Worth = readonly number[];
const less = (a: Worth, b: Worth): boolean => {
	const at = a.findIndex((value, index) => value !== b[index]);
	return at >= 0 && (a[at] as number) < (b[at] as number);
};
const sum = (a: Worth, b: Worth): Worth =>
	a.map((value, index) => value + (b[index] as number));

/** Minutes after midnight of `HH:MM`. */
const clock = (text: string) =>
	Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/**
 * The time of a local date in which the appliance may run, found by looking at
 * the clock minute by minute.
 */
export function frame(
	{ zone }: World,
	{ from, to }: Wish,
	date: string,
): [start: number, end: number] {
	const midnight = Date.parse(`${date}T00:00:00Z`);
	const first = midnight + clock(from || "00:00") * MINUTE;
	let last = midnight + clock(to || "24:00") * MINUTE;
	if (to && clock(to) <= clock(from || "00:00")) last += DAY;
	const find = (wall: number) => {
		const before = Math.floor((wall - DAY) / QUARTER) * QUARTER;
		for (let quarter = before; ; quarter += QUARTER) {
			// Clocks are changed at whole quarters.
			const there = clockOf(zone, quarter);
			if (there >= wall) return quarter;
			if (
				wall - there < QUARTER &&
				clockOf(zone, quarter + QUARTER) - there === QUARTER
			) {
				return quarter + (wall - there);
			}
		}
	};
	return [find(first), find(last)];
}

/** One minute of running: whether it may be, and its worth. */
function minute(world: World, wish: Wish, instant: number) {
	const quarter = Math.floor(instant / QUARTER) * QUARTER;
	const pv = world.pv(quarter);
	const surplus = Math.max(0, (pv ?? 0) - wish.baseLoadW);
	const allowed =
		pv !== null && (wish.minPowerW === null || surplus >= wish.minPowerW);
	const solar = wish.loadW === null ? surplus : Math.min(wish.loadW, surplus);
	const load = wish.loadW ?? 1000;
	const bought = Math.max(0, load - surplus);
	const price = bought > 0 ? world.price(quarter) : 0;
	const cost =
		price === null
			? null
			: bought * price + Math.min(load, surplus) * world.feedIn;
	const worth: Worth =
		wish.rank === "sun"
			? [0, 0, -solar, -(pv ?? 0)]
			: [cost === null ? 1 : 0, cost ?? 0, -solar, -(pv ?? 0)];
	return { allowed, worth };
}

/** Whether there is a reason to run: a known cost, or sun. */
const isWorthIt = (wish: Wish, [unknown, , , pv]: Worth) =>
	(wish.rank === "cost" && unknown === 0) || (pv as number) < 0;

/** The best run: every minute at which it could start is tried. */
export function bestRun(
	world: World,
	wish: Wish,
	from: number,
	to: number,
	length: number,
): [start: number, end: number] | undefined {
	const minutes = Array.from(
		{ length: Math.max(0, (to - from) / MINUTE) },
		(_, index) => minute(world, wish, from + index * MINUTE),
	);
	const count = length / MINUTE;
	let best: { start: number; worth: Worth } | undefined;
	for (let first = 0; first + count <= minutes.length; first += 1) {
		const run = minutes.slice(first, first + count);
		if (!run.every(({ allowed }) => allowed)) continue;
		let worth = run.reduce<Worth>(
			(total, it) => sum(total, it.worth),
			[0, 0, 0, 0],
		);
		// A cost is known for the whole run or not at all.
		if (worth[0]) worth = [1, 0, ...worth.slice(2)];
		if (!isWorthIt(wish, worth)) continue;
		if (!best || less(worth, best.worth)) {
			best = { start: from + first * MINUTE, worth };
		}
	}
	return best && [best.start, best.start + length];
}

/** The quarters of a span that may be chosen, with the worth of each. */
export const quarters = (world: World, wish: Wish, from: number, to: number) =>
	Array.from({ length: Math.max(0, (to - from) / QUARTER) }, (_, index) => {
		const start = from + index * QUARTER;
		return { start, ...minute(world, wish, start) };
	}).filter(({ allowed, worth }) => allowed && isWorthIt(wish, worth));

/** The least worth that any choice of so many quarters adds up to. */
export function leastWorth(
	among: readonly { readonly worth: Worth }[],
	count: number,
): Worth | undefined {
	let best: (Worth | undefined)[] = [[0, 0, 0, 0]];
	for (const { worth } of among) {
		const next = [...best];
		for (let chosen = 1; chosen <= count; chosen += 1) {
			const before = best[chosen - 1];
			if (!before) continue;
			const total = sum(before, worth);
			const known = best[chosen];
			if (!known || less(total, known)) next[chosen] = total;
		}
		best = next;
	}
	return best[count];
}

export const worthOf = (
	world: World,
	wish: Wish,
	starts: readonly number[],
): Worth =>
	starts
		.map((start) => minute(world, wish, start).worth)
		.reduce(sum, [0, 0, 0, 0]);
