import type { Group } from "../../service/v2/groups";
import { HOUR_MS } from "../../util/time";
import type { AccountMemory } from "../memory/memory";
import type { Policy } from "../schedule/limits";
import {
	type PacedPoll,
	planSite,
	regularPlan,
	type SourceTiming,
	type TimedPlan,
} from "../schedule/schedule";
import type { Wants } from "../source/snapshots";
import {
	endOf,
	type ForecastSource,
	type SourceKnowledge,
} from "../source/source";

/** All that a decision about a source goes by: plain values. */
export interface Situation {
	/** The server's clock, epoch ms. */
	readonly now: number;
	readonly account: AccountMemory;
	readonly known: SourceKnowledge;
	readonly origin: ForecastSource;
	readonly timing: SourceTiming;
	readonly policy: Policy;
	/** The next poll at the account's pace; null at full pace, and where the source is not polled. */
	readonly poll: PacedPoll | null;
	/** What those want who show it. */
	readonly shown: readonly Wants[];
	/** Whether it is polled for somebody. */
	readonly isAuto: boolean;
	/** Whether it may be polled: not while a deploy is under way. */
	readonly isPolled: boolean;
	/** Whether an answer has told the time, and the host's clocks have agreed since. */
	readonly isClockTrusted: boolean;
}

/** When a source is to be asked, and why. */
export const sourcePlan = ({
	known,
	account,
	policy,
	timing,
	now,
	poll,
}: Situation): TimedPlan =>
	planSite(known.memory, account, policy, timing, now, poll);

/** Overdue by this much, a forecast is stale (behaviour: Failures), ms. */
const STALE_MS = HOUR_MS;

/**
 * When a forecast becomes stale: the request that the service's own times call
 * for is an hour overdue, or no row lies ahead (behaviour: Failures). What
 * stands in the way of the request makes no difference.
 */
export function staleAt({
	known: { held, memory },
	timing,
	poll,
	now,
}: Situation): number {
	if (!held) return Infinity;
	const due = regularPlan({ ...memory, changedAt: null }, timing, now);
	// What is put off to a better hour is not overdue before it.
	const planned = poll && poll.reason !== "reserve" ? poll.at : 0;
	return Math.min(
		Math.max(due.at, planned) + STALE_MS + 1,
		endOf(held.forecast),
	);
}

/** When it is asked next, not before now. */
export const nextAt = (state: Situation): number =>
	Math.max(sourcePlan(state).at, state.now);

/** Whether the plan may have a group. */
export const mayHave = (
	{ available, refused }: AccountMemory,
	group: Group,
): boolean => !refused.includes(group) && (available?.includes(group) ?? true);
