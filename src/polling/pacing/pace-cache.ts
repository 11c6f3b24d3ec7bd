import { DAY_MS, SECOND_MS } from "../../util/time";
import type { AccountMemory } from "../memory/schemas";
import type { Policy } from "../schedule/limits";
import { CLOCK_TOLERANCE_MS } from "../schedule/remembered-times";
import { type Pace, paceOf } from "./pace";
import type { PacedSource } from "./paced-source";

/** Least time between two computations of a pace, for each source, ms: their cost grows with the sources. */
const REST_MS = 20 * SECOND_MS;
/** Longest time between them, ms: polls are selected for no less than this ahead. */
const LONGEST_MS = DAY_MS;

/** Keeps an account's pace until there is reason and time to compute it anew. */
export class PaceCache {
	#pace: Pace | undefined;
	#outdated = false;
	#nextAt = 0;

	/**
	 * Something that the pace depends on has changed.
	 *
	 * @param atOnce whether it cannot wait: a setting, or what is polled
	 */
	invalidate(atOnce = false): void {
		this.#outdated = true;
		if (atOnce) this.#nextAt = 0;
	}

	/** When the pace is to be computed anew, epoch ms. */
	get nextAt(): number {
		return this.#pace
			? Math.min(
					this.#pace.reset,
					this.#pace.now + LONGEST_MS,
					this.#outdated ? this.#nextAt : Number.POSITIVE_INFINITY,
				)
			: 0;
	}

	/**
	 * @param sources gathers all that are polled and have a forecast
	 * @param now epoch ms, the server's clock
	 */
	pace(
		account: AccountMemory,
		policy: Policy,
		sources: () => readonly PacedSource[],
		now: number,
	): Pace {
		const last = this.#pace;
		// A pace from the future was computed while the clock was wrong.
		if (last && now < this.nextAt && last.now < now + CLOCK_TOLERANCE_MS) {
			return last;
		}
		const all = sources();
		this.#pace = paceOf(account, policy, all, now, last);
		this.#outdated = false;
		this.#nextAt = now + all.length * REST_MS;
		return this.#pace;
	}
}
