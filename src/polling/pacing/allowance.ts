import { nextReset } from "../../service/quota";
import type { AccountMemory } from "../memory/schemas";
import {
	holdOf,
	ownThisMonth,
	type Policy,
	quotaNow,
	reserveOf,
} from "../schedule/schedule";
import { expectedOthers } from "./other-clients";

const DAY = 86_400_000;
/** Longest time between looks of the account, where it has any, ms. */
const SPARSE_MS = 2 * DAY;
/** Share of what is left by which others must exceed it for us to take all of our share. */
const FAR = 0.2;

/** What the account's polls may cost, and how long that must last. */
export interface Allowance {
	/** Requests, not rounded; below 1 for none. */
	readonly looks: number;
	/** Epoch ms up to which they are to last. */
	readonly until: number;
	/** End of the month, epoch ms. */
	readonly reset: number;
	/** Whether others would use up the month without us as well: then no day is to be without a look. */
	readonly isTheirs: boolean;
	/** What the account has used this month, and what others are expected to add; null while unknown. */
	readonly used: number | null;
	readonly others: number;
	/** Requests the plan allows, null when unmetered or unknown. */
	readonly limit: number | null;
}

/**
 * What may be spent on polls from now on: what is left above the reserve and
 * above what others will use if they go on as in the week before, and no more
 * than the budget (behaviour: The month's requests).
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
	const others = quota ? expectedOthers(account.others, reset - quota.asOf) : 0;
	const budget =
		policy.budget === null
			? Number.POSITIVE_INFINITY
			: policy.budget - ownThisMonth(account.own, now);
	const base = {
		looks: budget,
		until: reset,
		reset,
		isTheirs: false,
		used: quota?.used ?? null,
		others,
		limit: quota?.limit ?? null,
	};
	const hold = holdOf(account, policy, now);
	if (hold && hold.reason !== "burst") return { ...base, looks: 0 };
	if (!quota || quota.remaining === null) return base;
	const left = quota.remaining - reserveOf(policy, quota);
	// What they use is not the same each week.
	const chance = 2 * Math.sqrt(others);
	const spare = left - others - chance;
	if (spare >= 1) {
		return {
			...base,
			looks: Math.min(budget, spare),
			// Without a look now and then it would not show what others really do.
			until: others > spare ? Math.min(reset, now + spare * SPARSE_MS) : reset,
		};
	}
	// Would they use it up without us as well? Then a look a day is ours.
	const isTheirs = left + ownThisMonth(account.own, now) - others < 1;
	const leastMs = isTheirs ? DAY : SPARSE_MS;
	// So little time can be waited out.
	if (reset - now < leastMs) return { ...base, looks: 0 };
	const days = (reset - now) / DAY;
	const ourRate = Math.max(
		DAY / leastMs,
		// What we leave they will take, surely: our even share.
		(eagerness(left, others - chance) * left) / days,
	);
	const rate = ourRate + others / ((reset - quota.asOf) / DAY);
	// One more look shows whether it came so, as long as it is answered.
	const lasts = Math.max(left / rate, Math.min(quota.remaining / rate, 1));
	const until = Math.min(reset, quota.asOf + lasts * DAY);
	if (until <= now) return { ...base, looks: 0 };
	return {
		...base,
		looks: Math.min(budget, Math.max((ourRate * (until - now)) / DAY, 1)),
		until,
		isTheirs,
	};
}

/** How far others will exceed what is left: 0 where they do not, 1 from a fifth more on. */
function eagerness(left: number, others: number): number {
	return Math.min(Math.max((others - left) / (left * FAR), 0), 1);
}
