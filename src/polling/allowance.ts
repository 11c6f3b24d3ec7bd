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
/** From this multiple of what is left, what others are expected to use is no matter of chance. */
const FAR = 1.1;

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
	if (left - others >= 1) {
		return { ...base, looks: Math.min(budget, left - others) };
	}
	const days = (reset - now) / DAY;
	// So little time can be waited out.
	if (days < 1 || left < 1) return { ...base, looks: 0 };
	// What we leave others will take: no less than a look a day, and our even share where they take far more than there is.
	const share = others > left * FAR ? left / days : 0;
	const ourRate = Math.max(1, share);
	const theirRate = others / ((reset - quota.asOf) / DAY);
	const lasts = (left / (ourRate + theirRate)) * DAY;
	const until = Math.min(reset, quota.asOf + lasts);
	return {
		...base,
		looks: Math.min(
			budget,
			ourRate * Math.max(0, Math.ceil((until - now) / DAY)),
		),
		until,
		isLosing: true,
	};
}
