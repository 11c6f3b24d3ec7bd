import type { SolarYieldClient } from "../../service/client";
import { type Clock, JUMP_MS } from "../../util/clock";
import { MINUTE_MS } from "../../util/time";
import { Timer } from "../../util/timer";
import type { AccountState } from "../account/account-state";
import type { SourceState } from "../account/source-state";
import { CLOCK_CHECK_MS, LOCKED_MS, retryDelay } from "../schedule/back-off";
import { CLOCK_TOLERANCE_MS } from "../schedule/remembered-times";
import type { ForecastRequests, RequestTrigger } from "./forecast-requests";
import type { Notifier } from "./notifier";
import type { RequestQueue } from "./request-queue";

/** Age at which a plan is made anew, ms, whatever it says. */
const REPLAN_MS = 5 * MINUTE_MS;

/**
 * The poll loop: has requests made when they are due, and tells of the sites'
 * midnights and of what has become stale. Each source is attended to when its own
 * time has come or something about it has changed; of the others a tick only reads
 * when that will be, so that its cost does not grow with them.
 */
export class PollLoop {
	readonly #account: AccountState;
	readonly #client: SolarYieldClient;
	readonly #notifier: Notifier;
	readonly #queue: RequestQueue;
	readonly #requests: ForecastRequests;
	readonly #clock: Clock;
	readonly #timer: Timer;
	/** Monotonic ms from which the server's clock may be checked. */
	#checkAfter = Number.POSITIVE_INFINITY;
	/** When it was last checked, monotonic ms. */
	#checkedAt = Number.NEGATIVE_INFINITY;
	#isChecking = false;
	#checksInVain = 0;
	#hasBegun = false;
	/** The server's clock minus the monotonic one at the last tick, ms. */
	#offset = 0;

	constructor(
		account: AccountState,
		client: SolarYieldClient,
		notifier: Notifier,
		queue: RequestQueue,
		requests: ForecastRequests,
		clock: Clock,
	) {
		this.#account = account;
		this.#client = client;
		this.#notifier = notifier;
		this.#queue = queue;
		this.#requests = requests;
		this.#clock = clock;
		this.#timer = new Timer(clock, () => this.tick());
	}

	/** The flows have started. */
	begin(): void {
		const { isHostBehind, isTrusted } = this.#account.server;
		const wait = isHostBehind && !isTrusted ? 0 : CLOCK_CHECK_MS;
		this.#checkAfter = Math.min(
			this.#checkAfter,
			this.#clock.monotonic() + wait,
		);
		this.#hasBegun = true;
	}

	/** Ends it until the next tick. */
	stop(): void {
		this.#timer.stop();
	}

	/** Does what has come due, and sets the timer for what comes next. */
	tick(): void {
		const { watched } = this.#account;
		if (watched.size === 0) {
			this.#timer.stop();
			return;
		}
		const isSet = this.#account.server.noteJump();
		// The service's time is read before anything is shown or sent by it.
		if (isSet) this.#checkAfterJump();
		const now = this.#account.now();
		if (this.#checkClock(now)) return;
		this.#notifier.notifyIfAccountChanged(now);
		const offset = now - this.#clock.monotonic();
		const hasJumped = isSet || Math.abs(offset - this.#offset) > JUMP_MS;
		this.#offset = offset;
		let next = Number.POSITIVE_INFINITY;
		for (const source of watched) {
			if (hasJumped || source.wakeAt <= now) this.#attend(source, now);
			next = Math.min(next, source.wakeAt);
		}
		this.#timer.set(next - now);
	}

	/** Does what has come due for one source. */
	#attend(source: SourceState, now: number): void {
		const midnight = this.#noteMidnight(source, now);
		const staleAt = this.#account.staleAt(source, now);
		const isStale = staleAt <= now;
		if (isStale !== source.wasStale) {
			source.wasStale = isStale;
			this.#notifier.tell(source, (one) => one.onChange());
		}
		let next = Math.min(
			now + REPLAN_MS,
			midnight,
			isStale ? Number.POSITIVE_INFINITY : staleAt,
		);
		if (this.#isPolled(source) && !source.request) {
			const { lockedUntil } = source;
			const at = Math.max(
				this.#account.plan(source, now).at,
				lockedUntil > now + LOCKED_MS ? 0 : lockedUntil,
			);
			if (at <= now) void this.#requests.request(source, this.#pollOf(source));
			else next = Math.min(next, at);
		}
		source.wakeAt = next;
	}

	/** Not while a deploy is under way: some nodes, or the account's limits, are not known. */
	#isPolled(source: SourceState): boolean {
		return (
			source.isAuto &&
			source.unserved.size === 0 &&
			this.#account.settings.size > 0
		);
	}

	#pollOf(source: SourceState): RequestTrigger {
		return {
			cause: "poll",
			isNeeded: () => this.#isPolled(source) && this.#account.isDue(source),
		};
	}

	/** A clock that jumps again and again is checked once a minute. */
	#checkAfterJump(): void {
		if (!this.#hasBegun || this.#isChecking) return;
		this.#checksInVain = 0;
		this.#checkAfter = Math.min(
			this.#checkAfter,
			Math.max(this.#clock.monotonic(), this.#checkedAt + CLOCK_CHECK_MS),
		);
	}

	/**
	 * Where the host's clocks do not tell the server's time, a free request does:
	 * else a clock that is behind would let a poll be missed.
	 *
	 * @returns whether one was made, after which there is another tick
	 */
	#checkClock(now: number): boolean {
		if (
			this.#clock.monotonic() < this.#checkAfter ||
			!this.#isInDoubt(now) ||
			this.#isRetried()
		) {
			return false;
		}
		this.#checkAfter = Number.POSITIVE_INFINITY;
		this.#checkedAt = this.#clock.monotonic();
		this.#isChecking = true;
		void this.#queue
			.inTurn(() => this.#client.sites())
			.catch(() => {})
			.finally(() => {
				const isInDoubt = this.#isInDoubt(this.#account.now());
				this.#isChecking = false;
				this.#checksInVain = isInDoubt ? this.#checksInVain + 1 : 0;
				this.#checkAfter =
					this.#clock.monotonic() +
					(isInDoubt ? retryDelay(this.#checksInVain) : CLOCK_CHECK_MS);
				this.tick();
			});
		return true;
	}

	/** While requests fail, each retry reads the time by itself; where the month is used up there is none. */
	#isRetried(): boolean {
		if (this.#account.memory.keyGate !== null) return true;
		for (const source of this.#account.watched) {
			const { failure } = source.memory;
			const isRetried = failure !== null && failure.kind !== "QUOTA";
			if (this.#isPolled(source) && !isRetried) return false;
		}
		return true;
	}

	/** Whether the server's clock may be another one; surely if it is behind an answer's. */
	#isInDoubt(now: number): boolean {
		if (!this.#account.server.isTrusted) return true;
		for (const source of this.#account.watched) {
			const { answeredAt } = source.memory;
			if (
				(answeredAt ?? 0) > now + CLOCK_TOLERANCE_MS &&
				this.#isPolled(source)
			) {
				return true;
			}
		}
		return false;
	}

	/** Tells of the site's midnight; returns when the next one is. */
	#noteMidnight(source: SourceState, now: number): number {
		if (!source.forecast) return Number.POSITIVE_INFINITY;
		const { zone } = source.forecast;
		const day = zone.dayOf(now);
		const before = source.day;
		source.day = day;
		// Backwards, too: a clock that was wrong had numbered the days wrong.
		if (before !== undefined && day !== before) {
			this.#notifier.tell(source, (one) => one.onMidnight());
		}
		return zone.dayStart(day + 1);
	}
}
