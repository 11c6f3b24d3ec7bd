import { RATE_WAIT_MS, RefusedError } from "../../service/answer-error";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import { nextReset, type Quota } from "../../service/quota";
import { HOUR_MS } from "../../util/time";
import type { AccountMemory, Failure } from "../memory/memory";
import { noteOtherClients } from "../pacing/other-clients";
import {
	type Kind,
	LONGEST_BURST_MS,
	ownThisMonth,
	type Policy,
	quotaNow,
	type ReachedLimit,
	reachedLimit,
} from "../schedule/limits";

/**
 * All changes of what is remembered of an account: pure functions from memory to
 * memory, named by what happened. Times are epoch ms on the server's clock.
 */

/** Burst whose length is not told, or not known any more, at most, ms. */
const BURST_MS = HOUR_MS;

// — counts and limits —

/**
 * A request is about to be sent: the service may count it. One for a forecast uses up
 * a lift of limits.
 *
 * @param requests −1 where the service has answered before it counts
 */
export function countRequest(
	account: AccountMemory,
	kind: Kind,
	now: number,
	requests = 1,
): AccountMemory {
	const { own, lifted } = account;
	return {
		...account,
		lifted: lifted && kind !== "forecast",
		own: {
			month: now,
			forecast: ownThisMonth(own, now),
			historical: ownThisMonth(own, now, "historical"),
			[kind]: Math.max(0, ownThisMonth(own, now, kind) + requests),
		},
	};
}

/** Statuses of answers that the service gives before it counts (spec V2, "Errors"). */
const UNCOUNTED: readonly (number | null)[] = [
	400, 401, 403, 404, 409, 422, 429,
];

/** A request has failed, which the service may not have counted. */
export const noteUncounted = (
	account: AccountMemory,
	kind: Kind,
	{ cause: { status } }: SolarYieldError,
	now: number,
): AccountMemory =>
	UNCOUNTED.includes(status) ? countRequest(account, kind, now, -1) : account;

/**
 * An answer told the account's use.
 *
 * @param isUsedUp whether it refused a request since the month's are used up
 */
export function noteQuota(
	account: AccountMemory,
	kind: Kind,
	quota: Quota,
	isUsedUp: boolean,
): AccountMemory {
	const { others, own, exhausted } = account;
	return {
		...account,
		quota: { ...account.quota, [kind]: quota },
		hasAnswered: true,
		others:
			kind === "forecast"
				? noteOtherClients(others, quota, ownThisMonth(own, quota.asOf))
				: others,
		exhausted: isUsedUp ? { ...exhausted, [kind]: quota.reset } : exhausted,
	};
}

/** An answer that counts did not tell the account's use legibly: what is known of it goes on by own count. */
export function noteUntoldUse(
	account: AccountMemory,
	kind: Kind,
	now: number,
): AccountMemory {
	const quota = quotaNow(account.quota[kind], now);
	if (!quota) return account;
	const { used, remaining } = quota;
	const left = remaining === null ? null : Math.max(0, remaining - 1);
	const counted = { ...quota, used: used + 1, remaining: left };
	return { ...account, quota: { ...account.quota, [kind]: counted } };
}

/** A burst limit: 429 without quota headers (behaviour: Where the service's description is silent). */
export function noteBurst(
	account: AccountMemory,
	error: SolarYieldError,
	now: number,
): AccountMemory {
	const retryAfter = error instanceof RefusedError ? error.retryAfter : 0;
	const asked = Math.min(retryAfter ?? 0, LONGEST_BURST_MS);
	const planned = account.burst?.waitMs ?? RATE_WAIT_MS;
	const until = now + Math.max(asked, planned);
	// Another one in a row lasts twice as long.
	const waitMs = Math.min(planned * 2, BURST_MS);
	return { ...account, burst: { until, waitMs } };
}

/** A request for historical data has failed. */
export function noteHistoricalFailure(
	account: AccountMemory,
	error: SolarYieldError,
	now: number,
): AccountMemory {
	const noted = noteUncounted(account, "historical", error, now);
	// Not for a limit that was known before.
	const isBurst = error.kind === "RATE" && error.cause.status !== null;
	return isBurst ? noteBurst(noted, error, now) : noted;
}

/**
 * A person says that things have changed: one request is allowed behind a refused
 * key, and behind a limit of these reasons.
 */
export function liftLimits(
	account: AccountMemory,
	policy: Policy,
	reasons: readonly ReachedLimit["reason"][],
	now: number,
): AccountMemory {
	const limit = reachedLimit(account, policy, now);
	const isLimited = limit !== null && reasons.includes(limit.reason);
	return {
		...account,
		exhausted: { ...account.exhausted, historical: null },
		// Said twice before a request, it still holds.
		lifted: account.lifted || account.keyBlock !== null || isLimited,
	};
}

// — answers and failures —

/**
 * A forecast has come: nothing of the account's stands in the way any more.
 *
 * @param available groups that the plan has; null where the answer does not say
 */
export const noteForecast = (
	account: AccountMemory,
	available: readonly string[] | null,
): AccountMemory => ({
	...account,
	hasAnswered: true,
	keyBlock: null,
	burst: null,
	exhausted: { ...account.exhausted, forecast: null },
	available: available ?? account.available,
	refused: account.refused.filter((group) => !available?.includes(group)),
});

/**
 * A request for a forecast has failed in a way that concerns the whole account
 * (behaviour: The month's requests, Failures).
 */
export function noteAccountFailure(
	account: AccountMemory,
	error: SolarYieldError,
	{ count, at }: Failure,
): AccountMemory {
	const { kind, cause } = error;
	if (kind === "AUTH") {
		const probes = count - 1;
		return { ...account, keyBlock: { type: "key", probes, probedAt: at } };
	}
	if (kind === "RATE") return noteBurst(account, error, at);
	if (kind === "QUOTA" && cause.retry_at !== null) {
		const forecast = Date.parse(cause.retry_at);
		return { ...account, exhausted: { ...account.exhausted, forecast } };
	}
	return account;
}

/**
 * A free request has probed the key.
 *
 * @param isGood whether the service takes it again
 */
export function noteKeyProbe(
	account: AccountMemory,
	isGood: boolean,
	now: number,
): AccountMemory {
	const { keyBlock } = account;
	if (isGood || !keyBlock) return { ...account, keyBlock: null };
	const probes = keyBlock.probes + 1;
	return { ...account, keyBlock: { ...keyBlock, probes, probedAt: now } };
}

// — damaged files —

/**
 * The account's file was damaged, but a site's failure tells of a stop of the whole
 * account, which must not cost a request: a refused key, which a free request looks at
 * at once, a burst limit, the month used up.
 */
export function recoverStop(
	account: AccountMemory,
	{ kind, at }: Failure,
): AccountMemory {
	const { exhausted } = account;
	if (kind === "AUTH") {
		return { ...account, keyBlock: { type: "key", probes: 0, probedAt: 0 } };
	}
	if (kind === "RATE") {
		return { ...account, burst: { until: at + BURST_MS, waitMs: BURST_MS } };
	}
	return kind === "QUOTA"
		? { ...account, exhausted: { ...exhausted, forecast: nextReset(at) } }
		: account;
}
