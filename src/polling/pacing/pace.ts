import { nextReset } from "../../service/quota";
import { DAY_MS, HOUR_MS } from "../../util/time";
import type { AccountMemory } from "../memory/memory";
import {
	ownThisMonth,
	type Policy,
	quotaNow,
	reachedLimit,
} from "../schedule/limits";
import type { PacedPoll } from "../schedule/schedule";
import type { ExpectedPower } from "./expected-power";
import { expectedOfOthers } from "./other-clients";

/** A source that is polled, as pacing sees it (behaviour: The month's requests); times are epoch ms on the server's clock. */
export interface PacedSource {
	readonly key: string;
	/** First time at which a request brings something newer: the first slot. */
	readonly from: number;
	/** Distance of forecasts, and of slots. */
	readonly intervalMs: number;
	readonly stepMs: number;
	/** Whether the distance has been seen between forecasts. */
	readonly isIntervalKnown: boolean;
	readonly askedAt: number;
	/** From when on the forecast in hand has aged. */
	readonly since: number;
	/** Factor on its power, a little different for each, or equal ones would all be asked in one slot. */
	readonly bias: number;
	readonly power: ExpectedPower;
}

/** How an account's sources are paced. */
export interface Pace {
	/** `full`: at every `next_poll_at`; `spread`: where polls are worth most; `held`: not at all. */
	readonly kind: "full" | "spread" | "held";
	/** When this was found. */
	readonly now: number;
	/** End of the month. */
	readonly reset: number;
	/** The account's use at the end of the month if all goes as planned; null while unknown. */
	readonly projected: number | null;
	/** What a poll must be worth to be made, W h². */
	readonly price: number;
	/** The poll of a day that would have none. */
	readonly extra: { readonly key: string; readonly at: number } | null;
}

/** Share of what is left that no estimate of others' use takes: half of an even share, and some more for dull days. */
const LEAST_SHARE = 0.6;
/** Days that are walked through to find the price; more where they would hold fewer polls of each source. */
const AHEAD = { days: 7, polls: 6 } as const;
/** How closely the price is found, in how many steps at most, and how low. */
const [PRECISION, MOST_STEPS, LEAST_PRICE] = [0.02, 16, 1e-9];

/**
 * Requests that polls may use until the end of the month, not rounded: what is left
 * above the reserve, less what others are expected to use, and no more than the budget.
 */
function allowance(
	account: AccountMemory,
	policy: Policy,
	sources: number,
	now: number,
) {
	const quota = quotaNow(account.quota.forecast, now);
	const reset = quota?.reset ?? nextReset(now);
	const ms = quota ? reset - quota.asOf : 0;
	const { isSure, likely, most } = expectedOfOthers(account.others, ms);
	const own = ownThisMonth(account.own, now);
	const limit = reachedLimit(account, policy, now);
	let polls = policy.budget - own;
	if (limit && limit.reason !== "burst") polls = 0;
	else if (quota && quota.remaining !== null) {
		const left = quota.remaining - policy.reserve;
		const days = (reset - now) / DAY_MS;
		const share = LEAST_SHARE * (left - (isSure ? likely : 0));
		// Whatever others do, a poll a day; where they use up the month in any case, as
		// many as make forecasts younger by as much as they bring the end forward.
		const isTheirs = left + own - likely < 1;
		const rate = (sources * (likely / days) ** 2) / (2.5 * days);
		const daily = isTheirs ? Math.max(1, Math.cbrt(rate)) : 1;
		polls = Math.min(polls, Math.max(left - most, share, days * daily));
	}
	return { polls, reset, quota, others: likely };
}

/** The first slot that is not over at an instant: asked late, it still pays. */
const slotFrom = (from: number, stepMs: number, instant: number) =>
	from + Math.max(0, Math.floor((instant - from) / stepMs)) * stepMs;

/**
 * The slots of a source up to an instant. One is worth the power of the time up to the
 * next × the forecast's age now × its age then / 2, in W h²: by that rule polls at steady
 * power come at the distance that costs least. It is worth no more than all power until
 * the month ends × the age, for then all is asked anew.
 */
class Slots {
	readonly #first: number;
	readonly #stepMs: number;
	/** Least number of slots between two polls. */
	readonly #gap: number;
	/** The forecast in hand as a slot before the first. */
	readonly #held: number;
	/** What each slot is worth for a forecast that is one step old: by the next slot, and at most. */
	readonly #next: Float64Array;
	readonly #most: Float64Array;

	constructor(source: PacedSource, { now, reset }: Pace, until: number) {
		const { from, intervalMs, stepMs, since, bias, power } = source;
		this.#stepMs = stepMs;
		this.#gap = Math.round(intervalMs / stepMs);
		this.#first = slotFrom(from, stepMs, now);
		this.#held = Math.min((since - this.#first) / stepMs, -1e-9);
		const length = this.slot(until);
		const factor = (bias * stepMs) / HOUR_MS;
		const all = power.until(reset);
		this.#next = new Float64Array(length);
		this.#most = new Float64Array(length);
		let here = power.until(this.#first);
		for (let slot = 0; slot < length; slot += 1) {
			this.#most[slot] = factor * (all - here);
			const next = power.until(this.at(slot + 1));
			this.#next[slot] = (factor * (next - here)) / 2;
			here = next;
		}
	}

	/** When a slot begins. */
	at(slot: number): number {
		return this.#first + slot * this.#stepMs;
	}

	/** The first slot that does not begin before an instant. */
	slot(instant: number): number {
		return Math.max(0, Math.ceil((instant - this.#first) / this.#stepMs));
	}

	/** What a poll is worth at a slot, after one at another. */
	worth(slot: number, last = this.#held): number {
		const age = slot - last;
		const next = (this.#next[slot] as number) * (age + 1);
		return age * Math.min(next, this.#most[slot] as number);
	}

	/** The first slot from one on that is worth a price; the number of slots for none. */
	next(price: number, last = this.#held, from = 0): number {
		let slot = from;
		const { length } = this.#next;
		while (slot < length && this.worth(slot, last) < price) slot += 1;
		return slot;
	}

	/** Polls at a price. */
	polls(price: number): number {
		let polls = 0;
		let slot = this.next(price);
		for (; slot < this.#next.length; polls += 1) {
			slot = this.next(price, slot, slot + this.#gap);
		}
		return polls;
	}
}

/**
 * How the account's sources are paced from now on, so that what may be spent lasts
 * until the end of the month: at every `next_poll_at` where that is possible; else at
 * the price at which a walk over the next days, taken on to the end, spends just that.
 *
 * @param sources all that are polled and have a forecast
 * @param last the pace so far: its price is where the search begins
 */
export function paceOf(
	account: AccountMemory,
	policy: Policy,
	sources: readonly PacedSource[],
	now: number,
	last?: Pace,
): Pace {
	const plan = allowance(account, policy, sources.length, now);
	const { polls: may, reset, quota, others } = plan;
	const isKnown = sources.every(({ isIntervalKnown }) => isIntervalKnown);
	const pace = (kind: Pace["kind"], polls: number, price = 0): Pace => {
		const use = Math.round((quota?.used ?? 0) + others + polls);
		const most = Math.min(use, quota?.limit ?? Infinity);
		const projected = quota && isKnown ? Math.max(most, quota.used) : null;
		return { kind, now, reset, projected, price, extra: null };
	};
	if (may < 1) return pace("held", 0);
	const full = sources.reduce((sum, { from, intervalMs }) => {
		const ahead = reset - slotFrom(from, intervalMs, now);
		return sum + Math.max(0, Math.ceil(ahead / intervalMs));
	}, 0);
	if (full <= may) return pace("full", full);
	const days = Math.max((reset - now) / DAY_MS, 1);
	const perDay = may / days;
	const rare = Math.ceil((AHEAD.polls * sources.length) / perDay);
	const until = Math.min(reset, now + Math.max(AHEAD.days, rare) * DAY_MS);
	const unpriced = pace("spread", may);
	const slots = sources.map((source) => new Slots(source, unpriced, until));
	const pollsAt = (price: number) =>
		(slots.reduce((sum, own) => sum + own.polls(price), 0) * (reset - now)) /
		(until - now);
	// Where there is one for each day and no more, no slot is worth a second; not in
	// the last days, when each day's best slots are in sight.
	const isOneADay = perDay >= 1 && may < days + 1 && days > 3;
	const guess = Number.isFinite(last?.price) ? last?.price || 1 : 1;
	const { price, polls } = isOneADay
		? { price: Infinity, polls: may }
		: findPrice(pollsAt, may, guess);
	const priced = pace("spread", polls, price);
	const extra = perDay < 1 ? null : extraPoll(sources, slots, priced);
	return { ...priced, extra };
}

/**
 * The price at which polls are about as many as may be made and no more, and how many
 * they are: by bisection. Where slots are plenty, the number of polls goes with the root of the
 * price, which saves most of the steps.
 */
function findPrice(
	pollsAt: (price: number) => number,
	may: number,
	guess: number,
): { price: number; polls: number } {
	let [low, price, high] = [LEAST_PRICE, guess, Infinity];
	for (let step = 0; ; step += 1) {
		const polls = pollsAt(price);
		const isClose = polls <= may && polls >= (1 - PRECISION) * may;
		const isDone = step >= MOST_STEPS && polls <= may;
		if (isClose || isDone || price <= LEAST_PRICE) return { price, polls };
		if (polls > may) low = price;
		else high = price;
		const next = price * Math.min(Math.max((polls / may) ** 2, 1 / 64), 64);
		const isInside = next > low && next < high && step < MOST_STEPS / 2;
		const middle = Math.sqrt(low * Math.min(high, low * 4096));
		price = step >= MOST_STEPS ? high : isInside ? next : middle;
	}
}

/**
 * No day is to be without a poll: where none would come before the end of the day
 * after the last one, the slot of that day that is worth most has one.
 */
function extraPoll(
	sources: readonly PacedSource[],
	slots: readonly Slots[],
	{ price, reset }: Pace,
): Pace["extra"] {
	const polled = Math.max(...sources.map(({ askedAt }) => askedAt));
	let [best, extra]: [number, Pace["extra"]] = [0, null];
	for (const [index, { key, power }] of sources.entries()) {
		const own = slots[index] as Slots;
		const day = power.zone.dayOf(polled) + 1;
		const end = power.zone.dayStart(day + 1);
		if (end > reset || own.at(own.next(price)) < end) return null;
		let slot = own.slot(power.zone.dayStart(day));
		for (; own.at(slot) < end; slot += 1) {
			if (own.worth(slot) <= best) continue;
			best = own.worth(slot);
			extra = { key, at: own.at(slot) };
		}
	}
	return extra;
}

/** The next poll of a source at this pace: the same whenever it is asked for. */
export function nextPoll(source: PacedSource, pace: Pace): PacedPoll {
	const { from, key, power } = source;
	const { kind, reset, price, extra } = pace;
	if (kind === "held") return { at: reset, reason: "reserve" };
	let at = kind === "full" ? from : reset;
	const begin = Math.max(pace.now, from);
	// As a rule it is near: further slots are looked at when it is not.
	for (let ms = DAY_MS / 4; at > from && begin < reset; ms *= 4) {
		const until = Math.min(begin + ms, reset);
		const slots = new Slots(source, pace, until);
		at = Math.min(slots.at(slots.next(price)), reset);
		if (at < until || until === reset) break;
	}
	if (extra?.key === key && extra.at >= from) at = Math.min(at, extra.at);
	if (at <= from) return { at: from, reason: null };
	return { at, reason: power.hasPower(from, at) ? "spread" : "night" };
}
