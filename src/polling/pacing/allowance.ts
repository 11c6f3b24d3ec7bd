import { nextReset } from "../../service/quota";
import { DAY_MS } from "../../util/time";
import type { AccountMemory } from "../memory/schemas";
import {
	ownThisMonth,
	type Policy,
	quotaNow,
	reachedLimit,
	reserveOf,
} from "../schedule/limits";
import { expectedOfOthers } from "./other-clients";

/**
 * Share of what is left, less others' usual use once that is known, which no
 * estimate takes: even a dull day has half of an even share then.
 */
const LEAST_SHARE = 0.6;

/** What the account's polls may cost until the end of the month. */
export interface Allowance {
	/** Requests, not rounded; below 1 for none. */
	readonly polls: number;
	/** End of the month, epoch ms. */
	readonly reset: number;
	/** What the account has used this month, and what other clients are expected to add; null while unknown. */
	readonly used: number | null;
	readonly others: number;
	/** Requests the plan allows, null when unmetered or unknown. */
	readonly limit: number | null;
}

/**
 * What may be spent on polls from now on: what is left above the reserve, less
 * what other clients are expected to use, and no more than the budget (behaviour:
 * The month's requests). What they might use beyond their usual takes a limited share
 * alone, and whatever they do, there is a poll a day.
 *
 * @param sources how many are polled
 * @param now epoch ms, the server's clock
 */
export function allowanceOf(
	account: AccountMemory,
	policy: Policy,
	sources: number,
	now: number,
): Allowance {
	const quota = quotaNow(account.quota.forecast, now);
	const reset = quota?.reset ?? nextReset(now);
	const { isSure, likely, most } = expectedOfOthers(
		account.others,
		quota ? reset - quota.asOf : 0,
	);
	const own = ownThisMonth(account.own, now);
	const budget =
		policy.budget === null ? Number.POSITIVE_INFINITY : policy.budget - own;
	const base = {
		polls: budget,
		reset,
		used: quota?.used ?? null,
		others: likely,
		limit: quota?.limit ?? null,
	};
	const limit = reachedLimit(account, policy, now);
	if (limit && limit.reason !== "burst") return { ...base, polls: 0 };
	if (!quota || quota.remaining === null) return base;
	const left = quota.remaining - reserveOf(policy, quota);
	const days = (reset - now) / DAY_MS;
	const share = Math.max(
		left - most,
		LEAST_SHARE * (left - (isSure ? likely : 0)),
	);
	const isTheirs = left + own - likely < 1;
	const least =
		days * (isTheirs ? pollsBeforeTheEnd(sources, likely / days, days) : 1);
	return { ...base, polls: Math.min(budget, Math.max(share, least)) };
}

/**
 * Polls a day where other clients use up the month in any case: k polls make the
 * forecasts of n sites n / 2k days old on the mean; and they bring the end, at r
 * requests a day by others, k / r of the d days forward, which makes them
 * d k² / 2r² days older. The sum is least at this k.
 */
function pollsBeforeTheEnd(
	sources: number,
	othersPerDay: number,
	days: number,
): number {
	return Math.max(1, Math.cbrt((sources * othersPerDay ** 2) / (2 * days)));
}
