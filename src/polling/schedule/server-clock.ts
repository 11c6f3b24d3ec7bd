import { type Clock, JUMP_MS } from "../../util/clock";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../util/time";

/** Time after which the host's own clocks may have drifted too far to be trusted, ms. */
const DRIFT_MS = 12 * HOUR_MS;
/** A host that slept longer than this, ms, is one whose clock was set. */
const LONGEST_SLEEP_MS = 7 * DAY_MS;
/** Offset of this machine's clock, ms, from which it is worth a word; below it may be a slow answer. */
const LEAST_OFFSET_MS = 2 * MINUTE_MS;
/** Plausible times of a `Date`; what lies outside is shown by clocks that were never set. */
const POSSIBLE = { from: Date.UTC(2020), until: Date.UTC(2100) } as const;

/**
 * The server's clock, as far as the host's clocks tell it.
 *
 * Each answer's `Date` sets it. In between, the later of two readings counts: the
 * monotonic clock stands still while the host sleeps, and the wall clock may be
 * set back. Where the two disagree and the wall clock shows the monotonic one's time,
 * it was set right, and its offset of before is over. All that is untrusted until the
 * next answer, of which the free ones cost nothing.
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
	/** The wall clock has jumped since the last answer. */
	#hasJumped = false;
	#isHostBehind = false;
	/** It was this late already when it was last stored, epoch ms. */
	#floor = 0;
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

	/**
	 * Takes over what an earlier process knew. The host's clock may have been set since
	 * then, or begin anew where there is no battery for it: it is no earlier than it was
	 * before, and the skew is only believed where it does not lead ahead.
	 *
	 * @param skew the server's clock minus the host's, ms
	 * @param seenAt the server's time when that was stored, epoch ms
	 * @param isDateWrong whether the service's `Date` was found wrong
	 */
	resume(skew: number, seenAt: number, isDateWrong: boolean): void {
		const wall = this.#clock.now();
		const isSmall = Math.abs(skew) <= LEAST_OFFSET_MS;
		const possible = [wall + skew, ...(isSmall ? [] : [wall])].filter(
			(time) => time >= seenAt - LEAST_OFFSET_MS,
		);
		this.#floor = seenAt;
		this.#isHostBehind = possible.length === 0;
		this.#setTo(this.#isHostBehind ? seenAt : Math.min(...possible));
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
		this.#hasJumped = false;
	}

	/**
	 * Takes note of a jump of the wall clock against the monotonic one, so that the next
	 * one is seen as well.
	 *
	 * @returns whether there was one
	 */
	noteJump(): boolean {
		if (!this.#disagree) return false;
		this.#setTo(this.now());
		this.#hasJumped = true;
		return true;
	}

	/** Whether the host's clocks tell different times since the last answer or jump. */
	get #disagree(): boolean {
		const wall = this.#clock.now() - this.#wall;
		const monotonic = this.#clock.monotonic() - this.#monotonic;
		return Math.abs(wall - monotonic) > JUMP_MS;
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
			this.#floor = 0;
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

	/** Whether the host's clock at the start was behind a time that had been seen before, and surely wrong. */
	get isHostBehind(): boolean {
		return this.#isHostBehind;
	}

	/** The server's clock minus the host's wall clock, ms. */
	get skew(): number {
		return this.now() - this.#clock.now();
	}

	/**
	 * The server's clock minus the host's as an answer of this process told it, ms; null
	 * where none did, and where it is no more than two minutes.
	 */
	get offset(): number | null {
		const { skew } = this;
		const isTold = this.#isKnown && !this.#hasJumped && !this.#disagree;
		return isTold && Math.abs(skew) > LEAST_OFFSET_MS ? skew : null;
	}

	/** Epoch ms of the server. */
	now(): number {
		const wall = this.#clock.now();
		const byWall = this.#server + wall - this.#wall;
		const byMonotonic =
			this.#server + this.#clock.monotonic() - this.#monotonic;
		if (!this.#disagree) return Math.max(byWall, byMonotonic);
		const setRight = Math.min(byWall, wall);
		// Of a host whose clock was all there was, that clock counts.
		if (!this.#isKnown) return Math.max(setRight, this.#floor);
		if (byWall - byMonotonic > LONGEST_SLEEP_MS) return byMonotonic;
		return Math.max(
			Math.abs(wall - byMonotonic) < LEAST_OFFSET_MS ? setRight : byWall,
			byMonotonic,
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
			!this.#hasJumped &&
			wall - monotonic < JUMP_MS &&
			Math.max(wall, monotonic) < DRIFT_MS
		);
	}
}
