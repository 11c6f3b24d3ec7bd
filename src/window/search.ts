import type { Span } from "../prices/spans";
import { HOUR_MS, MINUTE_MS } from "../util/time";
import type { WindowSettings } from "./settings";
import {
	DARK_W,
	drawIn,
	HALF_QUARTER_MS,
	type Piece,
	type Slot,
	STEPS,
} from "./slots";

/** Pieces without a break. */
export interface Stretch extends Span {
	readonly pieces: readonly Piece[];
}

/** What keeps hours or energy from being had; a setting by its name. */
export type Limit =
	| "time"
	| "forecast"
	| "minPowerW"
	| "maxPrice"
	| "sun"
	| "price"
	/** One piece, least run, most starts: the times that count are too short or too many. */
	| "runs";

/** What is asked of the search: the day's rest, in slots. */
export interface Search {
	readonly settings: WindowSettings;
	/** Windows of the day that have begun. */
	readonly starts: number;
	/** The window that has begun: until when it is on, and with what share of its power now. */
	readonly held: { readonly until: number; readonly share: number } | null;
	readonly slots: readonly Slot[];
	readonly isEnergy: boolean;
	/** Whether all of it runs in one piece, or none. */
	readonly isWhole: boolean;
	/** What is to run, at full power, ms. */
	readonly target: number;
	/** What of it runs even where nothing is good enough. */
	readonly least: number;
	/** What is missing by less is not missing, ms. */
	readonly enough: number;
	/** Time off before the first slot, ms. */
	readonly pause: number;
}

/** A way to run in a slot. */
interface Way {
	readonly share: number;
	/** Why it is not good enough: it runs so only because something must. */
	readonly verdict: Limit | null;
	/** For each unit of time: the smaller the better, the first that differs decides. */
	readonly worth: readonly number[];
}

/** Whether there is neither sun nor a known cost. */
export const isDark = (slot: Slot, { loadW, rank }: WindowSettings): boolean =>
	(slot.pv ?? 0) <= DARK_W &&
	!(rank === "cost" && drawIn(slot, loadW, 1).cost !== null);

/** Why running in a slot is not good enough. */
function verdictOf(
	slot: Slot,
	{ settings, isEnergy }: Pick<Search, "settings" | "isEnergy">,
	share: number,
): Limit | null {
	const { loadW, minLoadW, minPowerW, maxPrice, pieces, sunOnly } = settings;
	const { pv, surplus, price } = slot;
	const { bought } = drawIn(slot, loadW, share);
	const load = (loadW ?? 0) * share;
	if (pv === null) return "forecast";
	if (minPowerW !== null && surplus < minPowerW) return "minPowerW";
	const isCheap = maxPrice === null || (price !== null && price <= maxPrice);
	if (bought > 0 && !isCheap) return "maxPrice";
	if (sunOnly && surplus < Math.max(DARK_W, minLoadW ?? 0, load)) return "sun";
	return pieces === "any" && !isEnergy && isDark(slot, settings) ? "sun" : null;
}

/** The ways to run in a slot: at full power, and for an energy also with what the sun gives; where nothing is foreseen as before. */
export function waysIn(
	slot: Slot,
	search: Pick<Search, "settings" | "isEnergy">,
	heldShare: number | null = null,
): Way[] {
	const { loadW, minLoadW, rank, sunOnly } = search.settings;
	let shares = [1];
	if (slot.pv === null) shares = heldShare === null ? [] : [heldShare];
	else if (search.isEnergy && loadW !== null) {
		const steps = (watts: number) => Math.min(1, watts / loadW) * STEPS;
		const least = Math.max(1, Math.ceil(steps(minLoadW ?? loadW)));
		const low = Math.max(least, Math.floor(steps(slot.surplus))) / STEPS;
		const follows = low < 1 && slot.surplus > 0;
		shares = sunOnly ? [low] : follows ? [low, 1] : [1];
	}
	return shares.map((share) => {
		const { sun, cost } = drawIn(slot, loadW, share);
		const bySun = [-sun, -(slot.pv ?? 0)];
		const byCost = [cost === null ? 1 : 0, cost ?? 0];
		return {
			share,
			verdict: verdictOf(slot, search, share),
			worth: rank === "sun" ? bySun.concat(byCost) : byCost.concat(bySun),
		};
	});
}

/**
 * Time beyond the longest pause, bad time, four numbers of the rank, lateness. The
 * smaller the better, the first that differs decides.
 */
type Worth = readonly [number, number, number, number, number, number, number];

const NONE: Worth = [0, 0, 0, 0, 0, 0, 0];

const plus = (x: Worth, y: Worth): Worth => [
	x[0] + y[0],
	x[1] + y[1],
	x[2] + y[2],
	x[3] + y[3],
	x[4] + y[4],
	x[5] + y[5],
	x[6] + y[6],
];

/** Below 0 where `a` and `more` together are better than `b`. */
function compare(a: Worth, more: Worth, b: Worth): number {
	for (let index = 0; index < a.length; index += 1) {
		const sum = (a[index] as number) + (more[index] as number);
		const difference = sum - (b[index] as number);
		if (difference !== 0) return difference;
	}
	return 0;
}

/** A way to have lived up to the end of a slot. */
interface Life {
	/** How it was on in that slot; null = off. */
	readonly on: Piece | null;
	/** At full power, ms. */
	readonly taken: number;
	/** For how long it has been on, at most as long as it must be; negative: off; ms. */
	readonly since: number;
	readonly starts: number;
	readonly worth: Worth;
	readonly before: Life | null;
}

/** Those of some lives, which have taken as much, beside which no other is as good and may go on in each way that they may: on for long enough to end, or off for no longer, and begun no more often. */
function unbeaten(lives: Life[], minRun: number): Life[] {
	/** The most of `since` so far, by starts. */
	const on: number[] = [];
	const off: number[] = [];
	lives.sort((a, b) => compare(a.worth, NONE, b.worth));
	return lives.filter(({ since, starts }) => {
		const most = since > 0 ? on : off;
		for (let fewer = 0; fewer <= starts; fewer += 1) {
			if ((most[fewer] ?? Number.NEGATIVE_INFINITY) >= since) return false;
		}
		most[starts] = since;
		if (since >= minRun) off[starts] = since;
		return true;
	});
}

/**
 * The best way through some slots: of all choices of slots, powers and breaks that
 * keep the least run and the most starts, the one with the least time beyond the
 * longest pause, then with the least hours, then with the least bad time, then with
 * the most of what is wanted, then the best by the rank, then the earliest. Slot by
 * slot a way is kept unless another that has taken as much is as good, and may go on
 * as it may.
 */
export function bestLife(search: Search): Life {
	const { slots, settings, isWhole, target, least, enough, held } = search;
	const isOne = settings.pieces === "one";
	const shortest = Math.max(
		isWhole ? least || target : 0,
		settings.minRunMinutes * MINUTE_MS,
	);
	const minRun = Math.max(MINUTE_MS, Math.floor(Math.min(shortest, target)));
	const maxPause = (settings.maxPauseHours ?? 0) * HOUR_MS;
	const most = isOne ? 1 : (settings.maxStarts ?? Number.POSITIVE_INFINITY);
	const maxStarts = most - (isOne ? Number(held !== null) : search.starts);
	/** Where any number is allowed none is counted. */
	const aStart = maxStarts < slots.length ? 1 : 0;
	const mayBeBad = (least > 0 || maxPause > 0) && !settings.sunOnly;
	const origin = slots[0]?.start ?? 0;
	const first: Life = {
		on: null,
		taken: 0,
		since: held ? minRun : -Math.min(maxPause, search.pause),
		starts: 0,
		worth: NONE,
		before: null,
	};
	let lives = [first];
	for (const slot of slots) {
		const length = slot.end - slot.start;
		const isHeld = held !== null && slot.end <= held.until;
		const mayStart = isOne || length >= HALF_QUARTER_MS;
		/** Running for some ms of the slot, and what that adds to a worth. */
		const running = ({ share, verdict, worth }: Way, ms: number) => {
			const minutes = Math.ceil(ms / MINUTE_MS);
			const end = Math.min(slot.end, slot.start + minutes * MINUTE_MS);
			const early = ((slot.start - origin) / MINUTE_MS) * ms * share;
			const bad = verdict === null || isHeld ? 0 : ms;
			const [a = 0, b = 0, c = 0, d = 0] = worth.map((it) =>
				Math.round(it * ms),
			);
			const gain: Worth = [0, bad, a, b, c, d, Math.round(early)];
			return { on: { start: slot.start, end, share }, gain };
		};
		const ways = waysIn(slot, search, isHeld ? held.share : null)
			.filter(({ verdict }) => isHeld || mayBeBad || verdict === null)
			.map((way) => ({ way, whole: running(way, length) }));
		/** By what they have taken, then by how they go on. */
		const next = new Map<number, Map<number, Life>>();
		const add = (
			before: Life,
			gain: Worth,
			on: Piece | null,
			taken: number,
			since: number,
			starts: number,
		) => {
			const key = Math.round(since / MINUTE_MS) * 100 + starts;
			const alike = next.get(taken) ?? new Map<number, Life>();
			const known = alike.get(key);
			if (known && compare(before.worth, gain, known.worth) >= 0) return;
			const worth = plus(before.worth, gain);
			alike.set(key, { on, taken, since, starts, worth, before });
			if (alike.size === 1) next.set(taken, alike);
		};
		for (const life of lives) {
			const { since, taken, starts } = life;
			const missing = target - taken;
			const isOn = since > 0;
			// What has begun is finished, also its last minutes.
			const isFull = missing < (isHeld ? 1 : enough);
			if (!isOn || (since >= minRun && (isFull || !isHeld))) {
				const off = length - Math.min(0, since);
				const late = maxPause > 0 ? Math.max(0, off - maxPause) : 0;
				const gain: Worth = late > 0 ? [late, 0, 0, 0, 0, 0, 0] : NONE;
				add(life, gain, null, taken, -Math.min(maxPause, off), starts);
			}
			if (isFull || !(isOn || (mayStart && starts < maxStarts))) continue;
			const ran = isOn ? since : 0;
			const begun = isOn ? starts : starts + aStart;
			for (const { way, whole } of ways) {
				if (missing >= way.share * length) {
					const sum = Math.round(taken + way.share * length);
					const run = Math.min(minRun, ran + length);
					add(life, whole.gain, whole.on, sum, run, begun);
					continue;
				}
				const ms = missing / way.share;
				if (Math.round(ms) + ran < minRun) continue;
				const { gain, on } = running(way, ms);
				const pause = -Math.min(maxPause, slot.end - on.end);
				add(life, gain, on, target, pause, begun);
			}
		}
		lives = [...next.values()].flatMap((alike) =>
			unbeaten([...alike.values()], minRun),
		);
	}
	/** What is missing of the least, to the minute, and of all. */
	const short = ({ taken }: Life) => Math.max(0, least - taken);
	const lacking = ({ taken }: Life) =>
		target - taken < enough ? 0 : target - taken;
	const order = (a: Life, b: Life) =>
		a.worth[0] - b.worth[0] ||
		short(a) - short(b) ||
		a.worth[1] - b.worth[1] ||
		lacking(a) - lacking(b) ||
		compare(a.worth, NONE, b.worth);
	const [best = first] = lives
		.filter(({ since }) => since <= 0 || since >= minRun)
		.sort(order);
	return best;
}

/** The times that a life is on, without its breaks. */
export function stretchesOf(life: Life): Stretch[] {
	const found: Stretch[] = [];
	for (let it: Life | null = life; it; it = it.before) {
		if (!it.on) continue;
		const { start, end, share } = it.on;
		const [next] = found;
		if (next?.start !== end) {
			found.unshift({ start, end, pieces: [it.on] });
			continue;
		}
		const [piece, ...others] = next.pieces;
		const pieces =
			piece?.share === share
				? [{ ...piece, start }, ...others]
				: [it.on, ...next.pieces];
		found[0] = { ...next, start, pieces };
	}
	return found;
}
