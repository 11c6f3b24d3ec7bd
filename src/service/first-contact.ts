import type { Text } from "../texts/texts";
import { errorDetail, isWebPage, OWN_WORDS } from "./answer-error";
import { adviceOf, withAdvice } from "./errors/advice";
import { SolarYieldError } from "./errors/solar-yield-error";
import type { WireAnswer } from "./http/exchange";

/**
 * Errors at an address that has never answered well: there the address itself is
 * the first thing to look at (behaviour: Failures).
 */

/** Another server answers at the address. */
export class ForeignAnswerError extends SolarYieldError {
	/** @param how it answers, in words that complete "it answers with …" */
	constructor(
		how: Text,
		facts: { readonly status?: number; readonly detail?: string | null } = {},
	) {
		super(
			facts.status === 403 ? "NETWORK" : "RESPONSE",
			"service.foreign",
			{ how },
			facts,
		);
	}
}

/** Statuses that a service has its own reasons for, whatever page comes along. */
const OWN_STATUSES = [402, 407, 408, 425, 429];
/** Statuses with which a server in between refuses everybody, by a page of its own. */
const REFUSALS = [401, 403];
/** Statuses of a server that knows no such path, or no such method there. */
const UNKNOWN_PATH = [404, 405, 501];

/**
 * The error for an answer that is no success, where it shows another server. Elsewhere
 * than on a path that the service always has, a page may be the service's own word on a
 * site, but for one that refuses and speaks neither of plan nor key.
 *
 * @param isFixed whether it is such a path
 */
export function foreignAnswer(
	answer: WireAnswer,
	isFixed: boolean,
): ForeignAnswerError | undefined {
	const { status } = answer;
	const detail = errorDetail(answer.body);
	const isPage =
		(isFixed ? status >= 400 && status < 500 : REFUSALS.includes(status)) &&
		!OWN_STATUSES.includes(status) &&
		isWebPage(answer) &&
		!OWN_WORDS.test(detail ?? "");
	if (isPage)
		return new ForeignAnswerError(
			{ key: "service.a_web_page" },
			{ status, detail },
		);
	return isFixed && UNKNOWN_PATH.includes(status)
		? new ForeignAnswerError(
				{ key: "service.status", values: { status } },
				{ status, detail },
			)
		: undefined;
}

/** The error for an answer that should be JSON and is not; undefined where it only broke off. */
export function foreignText(
	answer: WireAnswer,
): ForeignAnswerError | undefined {
	const { status, body } = answer;
	if (/^\s*[{[]/.test(body)) return undefined;
	const key = isWebPage(answer)
		? "service.a_web_page"
		: body.trim() === ""
			? "service.nothing"
			: "service.a_text";
	return new ForeignAnswerError({ key }, { status, detail: errorDetail(body) });
}

/** Any other error: that nothing needs to be done is not said before something was good. */
export function firstContactError(error: unknown): unknown {
	return error instanceof SolarYieldError &&
		adviceOf(error).startsWith("nothing needs to be done")
		? withAdvice(error, "advice.url_and_network")
		: error;
}
