import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import { ALL_GROUPS } from "../../service/v2/groups";
import { HOUR_MS } from "../../util/time";
import { isWithin, REFRESH_MS } from "../schedule/limits";
import { obstacleOf, siteBlockPlan } from "../schedule/schedule";
import type { Wants } from "../source/snapshots";
import {
	failureError,
	nothingKnownError,
	refreshRefusal,
	refusalError,
} from "./errors";
import { mayHave, type Situation, sourcePlan } from "./situation";

/** A site's record is read once a day, before the forecast of a plan that has one a day, too; one that could not be read is left alone for an hour: it may hang, and the forecast waits; ms. */
const RECORD_MS = { known: 23 * HOUR_MS, failed: HOUR_MS } as const;

/** What a request asks for. */
export interface RequestParameters {
	readonly pastDays: number;
	readonly include: readonly string[];
}

/** What a request asks for: all that anybody shows, and no more days than wanted. */
function parametersOf({
	account,
	known,
	shown,
	now,
}: Situation): RequestParameters {
	const { wanted } = known.memory;
	const wants = wanted.until > now ? [...shown, wanted] : shown;
	const { refused } = account;
	const band = wants.some(({ variability }) => variability);
	return {
		pastDays: Math.max(0, ...wants.map(({ pastDays }) => pastDays)),
		include: [
			...(ALL_GROUPS.some((group) => refused.includes(group))
				? ALL_GROUPS.filter((group) => !refused.includes(group))
				: ["all"]),
			...(band && mayHave(account, "variability") ? ["variability"] : []),
		],
	};
}

/** What a request asked for, in terms of what nodes want. */
export const wantsOf = ({ pastDays, include }: RequestParameters): Wants => ({
	pastDays,
	variability: include.includes("variability"),
});

/** Whether what is known was asked for with all that is wanted. */
export function isCovered(
	{ account, known: { asked } }: Situation,
	wants: Wants,
): boolean {
	return (
		asked !== undefined &&
		asked.pastDays >= wants.pastDays &&
		(!wants.variability ||
			asked.variability ||
			!mayHave(account, "variability"))
	);
}

/** The poll loop, an input where a request is due, or `msg.refresh` and "Ask now". */
type Cause = "poll" | "input" | "refresh";

/**
 * A request, and why a free one is made: to see whether a block has ended (`probe`, and
 * `unblock` for a refresh), before a forecast (`first`), to learn why one was refused
 * (`reason`), or since a refresh wants the site's new name (`after`).
 */
export type TurnRequest =
	| { readonly what: "forecast"; readonly parameters: RequestParameters }
	| {
			readonly what: "site" | "sites";
			readonly why: "probe" | "unblock" | "first" | "reason" | "after";
	  };

/** A source's turn: the requests that one cause leads to, one after another. */
export interface Turn {
	readonly cause: Cause;
	/** What a message wants. */
	readonly wants: Wants;
	/** Free requests that were made. */
	readonly done: readonly string[];
	/** `again`: a request is made in any case; `over`: the forecast has been asked for. */
	readonly forecast: "none" | "again" | "over";
	/** Why the service refused a forecast, until a free request has told the reason. */
	readonly refusal?: SolarYieldError | undefined;
	/** Whether a new forecast has come. */
	readonly isNews: boolean;
	/** What whoever asked is told. */
	readonly error?: SolarYieldError | undefined;
}

export const newTurn = (
	cause: Cause,
	wants: Wants = { pastDays: 0, variability: false },
): Turn => ({
	cause,
	wants,
	done: [],
	forecast: "none",
	isNews: false,
});

/** Whether a turn has anything to ask for. */
export function isNeeded(state: Situation, { cause, wants }: Turn): boolean {
	if (cause === "refresh") return true;
	const isDue = sourcePlan(state).at <= state.now;
	if (cause === "poll") return state.isPolled && isDue;
	const covered = isCovered(state, wants);
	// The poll loop serves the source: it asks in its own time.
	if (covered && state.isAuto) return false;
	const { account, known, policy, timing, now } = state;
	const obstacle = obstacleOf(known.memory, account, policy, timing, now);
	const isFree =
		!obstacle || (obstacle.what === "forecast" && obstacle.at <= now);
	return isDue || (!covered && isFree);
}

/** Why an input makes no request: undefined where it does, else what its sender is told. */
export function whyNone(
	state: Situation,
	turn: Turn,
): { readonly error?: SolarYieldError | undefined } | undefined {
	if (turn.cause !== "refresh") {
		return isNeeded(state, turn) ? undefined : {};
	}
	const { answeredAt } = state.known.memory;
	if (isWithin(REFRESH_MS, answeredAt, state.now)) return {};
	const error = refreshRefusal(state);
	return error && { error };
}

/**
 * The next request of a turn, or what the turn came to: `error` for whoever asked.
 * The first request for a source is decided here, and every one that follows from its
 * answers.
 */
export function nextRequest(
	state: Situation,
	turn: Turn,
): {
	readonly request?: TurnRequest;
	readonly error?: SolarYieldError | undefined;
} {
	const { known, origin, now } = state;
	const { cause, done } = turn;
	const isSite = origin.kind === "site";
	if (turn.refusal) {
		// At an address that has never answered well: another server does not know the list.
		const what = known.site || state.account.hasAnswered ? "site" : "sites";
		return { request: { what, why: "reason" } };
	}
	if (turn.error) return { error: turn.error };
	if (turn.forecast === "over") {
		// Who asks for a refresh wants the site's new name, too.
		const isBehind = !isWithin(REFRESH_MS, known.memory.recordAt, now);
		return isSite && cause === "refresh" && isBehind && !done.includes("after")
			? { request: { what: "site", why: "after" } }
			: {};
	}
	const forecast = {
		request: { what: "forecast", parameters: parametersOf(state) },
	} as const;
	if (turn.forecast === "again") return forecast;
	if (!isNeeded(state, turn)) return {};
	if (cause === "refresh") {
		const refused = refusalError(state);
		if (refused) return { error: refused };
		const block = siteBlockPlan(known.memory, now);
		if (block && (block.what === "probe" || block.at > now)) {
			const { recordAt } = known.memory;
			const isRead =
				isWithin(REFRESH_MS, recordAt, now) ||
				isWithin(REFRESH_MS, known.readFailedAt, now);
			return isSite && !done.includes("unblock") && !isRead
				? { request: { what: "site", why: "unblock" } }
				: { error: failureError(state) };
		}
	} else if (sourcePlan(state).what === "probe") {
		if (!done.includes("probe")) {
			return { request: { what: "sites", why: "probe" } };
		}
		return cause === "input" ? { error: nothingKnownError(state) } : {};
	}
	// The record is read once a day, and when the server's clock is in doubt: asking too
	// early would cost a request.
	const isFresh =
		state.isClockTrusted &&
		(isWithin(RECORD_MS.known, known.memory.recordAt, now) ||
			isWithin(RECORD_MS.failed, known.readFailedAt, now));
	if (isSite && !done.includes("first") && !isFresh) {
		return { request: { what: "site", why: "first" } };
	}
	return forecast;
}
