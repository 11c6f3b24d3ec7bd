import { HOUR_MS } from "../../util/time";
import { type PacedSource, slotFrom } from "./paced-source";

/** Slots that are planned one by one. */
const MOST_SLOTS = 4096;

/** Dates, as days since 1970-01-01, that leave the rest `turn` when divided by `every`. */
interface Midnights {
	readonly every: number;
	/** Less than `every`. */
	readonly turn: number;
}

/** The polls that are worth their price. */
export interface SelectedPolls {
	/** Slots up to the horizon. */
	readonly count: number;
	/** Slots of these before the first local midnight. */
	readonly today: number;
	/** Index of the first slot that is asked at, −1 for none. */
	readonly first: number;
}

/**
 * The slots at which a source may be polled, up to a horizon, in the numbers that
 * the selection among them needs.
 */
export class PollSlots {
	/** Weight of the time from `now` to each slot, Wh. */
	readonly #weights: Float64Array;
	/** Weight of the time to the horizon, Wh. */
	readonly #whole: number;
	/** First slot, distance of slots, and age of the forecast in hand, in hours from `now`. */
	readonly #start: number;
	readonly #step: number;
	readonly #since: number;
	/** Indices of slots behind a local midnight where a poll is made in any case. */
	readonly #midnights: readonly number[];
	/** Number of slots before the first local midnight. */
	readonly #today: number;
	/** Epoch ms of the first slot. */
	readonly #first: number;
	readonly #stepMs: number;
	/** Least number of slots between two polls. */
	readonly #gap: number;
	readonly length: number;

	/**
	 * @param horizon epoch ms; a local midnight, or the end of the month
	 * @param midnights on which dates a poll after midnight is made in any case, null for none
	 */
	constructor(
		source: PacedSource,
		now: number,
		horizon: number,
		midnights: Midnights | null,
	) {
		const { power, intervalMs, since, askedAt } = source;
		const isFar = horizon - now > (MOST_SLOTS / source.parts) * intervalMs;
		this.#gap = isFar ? 1 : source.parts;
		this.#stepMs = intervalMs / this.#gap;
		this.#first = slotFrom(source, now, this.#stepMs);
		this.length = Math.max(
			0,
			Math.min(Math.ceil((horizon - this.#first) / this.#stepMs), MOST_SLOTS),
		);
		this.#since = (Math.min(since, this.#first - 1) - now) / HOUR_MS;
		this.#weights = power.weightsFrom(
			now,
			this.#first,
			this.#stepMs,
			this.length,
		);
		this.#whole = power.weightBetween(now, horizon);
		this.#start = (this.#first - now) / HOUR_MS;
		this.#step = this.#stepMs / HOUR_MS;
		const { zone } = power;
		const set: number[] = [];
		const today = zone.dayOf(now);
		const slotAt = (instant: number) =>
			Math.max(0, Math.ceil((instant - this.#first) / this.#stepMs));
		this.#today = Math.min(this.length, slotAt(zone.dayStart(today + 1)));
		if (midnights) {
			const { every, turn } = midnights;
			const next = Math.max(zone.dayOf(askedAt) + 1, today);
			for (let day = next + ((turn + every - (next % every)) % every); ; ) {
				const index = slotAt(zone.dayStart(day));
				if (index >= this.length) break;
				if (index !== set.at(-1)) set.push(index);
				day += every;
			}
		}
		this.#midnights = set;
	}

	/** When a slot begins, epoch ms; null for the slot −1. */
	at(slot: number): number | null {
		return slot < 0 ? null : this.#first + slot * this.#stepMs;
	}

	/**
	 * Selects the slots at which a poll costs less than it saves: the least sum of
	 * the weighted age of the forecast in hand and the price of the polls.
	 *
	 * What a poll at slot j leads to at a later slot k is a straight line over the
	 * weight up to k, so the best j is read off the lower hull of those lines (the
	 * convex hull trick), which costs a few operations per slot.
	 *
	 * @param price of one poll, W h²
	 */
	select(price: number): SelectedPolls {
		const { length } = this;
		const gap = this.#gap;
		const weights = this.#weights;
		const start = this.#start;
		const step = this.#step;
		const hull = scratch(length + 1);
		const { times, offsets, slots, before, costs } = hull;
		times[0] = this.#since;
		offsets[0] = 0;
		slots[0] = -1;
		let head = 0;
		let tail = 1;
		/** Nothing before this slot counts any more. */
		let barrier = 0;
		let midnight = 0;
		let nextMidnight = this.#midnights[0] ?? length;
		/** From now on, a poll at this slot may be the last one before another. */
		const open = (slot: number) => {
			const offset = costs[slot] as number;
			if (slot < barrier || offset === Number.POSITIVE_INFINITY) return;
			const time = start + slot * step;
			while (tail - head >= 2 && isHidden(hull, tail, time, offset)) tail -= 1;
			times[tail] = time;
			offsets[tail] = offset;
			slots[tail] = slot;
			tail += 1;
		};
		for (let slot = 0; slot < length; slot += 1) {
			if (slot >= gap) open(slot - gap);
			if (head === tail) {
				costs[slot] = Number.POSITIVE_INFINITY;
				continue;
			}
			const weight = weights[slot] as number;
			head = lowest(hull, head, tail, weight);
			before[slot] = slots[head] as number;
			const time = start + slot * step;
			costs[slot] =
				price +
				(offsets[head] as number) +
				(time - (times[head] as number)) * weight;
			if (slot === nextMidnight) {
				midnight += 1;
				nextMidnight = this.#midnights[midnight] ?? length;
				head = tail;
				barrier = slot;
			}
		}
		for (let slot = Math.max(0, length - gap); slot < length; slot += 1) {
			open(slot);
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

/** Lines over weight, of which the lowest at a weight is the best last poll there. */
interface Hull {
	/** Slope of each line, with the sign turned: the hour of the poll. */
	readonly times: Float64Array;
	readonly offsets: Float64Array;
	/** Slot of the poll, −1 for the forecast in hand. */
	readonly slots: Int32Array;
	/** By slot: that of the poll before it, and what leads there costs; infinity where none may come. */
	readonly before: Int32Array;
	readonly costs: Float64Array;
}

/** The line of the hull, from `head` on, that is lowest at a weight. */
function lowest(
	{ times, offsets }: Hull,
	head: number,
	tail: number,
	weight: number,
): number {
	let line = head;
	while (
		line + 1 < tail &&
		(offsets[line + 1] as number) - (times[line + 1] as number) * weight <=
			(offsets[line] as number) - (times[line] as number) * weight
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

let buffer: Hull | undefined;
/** Working memory, used by one selection at a time. */
function scratch(length: number): Hull {
	if (!buffer || buffer.times.length < length) {
		const size = Math.max(length, 512);
		buffer = {
			times: new Float64Array(size),
			offsets: new Float64Array(size),
			slots: new Int32Array(size),
			before: new Int32Array(size),
			costs: new Float64Array(size),
		};
	}
	return buffer;
}
