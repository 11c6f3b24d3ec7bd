import { nextReset } from "../service/quota";
import type { AccountMemory } from "./memory";
import { expectedOthers } from "./others";
import {
	holdOf,
	ownThisMonth,
	type Policy,
	quotaNow,
	reserveOf,
} from "./schedule";

const DAY = 86_400_000;
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
	/** Whether others will use up the month before its end, whatever we do. */
	readonly isLosing: boolean;
	/** What the account has used this month, and what others are expected to add; null while unknown. */
	readonly used: number | null;
	readonly others: number;
	/** Requests the plan allows, null when unmetered or unknown. */
	readonly limit: number | null;
}

/**
 * What may be spent on polls from now on: what is left above the reserve and
 * above what others will use if they go on as in the week before, and no more
 * than the budget (CONTRACT 3.3).
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
		isLosing: false,
		used: quota?.used ?? null,
		others,
		limit: quota?.limit ?? null,
	};
	const hold = holdOf(account, policy, now);
	if (hold && hold.reason !== "burst") return { ...base, looks: 0 };
	if (!quota || quota.remaining === null) return base;
	const left = quota.remaining - reserveOf(policy, quota);
	const spare = left - others;
	if (spare >= 1) {
		return {
			...base,
			looks: Math.min(budget, spare),
			// With others a look a day: else it would not show what they really do.
			until: others > spare ? Math.min(reset, now + spare * DAY) : reset,
		};
	}
	const days = (reset - now) / DAY;
	if (days < 1) return { ...base, looks: 0 };
	const own = ownThisMonth(account.own, now);
	const ourRate = Math.max(
		// They would have used it up without us as well: a look a day is ours.
		spare + own < 1 ? 1 : 0,
		// What we leave they will take, surely: our even share.
		(eagerness(left, others) * left) / days,
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
		isLosing: true,
	};
}

/** How surely others will use more than there is: 0 where it may be chance, 1 where they far exceed it. */
function eagerness(left: number, others: number): number {
	const excess = others - 2 * Math.sqrt(others) - left;
	return Math.min(Math.max(excess / (left * FAR), 0), 1);
}
