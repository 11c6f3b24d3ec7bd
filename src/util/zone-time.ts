import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "./time";
import { utcSeconds } from "./timestamp";
import { offsetText } from "./zone-offset";

/** Days cached per zone before the cache is emptied; those of the longest answer fit. */
const MEMORY_DAYS = 4000;

/** Offsets of one UTC day: the one at its start, and a change within it. */
interface DayOffsets {
	readonly first: number;
	readonly changeAt: number;
	readonly last: number;
}

/**
 * Local time of a zone, fast enough to be asked for every row.
 *
 * Days are whole numbers since 1970-01-01, wall-clock times are ms since
 * 1970-01-01 00:00 of the zone's own clock, instants are epoch ms. No answer
 * depends on the zone of the process.
 */
export class ZoneTime {
	readonly #offset: (instant: number) => number;
	readonly #days = new Map<number, DayOffsets>();
	readonly #dayStarts = new Map<number, number>();

	/** @param offset from UTC in ms at an instant, positive east of Greenwich; it may be slow */
	constructor(offset: (instant: number) => number) {
		this.#offset = offset;
	}

	#offsets(utcDay: number): DayOffsets {
		let known = this.#days.get(utcDay);
		if (known) return known;
		let from = utcDay * DAY_MS;
		let to = from + DAY_MS;
		const first = this.#offset(from);
		const last = this.#offset(to);
		if (first !== last) {
			while (to - from > MINUTE_MS) {
				const middle =
					from + Math.floor((to - from) / 2 / MINUTE_MS) * MINUTE_MS;
				if (this.#offset(middle) === first) from = middle;
				else to = middle;
			}
		}
		known = { first, changeAt: to, last };
		if (this.#days.size >= MEMORY_DAYS) this.#days.clear();
		this.#days.set(utcDay, known);
		return known;
	}

	/** Offset from UTC in ms at an instant; positive east of Greenwich. */
	offsetAt(instant: number): number {
		const day = this.#offsets(Math.floor(instant / DAY_MS));
		return instant < day.changeAt ? day.first : day.last;
	}

	/** The wall clock at an instant. */
	wallClock(instant: number): number {
		return instant + this.offsetAt(instant);
	}

	/** The local date at an instant, in days since 1970-01-01. */
	dayOf(instant: number): number {
		return Math.floor(this.wallClock(instant) / DAY_MS);
	}

	/**
	 * The instants at which the wall clock shows a time: one as a rule, two in
	 * the repeated hour of autumn (earlier first), none in the hour that spring skips.
	 */
	instantsOf(wallClock: number): number[] {
		const before = wallClock - this.offsetAt(wallClock - DAY_MS);
		const after = wallClock - this.offsetAt(wallClock + DAY_MS);
		return (
			before === after ? [before] : [before, after].sort((a, b) => a - b)
		).filter((instant) => this.wallClock(instant) === wallClock);
	}

	/** The first instant at which the wall clock shows a time or a later one. */
	firstInstantFrom(wallClock: number): number {
		const [instant] = this.instantsOf(wallClock);
		if (instant !== undefined) return instant;
		// The clock jumps over this time: the change itself is the first instant.
		const utcDay = Math.floor(wallClock / DAY_MS);
		for (let day = utcDay - 1; day <= utcDay + 1; day += 1) {
			const { first, changeAt, last } = this.#offsets(day);
			if (
				first !== last &&
				changeAt + first <= wallClock &&
				changeAt + last > wallClock
			) {
				return changeAt;
			}
		}
		return wallClock - this.offsetAt(wallClock);
	}

	/** The end of a time from an instant on in which the offset is sure to stay the same; it may stay longer. */
	steadyUntil(instant: number): number {
		const utcDay = Math.floor(instant / DAY_MS);
		const { first, changeAt, last } = this.#offsets(utcDay);
		return first !== last && instant < changeAt
			? changeAt
			: (utcDay + 1) * DAY_MS;
	}

	/** The first instant of a local date. */
	dayStart(day: number): number {
		let start = this.#dayStarts.get(day);
		if (start === undefined) {
			start = this.firstInstantFrom(day * DAY_MS);
			if (this.#dayStarts.size >= MEMORY_DAYS) this.#dayStarts.clear();
			this.#dayStarts.set(day, start);
		}
		return start;
	}

	/** The first instant of the local clock hour that holds an instant. */
	hourStart(instant: number): number {
		const intoHour = ((this.wallClock(instant) % HOUR_MS) + HOUR_MS) % HOUR_MS;
		const start = instant - intoHour;
		// A change inside this hour: it began at the change.
		return this.offsetAt(start) === this.offsetAt(instant)
			? start
			: this.#offsets(Math.floor(instant / DAY_MS)).changeAt;
	}

	/** Quarter of the local day (0 to 95) in which an instant lies. */
	quarterOfDay(instant: number): number {
		const wallClock = this.wallClock(instant);
		return Math.floor(
			(wallClock - Math.floor(wallClock / DAY_MS) * DAY_MS) / QUARTER_MS,
		);
	}

	/** ISO 8601 with the zone's offset at that instant, seconds included. */
	format(instant: number): string {
		const offset = this.offsetAt(instant);
		return utcSeconds(instant + offset) + offsetText(offset);
	}
}
