import type { WindowSettings } from "../../src/window/settings";
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
	const bySun = [-solar, -(pv ?? 0)];
	const byCost = [cost === null ? 1 : 0, cost ?? 0];
	const worth: Worth =
		wish.rank === "sun" ? [...bySun, ...byCost] : [...byCost, ...bySun];
	return { allowed, worth };
}

/** Whether there is a reason to run: a known cost, or sun. */
const isWorthIt = (
	{ rank }: Wish,
	[first = 0, second = 0, , last = 0]: Worth,
) => (rank === "cost" ? first === 0 || last < 0 : second < 0);

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
		const worth = run.reduce<Worth>(
			(total, it) => sum(total, it.worth),
			[0, 0, 0, 0],
		);
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

/** A few quarters and what is asked of them; powers in W, prices in cents. */
export interface Puzzle {
	readonly pv: readonly (number | null)[];
	readonly price: readonly (number | null)[];
	readonly feedIn: number;
	readonly settings: WindowSettings;
	/** Quarters that a window which has begun still lasts. */
	readonly held: number;
	/** Quarters since it was last on. */
	readonly pause: number;
}

/** The shares of its power with which an appliance may run in a quarter. */
export function sharesIn({ pv, settings, held }: Puzzle, index: number) {
	const { loadW, minLoadW, baseLoadW, energyKwh, sunOnly } = settings;
	if (pv[index] === null && index >= held) return [];
	if (energyKwh === null || pv[index] === null) return [1];
	const surplus = Math.max(0, (pv[index] as number) - baseLoadW);
	const twentieths = (watts: number) => Math.min(1, watts / (loadW ?? 1)) * 20;
	const low =
		Math.max(
			1,
			Math.ceil(twentieths(minLoadW ?? loadW ?? 0)),
			Math.floor(twentieths(surplus)),
		) / 20;
	return sunOnly ? [low] : low < 1 && surplus > 0 ? [low, 1] : [1];
}

/** How good a choice of shares is, the smaller the better; undefined where it is not allowed. */
export function judge(
	puzzle: Puzzle,
	shares: readonly number[],
): Worth | undefined {
	const { settings: it, held, pause } = puzzle;
	const isOne = it.pieces === "one";
	const isEnergy = it.energyKwh !== null;
	const wanted = isEnergy
		? ((it.energyKwh as number) / (it.loadW as number)) * 4000
		: it.hours * 4;
	const least = isEnergy ? 0 : Math.min(wanted, it.minHours * 4);
	const enough = (isEnergy ? 0.05 : isOne ? 1e-4 : 0.5) - 1e-6;
	const shortest = Math.max(1 / 15, Math.min(it.minRunMinutes / 15, wanted));
	const longestPause = (it.maxPauseHours ?? Number.POSITIVE_INFINITY) * 4;
	let taken = 0;
	let starts = 0;
	/** Quarters on, and quarters off. */
	let on = held > 0 ? shortest || 1 : 0;
	let off = held > 0 ? 0 : pause;
	const total = { late: 0, bad: 0, worth: [0, 0, 0, 0] as Worth, early: 0 };
	const beyond = (quarters: number) => Math.max(0, quarters - longestPause);
	for (const [index, share] of shares.entries()) {
		const missing = wanted - taken;
		if (share === 0) {
			const isDone = missing < enough;
			if (on > 0 && on < shortest - 1e-6) return undefined;
			if (index < held && on > 0 && !isDone) return undefined;
			total.late += beyond(off + 1) - beyond(off);
			[on, off] = [0, off + 1];
			continue;
		}
		if (missing < enough) return undefined;
		if (on === 0) starts += 1;
		const part = Math.min(1, missing / share);
		const pv = puzzle.pv[index] ?? 0;
		const price = puzzle.price[index] ?? null;
		const surplus = Math.max(0, pv - it.baseLoadW);
		const load = (it.loadW as number) * share;
		const sun = Math.min(load, surplus);
		const bought = load - sun;
		const cost =
			bought > 0 && price === null
				? null
				: bought * (price ?? 0) + sun * puzzle.feedIn;
		const isBad =
			(it.minPowerW !== null && surplus < it.minPowerW) ||
			(it.maxPrice !== null &&
				bought > 0 &&
				(price ?? Number.POSITIVE_INFINITY) > it.maxPrice) ||
			(it.sunOnly && surplus < Math.max(load, it.minLoadW ?? 0, 0.01)) ||
			(!isOne &&
				!isEnergy &&
				pv === 0 &&
				!(it.rank === "cost" && cost !== null));
		if (isBad && index >= held) {
			if (it.sunOnly) return undefined;
			total.bad += part;
		}
		const bySun = [-sun, -pv];
		const byCost = [cost === null ? 1 : 0, cost ?? 0];
		const worth =
			it.rank === "sun" ? [...bySun, ...byCost] : [...byCost, ...bySun];
		total.worth = sum(
			total.worth,
			worth.map((value) => value * part),
		);
		total.early += index * share * part;
		on += part;
		off = 0;
		taken += Math.min(missing, share);
		if (part < 1) {
			if (on < shortest - 1e-6) return undefined;
			[on, off] = [0, 1 - Math.ceil(part * 15 - 1e-6) / 15];
		}
	}
	if (on > 0 && on < shortest - 1e-6) return undefined;
	if (starts > (isOne ? (held ? 0 : 1) : (it.maxStarts ?? 99)))
		return undefined;
	if (isOne && !isEnergy && starts > 0 && taken < (least || wanted) - 1e-6) {
		return undefined;
	}
	const lacks = (quarters: number) =>
		quarters - taken < enough ? 0 : quarters - taken;
	const { late, bad, worth, early } = total;
	if (bad > 0 && least === 0 && it.maxPauseHours === null) return undefined;
	return [
		it.maxPauseHours === null ? 0 : late,
		Math.max(0, least - taken),
		bad,
		lacks(wanted),
		...worth,
		early,
	].map((value) => Math.round(value * 1e6) / 1e6);
}

/** The worth of the best of all choices. */
export function bestOf(puzzle: Puzzle): Worth | undefined {
	let best: Worth | undefined;
	const shares: number[] = [];
	const tryAll = () => {
		if (shares.length < puzzle.pv.length) {
			for (const share of [0, ...sharesIn(puzzle, shares.length)]) {
				shares.push(share);
				tryAll();
				shares.pop();
			}
			return;
		}
		const worth = judge(puzzle, shares);
		if (worth && (!best || less(worth, best))) best = worth;
	};
	tryAll();
	return best;
}
