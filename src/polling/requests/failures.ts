import { TRY_LATER } from "../../service/errors/advice";
import {
	type ErrorKind,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
import { timeText } from "../../util/time-text";
import type { AccountState } from "../account/account-state";
import { isPassing } from "../account/site-transitions";
import type { SourceState } from "../account/source-state";
import type { Failure } from "../memory/schemas";
import type { ReachedLimit } from "../schedule/limits";

/** Failures as flows see them: errors that say what happened and what to do. */

/** What a request threw, as an error of ours. */
export function requestError(error: unknown): SolarYieldError {
	return error instanceof SolarYieldError
		? error
		: new SolarYieldError(
				"RESPONSE",
				`The answer could not be used (${error instanceof Error ? error.message : "unknown"}); report this as a fault of the package`,
			);
}

/** Whether flows are to hear of it: what needs a person at once, others at the second in a row (behaviour: Errors). */
export function isToBeReported(failure: Failure): boolean {
	const needsPerson = failure.foreign || !isPassing(failure.kind);
	return !failure.reported && (needsPerson || failure.count > 1);
}

/** What the poller does where others are to try again; only what it does is said. */
const BY_ITSELF = "it is asked again by itself";

/**
 * The error of a source's remembered failure.
 *
 * @returns undefined when nothing has failed
 */
export function failureError(
	{ memory: { failure, answeredAt }, isAuto }: SourceState,
	retryAt: number | null,
): SolarYieldError | undefined {
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
	source?: SourceState,
): SolarYieldError {
	const [kind, text] = LIMIT_ERRORS[reason];
	const time = timeText(until, { zone: source?.zone?.name });
	return new SolarYieldError(kind, text.replace("{until}", time), {
		retryAt: until,
	});
}

/** Why even an explicit request is not made: the key, a 429, the reserve or the budget. */
export function refusalError(
	account: AccountState,
	source: SourceState,
): SolarYieldError | undefined {
	const { keyGate: keyBlock, lifted } = account.memory;
	if (keyBlock && !lifted) {
		const { at } = account.plan(source);
		const failed = failureError(source, at);
		return failed?.kind === "AUTH"
			? failed
			: new SolarYieldError(
					"AUTH",
					"The service refused the API key; check the key of the account",
					{ retryAt: at },
				);
	}
	const limit = account.limit();
	return limit ? limitError(limit, source) : undefined;
}

/** What an input is told while no forecast is known. */
export function nothingKnownError(
	account: AccountState,
	source: SourceState,
): SolarYieldError {
	const retryAt = account.nextAt(source);
	return (
		failureError(source, retryAt) ??
		refusalError(account, source) ??
		new SolarYieldError(
			"SERVICE",
			"No forecast is known yet; wait for the next request",
			{ retryAt },
		)
	);
}

/** Why a request is not made whose turn comes after the account is gone: nobody says which limits hold. */
export function goneError(account: AccountState): SolarYieldError | undefined {
	return account.settings.size > 0
		? undefined
		: new SolarYieldError(
				"INPUT",
				"The account was removed or deployed anew before the request's turn came; send the message again",
			);
}
