import { nextReset } from "../service/quota";
import { type Looks, type PacedSource, Slots, slotFrom } from "./looks";
import type { AccountMemory, SiteMemory } from "./memory";
import { expectedOthers } from "./others";
import {
	holdOf,
	ownThisMonth,
	type Policy,
	quotaNow,
	reserveOf,
} from "./schedule";

const DAY = 86_400_000;
/** Days that are planned look by look; the rest of the month is taken to be like them. */
const HORIZON_DAYS = { least: 3, looks: 6 } as const;
/** A look after midnight is set where it is no more than this share of what there is. */
const MIDNIGHT_SHARE = 0.2;
/** What a site without any power is worth, as a share of the mean of the others. */
const DARK_SHARE = 0.01;
/** How closely the looks planned meet what may be spent. */
const TOLERANCE = 0.01;
const MOST_TRIALS = 60;

/** How the account's sources are paced (CONTRACT 3.3). */
export interface Pace {
	/** `full`: at every `next_poll_at`; `spread`: where looks are worth most; `held`: not at all. */
	readonly kind: "full" | "spread" | "held";
	/** When this was found, epoch ms: plans are made from here, so that they stand still. */
	readonly now: number;
	/** End of the month, epoch ms. */
	readonly end: number;
	/** Use of the account at the end of the month if all goes as planned, null while unknown. */
	readonly projected: number | null;
	/** What one look must save, W h². */
	readonly price: number;
	/** What an hour without power is worth at a site that has none, W. */
	readonly dark: number;
	readonly horizonDays: number;
	readonly midnightLook: boolean;
}

/** Requests that a source makes until an instant if it asks at each slot. */
export function fullLooks(
	source: PacedSource,
	now: number,
	end: number,
): number {
	const first = slotFrom(source, now);
	return Math.max(0, Math.ceil((end - first) / source.stepMs));
}

/** First local midnight that is at least some days ahead, or the end of the month. */
function horizonOf(source: PacedSource, pace: Pace): number {
	const { zone } = source.daylight;
	const day = zone.dayOf(pace.now) + pace.horizonDays + 1;
	return Math.min(pace.end, zone.dayStart(day));
}

function slotsOf(source: PacedSource, pace: Pace): Slots {
	return new Slots(
		source,
		pace.now,
		horizonOf(source, pace),
		pace.midnightLook,
	);
}

const priceFor = ({ daylight }: PacedSource, { price, dark }: Pace) =>
	daylight.mean > 0 ? price : price / dark;

/** Looks until the end of the month, when the days beyond the horizon are like those before it. */
function looksUntilEnd(
	source: PacedSource,
	{ count, today }: Looks,
	pace: Pace,
): number {
	const { zone } = source.daylight;
	const horizon = horizonOf(source, pace);
	if (horizon >= pace.end) return count;
	const midnight = zone.dayStart(zone.dayOf(pace.now) + 1);
	return (
		today + ((count - today) * (pace.end - midnight)) / (horizon - midnight)
	);
}

/**
 * How the account's sources are to be paced from now on, so that what is left
 * lasts until the end of the month (CONTRACT 3.3).
 *
 * @param sources all that are polled
 * @param now epoch ms, the server's clock
 * @param last the pace so far: where it still fits it is kept
 */
export function paceOf(
	account: AccountMemory,
	policy: Policy,
	sources: readonly PacedSource[],
	now: number,
	last?: Pace,
): Pace {
	const quota = quotaNow(account.quota.forecast, now);
	const end = quota?.reset ?? nextReset(now);
	const own = ownThisMonth(account.own, now);
	const others = quota ? expectedOthers(account.others, end - quota.asOf) : 0;
	const full = sources.reduce(
		(sum, source) => sum + fullLooks(source, now, end),
		0,
	);
	const may = mayBeSpent();
	const projected = (looks: number) =>
		quota && Math.round(quota.used + others + looks);
	const base: Pace = {
		kind: "full",
		now,
		end,
		projected: projected(full),
		price: 0,
		dark: 1,
		horizonDays: HORIZON_DAYS.least,
		midnightLook: false,
	};
	const hold = holdOf(account, policy, now);
	if (may < 1 || (hold && hold.reason !== "burst")) {
		return { ...base, kind: "held", projected: projected(0) };
	}
	if (full <= may) return base;
	const days = (end - now) / DAY;
	const perDay = may / days / sources.length;
	const lit = sources.filter(({ daylight }) => daylight.mean > 0);
	const spread: Pace = {
		...base,
		kind: "spread",
		dark:
			lit.length > 0
				? (DARK_SHARE *
						lit.reduce((sum, { daylight }) => sum + daylight.mean, 0)) /
					lit.length
				: 1,
		horizonDays: Math.max(
			HORIZON_DAYS.least,
			Math.min(Math.ceil(HORIZON_DAYS.looks / perDay), Math.ceil(days)),
		),
		midnightLook: perDay * MIDNIGHT_SHARE >= 1,
	};
	const { price, looks } = priceOf(sources, spread, may, last?.price);
	return { ...spread, price, projected: projected(looks) };

	/** What is left for us above the reserve, what others are expected to use, and within the budget. */
	function mayBeSpent(): number {
		const budget = policy.budget === null ? Infinity : policy.budget - own;
		if (!quota || quota.remaining === null) return budget;
		const left = quota.remaining - reserveOf(policy, quota);
		// Where others take it all in any case, one look a day each is ours.
		const wholeDays = Math.floor((end - now) / DAY);
		const ours =
			left - others < wholeDays
				? Math.min(left, sources.length * wholeDays)
				: left - others;
		return Math.min(budget, ours);
	}
}

/** The price at which as many looks are worth it as may be made. */
function priceOf(
	sources: readonly PacedSource[],
	pace: Pace,
	may: number,
	guess: number | undefined,
): { price: number; looks: number } {
	const slots = sources.map((source) => slotsOf(source, pace));
	const looksAt = (price: number) =>
		sources.reduce(
			(sum, source, index) =>
				sum +
				looksUntilEnd(
					source,
					(slots[index] as Slots).choose(priceFor(source, { ...pace, price })),
					pace,
				),
			0,
		);
	// Between a price that is too low and one that is not.
	let price = guess && guess > 0 ? guess : 1000;
	let looks = looksAt(price);
	let low = 0;
	let high = Infinity;
	for (let trial = 0; trial < MOST_TRIALS; trial += 1) {
		if (looks <= may && looks >= may * (1 - TOLERANCE)) break;
		if (looks > may) low = price;
		else high = price;
		if (high / low < 1 + TOLERANCE / 10) break;
		const ratio = Math.max(looks, 0.5) / may;
		// Looks go with the root of the price, as long as slots are not scarce.
		const next =
			low > 0 && high < Infinity
				? Math.sqrt(low * high)
				: price *
					Math.min(Math.max(ratio * ratio, 1 / 16), 16) *
					(looks > may ? 1.05 : 0.95);
		price = next;
		looks = looksAt(price);
	}
	if (looks > may && high < Infinity) {
		price = high;
		looks = looksAt(price);
	}
	return { price, looks };
}

/** When a source is to be asked at this pace. */
export interface Look {
	/** Epoch ms. */
	readonly at: number;
	/** Why later than the service's own times say, null when it is not. */
	readonly reason: "spread" | "night" | "reserve" | null;
}

/** The next look at a source at this pace: the same whenever it is asked for. */
export function nextLook(source: PacedSource, pace: Pace): Look {
	const { from, stepMs } = source;
	if (pace.kind === "full") return { at: from, reason: null };
	if (pace.kind === "held") return { at: pace.end, reason: "reserve" };
	const slots = slotsOf(source, pace);
	const { first } = slots.choose(priceFor(source, pace));
	const at = first < 0 ? horizonOf(source, pace) : slots.first + first * stepMs;
	if (at <= from) return { at: from, reason: null };
	return {
		at,
		reason: source.daylight.hasPower(from, at) ? "spread" : "night",
	};
}

/** Time per source between two findings of a pace, ms. */
const REST_MS = 4_000;

/** Keeps the pace until there is reason and time to find it anew. */
export class Pacer {
	#pace: Pace | undefined;
	#changed = true;

	/** Something that a pace is found from has changed. */
	changed(): void {
		this.#changed = true;
	}

	/** @param sources gathers all that are polled */
	pace(
		account: AccountMemory,
		policy: Policy,
		sources: () => readonly PacedSource[],
		now: number,
	): Pace {
		const last = this.#pace;
		if (last && now < last.end && !(this.#changed && now >= this.nextAt)) {
			return last;
		}
		const all = sources();
		this.#changed = false;
		this.nextAt = now + all.length * REST_MS;
		this.#pace = paceOf(account, policy, all, now, last);
		return this.#pace;
	}

	/** When the pace may be found anew, epoch ms. */
	nextAt = 0;
}

/** Steps of a source that are remembered, and the longest is taken to be its distance. */
const STEPS = 4;
const MIN_STEP_MS = 60_000;

/**
 * Learns how far apart a source's forecasts are: from a request to the next one
 * that pays. A request in the middle of a slot shows less, so the longest of the
 * last few counts.
 */
export function learnStep(
	steps: readonly number[],
	answer: {
		answeredAt: number;
		computedAt: number;
		nextPollAt: number;
		spreadMs: number;
	},
): number[] {
	const { answeredAt, computedAt, nextPollAt, spreadMs } = answer;
	const asked = nextPollAt + spreadMs - answeredAt;
	// The first request knows nothing of slots; what it gets may tell.
	const step =
		steps.length === 0 && answeredAt - computedAt < DAY
			? Math.max(asked, nextPollAt - computedAt)
			: asked;
	return [...steps, Math.max(step, MIN_STEP_MS)].slice(-STEPS);
}

/** Distance of the times at which a request pays, ms. */
export function stepOf(
	{ steps, answeredAt }: SiteMemory,
	from: number,
	intervalMs: number | undefined,
): number {
	return (
		intervalMs ??
		(steps.length > 0
			? Math.max(...steps)
			: Math.max(from - (answeredAt ?? from), MIN_STEP_MS))
	);
}
