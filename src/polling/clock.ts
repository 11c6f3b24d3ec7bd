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

/**
 * The server's clock, as far as the host's clocks let us know it.
 *
 * Each answer's `Date` sets it anew. In between, the later of two readings
 * counts: the monotonic clock stands still while the host sleeps, and the wall
 * clock may be set back. What that cannot mend makes it untrusted until the next
 * answer, of which the free ones cost nothing.
 */
export class ServerClock {
	readonly #clock: Clock;
	#server: number;
	#wall: number;
	#monotonic: number;
	#heard = false;

	/** @param skew the server's clock minus the host's in ms, as stored by an earlier process */
	constructor(clock: Clock, skew = 0) {
		this.#clock = clock;
		this.#wall = clock.now();
		this.#monotonic = clock.monotonic();
		this.#server = this.#wall + skew;
	}

	/** Takes over what an answer's `Date` said. */
	set(serverNow: number): void {
		this.#wall = this.#clock.now();
		this.#monotonic = this.#clock.monotonic();
		this.#server = serverNow;
		this.#heard = true;
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
