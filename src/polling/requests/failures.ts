import { adviceOf, TRY_LATER, withAdvice } from "../../service/errors/advice";
import {
	type ErrorKind,
	SolarYieldError,
} from "../../service/errors/solar-yield-error";
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
		: new SolarYieldError("RESPONSE", "polling.unusable", {
				reason: error instanceof Error ? error.message : "unknown",
			});
}

/** Whether flows are to hear of it: what needs a person at once, others at the second in a row (behaviour: Errors). */
export function isToBeReported(failure: Failure): boolean {
	const needsPerson = failure.foreign || !isPassing(failure.kind);
	return !failure.reported && (needsPerson || failure.count > 1);
}

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
	const { kind, text, status, detail } = failure;
	const error = new SolarYieldError(kind, text.key, text.values, {
		status,
		detail,
		retryAt,
	});
	return isAuto && adviceOf(error) === TRY_LATER
		? withAdvice(
				error,
				answeredAt === null ? "polling.by_itself" : "polling.nothing_to_do",
			)
		: error;
}

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
	source?: SourceState,
): SolarYieldError {
	const [kind, key] = LIMIT_ERRORS[reason];
	return new SolarYieldError(
		kind,
		key,
		{ until: { at: until, zone: source?.zone?.name } },
		{ retryAt: until },
	);
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
			: new SolarYieldError("AUTH", "polling.key_refused", {}, { retryAt: at });
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
		new SolarYieldError("SERVICE", "polling.nothing_known", {}, { retryAt })
	);
}

/** Why a request is not made whose turn comes after the account is gone: nobody says which limits hold. */
export function goneError(account: AccountState): SolarYieldError | undefined {
	return account.settings.size > 0
		? undefined
		: new SolarYieldError("INPUT", "polling.account_gone");
}
