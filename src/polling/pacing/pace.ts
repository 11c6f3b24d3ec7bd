import type { AccountMemory } from "../memory/schemas";
import type { Policy } from "../schedule/schedule";
import { type Allowance, allowanceOf } from "./allowance";
import {
	type Looks,
	type PacedSource,
	Slots,
	slotFrom,
} from "./poll-selection";
import { findPrice } from "./shadow-price";

const DAY = 86_400_000;
/**
 * Days that are planned look by look, after today; the rest of the month is taken
 * to be like them. As many as forecasts tell apart, fewer of many sites, more
 * where looks are rare.
 */
const HORIZON = { most: 7, siteDays: 60, looks: 6 } as const;
/** Looks after midnight are set on as many dates as take no more than this share of what there is. */
const MIDNIGHT_SHARE = 0.2;
/** What a site without any power is worth, as a share of the mean of the others. */
const DARK_SHARE = 0.01;

/** How the account's sources are paced (behaviour: The month's requests). */
export interface Pace {
	/** `full`: at every `next_poll_at`; `spread`: where looks are worth most; `held`: not at all. */
	readonly kind: "full" | "spread" | "held";
	/** When this was found, epoch ms: looks are chosen from here, so that they stand still. */
	readonly now: number;
	/** Up to when it is good, epoch ms. */
	readonly until: number;
	/** End of the month, epoch ms. */
	readonly reset: number;
	/** The account's use at the end of the month if all goes as planned, null while unknown. */
	readonly projected: number | null;
	/** What a look must save to be made, W h². */
	readonly price: number;
	/** What an hour is worth at a site without any power, W. */
	readonly dark: number;
	readonly horizonDays: number;
	/** Of so many dates, one has a look after midnight in any case, at each source. */
	readonly midnightEvery: number;
	/** Place of each source in the order in which they take turns at that. */
	readonly turns: ReadonlyMap<string, number>;
	/** Looks chosen at this pace, by source: each is chosen once. */
	readonly chosen: Map<string, Chosen>;
}

/** What is told of a pace. */
export type PaceFacts = Pick<Pace, "kind" | "projected">;

/** When a source is to be asked at a pace. */
export interface Look {
	/** Epoch ms. */
	readonly at: number;
	/** Why later than the service's own times say, null when it is not. */
	readonly reason: "spread" | "night" | "reserve" | null;
}

/** A look, and what it was chosen for. */
interface Chosen {
	readonly from: number;
	readonly since: number;
	readonly look: Look;
}

/** Requests from `now` to `until` if a source is asked at each of its slots. */
export function fullLooks(
	source: PacedSource,
	now: number,
	until: number,
): number {
	const first = slotFrom(source, now);
	return Math.max(0, Math.ceil((until - first) / source.stepMs));
}

/**
 * How the account's sources are to be paced from now on, so that what may be
 * spent lasts until the end of the month (behaviour: The month's requests): at every
 * `next_poll_at` where that is possible; else each look has a price, the same
 * for all, at which just as many are worth making as there may be.
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
	const allowance = allowanceOf(account, policy, now);
	const { looks: may, until, reset } = allowance;
	const full = sources.reduce(
		(sum, source) => sum + fullLooks(source, now, until),
		0,
	);
	const base: Pace = {
		kind: "full",
		now,
		until,
		reset,
		projected: projectedUse(allowance, full),
		price: 0,
		dark: 1,
		horizonDays: 1,
		midnightEvery: 1,
		turns: new Map(),
		chosen: new Map(),
	};
	if (may < 1) {
		return {
			...base,
			kind: "held",
			until: reset,
			projected: projectedUse(allowance, 0),
		};
	}
	return full <= may
		? base
		: spreadOut(sources, { ...base, kind: "spread" }, allowance, last?.price);
}

function projectedUse(
	{ used, others, limit }: Allowance,
	looks: number,
): number | null {
	return used === null
		? null
		: Math.min(
				Math.round(used + others + looks),
				limit ?? Number.POSITIVE_INFINITY,
			);
}

function spreadOut(
	sources: readonly PacedSource[],
	base: Pace,
	allowance: Allowance,
	guess: number | undefined,
): Pace {
	const { looks: may, isTheirs } = allowance;
	const days = (base.until - base.now) / DAY;
	const perDay = may / sources.length / Math.max(days, 1);
	const unpriced: Pace = {
		...base,
		dark: darkWorth(sources),
		horizonDays: Math.min(
			Math.max(
				1,
				Math.min(HORIZON.most, Math.floor(HORIZON.siteDays / sources.length)),
				Math.ceil(HORIZON.looks / perDay),
			),
			Math.ceil(days),
		),
		midnightEvery: Math.ceil(1 / (perDay * (isTheirs ? 1 : MIDNIGHT_SHARE))),
		turns: new Map(sources.map(({ key }, index) => [key, index])),
	};
	const slots = sources.map((source) => slotsOf(source, unpriced));
	let chosen: Looks[] = [];
	const { price, looks } = findPrice(
		(price) => {
			chosen = slots.map((own, index) =>
				own.choose(price / worthOf(sources[index] as PacedSource, unpriced)),
			);
			return sources.reduce(
				(sum, source, index) =>
					sum + looksUntilEnd(source, chosen[index] as Looks, unpriced),
				0,
			);
		},
		may,
		guess || undefined,
	);
	const pace = {
		...unpriced,
		price,
		projected: projectedUse(allowance, looks),
	};
	for (const [index, source] of sources.entries()) {
		const { first } = chosen[index] as Looks;
		remember(source, pace, (slots[index] as Slots).at(first));
	}
	return pace;
}

/** What an hour is worth at a site without power, beside those that have some. */
function darkWorth(sources: readonly PacedSource[]): number {
	const means = sources
		.map(({ daylight }) => daylight.mean)
		.filter((mean) => mean > 0);
	return means.length > 0
		? (DARK_SHARE * means.reduce((sum, mean) => sum + mean, 0)) / means.length
		: 1;
}

const worthOf = ({ daylight, bias }: PacedSource, { dark }: Pace) =>
	bias * (daylight.mean > 0 ? 1 : dark);

/** The local midnight that ends the days which are planned look by look, or the end. */
function horizonOf({ daylight: { zone } }: PacedSource, pace: Pace): number {
	const day = zone.dayOf(pace.now) + pace.horizonDays + 1;
	return Math.min(pace.until, zone.dayStart(day));
}

function slotsOf(source: PacedSource, pace: Pace): Slots {
	const every = pace.midnightEvery;
	const turn = (pace.turns.get(source.key) ?? 0) % every;
	return new Slots(source, pace.now, horizonOf(source, pace), { every, turn });
}

/** Looks until the end, when the days beyond the horizon are like those before it. */
function looksUntilEnd(
	source: PacedSource,
	{ count, today }: Looks,
	pace: Pace,
): number {
	const { zone } = source.daylight;
	const horizon = horizonOf(source, pace);
	if (horizon >= pace.until) return count;
	const midnight = zone.dayStart(zone.dayOf(pace.now) + 1);
	return (
		today + ((count - today) * (pace.until - midnight)) / (horizon - midnight)
	);
}

/** The next look at a source at this pace: the same whenever it is asked for. */
export function nextLook(source: PacedSource, pace: Pace): Look {
	if (pace.kind === "full") return { at: source.from, reason: null };
	if (pace.kind === "held") return { at: pace.reset, reason: "reserve" };
	const known = pace.chosen.get(source.key);
	if (known?.from === source.from && known.since === source.since) {
		return known.look;
	}
	const slots = slotsOf(source, pace);
	const { first } = slots.choose(pace.price / worthOf(source, pace));
	return remember(source, pace, slots.at(first));
}

/** @param slot the first that is asked at, null where the days ahead have none */
function remember(source: PacedSource, pace: Pace, slot: number | null): Look {
	const { key, from, since } = source;
	const horizon = horizonOf(source, pace);
	const at = slot ?? (horizon < pace.until ? horizon : pace.reset);
	const look: Look =
		at <= from
			? { at: from, reason: null }
			: { at, reason: source.daylight.hasPower(from, at) ? "spread" : "night" };
	pace.chosen.set(key, { from, since, look });
	return look;
}
