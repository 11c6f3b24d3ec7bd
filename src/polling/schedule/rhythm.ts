import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../util/time";
import type { SiteMemory } from "../memory/memory";

/**
 * The rhythm of a service (behaviour: When it asks): how late it is behind its own
 * `next_poll_at`, and how far apart forecasts are. Both are learned, so that a request
 * comes when there is something new, and costs one per forecast. Times are epoch ms on
 * the server's clock.
 */

// — lateness, ms —

/** Delays after one answer after the other that still held the old forecast, ms. */
const LATE_MS = [1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE_MS);
/** A service that is later than this has left a forecast out, or has an outage: nothing to get used to, ms. */
const LONGEST_MS = 16 * MINUTE_MS;
/** Share of the time between forecasts that a lateness may be. */
const MOST_SHARE = 0.8;
/** A time that passed longer ago than this says nothing of being late, ms. */
const JUST_PASSED_MS = 75 * MINUTE_MS;
/** Forecasts that teach what is usual. */
const REMEMBERED = 8;
/** A forecast that is there at the first request may have been there sooner by this share of the site's own delay: no more, or the next one is missed. */
const SOONER_SHARE = 0.5;

type Late = SiteMemory["late"];

/** What an answer says of its forecast and of the next one. */
export interface AnswerTimes {
	readonly answeredAt: number;
	readonly computedAt: number;
	/** Its `next_poll_at`, passed or ahead; null where it names none. */
	readonly said: number | null;
	/** The same as far as it can be used, null where it cannot. */
	readonly nextPollAt: number | null;
	/** Fixed delay behind `next_poll_at`, ms. */
	readonly jitterMs: number;
	/** Whether it is another forecast than the one in hand. */
	readonly isNew: boolean;
}

/**
 * By how much later requests come: the second longest lateness of the last forecasts,
 * so that a single one teaches nothing.
 */
export const usualLateness = ({ lateness }: SiteMemory) =>
	[...lateness].sort((a, b) => b - a)[1] ?? 0;

/** Whether a late service is still expected to deliver soon, so that its answers say nothing else. */
export function isSoonExpected(late: Late): boolean {
	return late !== null && late.answers <= LATE_MS.length + 1;
}

/**
 * What is remembered of a forecast that should be there and is not.
 *
 * @returns null where the answer names no time that has just passed
 */
export function noteLate(site: SiteMemory, facts: AnswerTimes): Late {
	const { answeredAt, computedAt, said, isNew } = facts;
	if (said === null || said >= answeredAt + SECOND_MS) return null;
	const passed = answeredAt - said;
	if (isNew) {
		// The one after it is late already, unless the time is of no use at all.
		const isKnown =
			site.late !== null || usualLateness(site) > 0 || site.answeredAt === null;
		const isUseful = said > computedAt && passed > 2 * SECOND_MS;
		return isKnown && isUseful && passed < LONGEST_MS
			? { since: said, answers: 0 }
			: null;
	}
	// A time that each answer moves is of no use either.
	const isSame = said === (site.late?.since ?? site.nextPollAt);
	return isSame && passed < JUST_PASSED_MS
		? { since: said, answers: (site.late?.answers ?? 0) + 1 }
		: null;
}

/**
 * When a late service is asked again.
 *
 * @param answeredAt time of the last answer
 * @returns null when nothing is late, or being late explains it no more
 */
export function lateAt(
	site: SiteMemory,
	answeredAt: number,
	jitterMs: number,
): number | null {
	if (!site.late) return null;
	const { since, answers } = site.late;
	if (answers === 0) {
		const usual = since + usualLateness(site) + jitterMs;
		return Math.max(usual, answeredAt + MINUTE_MS);
	}
	const delay = LATE_MS[answers - 1];
	return delay === undefined ? null : answeredAt + delay;
}

/**
 * Learns from a new forecast: when it was first there. It may have come at the first
 * request: the service was no later than that.
 *
 * @param site what was remembered before the answer
 */
export function learnLateness(
	site: SiteMemory,
	{ answeredAt, jitterMs, isNew }: AnswerTimes,
): readonly number[] {
	const { late, lateness, nextPollAt, answeredAt: before, steps } = site;
	if (!isNew) return lateness;
	const usual = usualLateness(site);
	let seen = Math.max(0, usual - jitterMs * SOONER_SHARE);
	if (late && late.answers > 0 && before !== null) {
		if (before - late.since > LONGEST_MS) return lateness;
		seen = Math.min(
			answeredAt - late.since - jitterMs,
			LONGEST_MS,
			steps.length > 1 ? Math.max(...steps) * MOST_SHARE : LONGEST_MS,
		);
	} else {
		const passed = answeredAt - (late?.since ?? nextPollAt ?? 0);
		if (lateness.length === 0 || passed > usual + 2 * jitterMs + MINUTE_MS) {
			return lateness;
		}
	}
	return [...lateness, seen].slice(-REMEMBERED);
}

// — the distance of forecasts —

/** Intervals that are remembered; the longest of them counts. */
const REMEMBERED_STEPS = 2;
const SHORTEST_MS = MINUTE_MS;
/** No two forecasts are further apart, ms. */
const LONGEST_STEP_MS = 26 * HOUR_MS;
/** A request later in its slot than this share of it shows less than the whole. */
const LATE_SHARE = 0.1;

const bounded = (interval: number) =>
	Math.min(Math.max(interval, SHORTEST_MS), LONGEST_STEP_MS);

/**
 * Learns how far apart a site's forecasts are, from what the service says after
 * requests at the start of a slot. Where slots lie is not computed: the service
 * may move them (spec V2, Endpoints, rule 5).
 *
 * @param site what was remembered before the answer
 * @returns the last intervals, ms
 */
export function learnInterval(
	site: SiteMemory,
	{ answeredAt, computedAt, nextPollAt, jitterMs }: AnswerTimes,
): readonly number[] {
	const { steps, late } = site;
	if (nextPollAt === null) return steps;
	const expected = late?.since ?? site.nextPollAt;
	if (steps.length === 0 || expected === null) {
		return [bounded(nextPollAt - computedAt)];
	}
	const longest = Math.max(...steps);
	const passed = answeredAt - usualLateness(site) - expected;
	const slots = late ? 0 : Math.max(0, Math.floor(passed / longest));
	const isAtStart =
		answeredAt >= expected &&
		passed - slots * longest < Math.max(longest * LATE_SHARE, 2 * jitterMs);
	if (!late && !isAtStart) return steps;
	const interval = bounded(nextPollAt - expected - slots * longest);
	return [...steps, interval].slice(-REMEMBERED_STEPS);
}

/**
 * Distance of the times at which a request brings something newer, ms.
 *
 * @param from the first of these times
 * @param intervalMs of inline forecasts
 */
export function updateInterval(
	{ steps, answeredAt }: SiteMemory,
	from: number,
	intervalMs: number | undefined,
): number {
	if (intervalMs !== undefined) return intervalMs;
	return steps.length > 0
		? Math.max(...steps)
		: Math.max(from - (answeredAt ?? from), SHORTEST_MS);
}
