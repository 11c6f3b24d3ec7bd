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
 * Difference of the host's two clocks, in ms, from which one of them must have
 * jumped: well below the least time by which a request follows `next_poll_at`.
 */
const JUMP_MS = 2_000;
/** How long a host may go by its own clocks before they have drifted too far to be trusted, ms. */
const DRIFT_MS = 12 * 3_600_000;

const DAY = 86_400_000;
/** No `Date` outside of these times is one: it is what clocks show that were never set. */
const POSSIBLE = { from: Date.UTC(2020), until: Date.UTC(2100) } as const;

/**
 * The server's clock, as far as the host's clocks let us know it.
 *
 * Each answer's `Date` sets it anew. In between, the later of two readings
 * counts: the monotonic clock stands still while the host sleeps, and the wall
 * clock may be set back. What that cannot mend makes it untrusted until the next
 * answer, of which the free ones cost nothing.
 *
 * A `Date` is told by others, too. One that cannot be is not believed, nor one
 * that the forecasts of the same service contradict while they bear out the
 * host's clock.
 */
export class ServerClock {
	readonly #clock: Clock;
	#server: number;
	#wall: number;
	#monotonic: number;
	#heard = false;
	/** Whether the last answer has set it. */
	#wasSet = false;
	/** The last `Date` that was not believed, and when that was on the monotonic clock. */
	#doubted: { date: number; at: number } | undefined;
	#refuted = false;

	/** @param skew the server's clock minus the host's in ms, as stored by an earlier process */
	constructor(clock: Clock, skew = 0) {
		this.#clock = clock;
		this.#wall = clock.now();
		this.#monotonic = clock.monotonic();
		this.#server = this.#wall + skew;
	}

	/** Goes on as an earlier process did: with its skew in ms, and what it held of the service's `Date`. */
	resume(skew: number, refuted: boolean): void {
		this.#reckonFrom(this.#clock.now() + skew);
		this.#refuted = refuted;
	}

	/** Whether an answer's `Date`, epoch ms, may be the time. */
	believes(date: number): boolean {
		const isPossible =
			date >= POSSIBLE.from &&
			date < POSSIBLE.until &&
			!(this.#refuted && Math.abs(date - this.now()) > DAY);
		if (!isPossible) this.#doubted = { date, at: this.#clock.monotonic() };
		return isPossible;
	}

	/** Takes over what an answer's `Date` said; undefined where it said nothing that is believed. */
	hear(date: number | undefined): void {
		this.#wasSet = date !== undefined;
		if (date !== undefined) this.set(date);
	}

	/** Takes over the time of the server. */
	set(serverNow: number): void {
		this.#reckonFrom(serverNow);
		this.#heard = true;
	}

	#reckonFrom(serverNow: number): void {
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
		const fits = (time: number) => time > from - DAY && time < until + DAY;
		if (fits(this.now())) {
			if (this.#wasSet) this.#refuted = false;
			return true;
		}
		if (fits(this.#clock.now())) {
			this.#refuted ||= this.#wasSet;
			this.#heard = false;
			this.#reckonFrom(this.#clock.now());
			return false;
		}
		const { date, at } = this.#doubted ?? { date: 0, at: 0 };
		const doubted = date + this.#clock.monotonic() - at;
		// Where nothing fits, it is the forecast that is strange.
		if (!fits(doubted)) return true;
		this.#refuted = false;
		this.set(doubted);
		return false;
	}

	/** Whether the service's forecasts have shown that its `Date` is not the time. */
	get refuted(): boolean {
		return this.#refuted;
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
	get trusted(): boolean {
		const wall = this.#clock.now() - this.#wall;
		const monotonic = this.#clock.monotonic() - this.#monotonic;
		return (
			this.#heard &&
			wall - monotonic < JUMP_MS &&
			Math.max(wall, monotonic) < DRIFT_MS
		);
	}
}
