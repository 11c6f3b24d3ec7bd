import type { Daylight } from "./expected-power";

const HOUR = 3_600_000;
/** Looks further ahead than these many slots are not planned one by one. */
const MOST_SLOTS = 4096;

/** A source that is polled, as the pace sees it. All times are epoch ms. */
export interface PacedSource {
	readonly key: string;
	/** First time at which a request brings something newer. */
	readonly from: number;
	/** Distance of the times after that. */
	readonly stepMs: number;
	/** When it was asked last. */
	readonly askedAt: number;
	/** From when on the forecast in hand has aged. */
	readonly since: number;
	/** Factor on what its hours are worth: a little different for each, or equal sites would all be asked in the same slot. */
	readonly bias: number;
	readonly daylight: Daylight;
}

/** Dates, as days since 1970-01-01, that leave the rest `turn` when divided by `every`. */
export interface Midnights {
	readonly every: number;
	/** Less than `every`. */
	readonly turn: number;
}

/** The looks that are worth their price. */
export interface Looks {
	/** Up to the horizon. */
	readonly count: number;
	/** Of these, before the first local midnight. */
	readonly today: number;
	/** Index of the first slot that is asked at, −1 for none. */
	readonly first: number;
}

/** The first slot that is not over at an instant: asked late, it still pays. */
export function slotFrom(
	{ from, stepMs }: PacedSource,
	instant: number,
): number {
	return from + Math.max(0, Math.floor((instant - from) / stepMs)) * stepMs;
}

/**
 * The slots of a source up to a horizon, in the numbers that the choice among
 * them needs.
 */
export class Slots {
	/** What the time from `now` to each slot is worth, Wh. */
	readonly #worths: Float64Array;
	/** What the time to the horizon is worth. */
	readonly #whole: number;
	/** First slot, distance of slots, and age of the forecast in hand, in hours from `now`. */
	readonly #start: number;
	readonly #step: number;
	readonly #since: number;
	/** Indices of slots behind a local midnight where a look is taken in any case. */
	readonly #midnights: readonly number[];
	/** Number of slots before the first local midnight. */
	readonly #today: number;
	/** Epoch ms of the first slot. */
	readonly #first: number;
	readonly #stepMs: number;
	readonly length: number;

	/**
	 * @param horizon epoch ms; a local midnight, or the end of the month
	 * @param midnights on which dates a look after midnight is taken in any case
	 */
	constructor(
		source: PacedSource,
		now: number,
		horizon: number,
		midnights: Midnights,
	) {
		const { daylight, stepMs, since, askedAt } = source;
		this.#first = slotFrom(source, now);
		this.#stepMs = stepMs;
		this.length = Math.max(
			0,
			Math.min(Math.ceil((horizon - this.#first) / stepMs), MOST_SLOTS),
		);
		this.#since = (Math.min(since, this.#first - 1) - now) / HOUR;
		this.#worths = daylight.worths(now, this.#first, stepMs, this.length);
		this.#whole = daylight.worth(now, horizon);
		this.#start = (this.#first - now) / HOUR;
		this.#step = stepMs / HOUR;
		const { zone } = daylight;
		const set: number[] = [];
		const today = zone.dayOf(now);
		const slotAt = (instant: number) =>
			Math.max(0, Math.ceil((instant - this.#first) / stepMs));
		this.#today = Math.min(this.length, slotAt(zone.dayStart(today + 1)));
		const { every, turn } = midnights;
		const next = Math.max(zone.dayOf(askedAt) + 1, today);
		for (let day = next + ((turn + every - (next % every)) % every); ; ) {
			const index = slotAt(zone.dayStart(day));
			if (index >= this.length) break;
			if (index !== set.at(-1)) set.push(index);
			day += every;
		}
		this.#midnights = set;
	}

	/** When a slot begins, epoch ms; null for the slot −1. */
	at(slot: number): number | null {
		return slot < 0 ? null : this.#first + slot * this.#stepMs;
	}

	/**
	 * Chooses the slots at which a look costs less than it saves: the least sum
	 * of the age of the forecast in hand, weighted by what a fresh one is worth,
	 * and the price of the looks.
	 *
	 * What a look at j leads to at a later time k is a straight line over the
	 * worth up to k, so the best j is read off the lower hull of those lines,
	 * which costs a few operations per slot.
	 *
	 * @param price of one look, W h²
	 */
	choose(price: number): Looks {
		const { length } = this;
		const worths = this.#worths;
		const start = this.#start;
		const step = this.#step;
		const hull = scratch(length + 1);
		const { times, offsets, slots, before } = hull;
		times[0] = this.#since;
		offsets[0] = 0;
		slots[0] = -1;
		let head = 0;
		let tail = 1;
		let midnight = 0;
		let nextMidnight = this.#midnights[0] ?? length;
		for (let slot = 0; slot < length; slot += 1) {
			const worth = worths[slot] as number;
			head = lowest(hull, head, tail, worth);
			before[slot] = slots[head] as number;
			const time = start + slot * step;
			const offset =
				price +
				(offsets[head] as number) +
				(time - (times[head] as number)) * worth;
			if (slot === nextMidnight) {
				midnight += 1;
				nextMidnight = this.#midnights[midnight] ?? length;
				head = tail;
			} else {
				while (tail - head >= 2 && isHidden(hull, tail, time, offset)) {
					tail -= 1;
				}
			}
			times[tail] = time;
			offsets[tail] = offset;
			slots[tail] = slot;
			tail += 1;
		}
		let slot = slots[lowest(hull, head, tail, this.#whole)] as number;
		let first = -1;
		let count = 0;
		let today = 0;
		while (slot >= 0) {
			count += 1;
			if (slot < this.#today) today += 1;
			first = slot;
			slot = before[slot] as number;
		}
		return { count, today, first };
	}
}

/** Lines over worth, of which the lowest at a worth is the best last look there. */
interface Hull {
	/** Slope of each line, with the sign turned: the hour of the look. */
	readonly times: Float64Array;
	readonly offsets: Float64Array;
	/** Slot of the look, −1 for the forecast in hand. */
	readonly slots: Int32Array;
	/** By slot: that of the look before it. */
	readonly before: Int32Array;
}

/** The line of the hull, from `head` on, that is lowest at a worth. */
function lowest(
	{ times, offsets }: Hull,
	head: number,
	tail: number,
	worth: number,
): number {
	let line = head;
	while (
		line + 1 < tail &&
		(offsets[line + 1] as number) - (times[line + 1] as number) * worth <=
			(offsets[line] as number) - (times[line] as number) * worth
	) {
		line += 1;
	}
	return line;
}

/** Whether the last line of the hull lies above its neighbour and a new one everywhere. */
function isHidden(
	{ times, offsets }: Hull,
	tail: number,
	time: number,
	offset: number,
): boolean {
	const before = times[tail - 2] as number;
	const least = offsets[tail - 2] as number;
	return (
		(offset - least) * ((times[tail - 1] as number) - before) <=
		((offsets[tail - 1] as number) - least) * (time - before)
	);
}

let kept: Hull | undefined;
/** Working memory, used by one choice at a time. */
function scratch(length: number): Hull {
	if (!kept || kept.times.length < length) {
		const size = Math.max(length, 512);
		kept = {
			times: new Float64Array(size),
			offsets: new Float64Array(size),
			slots: new Int32Array(size),
			before: new Int32Array(size),
		};
	}
	return kept;
}
