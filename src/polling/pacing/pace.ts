import { DAY_MS } from "../../util/time";
import type { AccountMemory } from "../memory/schemas";
import type { Policy } from "../schedule/limits";
import type { PacedPoll } from "../schedule/schedule";
import { type Allowance, allowanceOf } from "./allowance";
import { areIntervalsKnown, type PacedSource, slotFrom } from "./paced-source";
import { PollSlots, type SelectedPolls } from "./poll-selection";
import { findShadowPrice } from "./shadow-price";

/**
 * Days that are planned poll by poll, after today; the rest of the month is taken
 * to be like them. As many as forecasts tell apart, fewer of many sites, more
 * where polls are rare.
 */
const HORIZON = { most: 7, siteDays: 60, polls: 6 } as const;
/** Share of what may be spent that polls after midnight may take. */
const MIDNIGHT_SHARE = 0.1;
/** Weight of a site without any power, as a share of the mean of the others. */
const DARK_SHARE = 0.01;

/** How the account's sources are paced (behaviour: The month's requests). */
export interface Pace {
	/** `full`: at every `next_poll_at`; `spread`: where polls are worth most; `held`: not at all. */
	readonly kind: "full" | "spread" | "held";
	/** When this was computed, epoch ms: polls are selected from here, so that they stand still. */
	readonly now: number;
	/** End of the month, epoch ms. */
	readonly reset: number;
	/** The account's use at the end of the month if all goes as planned; null while that or an interval is unknown. */
	readonly projected: number | null;
	/** The shadow price of a poll: what it must save to be made, W h². */
	readonly price: number;
	/** Weight of an hour at a site without any power, W. */
	readonly darkWeight: number;
	readonly horizonDays: number;
	/** Number of dates of which one has a poll after midnight in any case, at each source. */
	readonly midnightEvery: number;
	/** Place of each source in the order in which they take turns at that. */
	readonly turns: ReadonlyMap<string, number>;
	/** Polls selected at this pace, by source: each is selected once. */
	readonly selected: Map<string, SelectedPoll>;
}

/** The part of a pace that statuses and messages show. */
export type PaceFacts = Pick<Pace, "kind" | "projected">;

/** A poll, and what it was selected for. */
interface SelectedPoll {
	readonly from: number;
	readonly since: number;
	readonly poll: PacedPoll;
}

/** Requests from `now` to `until` if a source is asked at each of its slots. */
function fullPolls(source: PacedSource, now: number, until: number): number {
	const first = slotFrom(source, now);
	return Math.max(0, Math.ceil((until - first) / source.intervalMs));
}

/**
 * How the account's sources are to be paced from now on, so that what may be
 * spent lasts until the end of the month (behaviour: The month's requests): at every
 * `next_poll_at` where that is possible; else each poll has a price, the same
 * for all, at which just as many are worth making as may be made.
 *
 * @param sources all that are polled and have a forecast
 * @param now epoch ms, the server's clock
 * @param last the pace so far: its price is kept where it still fits
 */
export function paceOf(
	account: AccountMemory,
	policy: Policy,
	sources: readonly PacedSource[],
	now: number,
	last?: Pace,
): Pace {
	const allowance = allowanceOf(account, policy, sources.length, now);
	const { polls: may, reset } = allowance;
	const full = sources.reduce(
		(sum, source) => sum + fullPolls(source, now, reset),
		0,
	);
	const base: Pace = {
		kind: "full",
		now,
		reset,
		projected: projectedUse(allowance, sources, full),
		price: 0,
		darkWeight: 1,
		horizonDays: 1,
		midnightEvery: 1,
		turns: new Map(),
		selected: new Map(),
	};
	if (may < 1) {
		return {
			...base,
			kind: "held",
			projected: projectedUse(allowance, sources, 0),
		};
	}
	return full <= may
		? base
		: spreadOut(sources, { ...base, kind: "spread" }, allowance, last?.price);
}

function projectedUse(
	{ used, others, limit }: Allowance,
	sources: readonly PacedSource[],
	polls: number,
): number | null {
	if (used === null || !areIntervalsKnown(sources)) return null;
	const projected = Math.round(used + others + polls);
	return Math.max(Math.min(projected, limit ?? Number.POSITIVE_INFINITY), used);
}

function spreadOut(
	sources: readonly PacedSource[],
	base: Pace,
	allowance: Allowance,
	guess: number | undefined,
): Pace {
	const { polls: may } = allowance;
	const days = (base.reset - base.now) / DAY_MS;
	const perDay = may / Math.max(days, 1);
	const isFilled = perDay >= 1 && days > 2;
	const unpriced: Pace = {
		...base,
		darkWeight: darkWeightOf(sources),
		horizonDays: Math.min(
			Math.max(
				1,
				Math.min(HORIZON.most, Math.floor(HORIZON.siteDays / sources.length)),
				Math.ceil((HORIZON.polls * sources.length) / perDay),
			),
			Math.ceil(days),
		),
		midnightEvery: Math.ceil(sources.length / (perDay * MIDNIGHT_SHARE)),
		turns: new Map(sources.map(({ key }, index) => [key, index])),
	};
	const slots = sources.map((source) => slotsOf(source, unpriced));
	let selected: SelectedPolls[] = [];
	const { price, polls } = findShadowPrice(
		(price) => {
			selected = slots.map((own, index) =>
				own.select(price / weightOf(sources[index] as PacedSource, unpriced)),
			);
			return sources.reduce(
				(sum, source, index) =>
					sum +
					pollsUntilEnd(source, selected[index] as SelectedPolls, unpriced),
				0,
			);
		},
		isFilled ? (may * pricedPerDay(perDay)) / perDay : may,
		guess || undefined,
	);
	const pace = {
		...unpriced,
		price,
		projected: projectedUse(allowance, sources, polls),
	};
	for (const [index, source] of sources.entries()) {
		const { first } = selected[index] as SelectedPolls;
		remember(source, pace, (slots[index] as PollSlots).at(first));
	}
	if (isFilled) fillNextDay(sources, pace);
	return pace;
}

/**
 * Polls a day that may be selected by price where each day without any gets one
 * besides, if such days are as many as chance makes them.
 */
function pricedPerDay(perDay: number): number {
	let priced = perDay;
	for (let round = 0; round < 10; round += 1) {
		priced = Math.max(perDay - Math.exp(-priced), perDay / 4);
	}
	return priced;
}

/**
 * No day is to be without a poll: where none would come before the end of the day
 * after the last one, one is brought forward by whole days, at the source where
 * that makes most power's forecast younger.
 */
function fillNextDay(sources: readonly PacedSource[], pace: Pace): void {
	const polled = Math.max(...sources.map(({ askedAt }) => askedAt));
	const days = sources.map((source) => {
		const { zone } = source.power;
		const day = zone.dayOf(polled) + 1;
		const { at } = nextPoll(source, pace);
		return {
			source,
			at,
			start: zone.dayStart(day),
			end: zone.dayStart(day + 1),
		};
	});
	if (days.some(({ at, end }) => at < end || end > pace.reset)) return;
	const worthOf = ({ source, start, end }: (typeof days)[number]) =>
		weightOf(source, pace) *
		source.power.weightBetween(start, end) *
		(end - source.since);
	const { source, at, start, end } = days.reduce((best, one) =>
		worthOf(one) > worthOf(best) ? one : best,
	);
	const { from, intervalMs } = source;
	const sooner = at - Math.ceil((at - end + 1) / DAY_MS) * DAY_MS;
	const slots = (Math.max(sooner, start, from) - from) / intervalMs;
	remember(source, pace, from + Math.ceil(slots) * intervalMs);
}

/** Weight of an hour at a site without power, beside those that have some. */
function darkWeightOf(sources: readonly PacedSource[]): number {
	const means = sources
		.map(({ power }) => power.mean)
		.filter((mean) => mean > 0);
	return means.length > 0
		? (DARK_SHARE * means.reduce((sum, mean) => sum + mean, 0)) / means.length
		: 1;
}

const weightOf = ({ power, bias }: PacedSource, { darkWeight }: Pace) =>
	bias * (power.mean > 0 ? 1 : darkWeight);

/** The horizon: the local midnight that ends the days which are planned poll by poll, or the end of the month. */
function horizonOf({ power: { zone } }: PacedSource, pace: Pace): number {
	const day = zone.dayOf(pace.now) + pace.horizonDays + 1;
	return Math.min(pace.reset, zone.dayStart(day));
}

function slotsOf(source: PacedSource, pace: Pace): PollSlots {
	const { intervalMs, key } = source;
	const every = pace.midnightEvery;
	const turn = (pace.turns.get(key) ?? 0) % every;
	// What comes once a day comes after midnight in any case.
	const midnights = intervalMs < DAY_MS / 2 ? { every, turn } : null;
	return new PollSlots(source, pace.now, horizonOf(source, pace), midnights);
}

/** Polls until the end of the month, if the days beyond the horizon are like those before it. */
function pollsUntilEnd(
	source: PacedSource,
	{ count, today }: SelectedPolls,
	pace: Pace,
): number {
	const { zone } = source.power;
	const horizon = horizonOf(source, pace);
	if (horizon >= pace.reset) return count;
	const midnight = zone.dayStart(zone.dayOf(pace.now) + 1);
	return (
		today + ((count - today) * (pace.reset - midnight)) / (horizon - midnight)
	);
}

/** The next poll of a source at this pace: the same whenever it is asked for. */
export function nextPoll(source: PacedSource, pace: Pace): PacedPoll {
	if (pace.kind === "full") return { at: source.from, reason: null };
	if (pace.kind === "held") return { at: pace.reset, reason: "reserve" };
	const known = pace.selected.get(source.key);
	if (known?.from === source.from && known.since === source.since) {
		return known.poll;
	}
	const slots = slotsOf(source, pace);
	const { first } = slots.select(pace.price / weightOf(source, pace));
	return remember(source, pace, slots.at(first));
}

/** @param slot the first that is asked at, null where the days ahead have none */
function remember(
	source: PacedSource,
	pace: Pace,
	slot: number | null,
): PacedPoll {
	const { key, from, since } = source;
	const at = slot ?? horizonOf(source, pace);
	const poll: PacedPoll =
		at <= from
			? { at: from, reason: null }
			: { at, reason: source.power.hasPower(from, at) ? "spread" : "night" };
	pace.selected.set(key, { from, since, poll });
	return poll;
}
