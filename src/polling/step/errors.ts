import { TRY_LATER } from "../../service/errors/advice";
import { RefusedError } from "../../service/errors/answer-error";
import {
	type ErrorKind,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
import type { Site } from "../../service/v2/sites/site";
import { restoreText } from "../../service/v2/sites/site-dates";
import { timeText } from "../../util/time-text";
import type { Failure } from "../memory/memory";
import { REFRESH_MS } from "../schedule/back-off";
import { isWithin, type ReachedLimit, reachedLimit } from "../schedule/limits";
import { zoneOf } from "../source/source";
import { isPassing } from "./site-transitions";
import { nextAt, type Situation } from "./turn";

/** What flows and dialogs hear of requests that failed or were not made: what happened; what to do. */

/** What a request threw, as an error of ours. */
export function requestError(error: unknown): SolarYieldError {
	return error instanceof SolarYieldError
		? error
		: new SolarYieldError(
				"RESPONSE",
				`The answer could not be used (${error instanceof Error ? error.message : "unknown"}); report this as a fault of the package`,
			);
}

/** Statuses of answers that the service gives before it counts (spec V2, "Errors"). */
const UNCOUNTED_STATUS = [400, 401, 403, 404, 409, 422, 429];

/** Whether a failed request was not counted by the service. */
export const isUncounted = ({ cause: { status } }: SolarYieldError): boolean =>
	status !== null && UNCOUNTED_STATUS.includes(status);

/** Whether flows are to hear of the last failure: of what needs a person at once, of others at the second in a row (behaviour: Errors). */
export const isToBeReported = ({ kind, count, foreign, reported }: Failure) =>
	!reported && (foreign || !isPassing(kind) || count > 1);

/** What the poller does where others are to try again; only what it does is said. */
const BY_ITSELF = "it is asked again by itself";

/**
 * The error of a source's remembered failure.
 *
 * @param retryAt epoch ms
 * @returns undefined when nothing has failed
 */
export function failureError(
	{ known: { memory }, isAuto }: Situation,
	retryAt: number | null,
): SolarYieldError | undefined {
	const { failure, answeredAt } = memory;
	if (!failure) return undefined;
	const { kind, message, status, detail } = failure;
	const end = `; ${TRY_LATER}`;
	const advice =
		answeredAt === null ? BY_ITSELF : `nothing needs to be done, ${BY_ITSELF}`;
	const said =
		isAuto && message.endsWith(end)
			? `${message.slice(0, -end.length)}; ${advice}`
			: message;
	return new SolarYieldError(kind, said, { status, detail, retryAt });
}

/** The same with the time at which the request is tried again. */
export const failureNow = (state: Situation, now: number) =>
	failureError(state, nextAt(state, now));

/** The error of a request that is stopped by a limit, by the limit's reason; `{until}` is filled in. */
const LIMIT_ERRORS: Readonly<
	Record<ReachedLimit["reason"], readonly [ErrorKind, string]>
> = {
	burst: ["RATE", "The service was asked too often; wait until {until}"],
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

/** The error of a request that a limit stops, in the time of a site or of this machine. */
export function limitError(
	{ until, reason }: ReachedLimit,
	zone: string | undefined,
): SolarYieldError {
	const [kind, text] = LIMIT_ERRORS[reason];
	const said = text.replace("{until}", timeText(until, { zone }));
	return new SolarYieldError(kind, said, { retryAt: until });
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
			: new SolarYieldError(
					"AUTH",
					"The service refused the API key; check the key of the account",
					{ retryAt: at },
				);
	}
	const limit = reachedLimit(account, policy, now);
	return limit ? limitError(limit, zoneOf(known)?.name) : undefined;
}

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
export function withRetryOf(
	{ kind, message, cause }: SolarYieldError,
	{ cause: { retry_at } }: SolarYieldError,
): SolarYieldError {
	const retryAt = retry_at === null ? null : Date.parse(retry_at);
	return new SolarYieldError(kind, message, { ...cause, retryAt });
}

/** What an input is told while no forecast is known. */
export const nothingKnownError = (
	state: Situation,
	now: number,
): SolarYieldError =>
	failureNow(state, now) ??
	refusalError(state, now) ??
	new SolarYieldError(
		"SERVICE",
		"No forecast is known yet; wait for the next request",
		{ retryAt: nextAt(state, now) },
	);

/** Why a request is not made whose turn comes after the account is gone: nobody says which limits hold. */
export const goneError = () =>
	new SolarYieldError(
		"INPUT",
		"The account was removed or deployed anew before the request's turn came; send the message again",
	);

/** No site of the account has the id that was asked for. */
export const noSuchSiteError = (cause?: SolarYieldError["cause"]) =>
	new SolarYieldError(
		"NOT_FOUND",
		"The account has no site of this id; choose one of the account's sites",
		cause && { status: cause.status, detail: cause.detail },
	);

/** Why a site has no forecasts, from its own record; undefined where it has. */
export function unusableError(
	site: Site | undefined,
): SolarYieldError | undefined {
	if (site?.state === "deleted") {
		return new SolarYieldError(
			"NOT_FOUND",
			`The site was deleted; restore it ${restoreText(site)}, or choose another site`,
		);
	}
	if (site?.state === "inactive") {
		return new RefusedError(
			"PLAN",
			"The site is inactive: it is over the plan's limit of sites; activate it in the service's web app, or delete another one",
			{},
			{ refusal: { type: "inactive" } },
		);
	}
	return undefined;
}
