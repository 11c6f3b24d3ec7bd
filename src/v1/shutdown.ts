/** The end of V1, and its messages. */

import { messageParts, withAdvice } from "../service/errors/advice";
import {
	SolarYieldError,
	withMessage,
} from "../service/errors/solar-yield-error";
import { DAY_MS } from "../util/time";

/** The dates, UTC; the last day belongs to V1 still. */
export const V1_SHUTDOWN = {
	warnFrom: "2026-12-01",
	lastDay: "2026-12-31",
} as const;

const WARN_FROM_MS = Date.parse(`${V1_SHUTDOWN.warnFrom}T00:00:00Z`);
const ENDED_MS = Date.parse(`${V1_SHUTDOWN.lastDay}T00:00:00Z`) + DAY_MS;

/** `warning` from the first of the last month, `ended` once the last day (UTC) is over. */
export type V1Phase = "legacy" | "warning" | "ended";

/** @param nowMs epoch milliseconds */
export function v1Phase(nowMs: number): V1Phase {
	if (nowMs >= ENDED_MS) return "ended";
	return nowMs >= WARN_FROM_MS ? "warning" : "legacy";
}

/** Milliseconds until the next phase begins; Infinity in the last one. */
export function v1PhaseRemaining(nowMs: number): number {
	return (
		([WARN_FROM_MS, ENDED_MS].find((it) => it > nowMs) ??
			Number.POSITIVE_INFINITY) - nowMs
	);
}

/** The last day in words, in English unless told. */
export const lastDayText = (language = "en-US"): string =>
	new Date(V1_SHUTDOWN.lastDay).toLocaleDateString(language, {
		dateStyle: "medium",
		timeZone: "UTC",
	});

/** How to get off V1, as errors and the help say it. */
const V1_HOW_TO_MOVE =
	'move to V2: the button "Move to V2" in this node\'s dialog, or msg.operation "to-v2", makes the site of these parameters; then use the forecast and history nodes';

/** Advice of other requests (polling, sites) and its replacement for V1. */
const ADVICE: readonly (readonly [said: RegExp, ours: string])[] = [
	[
		/^(nothing needs to be done|try again later)/,
		"send the message again later",
	],
	[/^check the site id/, "check the base URL of the account"],
];

/** V1 does not answer because it has ended. */
export class V1EndedError extends SolarYieldError {}

/**
 * The error of a failed V1 request in V1's own words. Once V1 has ended, a 404, a 410
 * or no answer says so and how to move. Nothing is retried here, so the advice
 * differs. Code and facts stay as they are.
 *
 * @param nowMs epoch milliseconds
 */
export function explainV1Failure(
	error: SolarYieldError,
	nowMs: number,
): SolarYieldError {
	const { status } = error.cause;
	const gone =
		status === 404 ||
		status === 410 ||
		error.kind === "NETWORK" ||
		error.kind === "TIMEOUT";
	if (gone && v1Phase(nowMs) === "ended")
		return withMessage(
			error,
			`V1 of the Solar Yield Service ended on ${lastDayText()} and no longer answers (${status ?? "no connection"}); ${V1_HOW_TO_MOVE}`,
			V1EndedError,
		);
	const { advice } = messageParts(error);
	const better = ADVICE.find(([said]) => said.test(advice))?.[1];
	return better === undefined ? error : withAdvice(error, better);
}
