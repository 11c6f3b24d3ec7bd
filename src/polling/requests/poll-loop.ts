import type { SolarYieldClient } from "../../service/client";
import type { Ledger } from "../account/account-state";
import type { Entry } from "../account/source-state";
import { AHEAD_MS } from "../schedule/schedule";
import type { Clock } from "../schedule/server-clock";
import type { Herald } from "./notifier";
import { type Asker, BUSY_MS, type Need } from "./request-queue";
import { Alarm } from "./timer";

/** Free looks at the server's clock: this long after a start or a look, and after one in vain, ms. */
const LOOK_MS = { first: 60_000, inVain: 3_600_000 } as const;
/** No plan is gone by for longer than this, ms, whatever it says. */
const REVIEW_MS = 5 * 60_000;
/** A time that moved by this much against the monotonic clock was set anew, ms. */
const JUMP_MS = 2_000;

/**
 * The clock: has requests made when they are due, tells of the sites' midnights
 * and of what has become stale. Each source is looked at when its own time has
 * come or something about it has changed; of the others a tick only reads when
 * that will be, so that its cost does not grow with them.
 */
export class Watch {
	readonly #ledger: Ledger;
	readonly #client: SolarYieldClient;
	readonly #herald: Herald;
	readonly #asker: Asker;
	readonly #clock: Clock;
	readonly #alarm: Alarm;
	/** Monotonic ms from which the server's clock may be looked at. */
	#lookAfter = Number.POSITIVE_INFINITY;
	/** The server's clock minus the monotonic one at the last tick, ms. */
	#offset = 0;

	constructor(
		ledger: Ledger,
		client: SolarYieldClient,
		herald: Herald,
		asker: Asker,
		clock: Clock,
	) {
		this.#ledger = ledger;
		this.#client = client;
		this.#herald = herald;
		this.#asker = asker;
		this.#clock = clock;
		this.#alarm = new Alarm(clock, () => this.tick());
	}

	/** The flows have started. */
	begin(): void {
		this.#lookAfter = Math.min(
			this.#lookAfter,
			this.#clock.monotonic() + LOOK_MS.first,
		);
	}

	/** Ends it until the next tick. */
	stop(): void {
		this.#alarm.stop();
	}

	/** Does what has come due, and sets the alarm for what comes next. */
	tick(): void {
		const { watched } = this.#ledger;
		if (watched.size === 0) {
			this.#alarm.stop();
			return;
		}
		const now = this.#ledger.now();
		this.#herald.review(now);
		const offset = now - this.#clock.monotonic();
		const isSetAnew = Math.abs(offset - this.#offset) > JUMP_MS;
		this.#offset = offset;
		if (this.#lookAtClock(now)) return;
		let next = Number.POSITIVE_INFINITY;
		for (const entry of watched) {
			if (isSetAnew || entry.wakeAt <= now) this.#attend(entry, now);
			next = Math.min(next, entry.wakeAt);
		}
		this.#alarm.set(next - now);
	}

	/** Does what has come due for one source. */
	#attend(entry: Entry, now: number): void {
		const midnight = this.#turnDay(entry, now);
		const staleAt = this.#ledger.staleAt(entry, now);
		const isStale = staleAt <= now;
		if (isStale !== entry.wasStale) {
			entry.wasStale = isStale;
			this.#herald.tell(entry, (one) => one.onChange());
		}
		let next = Math.min(
			now + REVIEW_MS,
			midnight,
			isStale ? Number.POSITIVE_INFINITY : staleAt,
		);
		if (this.#isPolled(entry) && !entry.request) {
			const { busyUntil } = entry;
			const at = Math.max(
				this.#ledger.plan(entry, now).at,
				busyUntil > now + BUSY_MS ? 0 : busyUntil,
			);
			if (at <= now) void this.#asker.request(entry, this.#pollOf(entry));
			else next = Math.min(next, at);
		}
		entry.wakeAt = next;
	}

	/** Not while a deploy is under way: some nodes, or the account's limits, are not known. */
	#isPolled(entry: Entry): boolean {
		return (
			entry.isAuto &&
			entry.unserved.size === 0 &&
			this.#ledger.accounts.size > 0
		);
	}

	#pollOf(entry: Entry): Need {
		return {
			cause: "clock",
			isNeeded: () => this.#isPolled(entry) && this.#ledger.isDue(entry),
		};
	}

	/**
	 * Where the host's clocks do not tell the server's time, a free request does:
	 * else a clock that is behind would let a poll be missed.
	 *
	 * @returns whether one was made, after which there is another tick
	 */
	#lookAtClock(now: number): boolean {
		if (
			this.#clock.monotonic() < this.#lookAfter ||
			!this.#isInDoubt(now) ||
			this.#isTried()
		) {
			return false;
		}
		this.#lookAfter = Number.POSITIVE_INFINITY;
		void this.#asker
			.inTurn(() => this.#client.sites())
			.catch(() => {})
			.finally(() => {
				const isInDoubt = this.#isInDoubt(this.#ledger.now());
				this.#lookAfter =
					this.#clock.monotonic() +
					(isInDoubt ? LOOK_MS.inVain : LOOK_MS.first);
				this.tick();
			});
		return true;
	}

	/** While requests fail, each new try looks for itself. */
	#isTried(): boolean {
		if (this.#ledger.memory.keyGate !== null) return true;
		for (const entry of this.#ledger.watched) {
			if (this.#isPolled(entry) && !entry.memory.failure) return false;
		}
		return true;
	}

	/** Whether the server's clock may be another one; surely if it is behind an answer's. */
	#isInDoubt(now: number): boolean {
		if (!this.#ledger.server.trusted) return true;
		for (const entry of this.#ledger.watched) {
			const { answeredAt } = entry.memory;
			if ((answeredAt ?? 0) > now + AHEAD_MS && this.#isPolled(entry)) {
				return true;
			}
		}
		return false;
	}

	/** Tells of the site's midnight; returns when the next one is. */
	#turnDay(entry: Entry, now: number): number {
		if (!entry.forecast) return Number.POSITIVE_INFINITY;
		const { zone } = entry.forecast;
		const day = zone.dayOf(now);
		const before = entry.day;
		entry.day = day;
		// Backwards, too: a clock that was wrong had numbered the days wrong.
		if (before !== undefined && day !== before) {
			this.#herald.tell(entry, (one) => one.onMidnight());
		}
		return zone.dayStart(day + 1);
	}
}
