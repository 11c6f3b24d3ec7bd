import { LONGEST_MONTH_MS, nextReset, type Quota } from "../../service/quota";
import { HOUR_MS, MINUTE_MS } from "../../util/time";
import type { AccountMemory } from "../memory/memory";

/**
 * Limits on an account's requests: pure functions of what is remembered. All
 * times are epoch ms on the server's clock.
 */

/** The longest burst limit that is believed, whatever its `Retry-After` says, ms. */
export const LONGEST_BURST_MS = 24 * HOUR_MS;
/** Time in which `msg.refresh` gets the answer, the failure or the record that has just come, ms. */
export const REFRESH_MS = MINUTE_MS;

/** Which of the service's counts a request draws on. */
export type Kind = "forecast" | "historical";

/** Share of the plan's requests that is left for other clients where no reserve is set (behaviour: The month's requests). */
const DEFAULT_RESERVE = 0.05;
/** A time that must have passed, yet lies further ahead than this, ms, was read off a wrong clock. */
export const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** A time that must have passed; long past where a wrong clock put it ahead. */
export function pastTime(time: number, now: number): number {
	return time > now + CLOCK_TOLERANCE_MS ? 0 : time;
}

/** Whether a time that must have passed is less than `ms` ago. */
export function isWithin(
	ms: number,
	time: number | null,
	now: number,
): boolean {
	return time !== null && now - time < ms && time <= now + CLOCK_TOLERANCE_MS;
}

/** Whether a limit still lasts; one that would last longer than any can was set by a wrong clock. */
function isLasting(until: number | null, now: number, longestMs: number) {
	return (
		until !== null &&
		now < until &&
		until <= now + longestMs + CLOCK_TOLERANCE_MS
	);
}

/** What the accounts that share one key allow. */
export interface Policy {
	/** Own forecast requests per calendar month, infinite for no ceiling. */
	readonly budget: number;
	/** Requests left for other clients. */
	readonly reserve: number;
}

/**
 * Requests that must be left over, of a plan with this quota.
 *
 * @param reserve as the account sets it, null for 5 % of the plan's
 */
export function reserveOf(
	{ reserve }: { readonly reserve: number | null },
	quota: Quota | null,
): number {
	if (quota === null || quota.limit === null) return 0;
	return reserve ?? Math.ceil(quota.limit * DEFAULT_RESERVE);
}

/**
 * The quota as it stands now: a month that has ended leaves nothing used. Null
 * also where only a wrong clock can have told its reset.
 */
export function quotaNow(quota: Quota | null, now: number): Quota | null {
	if (quota && quota.reset > now + LONGEST_MONTH_MS) return null;
	return quota && now >= quota.reset
		? {
				...quota,
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
	kind: Kind = "forecast",
): number {
	return now < nextReset(own.month) ? own[kind] : 0;
}

/** A limit that has been reached: no request before its end. */
export interface ReachedLimit {
	readonly until: number;
	readonly reason: "exhausted" | "reserve" | "budget" | "burst";
}

/** The limit that stops every forecast request of the account, null when none does. */
export function reachedLimit(
	account: AccountMemory,
	policy: Policy,
	now: number,
): ReachedLimit | null {
	const { lifted } = account;
	const served = lifted ? null : reachedOfService(account, "forecast", now);
	if (served?.reason === "exhausted") return served;
	const quota = quotaNow(account.quota.forecast, now);
	if (
		!lifted &&
		quota?.remaining != null &&
		quota.remaining <= policy.reserve
	) {
		return { until: quota.reset, reason: "reserve" };
	}
	// The budget is the user's own: what the service may have changed does not lift it.
	if (ownThisMonth(account.own, now) >= policy.budget) {
		return { until: nextReset(now), reason: "budget" };
	}
	return served;
}

/** The limit of the service's own that stops every request of a kind, null when none does. */
export function reachedOfService(
	{ burst, exhausted }: AccountMemory,
	kind: Kind,
	now: number,
): ReachedLimit | null {
	const until = exhausted[kind];
	if (isLasting(until, now, LONGEST_MONTH_MS)) {
		return { until: until as number, reason: "exhausted" };
	}
	return burst && isLasting(burst.until, now, LONGEST_BURST_MS)
		? { until: burst.until, reason: "burst" }
		: null;
}
