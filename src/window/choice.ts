import type { Span } from "../prices/spans";
import { HOUR_MS, QUARTER_MS } from "../util/time";
import { bestRun, byRank, isWorthIt, runsOfLength, type Slot } from "./search";
import type { WindowSettings } from "./settings";

/** What is missing by less than this is not worth a quarter of its own. */
export const HALF_QUARTER_MS = QUARTER_MS / 2;

/** Why fewer hours are planned than were asked for. */
type ShortageCode =
	/** What is left of the day's time is shorter. */
	| "no-time"
	/** The forecast does not reach so far, or has holes. */
	| "unknown-power"
	/** Less than `minPowerW` is left over. */
	| "below-minimum"
	/** No sun shines, and no price is known to go by. */
	| "no-sun"
	/** Prices are known, and not for so long. */
	| "no-price"
	/** The times that count are not long enough without a break. */
	| "interrupted";

export interface Shortage {
	readonly code: ShortageCode;
	/** Hours that were still to be planned. */
	readonly wanted_hours: number;
	/** Hours of them that cannot be. */
	readonly missing_hours: number;
	/** Hours in all that would count; the longest run of them where it must be one. */
	readonly found_hours: number;
}

interface Choice {
	/** In ascending order, with a break between any two. */
	readonly windows: readonly Span[];
	/** Null where all that was asked for is planned. */
	readonly shortage: Shortage | null;
}

type Wish = Pick<WindowSettings, "pieces" | "rank" | "minPowerW">;

/**
 * The best time for an appliance: one run of the length, or the best quarters.
 * One that cannot be had whole is none, of quarters as many as there are.
 *
 * @param slots what the appliance may choose from: without holes, in ascending
 * order; the first and the last may be parts of quarters
 * @param length ms, rounded to quarters
 */
export function choose(
	slots: readonly Slot[],
	length: number,
	wish: Wish,
): Choice {
	const wanted = Math.round(length / QUARTER_MS) * QUARTER_MS;
	const windows =
		wish.pieces === "one"
			? oneRun(slots, wanted, wish)
			: bestQuarters(slots, length, wish);
	const missing = windows.reduce(
		(rest, { start, end }) => rest - (end - start),
		wish.pieces === "one" ? wanted : length,
	);
	return {
		windows,
		shortage:
			missing < HALF_QUARTER_MS
				? null
				: shortageOf(slots, wanted, missing, wish),
	};
}

function oneRun(
	slots: readonly Slot[],
	length: number,
	{ rank }: Wish,
): Span[] {
	const best = bestRun(runsOfLength(slots, length), rank);
	return best ? [{ start: best.start, end: best.end }] : [];
}

/**
 * Quarters in order of their rank until less than half a quarter is missing. A
 * part of a quarter counts as long as half of it is left: no relay is switched
 * for less.
 */
function bestQuarters(
	slots: readonly Slot[],
	length: number,
	{ rank }: Wish,
): Span[] {
	const chosen: Slot[] = [];
	let missing = length;
	for (const slot of eligible(slots, rank).sort(byRank(rank))) {
		if (missing < HALF_QUARTER_MS) break;
		chosen.push(slot);
		missing -= slot.end - slot.start;
	}
	return joinedSpans(chosen);
}

/** The slots that may be quarters of their own. */
const eligible = (slots: readonly Slot[], rank: WindowSettings["rank"]) =>
	slots.filter(
		(slot) =>
			slot.counts &&
			slot.end - slot.start >= HALF_QUARTER_MS &&
			isWorthIt(rank)(asRun(slot)),
	);

const asRun = (slot: Slot) => ({
	...slot,
	pv: slot.pv * (slot.end - slot.start),
});

/** Spans that follow one another without a break, made one. */
export function joinedSpans(spans: readonly Span[]): Span[] {
	const whole: Span[] = [];
	for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
		const before = whole.at(-1);
		if (before?.end === start) {
			whole[whole.length - 1] = { start: before.start, end };
		} else whole.push({ start, end });
	}
	return whole;
}

/** Total length of spans, and that of the longest, ms. */
const total = (spans: readonly Span[]) =>
	spans.reduce((sum, { start, end }) => sum + end - start, 0);
const longest = (spans: readonly Span[]) =>
	Math.max(0, ...spans.map(({ start, end }) => end - start));

function shortageOf(
	slots: readonly Slot[],
	wanted: number,
	missing: number,
	{ pieces, rank, minPowerW }: Wish,
): Shortage {
	const length = pieces === "one" ? longest : total;
	const isEnough = (ms: number) => wanted - ms < HALF_QUARTER_MS;
	const known = slots.filter((slot) => slot.known);
	const counting = slots.filter((slot) => slot.counts);
	const because = (code: ShortageCode, found: readonly Span[]): Shortage => ({
		code,
		wanted_hours: wanted / HOUR_MS,
		missing_hours: missing / HOUR_MS,
		found_hours: length(joinedSpans(found)) / HOUR_MS,
	});
	if (!isEnough(total(slots))) return because("no-time", slots);
	if (!isEnough(total(known))) return because("unknown-power", known);
	if (!isEnough(total(counting))) return because("below-minimum", counting);
	if (pieces === "one" && !isEnough(longest(joinedSpans(counting)))) {
		return because(
			minPowerW === null ? "unknown-power" : "interrupted",
			counting,
		);
	}
	return because("no-sun", eligible(slots, rank));
}
