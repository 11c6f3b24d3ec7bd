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

/** Longest time between polls of the account, where it has any, ms. */
const SPARSE_MS = 2 * DAY_MS;
/** Share of what is left by which other clients must exceed it for us to take all of our even share. */
const FAR = 0.2;

/** What the account's polls may cost, and how long that must last. */
export interface Allowance {
	/** Requests, not rounded; below 1 for none. */
	readonly polls: number;
	/** Epoch ms up to which they are to last. */
	readonly until: number;
	/** End of the month, epoch ms. */
	readonly reset: number;
	/** Whether other clients would use up the month without us as well: then no day is to be without a poll. */
	readonly isTheirs: boolean;
	/** What the account has used this month, and what other clients are expected to add; null while unknown. */
	readonly used: number | null;
	readonly others: number;
	/** Requests the plan allows, null when unmetered or unknown. */
	readonly limit: number | null;
}

/**
 * What may be spent on polls from now on: what is left above the reserve and
 * above what other clients will use if they go on as in the week before, and no
 * more than the budget (behaviour: The month's requests).
 *
 * @param now epoch ms, the server's clock
 */
export function allowanceOf(
	account: AccountMemory,
	policy: Policy,
	now: number,
): Allowance {
	const quota = quotaNow(account.quota.forecast, now);
	const reset = quota?.reset ?? nextReset(now);
	const others = quota
		? expectedOfOthers(account.others, reset - quota.asOf)
		: 0;
	const budget =
		policy.budget === null
			? Number.POSITIVE_INFINITY
			: policy.budget - ownThisMonth(account.own, now);
	const base = {
		polls: budget,
		until: reset,
		reset,
		isTheirs: false,
		used: quota?.used ?? null,
		others,
		limit: quota?.limit ?? null,
	};
	const limit = reachedLimit(account, policy, now);
	if (limit && limit.reason !== "burst") return { ...base, polls: 0 };
	if (!quota || quota.remaining === null) return base;
	const left = quota.remaining - reserveOf(policy, quota);
	// Two standard deviations: what they use is not the same each week.
	const chance = 2 * Math.sqrt(others);
	const spare = left - others - chance;
	if (spare >= 1) {
		return {
			...base,
			polls: Math.min(budget, spare),
			// Without a poll now and then it would not show what others really do.
			until: others > spare ? Math.min(reset, now + spare * SPARSE_MS) : reset,
		};
	}
	// Where they use it up without us as well, a poll a day is ours.
	const isTheirs = left + ownThisMonth(account.own, now) - others < 1;
	const leastMs = isTheirs ? DAY_MS : SPARSE_MS;
	// So little time can be waited out.
	if (reset - now < leastMs) return { ...base, polls: 0 };
	const days = (reset - now) / DAY_MS;
	const ourRate = Math.max(
		DAY_MS / leastMs,
		// The more surely others exceed what is left, the more of it is polled for now.
		(excess(left, others - chance) * left) / days,
	);
	const rate = ourRate + others / ((reset - quota.asOf) / DAY_MS);
	// One more poll shows whether it came so, as long as it is answered.
	const lasts = Math.max(left / rate, Math.min(quota.remaining / rate, 1));
	const until = Math.min(reset, quota.asOf + lasts * DAY_MS);
	if (until <= now) return { ...base, polls: 0 };
	return {
		...base,
		polls: Math.min(budget, Math.max((ourRate * (until - now)) / DAY_MS, 1)),
		until,
		isTheirs,
	};
}

/** How far other clients will exceed what is left: 0 where they do not, 1 from a fifth more on. */
function excess(left: number, others: number): number {
	return Math.min(Math.max((others - left) / (left * FAR), 0), 1);
}
