import { DAY_MS } from "../../util/time";
import type { AccountMemory } from "../memory/schemas";
import { type Policy, quotaNow, reserveOf } from "../schedule/limits";
import { expectedOfOthers } from "./other-clients";
import { areIntervalsKnown, type PacedSource } from "./paced-source";

/** What one more site would cost if it were asked for every forecast. */
export interface SiteCost {
	/** Requests a month. */
	readonly requests: number;
	/** Whether they fit in beside all sites at full pace, other clients' use, and the reserve. */
	readonly fits: boolean;
}

const MONTH_MS = 31 * DAY_MS;

/**
 * What one more site would cost, as often renewed as the most often renewed of
 * those that are polled.
 *
 * @returns null while nothing is polled, or the quota or an interval is not known
 */
export function costOfOneMore(
	account: AccountMemory,
	policy: Policy,
	sources: readonly PacedSource[],
	now: number,
): SiteCost | null {
	const quota = quotaNow(account.quota.forecast, now);
	if (!quota || sources.length === 0 || !areIntervalsKnown(sources)) {
		return null;
	}
	const costs = sources.map(({ intervalMs }) =>
		Math.ceil(MONTH_MS / intervalMs),
	);
	const requests = Math.max(...costs);
	const all = costs.reduce((sum, cost) => sum + cost, requests);
	const room =
		quota.limit === null
			? Number.POSITIVE_INFINITY
			: quota.limit -
				reserveOf(policy, quota) -
				expectedOfOthers(account.others, MONTH_MS).likely;
	const budget = policy.budget ?? Number.POSITIVE_INFINITY;
	return { requests, fits: all <= Math.min(room, budget) };
}
