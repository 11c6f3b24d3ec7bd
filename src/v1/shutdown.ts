/** The end of V1, and its messages. */

import { adviceOf, withAdvice } from "../service/errors/advice";
import {
	errorFacts,
	SolarYieldError,
} from "../service/errors/solar-yield-error";
import type { Language } from "../util/language";
import { DAY_MS } from "../util/time";
import { timeText } from "../util/zone";
import "./texts";

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

const LAST_DAY = {
	at: Date.parse(V1_SHUTDOWN.lastDay),
	zone: "UTC",
	dateOnly: true,
};

/** The last day in words, in English unless told. */
export const lastDayText = (language?: Language): string =>
	timeText(LAST_DAY.at, { ...LAST_DAY, language });

/** Advice of other requests (polling, sites), in English, and the key of its replacement for V1. */
const ADVICE: readonly (readonly [said: RegExp, ours: string])[] = [
	[/^(nothing needs to be done|try again later)/, "v1.send_again"],
	[/^check the site id/, "v1.check_url"],
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
		return new V1EndedError(
			error.kind,
			"v1.ended",
			{ date: LAST_DAY, status: status ?? { key: "v1.no_connection" } },
			errorFacts(error),
		);
	const advice = adviceOf(error);
	const better = ADVICE.find(([said]) => said.test(advice))?.[1];
	return better === undefined ? error : withAdvice(error, better);
}
