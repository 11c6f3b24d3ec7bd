import { type Clock, JUMP_MS } from "../../util/clock";
import { DAY_MS, MINUTE_MS } from "../../util/time";

/** A clock that shows less was never set, epoch ms. */
const NEVER_SET = Date.UTC(2026);
/** A host that slept longer than this, ms, is one whose clock was set. */
const LONGEST_SLEEP_MS = 7 * DAY_MS;
/** Offset of this machine's clock, ms, from which it is worth a word; below it may be a slow answer. */
const LEAST_OFFSET_MS = 2 * MINUTE_MS;
/** Time after a start in which an answer may tell the time by itself, and after a request for the time in vain, ms. */
const CHECK_MS = { first: MINUTE_MS, next: 15 * MINUTE_MS } as const;

/**
 * The server's clock (behaviour: When it asks): each answer's `Date`, and since then
 * the host's monotonic clock, which nobody sets. It stands still while the host sleeps:
 * where the wall clock has gone ahead of it, the host slept or was set, which the next
 * answer tells apart. Until a first answer the wall clock is all there is.
 *
 * A `Date` that is more than a day from both this clock and the newest forecast is not
 * believed: a proxy or a cache may have put it there.
 */
export class ServerClock {
	readonly #clock: Clock;
	#server: number;
	#wall: number;
	#monotonic: number;
	/** It was this late already when it was last stored, epoch ms. */
	#floor = 0;
	#isKnown = false;
	#hasJumped = false;
	/** Monotonic ms from which it may be checked. */
	#checkAfter = Infinity;
	/** The last `Date` that was not believed, and when that was on the monotonic clock. */
	#rejected: { readonly date: number; readonly at: number } | undefined;
	/** What times the newest forecast is about. */
	#span = { from: Infinity, until: 0 };

	constructor(clock: Clock) {
		this.#clock = clock;
		this.#wall = clock.now();
		this.#monotonic = clock.monotonic();
		this.#server = this.#wall;
	}

	/** @param seenAt the server's time when an earlier process last stored it, epoch ms */
	resume(seenAt: number): void {
		this.#floor = seenAt;
	}

	/** Epoch ms of the server. */
	now(): number {
		const wall = this.#clock.now();
		const monotonic = this.#clock.monotonic();
		const passed = monotonic - this.#monotonic;
		const jump = wall - this.#wall - passed;
		this.#server += passed;
		this.#floor += passed;
		if (Math.abs(jump) > JUMP_MS) {
			this.#hasJumped = true;
			if (jump > 0 && jump <= LONGEST_SLEEP_MS) {
				// A wall clock that now shows about this time was set right; else the host slept.
				const isSetRight = Math.abs(wall - this.#server) < LEAST_OFFSET_MS;
				const slept = this.#server + jump;
				const most = isSetRight ? Math.min(slept, wall) : slept;
				this.#server = Math.max(this.#server, most);
			}
		}
		this.#wall = wall;
		this.#monotonic = monotonic;
		if (!this.#isKnown) this.#server = Math.max(wall, this.#floor);
		return this.#server;
	}

	/** Takes over an answer's `Date`, epoch ms; false where it cannot be the time. */
	accepts(date: number): boolean {
		const { from, until } = this.#span;
		const now = this.now();
		const isUnset = !this.#isKnown && this.#wall < NEVER_SET;
		const isNear = Math.abs(date - now) <= DAY_MS || isUnset;
		if (!isNear && !(date > from - DAY_MS && date < until + DAY_MS)) {
			this.#rejected = { date, at: this.#monotonic };
			return false;
		}
		this.#server = date;
		this.#isKnown = true;
		this.#hasJumped = false;
		this.#rejected = undefined;
		return true;
	}

	/**
	 * Compares the clock with a forecast that has just come.
	 *
	 * @param from when it was computed or begins, epoch ms
	 * @param until when it ends, epoch ms
	 */
	check(from: number, until: number): void {
		this.#span = { from, until };
		if (!this.#rejected) return;
		const { date, at } = this.#rejected;
		this.accepts(date + this.#clock.monotonic() - at);
	}

	/** Whether an answer has told the time in this process, and the host's clocks have agreed since. */
	get isTrusted(): boolean {
		this.now();
		return this.#isKnown && !this.#hasJumped;
	}

	/**
	 * Polling begins: a free request tells the time in a minute where no other has, at once
	 * where the host's clock shows less than was seen before, so that it is surely wrong.
	 */
	begin(): void {
		this.now();
		const isBehind = !this.#isKnown && this.#wall < this.#floor;
		const from = this.#monotonic + (isBehind ? 0 : CHECK_MS.first);
		this.#checkAfter = Math.min(this.#checkAfter, from);
	}

	/**
	 * Whether a free request is to tell the time, since the host's clocks do not: one that is
	 * behind would let a poll be missed.
	 */
	get isCheckDue(): boolean {
		return !this.isTrusted && this.#monotonic >= this.#checkAfter;
	}

	/** @param request that tells the time, by its answer; never rejects */
	async checkBy(request: Promise<unknown>): Promise<void> {
		this.#checkAfter = Infinity;
		await request;
		this.#checkAfter = this.#clock.monotonic() + CHECK_MS.next;
	}

	/**
	 * The server's clock minus the host's wall clock as answers told it, ms; null where
	 * none did, and where it is no more than two minutes.
	 */
	get offset(): number | null {
		const skew = this.now() - this.#wall;
		const isTold = this.#isKnown && !this.#hasJumped;
		return isTold && Math.abs(skew) > LEAST_OFFSET_MS ? skew : null;
	}
}
