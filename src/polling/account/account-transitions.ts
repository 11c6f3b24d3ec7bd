import { RefusedError } from "../../service/errors/answer-error";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import { nextReset, type Quota } from "../../service/quota";
import type { Group } from "../../service/v2/groups";
import {
	type AccountMemory,
	byName,
	type Failure,
	newOtherClients,
} from "../memory/schemas";
import { withChanges } from "../memory/with-changes";
import { noteOtherClients } from "../pacing/other-clients";
import { burstDelay, longestBurst } from "../schedule/back-off";
import { ownThisMonth, quotaNow } from "../schedule/limits";
import { newBlock } from "./site-transitions";

/**
 * All changes of what is remembered of an account: pure functions from memory to
 * memory, named by what happened. Times are epoch ms on the server's clock.
 */

type Kind = "forecast" | "historical";

// — counts and limits —

/** A request is about to be sent: the service may count it. One for a forecast uses up a lift of limits. */
export function countRequest(
	account: AccountMemory,
	kind: Kind,
	now: number,
): AccountMemory {
	return withChanges(account, {
		lifted: account.lifted && kind !== "forecast",
		own: addToOwn(account, kind, 1, now),
	});
}

/** The service answered before it counts. */
export function uncountRequest(
	account: AccountMemory,
	kind: Kind,
	now: number,
): AccountMemory {
	return { ...account, own: addToOwn(account, kind, -1, now) };
}

function addToOwn(
	{ own }: AccountMemory,
	kind: Kind,
	requests: number,
	now: number,
): AccountMemory["own"] {
	return {
		month: monthOf(now),
		forecast: ownThisMonth(own, now),
		historical: ownThisMonth(own, now, "historical"),
		[kind]: Math.max(0, ownThisMonth(own, now, kind) + requests),
	};
}

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
	return withChanges(account, {
		quota: { ...account.quota, [kind]: quota },
		others:
			kind === "forecast"
				? noteOtherClients(
						account.others,
						quota,
						ownThisMonth(account.own, quota.asOf),
					)
				: account.others,
		exhausted: isUsedUp
			? { ...account.exhausted, [kind]: quota.reset }
			: account.exhausted,
	});
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
	const counted = {
		...quota,
		used: used + 1,
		remaining: remaining === null ? null : Math.max(0, remaining - 1),
	};
	return { ...account, quota: { ...account.quota, [kind]: counted } };
}

/** A burst limit: 429 without quota headers (behaviour: Where the service's description is silent). */
export function noteBurst(
	account: AccountMemory,
	error: SolarYieldError,
	now: number,
): AccountMemory {
	const retryAfter = error instanceof RefusedError ? error.retryAfter : 0;
	const { delay, next } = burstDelay(
		account.burst?.waitMs ?? null,
		retryAfter ?? 0,
	);
	return { ...account, burst: { until: now + delay, waitMs: next } };
}

/**
 * A person says that things have changed: one request is allowed behind a refused
 * key, and behind a limit.
 *
 * @param isLimited whether a limit is reached that is to be lifted
 */
export function liftLimits(
	account: AccountMemory,
	isLimited: boolean,
): AccountMemory {
	return {
		...account,
		exhausted: { ...account.exhausted, historical: null },
		// Said twice before a request, it still holds.
		lifted: account.lifted || account.keyGate !== null || isLimited,
		lifts: account.lifts + 1,
	};
}

/** The one attempt that was allowed has been made, without a request for a forecast. */
export function endLift(account: AccountMemory): AccountMemory {
	return { ...account, lifted: false };
}

// — answers and failures —

/**
 * A forecast has come: nothing of the account's stands in the way any more.
 *
 * @param available groups that the plan has; null where the answer does not say
 */
export function noteForecast(
	account: AccountMemory,
	available: readonly string[] | null,
): AccountMemory {
	return withChanges(account, {
		keyGate: null,
		burst: null,
		exhausted: { ...account.exhausted, forecast: null },
		available: available ? [...available] : account.available,
		refused: account.refused.filter((group) => !available?.includes(group)),
	});
}

/** Historical data have come. */
export function noteHistory(account: AccountMemory): AccountMemory {
	return { ...account, exhausted: { ...account.exhausted, historical: null } };
}

/** The plan does not have a group. */
export function noteRefusedGroup(
	account: AccountMemory,
	group: Group,
): AccountMemory {
	return { ...account, refused: [...account.refused, group] };
}

/**
 * A request for a forecast has failed in a way that concerns the whole account
 * (behaviour: The month's requests, Failures).
 *
 * @param failures in a row
 */
export function noteAccountFailure(
	account: AccountMemory,
	error: SolarYieldError,
	failures: number,
	now: number,
): AccountMemory {
	const { kind, cause } = error;
	if (kind === "AUTH") {
		const block = newBlock("key", failures, account.lifts, now);
		return { ...account, keyGate: block };
	}
	if (kind === "RATE") return noteBurst(account, error, now);
	if (kind === "QUOTA" && cause.retry_at !== null) {
		const forecast = Date.parse(cause.retry_at);
		return { ...account, exhausted: { ...account.exhausted, forecast } };
	}
	return account;
}

// — probes of the key —

/** A free request probes the key. */
export function noteKeyProbe(account: AccountMemory): AccountMemory {
	const { keyGate: block } = account;
	return {
		...account,
		keyGate: block && { ...block, probes: block.probes + 1 },
	};
}

/** The service still refuses the key. */
export function noteKeyProbeEnd(
	account: AccountMemory,
	now: number,
): AccountMemory {
	const { keyGate: block, lifts } = account;
	return { ...account, keyGate: block && { ...block, probedAt: now, lifts } };
}

/** The service takes the key again. */
export function endKeyBlock(account: AccountMemory): AccountMemory {
	return { ...account, keyGate: null };
}

// — clock, settings, other processes —

/** What the server's clock is known to be, to be kept over a restart. */
export function noteServerClock(
	account: AccountMemory,
	clock: {
		readonly skew: number;
		readonly isDateWrong: boolean;
		readonly isTrusted: boolean;
		now(): number;
	},
): AccountMemory {
	const { skew, isDateWrong, isTrusted } = clock;
	return {
		...account,
		skew,
		// What is later than a clock that was put right was never seen.
		seenAt: isTrusted ? clock.now() : Math.min(account.seenAt, clock.now()),
		dateRefuted: isDateWrong,
	};
}

/** The clock was wrong: what was counted by it belongs to another month, and the running request to this one. */
export function noteClockCorrection(
	account: AccountMemory,
	now: number,
): AccountMemory {
	return {
		...account,
		quota: { ...account.quota, forecast: null },
		others: newOtherClients(),
		own: { ...account.own, month: monthOf(now) },
	};
}

/** @param fingerprint of the settings of the config node `id` */
export function noteSettings(
	account: AccountMemory,
	id: string,
	fingerprint: string,
): AccountMemory {
	return {
		...account,
		accounts: byName({ ...account.accounts, [id]: fingerprint }),
	};
}

/** What an earlier or another process stored counts; settings that are set here stay. */
export function takeOverAccount(
	account: AccountMemory,
	stored: AccountMemory,
): AccountMemory {
	return {
		...stored,
		accounts: byName({ ...stored.accounts, ...account.accounts }),
	};
}

/**
 * The account's file was damaged, but a site's failure tells of a stop of the whole
 * account, which must not cost a request: the month used up, a burst limit, a
 * refused key. That one is looked at by a free request at once.
 */
export function recoverStop(
	account: AccountMemory,
	{ kind, at, count }: Failure,
): AccountMemory {
	if (kind === "AUTH") {
		const block = newBlock("key", count, account.lifts, at);
		return { ...account, keyGate: { ...block, probedAt: 0, probes: 0 } };
	}
	if (kind === "RATE") return { ...account, burst: longestBurst(at) };
	if (kind === "QUOTA") {
		const forecast = Math.max(account.exhausted.forecast ?? 0, nextReset(at));
		return { ...account, exhausted: { ...account.exhausted, forecast } };
	}
	return account;
}

/** The month (UTC) of an instant, as its first instant. */
function monthOf(instant: number): number {
	const date = new Date(instant);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
