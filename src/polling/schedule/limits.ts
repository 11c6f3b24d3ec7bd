import { nextReset, type Quota } from "../../service/quota";
import { DAY_MS } from "../../util/time";
import type { AccountMemory } from "../memory/schemas";
import { LONGEST_BURST_MS } from "./back-off";
import { isLasting } from "./remembered-times";

/**
 * Limits on an account's requests: pure functions of what is remembered. All
 * times are epoch ms on the server's clock.
 */

/** Share of the plan's requests that is left for other clients where no reserve is set (behaviour: The month's requests). */
const DEFAULT_RESERVE = 0.05;
/** No count lasts longer than a month, ms. */
const LONGEST_MONTH_MS = 32 * DAY_MS;

/** What the accounts allow, merged over all that share one key. */
export interface Policy {
	/** Own forecast requests per calendar month, null for no ceiling. */
	readonly budget: number | null;
	/** Requests left for other clients, null for 5 % of the plan's. */
	readonly reserve: number | null;
}

/** Requests that must be left over, of a plan with this quota. */
export function reserveOf(policy: Policy, quota: Quota | null): number {
	if (quota === null || quota.limit === null) return 0;
	return policy.reserve ?? Math.ceil(quota.limit * DEFAULT_RESERVE);
}

/**
 * The quota as it stands now: a month that has ended leaves nothing used. Null
 * also where only a wrong clock can have told its reset.
 */
export function quotaNow(quota: Quota | null, now: number): Quota | null {
	if (quota && quota.reset > now + LONGEST_MONTH_MS) return null;
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
	const { burst, exhausted, lifted } = account;
	if (!lifted && isLasting(exhausted.forecast, now, LONGEST_MONTH_MS)) {
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
	// The budget is the user's own: what the service may have changed does not lift it.
	if (
		policy.budget !== null &&
		ownThisMonth(account.own, now) >= policy.budget
	) {
		return { until: nextReset(now), reason: "budget" };
	}
	if (!lifted && burst && isLasting(burst.until, now, LONGEST_BURST_MS)) {
		return { until: burst.until, reason: "burst" };
	}
	return null;
}

/** The limit that stops every historical request of the account, null when none does. */
export function reachedHistoricalLimit(
	{ burst, exhausted }: AccountMemory,
	now: number,
): ReachedLimit | null {
	const until = exhausted.historical as number;
	if (isLasting(until, now, LONGEST_MONTH_MS)) {
		return { until, reason: "exhausted" };
	}
	return burst && isLasting(burst.until, now, LONGEST_BURST_MS)
		? { until: burst.until, reason: "burst" }
		: null;
}
