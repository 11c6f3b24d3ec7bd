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

/** Whether an energy is asked for, and not hours. */
export const wantsEnergy = (
	{ energyKwh, loadW }: WindowSettings,
	lackingKwh: number | null,
): boolean => loadW !== null && (lackingKwh ?? energyKwh) !== null;

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
		const quarter = Math.floor(start / QUARTER_MS) * QUARTER_MS;
		// Services send small negative powers at night now and then.
		const power = values?.valueAt(quarter, "pv_power") ?? null;
		const pv = power === null ? null : Math.max(0, power);
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

/** What one more slot of running does to a plan: whether it counts, and its worth for each minute. */
interface Way {
	readonly share: number;
	/** Nothing in it is good enough: it runs only because something must. */
	readonly isBad: boolean;
	/** For each minute: the smaller the better, the first that differs decides. */
	readonly worth: readonly number[];
}

/** Whether something in a slot is good enough, by each thing that can be asked. */
function verdictOf(
	slot: Slot,
	settings: WindowSettings,
	isEnergy: boolean,
	share: number,
	mayBeDark = settings.pieces === "one" || isEnergy,
): Limit | null {
	const { loadW, minLoadW, minPowerW, maxPrice, rank, sunOnly } = settings;
	const { bought, cost } = drawIn(slot, loadW, share);
	if (slot.pv === null) return "forecast";
	if (minPowerW !== null && slot.surplus < minPowerW) return "minPowerW";
	if (
		maxPrice !== null &&
		bought > 0 &&
		!(slot.price !== null && slot.price <= maxPrice)
	) {
		return "maxPrice";
	}
	const load = (loadW ?? 0) * share;
	if (sunOnly && slot.surplus < Math.max(DARK_W, minLoadW ?? 0, load)) {
		return "sun";
	}
	const isDark = slot.pv <= DARK_W && !(rank === "cost" && cost !== null);
	return isDark && !mayBeDark ? "sun" : null;
}

/** The ways to run in a slot: at full power, and for an energy also with what the sun gives. */
function waysIn(
	slot: Slot,
	settings: WindowSettings,
	isEnergy: boolean,
	heldShare: number | null = null,
): Way[] {
	const { loadW, minLoadW, rank, sunOnly } = settings;
	const isHeld = heldShare !== null;
	if (slot.pv === null && !isHeld) return [];
	const shares = [slot.pv === null ? (heldShare ?? 1) : 1];
	if (isEnergy && loadW !== null && slot.pv !== null) {
		const step = (watts: number, round: (steps: number) => number) =>
			round(Math.min(1, watts / loadW) * STEPS) / STEPS;
		const least = Math.max(1 / STEPS, step(minLoadW ?? loadW, Math.ceil));
		const low = Math.max(least, step(slot.surplus, Math.floor));
		if (low < 1 && (slot.surplus > 0 || sunOnly)) shares.unshift(low);
		if (sunOnly) shares.splice(1);
	}
	return shares.flatMap((share) => {
		const isBad = verdictOf(slot, settings, isEnergy, share) !== null;
		if (isBad && sunOnly && !isHeld) return [];
		const { sun, cost } = drawIn(slot, loadW, share);
		const bySun = [-sun, -(slot.pv ?? 0)];
		const byCost = [cost === null ? 1 : 0, cost ?? 0];
		const worth = rank === "sun" ? bySun.concat(byCost) : byCost.concat(bySun);
		return { share, isBad: isBad && !isHeld, worth };
	});
}

/**
 * Time beyond the longest pause, bad time, four numbers of the rank, lateness. The
 * smaller the better, the first that differs decides.
 */
type Worth = readonly [
	late: number,
	bad: number,
	a: number,
	b: number,
	c: number,
	d: number,
	early: number,
];

const NONE: Worth = [0, 0, 0, 0, 0, 0, 0];

/** Below 0 where `a` and `more` together are better than `b`. */
function compare(a: Worth, more: Worth, b: Worth): number {
	for (let index = 0; index < a.length; index += 1) {
		const sum = (a[index] as number) + (more[index] as number);
		const difference = sum - (b[index] as number);
		if (difference !== 0) return difference;
	}
	return 0;
}

const plus = (x: Worth, y: Worth): Worth => [
	x[0] + y[0],
	x[1] + y[1],
	x[2] + y[2],
	x[3] + y[3],
	x[4] + y[4],
	x[5] + y[5],
	x[6] + y[6],
];

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

/** Minutes of the longest pause, a week, and more. */
const MOST_MINUTES = 11_000;

/** The best lives up to the end of a slot: by what they have taken, then by how they go on. */
class Lives {
	readonly #best = new Map<number, Map<number, Life>>();

	/** Takes a life that goes on unless one that goes on alike is better. */
	add(
		before: Life,
		more: Worth,
		on: Piece | null,
		taken: number,
		since: number,
		starts: number,
	): void {
		const key = (Math.round(since / 60_000) + MOST_MINUTES) * 100 + starts;
		let alike = this.#best.get(taken);
		if (!alike) {
			alike = new Map();
			this.#best.set(taken, alike);
		}
		const known = alike.get(key);
		if (known && compare(before.worth, more, known.worth) >= 0) return;
		const worth = plus(before.worth, more);
		alike.set(key, { on, taken, since, starts, worth, before });
	}

	/** Without those beside which another is as good that may do as much. */
	all(minRun: number): Life[] {
		const all: Life[] = [];
		for (const alike of this.#best.values()) {
			const first = all.length;
			const lives = [...alike.values()];
			if (lives.length > 1)
				lives.sort((a, b) => compare(a.worth, NONE, b.worth));
			for (const life of lives) {
				if (!isLess(life, all, first, minRun)) all.push(life);
			}
		}
		return all;
	}
}

/** Whether a better life may go on in each way that this one may: on for long enough to end, or off for no longer, and begun no more often. */
function isLess(
	{ since, starts }: Life,
	better: readonly Life[],
	first: number,
	minRun: number,
): boolean {
	for (let index = first; index < better.length; index += 1) {
		const it = better[index] as Life;
		if (
			it.starts <= starts &&
			it.since >= since &&
			(it.since > 0 === since > 0 || it.since >= minRun)
		) {
			return true;
		}
	}
	return false;
}

/** What is asked of the search: the day's rest, in slots. */
interface Search extends Pick<Task, "settings" | "held" | "starts"> {
	readonly slots: readonly Slot[];
	readonly isEnergy: boolean;
	/** What is to run, at full power, ms. */
	readonly target: number;
	/** What of it runs even where nothing is good enough. */
	readonly least: number;
	/** Time off before the first slot, ms. */
	readonly pause: number;
}

/**
 * The best way through some slots: of all choices of slots, powers and breaks that
 * keep the least run and the most starts, the one with the least time beyond the
 * longest pause, then with the least hours, then with the least bad time, then with
 * the most of what is wanted, then the best by the rank, then the earliest. Slot by
 * slot only the best of all ways is kept that have taken as much, have been on or
 * off for as long and have begun as often: what follows is the same for all of them.
 */
function bestLife(search: Search): Life {
	const { slots, settings, isEnergy, target, least, held } = search;
	const isOne = settings.pieces === "one";
	const enough = isEnergy ? QUARTER_MS / STEPS : isOne ? 1 : HALF_QUARTER_MS;
	const whole = isOne && !isEnergy ? least || target : 0;
	const shortest = Math.max(whole, settings.minRunMinutes * MINUTE_MS);
	const minRun = Math.max(MINUTE_MS, Math.floor(Math.min(shortest, target)));
	const maxPause = (settings.maxPauseHours ?? 0) * HOUR_MS;
	const begun = held ? 1 : 0;
	const maxStarts = isOne
		? 1 - begun
		: (settings.maxStarts ?? Number.POSITIVE_INFINITY) - search.starts;
	/** Where any number is allowed none is counted. */
	const aStart = maxStarts < slots.length ? 1 : 0;
	const mayBeBad = least > 0 || maxPause > 0;
	const origin = slots[0]?.start ?? 0;
	const first: Life = {
		on: null,
		taken: 0,
		since: begun ? minRun : -Math.min(maxPause, search.pause),
		starts: 0,
		worth: NONE,
		before: null,
	};
	let lives = [first];
	for (const slot of slots) {
		const length = slot.end - slot.start;
		const isHeld = held !== null && slot.end <= held.until;
		const after = (slot.start - origin) / MINUTE_MS;
		/** Running for a part of the slot: what it adds to a worth. */
		const running = ({ share, isBad, worth }: Way, part: number) => {
			const ms = Math.ceil((part * length) / MINUTE_MS) * MINUTE_MS;
			const end = Math.min(slot.end, slot.start + ms);
			const minutes = (part * length) / MINUTE_MS;
			const [a = 0, b = 0, c = 0, d = 0] = worth.map((it) =>
				Math.round(it * minutes * 1e4),
			);
			const early = after * minutes * share;
			const bad = isBad ? part * length : 0;
			const more: Worth = [0, bad, a, b, c, d, early];
			return { on: { start: slot.start, end, share }, more };
		};
		const ways = waysIn(slot, settings, isEnergy, isHeld ? held.share : null)
			.filter(({ isBad }) => mayBeBad || !isBad)
			.map((way) => ({ way, whole: running(way, 1) }));
		const next = new Lives();
		for (const life of lives) {
			const { since, taken, starts } = life;
			const missing = target - taken;
			const isOn = since > 0;
			// What has begun is finished, also its last minutes.
			const isFull = missing < (isHeld ? 1 : enough);
			const off = isOn ? 0 : -since;
			if (!isOn || (since >= minRun && (isFull || !isHeld))) {
				const over = off + length - Math.max(maxPause, off);
				const late: Worth =
					maxPause > 0 && over > 0 ? [over, 0, 0, 0, 0, 0, 0] : NONE;
				const pause = -Math.min(maxPause, off + length);
				next.add(life, late, null, taken, pause, starts);
			}
			const mayStart =
				starts < maxStarts && (isOne || length >= HALF_QUARTER_MS);
			if (isFull || !(isOn || mayStart)) continue;
			const begun = isOn ? starts : starts + aStart;
			for (const { way, whole } of ways) {
				const most = way.share * length;
				if (missing >= most) {
					const run = Math.min(minRun, length + (isOn ? since : 0));
					const sum = Math.round(taken + most);
					next.add(life, whole.more, whole.on, sum, run, begun);
					continue;
				}
				const part = missing / most;
				if (Math.round(part * length) + (isOn ? since : 0) < minRun) continue;
				const { on, more } = running(way, part);
				const pause = -Math.min(maxPause, slot.end - on.end);
				next.add(life, more, on, target, pause, begun);
			}
		}
		lives = next.all(minRun);
	}
	const lacking = (of: number, { taken }: Life) =>
		of - taken < enough ? 0 : of - taken;
	const order = (a: Life, b: Life) =>
		a.worth[0] - b.worth[0] ||
		lacking(least, a) - lacking(least, b) ||
		a.worth[1] - b.worth[1] ||
		lacking(target, a) - lacking(target, b) ||
		compare(a.worth, NONE, b.worth);
	const [best = first] = lives
		.filter(({ since }) => since <= 0 || since >= minRun)
		.sort(order);
	return best;
}

/** The times that a life is on, without its breaks. */
function stretchesOf(life: Life): Stretch[] {
	const pieces: Piece[] = [];
	for (let it: Life | null = life; it; it = it.before) {
		if (it.on) pieces.push(it.on);
	}
	const found: { start: number; end: number; pieces: Piece[] }[] = [];
	for (const piece of pieces.reverse()) {
		const last = found.at(-1);
		if (last?.end !== piece.start) {
			found.push({ start: piece.start, end: piece.end, pieces: [piece] });
			continue;
		}
		const before = last.pieces.at(-1) as Piece;
		if (before.share === piece.share) {
			last.pieces.splice(-1, 1, { ...before, end: piece.end });
		} else last.pieces.push(piece);
		last.end = piece.end;
	}
	return found;
}

/** The hours asked for, in whole quarters, ms. */
const askedLength = ({ hours }: Pick<WindowSettings, "hours">) =>
	Math.ceil((hours * HOUR_MS) / QUARTER_MS - 1e-9) * QUARTER_MS;

/** Whether a plan by sun alone has nothing to promise, so that it may wait for another day. */
const mayWait = (settings: WindowSettings, isEnergy: boolean) =>
	settings.rank === "sun" &&
	!isEnergy &&
	!settings.runAnyway &&
	settings.minHours === 0 &&
	settings.maxPauseHours === null;

/** Solar energy for the appliance in some times, kWh; 0 where it is not known. */
const sunIn = (
	{ outlook, settings }: Task,
	stretches: readonly Stretch[],
): number =>
	stretches.reduce(
		(sum, { pieces }) =>
			sum + (figuresOf(outlook, settings, pieces).energyKwh ?? 0),
		0,
	);

/** Plans of days that are still to come, by forecast and day: they stay while nothing that they are made of changes. */
const toCome = new WeakMap<
	Series,
	Map<
		number,
		Pick<Outlook, "prices" | "feedIn"> & { key: string; plan: DayPlan }
	>
>();

/**
 * Plans what is left of a day's hours, or of its energy, into what is left of its
 * time; a window that has begun goes on to its end unless enough has run before
 * (behaviour: The best time).
 */
export function planDay({ outlook, ...task }: Task): DayPlan {
	const { frame, settings, lastOn } = task;
	const { values, prices, feedIn } = outlook;
	if (values === null || task.from > frame.start) {
		return planRest({ ...task, outlook });
	}
	const counts = settings.maxPauseHours === null ? null : lastOn;
	const rest = { ...task, from: frame.start, lastOn: counts };
	const key = JSON.stringify(rest);
	const plans = toCome.get(values) ?? new Map();
	toCome.set(values, plans);
	const known = plans.get(frame.day);
	if (
		known?.key === key &&
		known.prices === prices &&
		known.feedIn === feedIn
	) {
		return known.plan;
	}
	const plan = planRest({ ...rest, outlook });
	plans.set(frame.day, { key, prices, feedIn, plan });
	return plan;
}

function planRest(task: Task): DayPlan {
	const { settings, outlook, frame, ran, lackingKwh, held } = task;
	const isEnergy = wantsEnergy(settings, lackingKwh);
	const span = frame.end - frame.start;
	const fitting = Math.max(0, Math.floor(span / QUARTER_MS)) * QUARTER_MS;
	const asked = isEnergy
		? ((lackingKwh ?? settings.energyKwh ?? 0) * KWH) / (settings.loadW ?? 1)
		: askedLength(settings);
	// 23 of 24 hours on the day that lacks one.
	const target = isEnergy ? asked : Math.min(asked, fitting);
	const from = Math.max(task.from, frame.start);
	const heldFor = Math.max(0, Math.min(held?.until ?? 0, frame.end) - from);
	const lacks = target - ran;
	const isOne = settings.pieces === "one";
	const more = lacks - heldFor;
	// A minute or two are no reason to tell another end, or for another quarter.
	const isNear = !isEnergy && held && Math.abs(more) < HALF_QUARTER_MS;
	const whole = isOne && !isEnergy && more > 0;
	const missing = isNear
		? heldFor
		: whole
			? heldFor + Math.round(more / QUARTER_MS) * QUARTER_MS
			: Math.max(0, Math.round(lacks));
	const cuts = [
		held?.until ?? from,
		...(isOne && !isEnergy ? [frame.end - missing] : []),
	];
	const rest = { start: Math.min(from, frame.end), end: frame.end };
	const slots = slotsOf(outlook, settings.baseLoadW, rest, cuts);
	const search: Search = {
		...task,
		slots,
		isEnergy,
		target: missing,
		least: isEnergy
			? 0
			: Math.max(
					0,
					Math.min(askedLength({ hours: settings.minHours }) - ran, missing),
				),
		pause: task.lastOn === null ? 0 : Math.max(0, from - task.lastOn),
	};
	const life = bestLife(search);
	const windows = stretchesOf(life);
	const during = slots.filter(({ start, end }) =>
		windows.some((it) => it.start < end && it.end > start),
	);
	const isPriced =
		settings.rank === "cost" &&
		during.every((slot) => drawIn(slot, settings.loadW, 1).cost !== null);
	const hasSun = during.some(({ pv }) => (pv ?? 0) > DARK_W);
	const isPointless =
		isOne &&
		!isEnergy &&
		!held &&
		search.least === 0 &&
		windows.length > 0 &&
		!hasSun &&
		!isPriced;
	const isTooLate =
		!isPointless &&
		windows.length > 0 &&
		!held &&
		mayWait(settings, isEnergy) &&
		from > frame.start &&
		isGlimmer(task, search, windows);
	if (isTooLate) return { windows: [], shortage: null, isTooLate };
	return {
		windows: isPointless ? [] : windows,
		isTooLate,
		shortage: shortageOf(
			search,
			missing - (isPointless ? 0 : life.taken),
			asked - target,
			isPointless,
		),
	};
}

/** Whether the sun of some windows is little beside what the same hours of the whole day would have brought. */
function isGlimmer(
	task: Task,
	search: Search,
	windows: readonly Stretch[],
): boolean {
	const { frame, outlook, settings, ran } = task;
	const slots = slotsOf(outlook, settings.baseLoadW, frame);
	const best = (target: number) =>
		sunIn(task, stretchesOf(bestLife({ ...search, slots, target, starts: 0 })));
	const before = ran < HALF_QUARTER_MS ? 0 : best(ran);
	const could = best(ran + search.target) - before;
	return sunIn(task, windows) < GLIMMER * could;
}

/**
 * Why some of what was asked cannot be had.
 *
 * @param missing of what is to run, at full power, ms
 * @param beyond what of that no day of this length holds
 */
function shortageOf(
	search: Search,
	missing: number,
	beyond: number,
	isPointless: boolean,
): Shortage | null {
	const { slots, settings, isEnergy, target } = search;
	const enough = isEnergy ? QUARTER_MS / STEPS : HALF_QUARTER_MS;
	const lacks = Math.max(0, missing) + beyond;
	if (lacks < enough) return null;
	const isOne = settings.pieces === "one" && !isEnergy;
	const size = isEnergy ? KWH / (settings.loadW ?? 1) : HOUR_MS;
	const because = (by: Limit, found: number): Shortage => ({
		code: "short",
		by,
		unit: isEnergy ? "kWh" : "h",
		wanted: (target + beyond) / size,
		missing: lacks / size,
		found: found / size,
	});
	const share = (slot: Slot) =>
		waysIn(slot, settings, isEnergy).at(-1)?.share ?? 1;
	const order: readonly Limit[] = ["forecast", "minPowerW", "maxPrice", "sun"];
	let good: readonly Slot[] = slots;
	for (const [stage, by] of (["time", ...order] as const).entries()) {
		good = slots.filter((slot) => {
			const mayBeDark = isPointless ? false : undefined;
			const power = share(slot);
			const verdict = verdictOf(slot, settings, isEnergy, power, mayBeDark);
			return verdict === null || order.indexOf(verdict) >= stage;
		});
		if (target - capacity(good, false, share) < enough) continue;
		const isPriced =
			settings.rank === "cost" && slots.some(({ price }) => price !== null);
		const found = capacity(good, isOne, share);
		return because(by === "sun" && isPriced ? "price" : by, found);
	}
	if (beyond > 0) return because("time", target);
	const found = isOne
		? capacity(good, isOne, share)
		: target - Math.max(0, missing);
	const isBroken = slots.some(({ pv }) => pv === null);
	return because(isOne && isBroken ? "forecast" : "runs", found);
}

/** What some slots hold, at full power, ms; of one piece the longest time without a break. */
function capacity(
	slots: readonly Slot[],
	isOne: boolean,
	share: (slot: Slot) => number,
): number {
	let [sum, longest, end] = [0, 0, 0];
	for (const slot of slots) {
		if (isOne && slot.start !== end) sum = 0;
		sum += (slot.end - slot.start) * share(slot);
		longest = Math.max(longest, sum);
		end = slot.end;
	}
	return longest;
}
