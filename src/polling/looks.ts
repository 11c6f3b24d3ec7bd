import type { Daylight } from "./daylight";

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
	/** Hours from `now`. */
	readonly #times: Float64Array;
	/** What the time from `now` to each slot, and to the horizon, is worth, Wh. */
	readonly #worth: Float64Array;
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
		this.#times = new Float64Array(this.length);
		this.#worth = new Float64Array(this.length + 1);
		const worth = daylight.worthUntil(now);
		for (let index = 0; index <= this.length; index += 1) {
			const at = index < this.length ? this.#first + index * stepMs : horizon;
			if (index < this.length) this.#times[index] = (at - now) / HOUR;
			this.#worth[index] = daylight.worthUntil(Math.max(at, now)) - worth;
		}
		const { zone } = daylight;
		const set: number[] = [];
		const today = zone.dayOf(now);
		const slotAt = (instant: number) =>
			Math.max(0, Math.ceil((instant - this.#first) / stepMs));
		this.#today = Math.min(this.length, slotAt(zone.dayStart(today + 1)));
		const { every, turn } = midnights;
		const next = today + (askedAt < zone.dayStart(today) ? 0 : 1);
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
		const slotTimes = this.#times;
		const worths = this.#worth;
		const hull = scratch(length + 1);
		const { times, offsets, counts, todays, firsts } = hull;
		times[0] = this.#since;
		offsets[0] = 0;
		counts[0] = 0;
		todays[0] = 0;
		firsts[0] = -1;
		let head = 0;
		let tail = 1;
		let midnight = 0;
		for (let slot = 0; slot <= length; slot += 1) {
			const worth = worths[slot] as number;
			while (
				head + 1 < tail &&
				(offsets[head + 1] as number) - (times[head + 1] as number) * worth <=
					(offsets[head] as number) - (times[head] as number) * worth
			) {
				head += 1;
			}
			if (slot === length) break;
			const time = slotTimes[slot] as number;
			const offset =
				price +
				(offsets[head] as number) -
				(times[head] as number) * worth +
				time * worth;
			const count = (counts[head] as number) + 1;
			const today = slot < this.#today ? count : (todays[head] as number);
			const first =
				(firsts[head] as number) < 0 ? slot : (firsts[head] as number);
			if (this.#midnights[midnight] === slot) {
				midnight += 1;
				head = tail;
			} else {
				while (tail - head >= 2 && isHidden(hull, tail, time, offset))
					tail -= 1;
			}
			times[tail] = time;
			offsets[tail] = offset;
			counts[tail] = count;
			todays[tail] = today;
			firsts[tail] = first;
			tail += 1;
		}
		return {
			count: counts[head] as number,
			today: todays[head] as number,
			first: firsts[head] as number,
		};
	}
}

interface Hull {
	readonly times: Float64Array;
	readonly offsets: Float64Array;
	readonly counts: Int32Array;
	readonly todays: Int32Array;
	readonly firsts: Int32Array;
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
			counts: new Int32Array(size),
			todays: new Int32Array(size),
			firsts: new Int32Array(size),
		};
	}
	return kept;
}
