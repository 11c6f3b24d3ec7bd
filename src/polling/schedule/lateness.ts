import { MINUTE_MS, SECOND_MS } from "../../util/time";
import type { SiteMemory } from "../memory/schemas";

/**
 * How late a service is behind its own `next_poll_at` (behaviour: When it asks): what it
 * does is learned, so that a request comes when there is something new, and costs
 * one per forecast. Times are epoch ms on the server's clock, lateness is in ms.
 */

/** Delays after one answer after the other that still held the old forecast, ms. */
const LATE_MS = [1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE_MS);
/** A service that is later than this has left a forecast out, or has an outage: nothing to get used to, ms. */
const LONGEST_MS = 16 * MINUTE_MS;
/** Share of the time between forecasts that a lateness may be. */
const MOST_SHARE = 0.8;
/** A time that passed longer ago than this says nothing of being late, ms. */
const JUST_PASSED_MS = 75 * MINUTE_MS;
/** Below this a lateness is none, ms: requests come 5 to 30 s behind the time in any case. */
const LEAST_MS = 5 * SECOND_MS;
/** How exactly a lateness is looked for, ms. */
const PRECISION_MS = 30 * SECOND_MS;
/** Forecasts in a row that came in time before an earlier request is tried; twice as many after each one in vain. */
const PATIENCE = 12;
const MOST_TRIALS = 5;

type Late = SiteMemory["late"];
type Lateness = SiteMemory["lateness"];

/** What an answer says of its forecast and of the next one. */
interface LatenessFacts {
	readonly answeredAt: number;
	readonly computedAt: number;
	/** Its `next_poll_at`, passed or ahead; null where it names none. */
	readonly said: number | null;
	/** Fixed delay behind `next_poll_at`, ms. */
	readonly jitterMs: number;
	/** Whether it is another forecast than the one in hand. */
	readonly isNew: boolean;
}

/** Whether a late service is still expected to deliver soon, so that its answers say nothing else. */
export function isSoonExpected(late: Late): boolean {
	return late !== null && late.answers <= LATE_MS.length + 1;
}

/**
 * What is remembered of a forecast that should be there and is not.
 *
 * @returns null where the answer names no time that has just passed
 */
export function noteLate(
	{ late, lateness, nextPollAt, answeredAt: before }: SiteMemory,
	{ answeredAt, computedAt, said, isNew }: LatenessFacts,
): Late {
	if (said === null || said >= answeredAt + SECOND_MS) return null;
	const passed = answeredAt - said;
	if (isNew) {
		// The one after it is late already, unless the time is of no use at all.
		const isKnownLate = late !== null || lateness.ms > 0 || before === null;
		return isKnownLate &&
			said > computedAt &&
			passed > 2 * SECOND_MS &&
			passed < LONGEST_MS
			? { since: said, answers: 0 }
			: null;
	}
	// A time that each answer moves is of no use either.
	const isSame = said === (late?.since ?? nextPollAt);
	return isSame && passed < JUST_PASSED_MS
		? { since: said, answers: (late?.answers ?? 0) + 1 }
		: null;
}

/**
 * When a late service is asked again.
 *
 * @param site with what is remembered of its lateness
 * @param answeredAt time of the last answer
 * @returns null when nothing is late, or being late explains it no more
 */
export function lateAt(
	{ late, lateness }: SiteMemory,
	answeredAt: number,
	jitterMs: number,
): number | null {
	if (!late) return null;
	const { since, answers } = late;
	const soonest = answeredAt + (LATE_MS[0] as number);
	if (answers === 0) return Math.max(since + lateness.ms + jitterMs, soonest);
	const delay = LATE_MS[answers - 1];
	if (delay === undefined) return null;
	// An earlier request was tried in vain: the usual time comes next.
	return answers === 1 && lateness.proven > lateness.ms
		? Math.max(since + lateness.proven + jitterMs, soonest)
		: answeredAt + delay;
}

/**
 * Learns the lateness from a new forecast. It may have come at the first request:
 * the service was no later than that, and after some of these an earlier request
 * is tried. Or it was late: the next request comes as much later.
 *
 * @param site what was remembered before the answer
 */
export function learnLateness(
	site: SiteMemory,
	facts: LatenessFacts,
): Lateness {
	const { late, lateness, nextPollAt, answeredAt: before } = site;
	const { answeredAt, computedAt, said, jitterMs } = facts;
	if (late && late.answers > 0 && before !== null) {
		const interval = usualInterval(site);
		// One that was left out is no rule.
		if (said !== null && said - late.since > 1.5 * interval) return lateness;
		return later(lateness, {
			absent: before - late.since,
			present: answeredAt - late.since,
			computed: computedAt - late.since,
			most: Math.min(LONGEST_MS, interval * MOST_SHARE),
		});
	}
	const expected = late?.since ?? nextPollAt;
	const isAtItsTime =
		expected !== null &&
		answeredAt >= expected &&
		answeredAt - expected < lateness.ms + 2 * jitterMs + MINUTE_MS;
	return isAtItsTime && lateness.ms > 0 ? earlier(lateness) : lateness;
}

/** Distance of forecasts, ms; without bounds until two have told it. */
function usualInterval({ steps: intervals }: SiteMemory): number {
	return intervals.length > 1
		? Math.max(...intervals)
		: Number.POSITIVE_INFINITY;
}

/** What is known of the lateness of one forecast, ms. */
interface Observed {
	/** Latest time at which it was not there. */
	readonly absent: number;
	/** First time at which it was there. */
	readonly present: number;
	/** When it was computed, as it says itself. */
	readonly computed: number;
	readonly most: number;
}

function later(
	before: Lateness,
	{ absent, present, computed, most }: Observed,
): Lateness {
	if (absent > most) return before;
	const isTrial = before.proven > before.ms;
	const usual = before.proven > absent ? before.proven : present;
	const isSaid = computed > absent && computed < usual;
	const ms = Math.min(isSaid ? computed : usual, most);
	return {
		ms,
		proven: ms,
		floor: Math.min(absent, ms),
		inTime: 0,
		trials: Math.min(before.trials + (isTrial ? 1 : 0), MOST_TRIALS),
	};
}

function earlier({ ms, proven, floor, inTime, trials }: Lateness): Lateness {
	if (inTime + 1 < PATIENCE * 2 ** trials) {
		return { ms, proven, floor, inTime: inTime + 1, trials };
	}
	// Between what was too early and what is not; found, it may have changed.
	const least = ms - floor > PRECISION_MS ? floor : 0;
	const tried = (least + ms) / 2;
	return {
		ms: tried < LEAST_MS ? 0 : tried,
		proven: ms,
		floor: least,
		inTime: 0,
		trials,
	};
}
