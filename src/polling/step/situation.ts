import type { Group } from "../../service/v2/groups";
import type { AccountMemory } from "../memory/memory";
import type { Policy } from "../schedule/limits";
import {
	type PacedPoll,
	planSite,
	type SourceTiming,
	type TimedPlan,
} from "../schedule/schedule";
import type { Wants } from "../source/snapshots";
import type { ForecastSource, SourceKnowledge } from "../source/source";

/** All that a decision about a source goes by: plain values. */
export interface Situation {
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
export const sourcePlan = (
	{ known, account, policy, timing, poll }: Situation,
	now: number,
): TimedPlan => planSite(known.memory, account, policy, timing, now, poll);

/** When it is asked next, not before now. */
export const nextAt = (state: Situation, now: number): number =>
	Math.max(sourcePlan(state, now).at, now);

/** Whether the plan may have a group. */
export const mayHave = (
	{ available, refused }: AccountMemory,
	group: Group,
): boolean => !refused.includes(group) && (available?.includes(group) ?? true);
