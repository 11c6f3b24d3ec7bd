import { RefusedError } from "../../service/answer-error";
import { adviceOf, TRY_LATER, withAdvice } from "../../service/errors/advice";
import { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { Site } from "../../service/v2/sites/site";
import { restoreText } from "../../service/v2/sites/site-dates";
import {
	isWithin,
	REFRESH_MS,
	type ReachedLimit,
	reachedLimit,
} from "../schedule/limits";
import { siteZoneOf } from "../source/source";
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

/**
 * The error of a source's remembered failure.
 *
 * @param retryAt when the request is tried again, epoch ms
 * @returns undefined when nothing has failed
 */
export function failureError(
	state: Situation,
	retryAt?: number,
): SolarYieldError | undefined {
	const { known, isAuto } = state;
	const { failure, answeredAt } = known.memory;
	if (!failure) return undefined;
	const { kind, text, status, detail } = failure;
	const facts = { status, detail, retryAt: retryAt ?? nextAt(state) };
	const error = new SolarYieldError(kind, text.key, text.values, facts);
	if (!isAuto || adviceOf(error) !== TRY_LATER) return error;
	return withAdvice(
		error,
		answeredAt === null ? "polling.by_itself" : "polling.nothing_to_do",
	);
}

/** The error of a request that a limit stops, in the time of a site or of this machine. */
export function limitError(
	{ until, reason }: ReachedLimit,
	zone: string | undefined,
): SolarYieldError {
	const kind = reason === "burst" ? "RATE" : "QUOTA";
	const values = { until: { at: until, zone } };
	const facts = { retryAt: until };
	return new SolarYieldError(kind, `polling.${reason}`, values, facts);
}

/** Why even an explicit request is not made: the key, a 429, the reserve or the budget. */
export function refusalError(state: Situation): SolarYieldError | undefined {
	const { account, policy, known, now } = state;
	if (account.keyBlock && !account.lifted) {
		const failed = failureError(state);
		return failed?.kind === "AUTH"
			? failed
			: new SolarYieldError(
					"AUTH",
					"polling.key_refused",
					{},
					{ retryAt: nextAt(state) },
				);
	}
	const limit = reachedLimit(account, policy, now);
	return limit ? limitError(limit, siteZoneOf(known)?.name) : undefined;
}

/** Why no newer forecast comes; undefined where one comes in its time. */
export const standingError = (state: Situation) =>
	refusalError(state) ?? unusableError(state.known.site) ?? failureError(state);

/** Why a refresh makes no request now. */
export function refreshRefusal(state: Situation): SolarYieldError | undefined {
	const refused = refusalError(state);
	const { failure } = state.known.memory;
	return refused || !failure || !isWithin(REFRESH_MS, failure.at, state.now)
		? refused
		: failureError(state, failure.at + REFRESH_MS);
}

/** What an input is told while no forecast is known. */
export const nothingKnownError = (state: Situation): SolarYieldError =>
	failureError(state) ??
	refusalError(state) ??
	new SolarYieldError(
		"SERVICE",
		"polling.nothing_known",
		{},
		{ retryAt: nextAt(state) },
	);

/** Why a request is not made whose turn comes after the account is gone: nobody says which limits hold. */
export const goneError = () =>
	new SolarYieldError("INPUT", "polling.account_gone");

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
