import { DAY_MS, HOUR_MS, SECOND_MS } from "../../util/time";

/** Time and timers as the poller sees them, so that a month can pass in a test. */
export interface Clock {
	/** The host's wall clock, epoch ms; it may be wrong and may jump. */
	now(): number;
	/** Ms on a clock that never jumps, but may stand still while the host sleeps. */
	monotonic(): number;
	/** Calls back once, after at most 2 147 483 647 ms; returns what `clear` takes. */
	set(callback: () => void, delayMs: number): unknown;
	clear(timer: unknown): void;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	set: (callback, delayMs) => setTimeout(callback, delayMs),
	clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/**
 * Difference of two clocks, in ms, from which one of them must have jumped: well
 * below the least time by which a request follows `next_poll_at`.
 */
export const JUMP_MS = 2 * SECOND_MS;
/** Time after which the host's own clocks may have drifted too far to be trusted, ms. */
const DRIFT_MS = 12 * HOUR_MS;
/** Plausible times of a `Date`; what lies outside is shown by clocks that were never set. */
const POSSIBLE = { from: Date.UTC(2020), until: Date.UTC(2100) } as const;

/**
 * The server's clock, as far as the host's clocks tell it.
 *
 * Each answer's `Date` sets it. In between, the later of two readings counts: the
 * monotonic clock stands still while the host sleeps, and the wall clock may be
 * set back. What that cannot mend makes it untrusted until the next answer, of
 * which the free ones cost nothing.
 *
 * A `Date` may be wrong: a proxy or cache may have put it there. It is not
 * accepted where it is implausible, nor after the forecasts of the same service
 * have contradicted it while they agreed with the host's clock.
 */
export class ServerClock {
	readonly #clock: Clock;
	#server: number;
	#wall: number;
	#monotonic: number;
	#isKnown = false;
	/** Whether the last answer has set it. */
	#wasSet = false;
	/** The last `Date` that was not accepted, and when that was on the monotonic clock. */
	#rejected: { date: number; at: number } | undefined;
	#isDateWrong = false;

	/** @param skew the server's clock minus the host's in ms, as stored by an earlier process */
	constructor(clock: Clock, skew = 0) {
		this.#clock = clock;
		this.#wall = clock.now();
		this.#monotonic = clock.monotonic();
		this.#server = this.#wall + skew;
	}

	/** Takes over an earlier process's skew in ms, and whether it found the service's `Date` wrong. */
	resume(skew: number, isDateWrong: boolean): void {
		this.#setTo(this.#clock.now() + skew);
		this.#isDateWrong = isDateWrong;
	}

	/** Whether an answer's `Date`, epoch ms, may be the time. */
	accepts(date: number): boolean {
		const isPossible =
			date >= POSSIBLE.from &&
			date < POSSIBLE.until &&
			!(this.#isDateWrong && Math.abs(date - this.now()) > DAY_MS);
		if (!isPossible) this.#rejected = { date, at: this.#clock.monotonic() };
		return isPossible;
	}

	/** Takes over what an answer's `Date` said; undefined where it said nothing that was accepted. */
	noteDate(date: number | undefined): void {
		this.#wasSet = date !== undefined;
		if (date !== undefined) this.set(date);
	}

	/** Takes over the time of the server. */
	set(serverNow: number): void {
		this.#setTo(serverNow);
		this.#isKnown = true;
	}

	#setTo(serverNow: number): void {
		this.#wall = this.#clock.now();
		this.#monotonic = this.#clock.monotonic();
		this.#server = serverNow;
	}

	/**
	 * Compares the clock with a forecast that has just come.
	 *
	 * @param from when it was computed or begins, epoch ms
	 * @param until when it ends, epoch ms
	 * @returns false when the clock was wrong and has been set right
	 */
	check(from: number, until: number): boolean {
		const fits = (time: number) =>
			time > from - DAY_MS && time < until + DAY_MS;
		if (fits(this.now())) {
			if (this.#wasSet) this.#isDateWrong = false;
			return true;
		}
		if (fits(this.#clock.now())) {
			this.#isDateWrong ||= this.#wasSet;
			this.#isKnown = false;
			this.#setTo(this.#clock.now());
			return false;
		}
		const { date, at } = this.#rejected ?? { date: 0, at: 0 };
		const said = date + this.#clock.monotonic() - at;
		// Where nothing fits, it is the forecast that is strange.
		if (!fits(said)) return true;
		this.#isDateWrong = false;
		this.set(said);
		return false;
	}

	/** Whether the service's forecasts have shown that its `Date` is not the time. */
	get isDateWrong(): boolean {
		return this.#isDateWrong;
	}

	/** The server's clock minus the host's wall clock, ms. */
	get skew(): number {
		return this.now() - this.#clock.now();
	}

	/** Epoch ms of the server. */
	now(): number {
		return (
			this.#server +
			Math.max(
				this.#clock.now() - this.#wall,
				this.#clock.monotonic() - this.#monotonic,
			)
		);
	}

	/**
	 * Whether an answer set the clock in this process, not long ago, and the
	 * host's clocks agree on how long ago.
	 */
	get isTrusted(): boolean {
		const wall = this.#clock.now() - this.#wall;
		const monotonic = this.#clock.monotonic() - this.#monotonic;
		return (
			this.#isKnown &&
			wall - monotonic < JUMP_MS &&
			Math.max(wall, monotonic) < DRIFT_MS
		);
	}
}
