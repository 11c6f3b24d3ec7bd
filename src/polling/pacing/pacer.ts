import type { AccountMemory, SiteMemory } from "../memory/schemas";
import {
	AHEAD_MS,
	type Policy,
	regularPlan,
	type SourceTiming,
} from "../schedule/schedule";
import { stepOf } from "../schedule/update-interval";
import type { Daylight } from "./expected-power";
import { type Pace, paceOf } from "./pace";
import type { PacedSource } from "./poll-selection";

/** Least time between two findings of a pace, for each source, ms: it costs as many steps as there are. */
const REST_MS = 20_000;
/** Most time between them, ms: looks are chosen for no less than this ahead. */
const MOST_MS = 24 * 3_600_000;

/** The fixed spread of a site, 5 to 30 s, makes it worth up to 10 % more. */
const BIAS_MS = 300_000;

/** Keeps an account's pace until there is reason and time to find it anew. */
export class Pacer {
	#pace: Pace | undefined;
	#changed = false;
	#nextAt = 0;

	/**
	 * Something that the pace depends on has changed.
	 *
	 * @param atOnce whether it cannot wait: a setting, or what is polled
	 */
	changed(atOnce = false): void {
		this.#changed = true;
		if (atOnce) this.#nextAt = 0;
	}

	/** When the pace is to be found anew, epoch ms. */
	get nextAt(): number {
		return this.#pace
			? Math.min(
					this.#pace.until,
					this.#pace.now + MOST_MS,
					this.#changed ? this.#nextAt : Number.POSITIVE_INFINITY,
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
		// A pace from the future was found while the clock was wrong.
		if (last && now < this.nextAt && last.now < now + AHEAD_MS) return last;
		const all = sources();
		this.#pace = paceOf(account, policy, all, now, last);
		this.#changed = false;
		this.#nextAt = now + all.length * REST_MS;
		return this.#pace;
	}
}

/**
 * A source as the pace sees it.
 *
 * @param daylight of the forecast in hand; read off only when it is needed
 * @param now epoch ms, the server's clock
 */
export function pacedSource(
	key: string,
	memory: SiteMemory,
	timing: SourceTiming,
	daylight: (computedAt: number) => Daylight,
	now: number,
): PacedSource {
	const from = regularPlan(memory, timing, now).at;
	const stepMs = stepOf(memory, from, timing.intervalMs);
	const askedAt = memory.answeredAt ?? now;
	const computedAt = memory.computedAt ?? askedAt;
	// Where the service lags behind its own times, asking again makes nothing younger.
	const since = computedAt > askedAt - stepMs ? computedAt : askedAt;
	return {
		key,
		from,
		stepMs,
		askedAt,
		since,
		bias: 1 + timing.spreadMs / BIAS_MS,
		get daylight() {
			return daylight(computedAt);
		},
	};
}
