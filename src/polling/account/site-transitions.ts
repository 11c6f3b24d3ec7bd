import { RefusedError } from "../../service/errors/answer-error";
import { ForeignAnswerError } from "../../service/errors/first-contact";
import {
	type ErrorKind,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
import { DAY_MS } from "../../util/time";
import type { AnswerHead } from "../memory/answer-head";
import type { RequestBlock, SiteMemory } from "../memory/schemas";
import { withChanges } from "../memory/with-changes";
import { blindDelay, boundedWait } from "../schedule/back-off";
import { isSoonExpected, learnLateness, noteLate } from "../schedule/lateness";
import { learnInterval } from "../schedule/update-interval";

/**
 * All changes of what is remembered of a site: pure functions from memory to
 * memory, named by what happened. Times are epoch ms on the server's clock.
 */

/** Time for which messages' wishes are kept up, ms. */
const WANTED_MS = DAY_MS;

// — requests and answers —

/** A request for a forecast is about to be sent. */
export function noteRequest(site: SiteMemory, now: number): SiteMemory {
	// What is changed from now on, this answer may not know.
	return withChanges(site, { requestedAt: now, open: true, changed: false });
}

/**
 * A request's outcome is known.
 *
 * @param changed whether the site was changed before a request that brought nothing
 */
export function noteRequestEnd(site: SiteMemory, changed = false): SiteMemory {
	return withChanges(site, {
		open: false,
		stopped: false,
		changed: site.changed || changed,
	});
}

/** What an answer says of its forecast. */
interface ForecastFacts {
	readonly answeredAt: number;
	readonly computedAt: number;
	/** Its `next_poll_at`, passed or ahead; null where it names none. */
	readonly said: number | null;
	/** The same as far as it can be used, null where it cannot. */
	readonly nextPollAt: number | null;
	/** The usable `next_poll_at` of the forecast that was in hand, null where there is none. */
	readonly heldPollAt: number | null;
	/** Fixed delay behind `next_poll_at`, ms. */
	readonly jitterMs: number;
	/** Whether it is another forecast than the one in hand, and not older. */
	readonly isNew: boolean;
	/** Whether it is older than the one in hand, which stays. */
	readonly isOlder: boolean;
	/** Whether another forecast must confirm it first. */
	readonly isUnconfirmed: boolean;
	/** Whether it was asked for when it was due. */
	readonly automatic: boolean;
}

/**
 * A forecast has come: nothing of the site's stands in the way any more. An older
 * one teaches nothing, and is asked again no sooner than had it been kept (behaviour:
 * Failures).
 */
export function noteAnswer(site: SiteMemory, facts: ForecastFacts): SiteMemory {
	const { answeredAt, computedAt, nextPollAt, jitterMs, isNew, isOlder } =
		facts;
	const isKept = !isOlder && !facts.isUnconfirmed;
	const isSaidAgain = site.suspect === computedAt;
	const isChange = (isNew || isOlder) && !isSaidAgain;
	const lateness = isNew ? learnLateness(site, facts) : site.lateness;
	const late = isOlder ? null : noteLate(site, facts);
	// What is only late will come: it says nothing of what `next_poll_at` is worth.
	const isBarren = facts.automatic && !isSoonExpected(late);
	const barren = isChange ? 0 : site.barren + (isBarren ? 1 : 0);
	return withChanges(site, {
		answeredAt,
		computedAt: isKept ? computedAt : site.computedAt,
		nextPollAt: isOlder ? laterPollTime(facts, barren) : nextPollAt,
		steps:
			nextPollAt === null || isOlder
				? site.steps
				: learnInterval(site, { answeredAt, computedAt, nextPollAt, jitterMs }),
		late,
		lateness,
		barren,
		suspect: isKept ? null : computedAt,
		failure: null,
		gate: null,
	});
}

/** Of an older answer's `next_poll_at` and the one in hand the later; null where no time at all is as late. */
function laterPollTime(
	{ answeredAt, nextPollAt, heldPollAt }: ForecastFacts,
	barren: number,
): number | null {
	if (heldPollAt === null) return nextPollAt;
	if (nextPollAt !== null) return Math.max(nextPollAt, heldPollAt);
	return heldPollAt < answeredAt + blindDelay(barren) ? null : heldPollAt;
}

/** The account has another plan: how far apart forecasts come under it is to be seen. */
export function notePlanChange(site: SiteMemory): SiteMemory {
	return { ...site, steps: [] };
}

// — failures —

/** Kinds of failure that waiting mends; all others need a person or the calendar. */
const PASSING: readonly ErrorKind[] = [
	"SERVICE",
	"NETWORK",
	"TIMEOUT",
	"RESPONSE",
];

/** Whether a failure passes by itself. */
export const isPassing = (kind: ErrorKind) => PASSING.includes(kind);

/** Which of the site's blocks a failure sets (behaviour: The month's requests, Failures); null for none. */
function blockTypeOf(error: SolarYieldError): RequestBlock["type"] | null {
	const refusal = error instanceof RefusedError ? error.refusal : undefined;
	if (error.kind === "NOT_FOUND" || refusal?.type === "inactive") return "site";
	if (error.kind === "PLAN") return "plan";
	return error.kind === "INPUT" ? "input" : null;
}

/**
 * A block that a failure sets.
 *
 * @param failures in a row
 * @param lifts the account's
 */
export function newBlock(
	type: RequestBlock["type"],
	failures: number,
	lifts: number,
	now: number,
): RequestBlock {
	// One that came back after a probe said it had ended is probed less often.
	return { type, since: now, probes: failures - 1, probedAt: now, lifts };
}

/**
 * A request has failed: it is counted with those of its kind in a row, and blocks
 * the site where only a change elsewhere can help.
 *
 * @param lifts the account's
 */
export function noteFailure(
	site: SiteMemory,
	error: SolarYieldError,
	lifts: number,
	now: number,
): SiteMemory {
	const before = site.failure;
	const isSame =
		before !== null &&
		(before.kind === error.kind ||
			(isPassing(error.kind) && isPassing(before.kind)));
	const count = isSame ? before.count + 1 : 1;
	const type = error.kind === "AUTH" ? null : blockTypeOf(error);
	const retryAfter = error instanceof RefusedError ? error.retryAfter : 0;
	return {
		...site,
		failure: {
			kind: error.kind,
			text: error.text,
			status: error.cause.status,
			detail: error.cause.detail,
			foreign: error instanceof ForeignAnswerError,
			at: now,
			waitMs: isPassing(error.kind) ? boundedWait(retryAfter) : 0,
			count,
			reported: isSame && before.reported,
		},
		gate: type ? newBlock(type, count, lifts, now) : site.gate,
	};
}

/** Flows have been told of the last failure. */
export function noteReport(site: SiteMemory): SiteMemory {
	const { failure } = site;
	return { ...site, failure: failure && { ...failure, reported: true } };
}

/**
 * A process did not live to see a request answered: a failure like others, so that
 * a crash loop asks ever less often. Where Node-RED was stopped in good order the
 * first one is asked again at once.
 */
export function noteInterruption(site: SiteMemory): SiteMemory {
	const { stopped, failure, requestedAt } = site;
	const error = new SolarYieldError("NETWORK", "polling.interrupted");
	const isFirst = stopped && failure === null;
	const failed = noteFailure(site, error, 0, isFirst ? 0 : (requestedAt ?? 0));
	return stopped ? noteRequestEnd(failed) : failed;
}

// — probes of a block —

/** A free request probes the site's block. */
export function noteProbe(site: SiteMemory): SiteMemory {
	const { gate } = site;
	return { ...site, gate: gate && { ...gate, probes: gate.probes + 1 } };
}

/** @param lifts the account's */
export function noteProbeEnd(
	site: SiteMemory,
	lifts: number,
	now: number,
): SiteMemory {
	const { gate } = site;
	return { ...site, gate: gate && { ...gate, probedAt: now, lifts } };
}

/** The site can be asked for again; its record is read before that. */
export function endSiteBlock(site: SiteMemory): SiteMemory {
	return { ...site, gate: null, recordAt: null };
}

// — the site's record —

/** @param record as the service sent it */
export function noteRecord(
	site: SiteMemory,
	record: unknown,
	now: number,
): SiteMemory {
	return { ...site, record, recordAt: now };
}

/** The record is out of date. */
export function expireRecord(site: SiteMemory): SiteMemory {
	return { ...site, recordAt: null };
}

/**
 * The site was changed through us.
 *
 * @param forecast whether forecasts depend on what was changed
 */
export function noteSiteChange(
	site: SiteMemory,
	forecast: boolean,
): SiteMemory {
	const expired = expireRecord(site);
	return forecast
		? { ...expired, changed: true, failure: null, gate: null }
		: expired;
}

// — starts, stops, other processes —

/** Node-RED stops in good order while a request is open. */
export function noteStop(site: SiteMemory): SiteMemory {
	return { ...site, stopped: true };
}

/** Node-RED goes on with it. */
export function noteStart(site: SiteMemory): SiteMemory {
	return { ...site, stopped: false };
}

/** The stored forecast is lost: what was said along with it must not hold back the next request. */
export function forgetAnswer(site: SiteMemory): SiteMemory {
	return { ...site, answeredAt: null, late: null };
}

/**
 * The stored forecast is damaged: one request is due at once, unless one is open.
 * (One that is only not there may be written in vain each time, and each start would ask.)
 */
export function loseAnswer(site: SiteMemory): SiteMemory {
	const { open, requestedAt } = site;
	return { ...forgetAnswer(site), requestedAt: open ? requestedAt : null };
}

/** A stored forecast is used; it is written before the memory, so the newer of the two counts. */
export function noteStoredAnswer(
	site: SiteMemory,
	{ answeredAt, computedAt, nextPollAt }: AnswerHead,
): SiteMemory {
	if (answeredAt <= (site.answeredAt ?? 0)) return site;
	const known = { ...site, answeredAt, computedAt, nextPollAt };
	return (site.requestedAt ?? 0) <= answeredAt
		? { ...noteRequestEnd(known), failure: null }
		: known;
}

/** What an earlier or another process stored counts; what messages want here still does, too. */
export function takeOverSite(site: SiteMemory, stored: SiteMemory): SiteMemory {
	return site.wanted.until > stored.wanted.until
		? { ...stored, wanted: site.wanted }
		: stored;
}

/** A message wants more than the nodes' settings: the next polls bring it along. */
export function noteWanted(
	site: SiteMemory,
	wants: { readonly pastDays: number; readonly variability: boolean },
	now: number,
): SiteMemory {
	const { wanted } = site;
	const isValid = wanted.until > now;
	return {
		...site,
		wanted: {
			pastDays: Math.max(wants.pastDays, isValid ? wanted.pastDays : 0),
			variability: wants.variability || (isValid && wanted.variability),
			until: now + WANTED_MS,
		},
	};
}
