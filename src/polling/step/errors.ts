import { adviceOf, TRY_LATER, withAdvice } from "../../service/errors/advice";
import { RefusedError } from "../../service/errors/answer-error";
import {
	type ErrorKind,
	errorFacts,
	restated,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
import type { Site } from "../../service/v2/sites/site";
import { restoreText } from "../../service/v2/sites/site-dates";
import type { Failure } from "../memory/memory";
import { REFRESH_MS } from "../schedule/back-off";
import { isWithin, type ReachedLimit, reachedLimit } from "../schedule/limits";
import { siteZoneOf } from "../source/source";
import { isPassing } from "./site-transitions";
import { nextAt, type Situation } from "./situation";

/** What flows and dialogs hear of requests that failed or were not made: what happened; what to do. */

/** What a request threw, as an error of ours. */
export function requestError(error: unknown): SolarYieldError {
	return error instanceof SolarYieldError
		? error
		: new SolarYieldError("RESPONSE", "polling.unusable", {
				reason: error instanceof Error ? error.message : "unknown",
			});
}

/** Statuses of answers that the service gives before it counts (spec V2, "Errors"). */
const UNCOUNTED_STATUS = [400, 401, 403, 404, 409, 422, 429];

/** Whether a failed request was not counted by the service. */
export const isUncounted = ({ cause: { status } }: SolarYieldError): boolean =>
	status !== null && UNCOUNTED_STATUS.includes(status);

/** Whether flows are to hear of the last failure: of what needs a person at once, of others at the second in a row (behaviour: Errors). */
export const isToBeReported = ({ kind, count, foreign, reported }: Failure) =>
	!reported && (foreign || !isPassing(kind) || count > 1);

/**
 * The error of a source's remembered failure.
 *
 * @param retryAt epoch ms
 * @returns undefined when nothing has failed
 */
function failureError(
	{ known: { memory }, isAuto }: Situation,
	retryAt: number | null,
): SolarYieldError | undefined {
	const { failure, answeredAt } = memory;
	if (!failure) return undefined;
	const { kind, text, status, detail } = failure;
	const facts = { status, detail, retryAt };
	const error = new SolarYieldError(kind, text.key, text.values, facts);
	if (!isAuto || adviceOf(error) !== TRY_LATER) return error;
	return withAdvice(
		error,
		answeredAt === null ? "polling.by_itself" : "polling.nothing_to_do",
	);
}

/** The same with the time at which the request is tried again. */
export const failureNow = (state: Situation, now: number) =>
	failureError(state, nextAt(state, now));

/** The error of a request that is stopped by a limit, by the limit's reason. */
const LIMIT_ERRORS: Readonly<
	Record<ReachedLimit["reason"], readonly [ErrorKind, string]>
> = {
	burst: ["RATE", "polling.burst"],
	exhausted: ["QUOTA", "polling.exhausted"],
	budget: ["QUOTA", "polling.budget"],
	reserve: ["QUOTA", "polling.reserve"],
};

/** The error of a request that a limit stops, in the time of a site or of this machine. */
export function limitError(
	{ until, reason }: ReachedLimit,
	zone: string | undefined,
): SolarYieldError {
	const [kind, key] = LIMIT_ERRORS[reason];
	const values = { until: { at: until, zone } };
	return new SolarYieldError(kind, key, values, { retryAt: until });
}

/** Why even an explicit request is not made: the key, a 429, the reserve or the budget. */
export function refusalError(
	state: Situation,
	now: number,
): SolarYieldError | undefined {
	const { account, policy, known } = state;
	if (account.keyBlock && !account.lifted) {
		const at = nextAt(state, now);
		const failed = failureError(state, at);
		return failed?.kind === "AUTH"
			? failed
			: new SolarYieldError("AUTH", "polling.key_refused", {}, { retryAt: at });
	}
	const limit = reachedLimit(account, policy, now);
	return limit ? limitError(limit, siteZoneOf(known)?.name) : undefined;
}

/** Why no newer forecast comes; undefined where one comes in its time. */
export const standingError = (state: Situation, now: number) =>
	refusalError(state, now) ??
	unusableError(state.known.site) ??
	failureNow(state, now);

/** Why a refresh makes no request now. */
export function refreshRefusal(
	state: Situation,
	now: number,
): SolarYieldError | undefined {
	const refused = refusalError(state, now);
	const { failure } = state.known.memory;
	return refused || !failure || !isWithin(REFRESH_MS, failure.at, now)
		? refused
		: failureError(state, failure.at + REFRESH_MS);
}

/** An error with the time from which another one says that it may be tried again. */
export const withRetryOf = (
	error: SolarYieldError,
	other: SolarYieldError,
): SolarYieldError =>
	restated(error, { facts: { retryAt: errorFacts(other).retryAt } });

/** What an input is told while no forecast is known. */
export const nothingKnownError = (
	state: Situation,
	now: number,
): SolarYieldError =>
	failureNow(state, now) ??
	refusalError(state, now) ??
	new SolarYieldError(
		"SERVICE",
		"polling.nothing_known",
		{},
		{ retryAt: nextAt(state, now) },
	);

/** Why a request is not made whose turn comes after the account is gone: nobody says which limits hold. */
export const goneError = () =>
	new SolarYieldError("INPUT", "polling.account_gone");

/** No site of the account has the id that was asked for. */
export const noSuchSiteError = ({ status, detail }: SolarYieldError["cause"]) =>
	new SolarYieldError(
		"NOT_FOUND",
		"polling.no_such_site",
		{},
		{ status, detail },
	);

/** Why a site has no forecasts, from its own record; undefined where it has. */
export function unusableError(
	site: Site | undefined,
): SolarYieldError | undefined {
	if (site?.state === "deleted") {
		return new SolarYieldError("NOT_FOUND", "polling.site_deleted", {
			until: restoreText(site),
		});
	}
	if (site?.state === "inactive") {
		return new RefusedError(
			"PLAN",
			"polling.site_inactive",
			{},
			{},
			{ refusal: { type: "inactive" } },
		);
	}
	return undefined;
}
