import type { Series } from "../forecast/series";
import { priceReader } from "../prices/means";
import type { FeedIn, PriceRow } from "../prices/reader";
import type { Span } from "../prices/spans";
import { HOUR_MS, MINUTE_MS, QUARTER_MS } from "../util/time";
import type { Frame } from "./frame";
import type { WindowSettings } from "./settings";

/** W·ms in a kWh. */
const KWH = 3.6e9;
/** Load by which costs are compared where an appliance's own is not known, W. */
const NOMINAL_W = 1000;
/** Power can be told in so many steps. */
const STEPS = 20;
/** No relay is switched for less, and what is missing by less is not missing. */
const HALF_QUARTER_MS = QUARTER_MS / 2;
/** Mean W below which a quarter has no sun: services round to it. */
const DARK_W = 0.004;
/** The sun that is left of a day is too little below this share of what its best hours bring. */
const GLIMMER = 0.25;

/** What times are judged by. */
export interface Outlook {
	/** Rows of a forecast; null where there is none. */
	readonly values: Series | null;
	/** In ascending order, none overlapping another; empty where none is known. */
	readonly prices: readonly PriceRow[];
	readonly feedIn: FeedIn;
}

/** A stretch of time of a quarter hour or less. */
interface Slot extends Span {
	/** Mean PV power, W; null = not known. */
	readonly pv: number | null;
	/** What of it the house leaves over, W. */
	readonly surplus: number;
	/** Of a kWh; null = not known. */
	readonly price: number | null;
	readonly feedIn: number | null;
}

/** A stretch of running with one power. */
export interface Piece extends Span {
	/** Of the appliance's power at most, above 0 to 1. */
	readonly share: number;
}

/** What is foreseen for a time; null where it is not known. */
export interface Figures {
	/** Solar energy for the appliance, kWh: what is left over after the base load, at most what it takes. */
	readonly energyKwh: number | null;
	/** Mean solar power that is left over after the base load, W. */
	readonly meanW: number | null;
	/** Share of the appliance's energy that the sun gives, 0 to 1; null without its power. */
	readonly solarShare: number | null;
	/** Of the appliance's energy, in the currency of the prices; null without its power. */
	readonly cost: number | null;
}

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

export interface Shortage {
	readonly code: "short";
	readonly by: Limit;
	/** Hours, or kWh where an energy was asked for. */
	readonly unit: "h" | "kWh";
	/** What was still to be planned. */
	readonly wanted: number;
	readonly missing: number;
	/** What would fit; the longest time without a break where it must be one. */
	readonly found: number;
}

/** What is still to come of a day. */
export interface DayPlan {
	/** Beginning with the one that has begun. */
	readonly windows: readonly Stretch[];
	/** Null where all is planned, has run, or is no longer wanted. */
	readonly shortage: Shortage | null;
	/** Whether the sun that is left is not worth beginning for. */
	readonly isTooLate: boolean;
}

/** What is to be planned, and what went before. */
export interface Task {
	readonly settings: WindowSettings;
	readonly outlook: Outlook;
	readonly frame: Frame;
	/** Whole minute from which on it is planned, epoch ms. */
	readonly from: number;
	/** What ran of the day already, at full power, ms. */
	readonly ran: number;
	/** Windows of the day that have begun. */
	readonly starts: number;
	/** Energy that the appliance said it lacks since, kWh. */
	readonly lackingKwh: number | null;
	/** The window that has begun: until when it is on, and with what share of its power now. */
	readonly held: { readonly until: number; readonly share: number } | null;
	/** When it was last on, epoch ms. */
	readonly lastOn: number | null;
}

/** The quarters of a span, cut at its edges and at other instants. */
function slotsOf(
	{ values, prices, feedIn }: Outlook,
	baseLoadW: number,
	{ start: from, end: to }: Span,
	cuts: readonly number[] = [],
): Slot[] {
	const priceOf = priceReader(prices);
	const feedInOf = priceReader(feedIn);
	const edges = new Set([from, to, ...cuts]);
	const first = Math.ceil(from / QUARTER_MS) * QUARTER_MS;
	for (let edge = first; edge < to; edge += QUARTER_MS) edges.add(edge);
	const sorted = [...edges]
		.filter((edge) => edge >= from && edge <= to)
		.sort((a, b) => a - b);
	return sorted.slice(1).map((end, index) => {
		const start = sorted[index] as number;
		const pv = values?.valueAt(start, "pv_power") ?? null;
		return {
			start,
			end,
			pv,
			surplus: Math.max(0, (pv ?? 0) - baseLoadW),
			price: priceOf(start, end),
			feedIn: feedInOf(start, end),
		};
	});
}

/** What running takes in a slot, W, and costs, W times price; null where a price that matters is not known. */
function drawIn(slot: Slot, loadW: number | null, share: number) {
	const { surplus, price, feedIn } = slot;
	const load = (loadW ?? NOMINAL_W) * share;
	const own = Math.min(load, surplus);
	const bought = load - own;
	const ownCost = own === 0 ? 0 : feedIn === null ? null : own * feedIn;
	const boughtCost = bought === 0 ? 0 : price === null ? null : bought * price;
	return {
		sun: loadW === null ? surplus : own,
		bought,
		cost: ownCost === null || boughtCost === null ? null : ownCost + boughtCost,
	};
}

/** What is foreseen for pieces. */
export function figuresOf(
	outlook: Outlook,
	{ loadW, baseLoadW }: WindowSettings,
	pieces: readonly Piece[],
): Figures {
	const sums = { ms: 0, sun: 0, surplus: 0, taken: 0 };
	let cost: number | null = 0;
	let isKnown = true;
	for (const piece of pieces) {
		for (const slot of slotsOf(outlook, baseLoadW, piece)) {
			const ms = slot.end - slot.start;
			const draw = drawIn(slot, loadW, piece.share);
			isKnown &&= slot.pv !== null;
			sums.ms += ms;
			sums.sun += draw.sun * ms;
			sums.surplus += slot.surplus * ms;
			sums.taken += (loadW ?? 0) * piece.share * ms;
			cost = cost === null || draw.cost === null ? null : cost + draw.cost * ms;
		}
	}
	const of = (value: number | null) => (isKnown ? value : null);
	return {
		energyKwh: of(sums.sun / KWH),
		meanW: of(sums.surplus / sums.ms),
		solarShare: of(loadW === null ? null : sums.sun / sums.taken),
		cost: of(loadW === null || cost === null ? null : cost / KWH),
	};
}

/** What is asked of the search: the day's rest, in slots. */
interface Search extends Pick<Task, "settings" | "held" | "starts"> {
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
const isDark = (slot: Slot, { loadW, rank }: WindowSettings): boolean =>
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
function waysIn(
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
function bestLife(search: Search): Life {
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
function stretchesOf(life: Life): Stretch[] {
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

/** Hours in whole quarters, ms. */
const lengthOf = (hours: number) =>
	Math.ceil((hours * HOUR_MS) / QUARTER_MS - 1e-9) * QUARTER_MS;

/**
 * Plans what is left of a day's hours, or of its energy, into what is left of its
 * time; a window that has begun goes on to its end unless enough has run before
 * (behaviour: The best time).
 */
export function planDay(task: Task): DayPlan {
	const { settings, outlook, frame, ran, lackingKwh, held, lastOn } = task;
	const { loadW } = settings;
	const kwh = lackingKwh ?? settings.energyKwh;
	const isEnergy = kwh !== null && loadW !== null;
	const isWhole = settings.pieces === "one" && !isEnergy;
	const asked = isEnergy ? (kwh * KWH) / loadW : lengthOf(settings.hours);
	const span = Math.max(0, frame.end - frame.start);
	const fitting = Math.floor(span / QUARTER_MS) * QUARTER_MS;
	// 23 of 24 hours on the day that lacks one.
	const target = isEnergy ? asked : Math.min(asked, fitting);
	const from = Math.min(Math.max(task.from, frame.start), frame.end);
	const heldFor = held
		? Math.max(0, Math.min(held.until, frame.end) - from)
		: 0;
	const more = target - ran - heldFor;
	let missing = Math.max(0, Math.round(target - ran));
	// A minute or two are no reason to tell another end, or for another quarter.
	if (!isEnergy && held && Math.abs(more) < HALF_QUARTER_MS) missing = heldFor;
	else if (isWhole && more > 0) {
		missing = heldFor + Math.round(more / QUARTER_MS) * QUARTER_MS;
	}
	const least = isEnergy ? 0 : lengthOf(settings.minHours) - ran;
	const search: Search = {
		...task,
		slots: slotsOf(
			outlook,
			settings.baseLoadW,
			{ start: from, end: frame.end },
			[held?.until ?? from, isWhole ? frame.end - missing : from],
		),
		isEnergy,
		isWhole,
		target: missing,
		least: Math.max(0, Math.min(least, missing)),
		enough: isEnergy ? QUARTER_MS / STEPS : isWhole ? 1 : HALF_QUARTER_MS,
		pause: lastOn === null ? 0 : Math.max(0, from - lastOn),
	};
	const life = bestLife(search);
	const windows = stretchesOf(life);
	const isNew = windows.length > 0 && !held;
	if (isNew && isPointless(search, windows)) {
		const shortage = shortageOf(search, missing, asked - target, true);
		return { windows: [], shortage, isTooLate: false };
	}
	if (
		isNew &&
		!isEnergy &&
		from > frame.start &&
		isGlimmer(task, windows, missing)
	) {
		return { windows: [], shortage: null, isTooLate: true };
	}
	const shortage = shortageOf(search, missing - life.taken, asked - target);
	return { windows, shortage, isTooLate: false };
}

/** Whether hours in one piece have no sun, and not all of them a known cost. */
function isPointless(
	{ slots, settings, isWhole, least }: Search,
	windows: readonly Stretch[],
): boolean {
	const during = slots.filter(({ start, end }) =>
		windows.some((it) => it.start < end && it.end > start),
	);
	return (
		isWhole &&
		least === 0 &&
		during.every(({ pv }) => (pv ?? 0) <= DARK_W) &&
		during.some((slot) => isDark(slot, settings))
	);
}

/**
 * Whether the sun of some windows is little beside that of as much of the day's
 * sunniest quarters, after those for which it ran before. Not where something was
 * promised besides the sun.
 */
function isGlimmer(
	{ frame, outlook, settings, ran }: Task,
	windows: readonly Stretch[],
	missing: number,
): boolean {
	const { rank, loadW, baseLoadW } = settings;
	const { runAnyway, minHours, maxPauseHours } = settings;
	if (rank === "cost" || runAnyway || minHours > 0 || maxPauseHours !== null) {
		return false;
	}
	const suns = slotsOf(outlook, baseLoadW, frame)
		.map((slot) => (drawIn(slot, loadW, 1).sun * QUARTER_MS) / KWH)
		.sort((a, b) => b - a);
	const before = Math.round(ran / QUARTER_MS);
	const best = suns
		.slice(before, before + Math.ceil(missing / QUARTER_MS))
		.reduce((sum, it) => sum + it, 0);
	const pieces = windows.flatMap((window) => window.pieces);
	const { energyKwh: left } = figuresOf(outlook, settings, pieces);
	return (left ?? 0) < GLIMMER * best;
}

/** What can keep hours from being had, in the order in which it is named. */
const LIMITS: readonly Limit[] = [
	"time",
	"forecast",
	"minPowerW",
	"maxPrice",
	"sun",
];

/**
 * Why some of what was asked cannot be had.
 *
 * @param missing of what is to run, at full power, ms
 * @param beyond what of that no day of this length holds
 * @param isLit whether what has neither sun nor price does not count
 */
function shortageOf(
	search: Search,
	missing: number,
	beyond: number,
	isLit = false,
): Shortage | null {
	const { slots, settings, isEnergy, isWhole, target, enough } = search;
	const lacks = Math.max(0, missing) + beyond;
	if (lacks < enough) return null;
	const size = isEnergy ? KWH / (settings.loadW ?? 1) : HOUR_MS;
	const because = (by: Limit, found: number): Shortage => ({
		code: "short",
		by,
		unit: isEnergy ? "kWh" : "h",
		wanted: (target + beyond) / size,
		missing: lacks / size,
		found: found / size,
	});
	const judged = slots.map((slot) => {
		const ways = waysIn(slot, search);
		const good = ways.filter(({ verdict }) => verdict === null).at(-1);
		const { share = 1, verdict = "forecast" } = good ?? ways.at(-1) ?? {};
		const isBlack = verdict === null && isLit && isDark(slot, settings);
		return { ...slot, share, verdict: isBlack ? "sun" : verdict };
	});
	let good = judged;
	for (const [stage, by] of LIMITS.entries()) {
		good = judged.filter(
			({ verdict }) => verdict === null || LIMITS.indexOf(verdict) > stage,
		);
		if (target - capacity(good, false) < enough) continue;
		const isPriced =
			settings.rank === "cost" && slots.some(({ price }) => price !== null);
		const found = capacity(good, isWhole);
		return because(by === "sun" && isPriced ? "price" : by, found);
	}
	if (beyond > 0) return because("time", target);
	const isBroken = slots.some(({ pv }) => pv === null);
	return isWhole
		? because(isBroken ? "forecast" : "runs", capacity(good, true))
		: because("runs", target - Math.max(0, missing));
}

/** What some slots hold, at full power, ms; of one piece the longest time without a break. */
function capacity(
	slots: readonly (Span & Pick<Piece, "share">)[],
	isWhole: boolean,
): number {
	let [sum, longest, last] = [0, 0, 0];
	for (const { start, end, share } of slots) {
		if (isWhole && start !== last) sum = 0;
		sum += (end - start) * share;
		longest = Math.max(longest, sum);
		last = end;
	}
	return longest;
}
