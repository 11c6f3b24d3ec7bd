import { RefusedError } from "../../service/answer-error";
import {
	type ErrorKind,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
import { ForeignAnswerError } from "../../service/first-contact";
import { DAY_MS, HOUR_MS } from "../../util/time";
import type {
	AnswerHead,
	Failure,
	RequestBlock,
	SiteMemory,
} from "../memory/memory";
import {
	type AnswerTimes,
	isSoonExpected,
	learnInterval,
	learnLateness,
	noteLate,
} from "../schedule/rhythm";

/**
 * All changes of what is remembered of a site: pure functions from memory to
 * memory, named by what happened. Times are epoch ms on the server's clock.
 */

/** Longest `Retry-After` of a passing failure that is obeyed, ms: longer than any maintenance. */
const LONGEST_WAIT_MS = 6 * HOUR_MS;
/** Time for which messages' wishes are kept up, ms. */
const WANTED_MS = DAY_MS;

// — requests and answers —

/** A request for a forecast is about to be sent. */
export const noteRequest = (site: SiteMemory, now: number): SiteMemory => ({
	...site,
	// What is changed after it, this answer may not know.
	requestedAt: Math.max(now, site.changedAt ?? 0),
	open: true,
});

/** A request's outcome is known. */
export const noteRequestEnd = (site: SiteMemory): SiteMemory => ({
	...site,
	open: false,
});

/** What an answer says of its forecast. */
interface ForecastFacts extends AnswerTimes {
	/** Whether another forecast must confirm it first. */
	readonly isUnconfirmed: boolean;
	/** Whether it was asked for when it was due. */
	readonly automatic: boolean;
}

/** A forecast has come: nothing of the site's stands in the way any more. */
export function noteAnswer(site: SiteMemory, facts: ForecastFacts): SiteMemory {
	const { answeredAt, computedAt, nextPollAt, isNew, isUnconfirmed } = facts;
	const late = noteLate(site, facts);
	const isSaidAgain = isUnconfirmed && site.suspect === computedAt;
	// What is only late will come: it says nothing of what `next_poll_at` is worth.
	const isBarren = facts.automatic && !isSoonExpected(late);
	return {
		...noteRequestEnd(site),
		answeredAt,
		computedAt: isUnconfirmed ? site.computedAt : computedAt,
		nextPollAt,
		steps: learnInterval(site, facts),
		late,
		lateness: learnLateness(site, facts),
		barren: isNew && !isSaidAgain ? 0 : site.barren + (isBarren ? 1 : 0),
		suspect: isUnconfirmed ? computedAt : null,
		changedAt:
			(site.changedAt ?? 0) > (site.requestedAt ?? 0) ? site.changedAt : null,
		failure: null,
		block: null,
	};
}

/** The account has another plan: how far apart forecasts come under it is to be seen. */
export const notePlanChange = (site: SiteMemory): SiteMemory => ({
	...site,
	steps: [],
});

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
 * A request has failed: it is counted with those of its kind in a row, and blocks
 * the site where only a change elsewhere can help.
 */
export function noteFailure(
	site: SiteMemory,
	error: SolarYieldError,
	now: number,
): SiteMemory & { readonly failure: Failure } {
	const { failure: before } = site;
	const { kind, text, cause } = error;
	const isSame =
		before !== null &&
		(before.kind === kind || (isPassing(kind) && isPassing(before.kind)));
	const count = isSame ? before.count + 1 : 1;
	const type = blockTypeOf(error);
	const retryAfter = error instanceof RefusedError ? error.retryAfter : 0;
	const { status, detail } = cause;
	return {
		...site,
		failure: {
			kind,
			text,
			status,
			detail,
			foreign: error instanceof ForeignAnswerError,
			at: now,
			since: isSame ? before.since : now,
			waitMs: isPassing(kind) ? Math.min(retryAfter ?? 0, LONGEST_WAIT_MS) : 0,
			count,
			reported: isSame && before.reported,
		},
		// One that came back after a probe said it had ended is probed less often.
		block: type ? { type, probes: count - 1, probedAt: now } : site.block,
	};
}

/**
 * A process did not live to see a request answered, as a start finds it: a failure like
 * others, so that a crash loop asks ever less often.
 */
export const noteInterruption = (site: SiteMemory): SiteMemory =>
	site.open
		? noteFailure(
				site,
				new SolarYieldError("NETWORK", "polling.interrupted"),
				site.requestedAt ?? 0,
			)
		: site;

// — free reads: probes of a block, and the site's record —

/** A free request has probed the site's block. */
export const noteProbe = (site: SiteMemory, now: number): SiteMemory => ({
	...site,
	block: site.block && {
		...site.block,
		probes: site.block.probes + 1,
		probedAt: now,
	},
});

/** A person says that things have changed: the block is looked at again at once. */
export const expireProbe = (site: SiteMemory): SiteMemory => ({
	...site,
	block: site.block && { ...site.block, probedAt: 0 },
});

/** The site can be asked for again; its record is read before that. */
export const endSiteBlock = (site: SiteMemory): SiteMemory => ({
	...site,
	block: null,
	recordAt: null,
});

/** @param record as the service sent it */
export const noteRecord = (
	site: SiteMemory,
	record: unknown,
	now: number,
): SiteMemory => ({ ...site, record, recordAt: now });

/**
 * The site was changed through us: its record is out of date.
 *
 * @param forecast whether forecasts depend on what was changed
 */
export const noteSiteChange = (
	site: SiteMemory,
	forecast: boolean,
	now: number,
): SiteMemory => ({
	...site,
	recordAt: null,
	...(forecast
		? {
				// Later than a request under way, whatever the clock says.
				changedAt: Math.max(now, (site.requestedAt ?? 0) + 1),
				failure: null,
				block: null,
			}
		: {}),
});

// — other processes, messages —

/**
 * What an earlier or another process stored counts; what messages want here still
 * does, too. The forecast is written before the memory, so the newer of the two counts.
 * A damaged one is due at once, unless a request is open. (One that is only not there
 * may be written in vain each time, and each start would ask.)
 *
 * @param head of the stored forecast, undefined where there is none that can be used
 */
export function takeOverSite(
	site: SiteMemory,
	stored: SiteMemory | undefined,
	head: AnswerHead | undefined,
	isDamaged: boolean,
): SiteMemory {
	const known =
		stored && stored.wanted.until < site.wanted.until
			? { ...stored, wanted: site.wanted }
			: (stored ?? site);
	const { open, requestedAt } = known;
	if (!head) {
		const lost = isDamaged && !open ? null : requestedAt;
		return { ...known, answeredAt: null, late: null, requestedAt: lost };
	}
	const { answeredAt, computedAt, nextPollAt } = head;
	if (answeredAt <= (known.answeredAt ?? 0)) return known;
	const answered = { ...known, answeredAt, computedAt, nextPollAt };
	return (requestedAt ?? 0) <= answeredAt
		? { ...noteRequestEnd(answered), failure: null }
		: answered;
}

/** A message wants more than the nodes' settings: the next polls bring it along. */
export function noteWanted(
	site: SiteMemory,
	wants: { readonly pastDays: number; readonly variability: boolean },
	now: number,
): SiteMemory {
	const before =
		site.wanted.until > now ? site.wanted : { pastDays: 0, variability: false };
	const wanted = {
		pastDays: Math.max(wants.pastDays, before.pastDays),
		variability: wants.variability || before.variability,
		until: now + WANTED_MS,
	};
	return { ...site, wanted };
}
