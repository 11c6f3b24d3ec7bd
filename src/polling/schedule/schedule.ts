import { nextReset, type Quota } from "../../service/quota";
import type { AccountMemory, SiteMemory } from "../memory/schemas";
import type { Look } from "../pacing/pace";

/**
 * When to ask next, and why: pure functions of what is remembered. All times are
 * epoch ms on the server's clock.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Wait after failures in a row: 1, 2, 4 … 60 min (behaviour: Failures). */
const RETRY_MS = [1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * MINUTE);
/** Wait where no usable `next_poll_at` was sent, doubling up to the second (behaviour: When it asks). */
const BLIND_MS = { first: HOUR, most: 6 * HOUR } as const;
/**
 * No `next_poll_at` is believed that is further ahead, ms: the slowest plan has
 * its next forecast at the site's midnight, 25 h away where summer time ends.
 */
export const MOST_AHEAD_MS = 25 * HOUR;
/** Least distance of automatic requests that `next_poll_at` does not ask for (behaviour: When it asks). */
export const MIN_DISTANCE_MS = 15 * MINUTE;
/** Free looks at whether a stop is over (behaviour: Failures). */
const PROBE_MS = { first: HOUR, later: 6 * HOUR } as const;
/** Forecast requests while a gate is shut that only a request can test (behaviour: Failures). */
const GATE_MS = { plan: 24 * HOUR, input: 6 * HOUR } as const;
/** Share of the limit that is left for other programs, where `reserve` is blank (behaviour: Messages). */
const DEFAULT_RESERVE = 0.05;

/** Why the next request is planned for when it is. */
export type RequestReason =
	| "first"
	| "changed"
	| "next_poll_at"
	| "interval"
	| "no_poll_time"
	| "unfinished"
	| "retry"
	| "rejected"
	| "plan"
	| "site"
	| "key"
	| "burst"
	| "exhausted"
	| "reserve"
	| "budget"
	| "spread"
	| "night"
	| "manual";

export interface Plan {
	/** Null when no time is planned. */
	readonly at: number | null;
	readonly reason: RequestReason;
	/** `probe`: a free request first, to see whether a stop is over. */
	readonly what: "forecast" | "probe";
}

/** A plan with a time, in the past or present when it is due. */
export interface Due extends Plan {
	readonly at: number;
}

/** What the accounts allow, merged over all that share one key. */
export interface Policy {
	/** Own forecast requests per calendar month, null for no ceiling. */
	readonly budget: number | null;
	/** Requests left for others, null for 5 % of the limit. */
	readonly reserve: number | null;
}

/** What belongs to one source of forecasts and never changes. */
export interface SourceTiming {
	/** Fixed delay behind `next_poll_at`, 5 to 30 s, so that not all the world asks at once. */
	readonly spreadMs: number;
	/** Inline forecasts have no `next_poll_at`: they are asked in this interval. */
	readonly intervalMs?: number;
}

/** Requests that must be left over, of a plan with this quota. */
export function reserveOf(policy: Policy, quota: Quota | null): number {
	if (quota === null || quota.limit === null) return 0;
	return policy.reserve ?? Math.ceil(quota.limit * DEFAULT_RESERVE);
}

/** Further ahead than this, ms, a remembered time was read off a clock that was wrong. */
export const AHEAD_MS = 5 * MINUTE;
/** No burst limit lasts longer, whatever its `Retry-After` says, ms. */
export const MOST_BURST_MS = 24 * HOUR;
/** No count lasts longer than a month, ms. */
const MOST_MONTH_MS = 32 * 24 * HOUR;

/** Whether a stop lasts; one that ends too far ahead was reckoned on a clock that was wrong. */
const lasts = (until: number | null | undefined, now: number, most: number) =>
	until != null && now < until && until <= now + most + AHEAD_MS;

/**
 * The quota as it stands now: a month that has ended leaves nothing used; null
 * also where only a wrong clock can have said it.
 */
export function quotaNow(quota: Quota | null, now: number): Quota | null {
	if (quota && quota.reset > now + MOST_MONTH_MS) return null;
	return quota && now >= quota.reset
		? {
				limit: quota.limit,
				used: 0,
				remaining: quota.limit,
				reset: nextReset(now),
				asOf: quota.reset,
			}
		: quota;
}

/** Own requests of the running month. */
export function ownThisMonth(
	own: AccountMemory["own"],
	now: number,
	kind: "forecast" | "historical" = "forecast",
): number {
	return now < nextReset(own.month) ? own[kind] : 0;
}

/** What holds every forecast request of the account, and until when. */
export function holdOf(
	account: AccountMemory,
	policy: Policy,
	now: number,
): { readonly until: number; readonly reason: RequestReason } | null {
	const { burst, exhausted, lifted } = account;
	if (!lifted && lasts(exhausted.forecast, now, MOST_MONTH_MS)) {
		return { until: exhausted.forecast as number, reason: "exhausted" };
	}
	const quota = quotaNow(account.quota.forecast, now);
	if (
		!lifted &&
		quota?.remaining != null &&
		quota.remaining <= reserveOf(policy, quota)
	) {
		return { until: quota.reset, reason: "reserve" };
	}
	// The ceiling is the user's own: what the service may have changed does not lift it.
	if (
		policy.budget !== null &&
		ownThisMonth(account.own, now) >= policy.budget
	) {
		return { until: nextReset(now), reason: "budget" };
	}
	if (!lifted && burst && lasts(burst.until, now, MOST_BURST_MS)) {
		return { until: burst.until, reason: "burst" };
	}
	return null;
}

/** What holds every historical request of the account, and until when. */
export function historicalHoldOf(
	{ burst, exhausted }: AccountMemory,
	now: number,
): ReturnType<typeof holdOf> {
	const until = exhausted.historical as number;
	if (lasts(until, now, MOST_MONTH_MS)) return { until, reason: "exhausted" };
	return burst && lasts(burst.until, now, MOST_BURST_MS)
		? { until: burst.until, reason: "burst" }
		: null;
}

/** When a gate is next tested by a free request. */
function probeAt(gate: { probes: number; probedAt: number }): number {
	return gate.probedAt + (gate.probes === 0 ? PROBE_MS.first : PROBE_MS.later);
}

/** A remembered time; long past where only a wrong clock can have put it ahead. */
const past = (time: number, now: number) => (time > now + AHEAD_MS ? 0 : time);

/** A remembered `next_poll_at`, as far as it can be right. */
function pollAt(nextPollAt: number, answeredAt: number, now: number): number {
	// If it was told along with a time that has not come yet, both may be wrong.
	return answeredAt > now + AHEAD_MS && nextPollAt > now + MOST_AHEAD_MS
		? 0
		: Math.min(nextPollAt, answeredAt + MOST_AHEAD_MS);
}

/** When the service's own times call for a request. */
export function regularPlan(
	site: SiteMemory,
	timing: SourceTiming,
	now: number,
): Due {
	const plan = (at: number, reason: RequestReason): Due => ({
		at,
		reason,
		what: "forecast",
	});
	if (site.answeredAt === null) {
		const { requestedAt, failure } = site;
		// Whatever became of the answer, a start after the other must not ask for it anew.
		const isLost = requestedAt !== null && failure === null;
		return plan(isLost ? past(requestedAt, now) + MIN_DISTANCE_MS : 0, "first");
	}
	if (site.changed) return plan(0, "changed");
	const answeredAt = past(site.answeredAt, now);
	if (timing.intervalMs !== undefined) {
		return plan(answeredAt + timing.intervalMs, "interval");
	}
	if (site.nextPollAt !== null) {
		// A time that brought nothing new was not worth much.
		const least = site.barren > 0 ? answeredAt + MIN_DISTANCE_MS : 0;
		const next = pollAt(site.nextPollAt, site.answeredAt, now);
		return plan(Math.max(next + timing.spreadMs, least), "next_poll_at");
	}
	const blind = Math.min(BLIND_MS.first * 2 ** site.barren, BLIND_MS.most);
	return plan(answeredAt + blind + timing.spreadMs, "no_poll_time");
}

/** How long the last request's outcome forbids another one. */
function waitOf(site: SiteMemory, now: number): Due | null {
	const { failure, open, requestedAt } = site;
	const retry = failure
		? (RETRY_MS[Math.min(failure.count, RETRY_MS.length) - 1] as number)
		: 0;
	if (open && requestedAt !== null) {
		return {
			at: past(requestedAt, now) + Math.max(MIN_DISTANCE_MS, retry),
			reason: "unfinished",
			what: "forecast",
		};
	}
	return failure
		? { at: past(failure.at, now) + retry, reason: "retry", what: "forecast" }
		: null;
}

/**
 * When a site's own gate is tested next: by a free request, or by one for a
 * forecast where nothing else can tell (behaviour: Failures).
 *
 * @returns null when it has none
 */
export function gateOf(
	{ gate }: SiteMemory,
	{ lifts }: AccountMemory,
	now: number,
): Due | null {
	if (!gate || gate.type === "key") return null;
	const probedAt = gate.lifts < lifts ? 0 : past(gate.probedAt, now);
	if (gate.type === "site") {
		const at = probeAt({ ...gate, probedAt });
		return { at, reason: "site", what: "probe" };
	}
	return {
		at: probedAt + GATE_MS[gate.type],
		reason: gate.type === "plan" ? "plan" : "rejected",
		what: "forecast",
	};
}

const later = (a: Due | null, b: Due | null): Due | null =>
	a && b ? (b.at > a.at ? b : a) : (a ?? b);

/**
 * What forbids a forecast request, however much it is wanted, and until when
 * (behaviour: The month's requests, Failures): a gate, the month, an outcome that is to be waited out.
 *
 * @returns null when nothing does; a `probe` when a free request may end it
 */
export function obstacleOf(
	site: SiteMemory,
	account: AccountMemory,
	policy: Policy,
	timing: SourceTiming,
	now: number,
): Due | null {
	const { keyGate, lifted } = account;
	if (keyGate && !lifted) {
		const at = probeAt({ ...keyGate, probedAt: past(keyGate.probedAt, now) });
		return { at, reason: "key", what: "probe" };
	}
	let obstacle = gateOf(site, account, now);
	if (obstacle?.what === "probe") return obstacle;
	// Sites wait their own spread behind the hold as well.
	const hold = holdOf(account, policy, now - timing.spreadMs);
	if (hold) {
		obstacle = later(obstacle, {
			at: hold.until + timing.spreadMs,
			reason: hold.reason,
			what: "forecast",
		});
	}
	if (!lifted) obstacle = later(obstacle, waitOf(site, now));
	return obstacle;
}

/** Reasons of which the pace may pass over a time; all others are not put off. */
const PACED: readonly RequestReason[] = [
	"next_poll_at",
	"interval",
	"no_poll_time",
];

/**
 * When to ask for one site next, and why (behaviour: When it asks, The month's requests, Failures): when the
 * service's times call for it, the pace has it, and nothing stands in the way.
 *
 * @param look the next look at the account's pace; null at full pace, and where
 * the site is not polled
 */
export function planSite(
	site: SiteMemory,
	account: AccountMemory,
	policy: Policy,
	timing: SourceTiming,
	now: number,
	look: Look | null = null,
): Due {
	const obstacle = obstacleOf(site, account, policy, timing, now);
	if (obstacle?.what === "probe") return obstacle;
	const regular = regularPlan(site, timing, now);
	const paced =
		look?.reason && !account.lifted && PACED.includes(regular.reason)
			? { ...regular, at: Math.max(look.at, regular.at), reason: look.reason }
			: regular;
	return later(paced, obstacle) as Due;
}
