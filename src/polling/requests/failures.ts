import { RATE_WAIT_MS, RefusedError } from "../../service/errors/answer-error";
import {
	type ErrorKind,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
import type { AccountMemory, Failure, SiteMemory } from "../memory/schemas";
import {
	type holdOf,
	MOST_BURST_MS,
	type RequestReason,
} from "../schedule/schedule";

/**
 * What the end of a request leaves in memory, and how it reads to people. All
 * times are epoch ms on the server's clock.
 */

const MAX_BURST_WAIT_MS = 3_600_000;

/** Kinds of failure that waiting mends; all others need a person or the calendar. */
const PASSING: readonly ErrorKind[] = [
	"SERVICE",
	"NETWORK",
	"TIMEOUT",
	"RESPONSE",
];
const isPassing = (kind: ErrorKind) => PASSING.includes(kind);

/** Remembers a failed request, counting those of its kind in a row. */
export function noteFailure(
	site: SiteMemory,
	error: SolarYieldError,
	now: number,
): Failure {
	const before = site.failure;
	const same =
		before !== null &&
		(before.kind === error.kind ||
			(isPassing(error.kind) && isPassing(before.kind)));
	site.failure = {
		kind: error.kind,
		message: error.message,
		status: error.cause.status,
		detail: error.cause.detail,
		at: now,
		count: same ? before.count + 1 : 1,
		reported: same && before.reported,
	};
	return site.failure;
}

/**
 * Remembers a request that a process did not live to see answered: a failure
 * like others, so that a crash loop asks ever less often. Where Node-RED was
 * stopped in good order the first one is asked again at once.
 */
export function noteInterruption(site: SiteMemory): void {
	const isFirst = site.stopped && site.failure === null;
	noteFailure(
		site,
		new SolarYieldError(
			"NETWORK",
			"An earlier request was interrupted; nothing needs to be done, it is asked again by itself",
		),
		isFirst ? 0 : (site.requestedAt ?? 0),
	);
	if (!site.stopped) return;
	site.open = false;
	site.stopped = false;
}

/** Whether flows are to hear of it: a 4xx at once, others at the second in a row (behaviour: Errors). */
export function isToBeReported(failure: Failure): boolean {
	return !failure.reported && (!isPassing(failure.kind) || failure.count > 1);
}

/** Shuts the gate that belongs to a failure (behaviour: The month's requests, Failures). */
export function shutGates(
	site: SiteMemory,
	account: AccountMemory,
	error: SolarYieldError,
	failure: Failure,
	now: number,
): void {
	// A stop that came back after a look said it was over is looked at less often.
	const gate = (type: "key" | "site" | "plan" | "input") => ({
		type,
		since: now,
		probes: failure.count - 1,
		probedAt: now,
		lifts: account.lifts,
	});
	const refused = error instanceof RefusedError ? error : undefined;
	if (error.kind === "AUTH") {
		account.keyGate = gate("key");
	} else if (
		error.kind === "NOT_FOUND" ||
		refused?.refusal?.type === "inactive"
	) {
		site.gate = gate("site");
	} else if (error.kind === "PLAN") {
		site.gate = gate("plan");
	} else if (error.kind === "INPUT") {
		site.gate = gate("input");
	} else if (error.kind === "RATE") {
		noteBurst(account, error, now);
	} else if (error.kind === "QUOTA" && error.cause.retry_at !== null) {
		account.exhausted.forecast = Date.parse(error.cause.retry_at);
	}
}

/** Remembers a burst limit: 429 without quota headers (behaviour: Where the service's description is silent). */
export function noteBurst(
	account: AccountMemory,
	error: SolarYieldError,
	now: number,
): void {
	const waitMs = account.burst?.waitMs ?? RATE_WAIT_MS;
	const retryAfter = error instanceof RefusedError ? error.retryAfter : 0;
	const asked = Math.min(retryAfter ?? 0, MOST_BURST_MS);
	account.burst = {
		until: now + Math.max(asked, waitMs),
		waitMs: Math.min(waitMs * 2, MAX_BURST_WAIT_MS),
	};
}

type Hold = NonNullable<ReturnType<typeof holdOf>>;

/** How a hold reads to who asks all the same; `{until}` is filled in. */
const HOLDS: Partial<Record<RequestReason, readonly [ErrorKind, string]>> = {
	burst: [
		"RATE",
		"The service was asked too often; it is asked again at {until}",
	],
	exhausted: [
		"QUOTA",
		'The month\'s requests are used up; wait until {until}, or raise the plan and press "Ask now" in the account',
	],
	budget: [
		"QUOTA",
		"The account's budget for the month is used up; wait until {until} or raise the budget",
	],
	reserve: [
		"QUOTA",
		"Only the reserve is left of the month's requests; wait until {until} or lower the reserve of the account",
	],
};

/** The error of a request that is not made since the account is held. */
export function holdError({ until, reason }: Hold): SolarYieldError {
	const [kind, text] = HOLDS[reason] ?? [
		"QUOTA",
		"Nothing is asked before {until}; wait until then",
	];
	return new SolarYieldError(
		kind,
		text.replace("{until}", new Date(until).toISOString()),
		{ retryAt: until },
	);
}
