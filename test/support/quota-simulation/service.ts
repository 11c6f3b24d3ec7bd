import { nextReset, type Quota } from "../../../src/service/quota";
import { DAY_MS, MINUTE_MS } from "../../../src/util/time";
import type { Zone } from "../../../src/util/zone";

/** What an account may do. */
export interface ServicePlan {
	/** Forecast requests a month, null when unmetered. */
	readonly limit: number | null;
	/** Slots a day, from local midnight. */
	readonly updates: number;
	/** How long before the start of its slot a forecast is computed, ms. */
	readonly lagMs?: number;
}

/** Plans with more updates a day than this name no time nearer than 15 min. */
const DENSE_UPDATES = 96;
const DENSE_MS = 15 * MINUTE_MS;

interface ServiceAnswer {
	readonly status: 200 | 429;
	readonly computedAt: number;
	readonly nextPollAt: number;
	readonly quota: Quota;
}

/** The slot that holds an instant: its start, and that of the next. */
export function slotOf(
	zone: Zone,
	updates: number,
	instant: number,
): { start: number; next: number } {
	const midnight = zone.dayStart(zone.dayOf(instant));
	const nextMidnight = zone.dayStart(zone.dayOf(instant) + 1);
	const length = DAY_MS / updates;
	const start = midnight + Math.floor((instant - midnight) / length) * length;
	return { start, next: Math.min(start + length, nextMidnight) };
}

/**
 * The service as far as a schedule meets it: slots, the account's count, and
 * others who draw on it.
 */
export class LightService {
	readonly #plan: ServicePlan;
	readonly #zones: readonly Zone[];
	readonly #foreign: readonly number[];
	readonly #last: ({ computedAt: number; nextPollAt: number } | undefined)[];
	#heard = 0;
	#month = 0;
	readonly #level: number;
	/** Requests counted this month. */
	used = 0;
	/** When `used` first reached the level, epoch ms. */
	reachedAt: number | undefined;

	/**
	 * @param zones of the sites
	 * @param foreign times of others' requests, ascending, epoch ms
	 * @param level of `used` that is taken note of; 0 for none
	 */
	constructor(
		plan: ServicePlan,
		zones: readonly Zone[],
		foreign: readonly number[],
		level = 0,
	) {
		this.#plan = plan;
		this.#zones = zones;
		this.#foreign = foreign;
		this.#level = level;
		this.#last = zones.map(() => undefined);
	}

	/** Lets others use the account up to an instant. */
	advance(now: number): void {
		for (;;) {
			const at = this.#foreign[this.#heard];
			if (at === undefined || at > now) break;
			this.#heard += 1;
			this.#turnMonth(at);
			this.#count(at);
		}
		this.#turnMonth(now);
	}

	#turnMonth(instant: number): void {
		const reset = nextReset(instant);
		if (reset !== this.#month) this.used = 0;
		this.#month = reset;
	}

	/** Counts a request; false when the month's are used up. */
	#count(at: number): boolean {
		const { limit } = this.#plan;
		if (limit !== null && this.used >= limit) return false;
		this.used += 1;
		if (this.used === this.#level) this.reachedAt ??= at;
		return true;
	}

	/** A forecast request for a site. */
	ask(site: number, now: number): ServiceAnswer {
		this.advance(now);
		const { limit, updates, lagMs = 0 } = this.#plan;
		const granted = this.#count(now);
		const zone = this.#zones[site] as Zone;
		const { start, next } = slotOf(zone, updates, now);
		let last = this.#last[site];
		if (granted && (!last || now >= last.nextPollAt)) {
			last =
				updates > DENSE_UPDATES
					? { computedAt: now, nextPollAt: Math.max(next, now + DENSE_MS) }
					: { computedAt: start - lagMs, nextPollAt: next };
			this.#last[site] = last;
		}
		return {
			status: granted ? 200 : 429,
			computedAt: last?.computedAt ?? start,
			nextPollAt: last?.nextPollAt ?? next,
			quota: {
				limit,
				used: this.used,
				remaining: limit === null ? null : limit - this.used,
				reset: nextReset(now),
				asOf: now,
			},
		};
	}
}
