import type { Span } from "../prices/spans";
import { HOUR_MS, QUARTER_MS } from "../util/time";
import type { Frame } from "./frame";
import {
	bestLife,
	isDark,
	type Limit,
	type Search,
	type Stretch,
	stretchesOf,
	waysIn,
} from "./search";
import {
	DARK_W,
	drawIn,
	figuresOf,
	HALF_QUARTER_MS,
	KWH,
	type Outlook,
	type Piece,
	STEPS,
	slotsOf,
} from "./slots";

/** The sun that is left of a day is too little below this share of what its best hours bring. */
const GLIMMER = 0.25;

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
export interface Task extends Pick<Search, "settings" | "held" | "starts"> {
	readonly outlook: Outlook;
	readonly frame: Frame;
	/** Whole minute from which on it is planned, epoch ms. */
	readonly from: number;
	/** What ran of the day already, at full power, ms. */
	readonly ran: number;
	/** Energy that the appliance said it lacks since, kWh. */
	readonly lackingKwh: number | null;
	/** When it was last on, epoch ms. */
	readonly lastOn: number | null;
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
