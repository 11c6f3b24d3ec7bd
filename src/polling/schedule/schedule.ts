import { HOUR_MS, MINUTE_MS } from "../../util/time";
import type { AccountMemory, RequestBlock, SiteMemory } from "../memory/memory";
import { type Policy, pastTime, reachedLimit } from "./limits";
import { lateAt, usualLateness } from "./rhythm";

/**
 * When to ask next, and why: pure functions of what is remembered. All times are
 * epoch ms on the server's clock.
 */

/**
 * No `next_poll_at` is believed that is further ahead, ms: the slowest plan has
 * its next forecast at the site's midnight, 25 h away where summer time ends.
 */
export const FURTHEST_POLL_MS = 25 * HOUR_MS;

/** Doubling delays after failures in a row (behaviour: Failures), ms; the last one stays. */
const RETRY_MS = [1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * MINUTE_MS);

/**
 * How long to wait before what failed is tried again, ms.
 *
 * @param failures in a row, at least 1
 */
export function retryDelay(failures: number): number {
	return RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] as number;
}

/**
 * Least distance of automatic requests that `next_poll_at` does not ask for, ms
 * (behaviour: When it asks): after an interrupted request, a lost answer, or an
 * answer that brought nothing new.
 */
const MIN_DISTANCE_MS = 15 * MINUTE_MS;
/** A free request shows whether the key or the site is good again (behaviour: Failures), first and further ones, ms. */
const PROBE_MS = [HOUR_MS, 6 * HOUR_MS] as const;
/** Block that only a request for a forecast can test (behaviour: Failures), ms. */
const BLOCKED_MS = { plan: 24 * HOUR_MS, input: 6 * HOUR_MS } as const;

/** Why the next request is planned for when it is. */
export type RequestReason =
	| "first"
	| "changed"
	| "next_poll_at"
	| "interval"
	| "no_poll_time"
	| "late"
	| "unfinished"
	| "retry"
	| "rejected"
	| "plan"
	| "site"
	| "key"
	| "burst"
	| "exhausted"
	| "reserve"
	| "budget"
	| "spread"
	| "night"
	| "manual";

/** When a source is asked next. */
export interface RequestPlan {
	/** Null when no time is planned. */
	readonly at: number | null;
	readonly reason: RequestReason;
	/** `probe`: a free request first, to see whether a block has ended. */
	readonly what: "forecast" | "probe";
}

/** A plan with a time, in the past or present when it is due. */
export interface TimedPlan extends RequestPlan {
	readonly at: number;
}

/** What belongs to one source of forecasts and never changes. */
export interface SourceTiming {
	/** Fixed delay behind `next_poll_at`, 5 to 30 s, so that not all the world asks at once. */
	readonly jitterMs: number;
	/** Inline forecasts have no `next_poll_at`: they are asked in this interval. */
	readonly intervalMs?: number;
}

/** A poll as pacing puts it off. */
export interface PacedPoll {
	readonly at: number;
	/** Why later than the service's own times say, null when it is not. */
	readonly reason: "spread" | "night" | "reserve" | null;
}

const plan = (at: number, reason: RequestReason): TimedPlan => ({
	at,
	reason,
	what: reason === "key" || reason === "site" ? "probe" : "forecast",
});

/** When the service's own times call for a request. */
export function regularPlan(
	site: SiteMemory,
	timing: SourceTiming,
	now: number,
): TimedPlan {
	if (site.answeredAt === null) {
		const { requestedAt, failure } = site;
		// Whatever became of the answer, a restart must not ask for it at once.
		const isLost = requestedAt !== null && failure === null;
		return plan(
			isLost ? pastTime(requestedAt, now) + MIN_DISTANCE_MS : 0,
			"first",
		);
	}
	if (site.changedAt !== null) return plan(0, "changed");
	const answeredAt = pastTime(site.answeredAt, now);
	if (timing.intervalMs !== undefined) {
		return plan(answeredAt + timing.intervalMs, "interval");
	}
	const unchangedAnswers = site.barren;
	if (site.nextPollAt !== null) {
		// A time that brought nothing new was not worth much.
		const earliest = unchangedAnswers > 0 ? answeredAt + MIN_DISTANCE_MS : 0;
		const next = Math.min(site.nextPollAt, answeredAt + FURTHEST_POLL_MS);
		const delay = timing.jitterMs + usualLateness(site);
		return plan(Math.max(next + delay, earliest), "next_poll_at");
	}
	const late = lateAt(site, answeredAt, timing.jitterMs);
	if (late !== null) return plan(late, "late");
	// Rarer and rarer while nothing newer comes (behaviour: When it asks).
	const delay = Math.min(HOUR_MS * 2 ** unchangedAnswers, 6 * HOUR_MS);
	return plan(answeredAt + delay + timing.jitterMs, "no_poll_time");
}

/** How long the outcome of the last request forbids another one; null when it does not. */
function retryPlan(site: SiteMemory, now: number): TimedPlan | null {
	const { failure, open, requestedAt } = site;
	const delay = failure
		? Math.max(retryDelay(failure.count), failure.waitMs)
		: 0;
	if (open && requestedAt !== null) {
		const wait = Math.max(MIN_DISTANCE_MS, delay);
		return plan(pastTime(requestedAt, now) + wait, "unfinished");
	}
	return failure ? plan(pastTime(failure.at, now) + delay, "retry") : null;
}

const nextProbe = ({ probes, probedAt }: RequestBlock, now: number) =>
	pastTime(probedAt, now) + PROBE_MS[probes === 0 ? 0 : 1];

/**
 * When a site's own block is tested next: by a free request, or by one for a
 * forecast where nothing else can tell (behaviour: Failures).
 *
 * @returns null when the site is not blocked
 */
export function siteBlockPlan(
	{ block }: SiteMemory,
	now: number,
): TimedPlan | null {
	if (!block || block.type === "key") return null;
	if (block.type === "site") return plan(nextProbe(block, now), "site");
	const reason = block.type === "plan" ? "plan" : "rejected";
	return plan(pastTime(block.probedAt, now) + BLOCKED_MS[block.type], reason);
}

const later = (a: TimedPlan | null, b: TimedPlan | null): TimedPlan | null =>
	a && b ? (b.at > a.at ? b : a) : (a ?? b);

/**
 * What forbids a forecast request, however much it is wanted, and until when
 * (behaviour: The month's requests, Failures): a block, a limit, the outcome of the
 * last request.
 *
 * @returns null when nothing does; a `probe` when a free request may end it
 */
export function obstacleOf(
	site: SiteMemory,
	account: AccountMemory,
	policy: Policy,
	timing: SourceTiming,
	now: number,
): TimedPlan | null {
	const { keyBlock, lifted } = account;
	if (keyBlock && !lifted) {
		return plan(nextProbe(keyBlock, now), "key");
	}
	let obstacle = siteBlockPlan(site, now);
	if (obstacle?.what === "probe") return obstacle;
	// Sites wait their own jitter behind the end of a limit as well.
	const limit = reachedLimit(account, policy, now - timing.jitterMs);
	if (limit) {
		const end = limit.until + timing.jitterMs;
		obstacle = later(obstacle, plan(end, limit.reason));
	}
	if (!lifted) obstacle = later(obstacle, retryPlan(site, now));
	return obstacle;
}

/** Reasons whose time pacing does not put off. */
const AT_ONCE: readonly RequestReason[] = ["first", "changed"];

/**
 * When to ask for one site next, and why (behaviour: When it asks, The month's
 * requests, Failures): when the service's times call for it, pacing has it, and
 * nothing stands in the way.
 *
 * @param poll the next poll at the account's pace; null at full pace, and where
 * the site is not polled
 */
export function planSite(
	site: SiteMemory,
	account: AccountMemory,
	policy: Policy,
	timing: SourceTiming,
	now: number,
	poll: PacedPoll | null = null,
): TimedPlan {
	const obstacle = obstacleOf(site, account, policy, timing, now);
	if (obstacle?.what === "probe") return obstacle;
	const regular = regularPlan(site, timing, now);
	const paced =
		poll?.reason && !account.lifted && !AT_ONCE.includes(regular.reason)
			? plan(Math.max(poll.at, regular.at), poll.reason)
			: regular;
	return later(paced, obstacle) as TimedPlan;
}
