import type { Forecast } from "../../forecast/forecast";
import { settle } from "../../forecast/settled";
import type { RefusedError } from "../../service/answer-error";
import { SolarYieldError } from "../../service/errors/solar-yield-error";
import { ForeignAnswerError } from "../../service/first-contact";
import type { ForecastAnswer } from "../../service/v2/forecast-answer";
import type { Site } from "../../service/v2/sites/site";
import { SECOND_MS } from "../../util/time";
import type { AccountMemory } from "../memory/memory";
import { ExpectedPower } from "../pacing/expected-power";
import { FURTHEST_POLL_MS } from "../schedule/schedule";
import { type SourceKnowledge, systemHash } from "../source/source";
import {
	countRequest,
	noteAccountFailure,
	noteForecast,
	noteKeyProbe,
	noteUncounted,
} from "./account-transitions";
import { failureError, unusableError } from "./errors";
import {
	endSiteBlock,
	isPassing,
	noteAnswer,
	noteFailure,
	noteProbe,
	noteRecord,
	noteRequest,
	noteRequestEnd,
} from "./site-transitions";
import type { Situation } from "./situation";
import {
	type RequestParameters,
	type Turn,
	type TurnRequest,
	wantsOf,
} from "./turn";

/** What a request brought: a forecast, what a free read told, or why it failed. */
export interface Outcome {
	readonly came?: {
		readonly answer: ForecastAnswer;
		readonly forecast: Forecast;
		/** As received. */
		readonly body: string;
	};
	readonly sites?: readonly Site[];
	readonly error?: SolarYieldError;
}

/** What a step makes of all that is known. */
export interface StepResult {
	readonly account: AccountMemory;
	readonly known: SourceKnowledge;
	readonly turn: Turn;
	/** What flows are told of. */
	readonly told?: SolarYieldError | undefined;
}

/** What is remembered before a request is sent, so that a crash loop does not forget it. */
export function beforeRequest(
	{ account, known, now }: Situation,
	turn: Turn,
): StepResult {
	return {
		account: countRequest(account, "forecast", now),
		known: { ...known, memory: noteRequest(known.memory, now) },
		turn,
	};
}

/**
 * The one place where the poller's memory changes by what the service says: memory, a
 * request's outcome and the time give the memory that follows, the forecast in hand and
 * what flows are told.
 */
export function afterRequest(
	state: Situation,
	request: TurnRequest,
	turn: Turn,
	outcome: Outcome,
): StepResult {
	if (request.what !== "forecast") {
		return afterRead(state, request.why, turn, outcome);
	}
	const { came, error } = outcome;
	return came
		? afterForecast(state, came, request.parameters, turn)
		: afterRefusal(state, turn, error as SolarYieldError);
}

/** A request for a forecast has failed. */
function afterRefusal(
	state: Situation,
	turn: Turn,
	error: SolarYieldError,
): StepResult {
	const { refusal } = error as Partial<RefusedError>;
	const { kind, cause } = error;
	const memory = noteRequestEnd(state.known.memory);
	const known = { ...state.known, memory };
	const account = noteUncounted(state.account, "forecast", error, state.now);
	const { refused } = account;
	if (refusal?.type === "group" && !refused.includes(refusal.group)) {
		return {
			account: { ...account, refused: [...refused, refusal.group] },
			known,
			turn: { ...turn, forecast: "again" },
		};
	}
	// 403 and 404: the free read tells why. A key, or somebody else's page, is no matter of the site.
	const isOfSite =
		state.origin.kind === "site" &&
		(cause.status === 403 || cause.status === 404) &&
		kind !== "AUTH" &&
		kind !== "NETWORK";
	return isOfSite
		? { account, known, turn: { ...turn, refusal: error } }
		: fail({ ...state, account, known }, turn, error);
}

/** A free read of the site, or of the list of sites. */
function afterRead(
	state: Situation,
	why: string,
	before: Turn,
	{ sites, error }: Outcome,
): StepResult {
	const { refusal, ...rest } = before;
	const turn = { ...rest, done: [...before.done, why] };
	const { account, known, origin, now } = state;
	const { memory, site: last } = known;
	const site = sites?.find(({ site_id }) => site_id === origin.key);
	const isProbe = why === "probe";
	const isKeyProbe = isProbe && account.keyBlock !== null;
	const isUsable = site && !unusableError(site);
	const isMended =
		isUsable &&
		(memory.block?.type === "site" ||
			(why === "unblock" && last && inputsOf(last) !== inputsOf(site)));
	const probed = isProbe && !isKeyProbe ? noteProbe(memory, now) : memory;
	const next: Situation = {
		...state,
		account: isKeyProbe
			? noteKeyProbe(account, sites !== undefined, now)
			: account,
		known: {
			...known,
			memory: isMended
				? endSiteBlock(memory)
				: site && !isProbe
					? noteRecord(probed, site.record, now)
					: probed,
			site: site ?? last,
			readFailedAt: site ? 0 : now,
		},
	};
	const reason = isKeyProbe
		? undefined
		: (reasonOf(state, why, site, error, refusal) ?? refusal);
	return reason ? fail(next, turn, reason) : { ...next, turn };
}

/** Why a free read ends the turn; undefined where it is advice alone. */
function reasonOf(
	{ shown }: Situation,
	why: string,
	site: Site | undefined,
	error: SolarYieldError | undefined,
	refusal: SolarYieldError | undefined,
): SolarYieldError | undefined {
	const isMissing = !site && (!error || error.kind === "NOT_FOUND");
	if (refusal?.cause.status === 404 && isMissing) {
		const { status, detail } = refusal.cause;
		const facts = { status, detail };
		return new SolarYieldError("NOT_FOUND", "polling.no_such_site", {}, facts);
	}
	if (error) {
		// An id that only a message names is not worth a request to be sure.
		const isUnknown = error.kind === "NOT_FOUND" && shown.length === 0;
		const isOfAll =
			error.kind === "AUTH" || error instanceof ForeignAnswerError;
		return isOfAll || isUnknown ? error : undefined;
	}
	return why === "first" || why === "reason" ? unusableError(site) : undefined;
}

/** A request has failed: takes note of it, and ends the turn. One attempt is what a lift allows, not one until it works. */
export function fail(
	state: Situation,
	turn: Turn,
	error: SolarYieldError,
): StepResult {
	const failed = noteFailure(state.known.memory, error, state.now);
	const { failure } = failed;
	const noted = noteAccountFailure(state.account, error, failure);
	// Flows hear of what needs a person at once, of others at the second in a row (behaviour: Errors).
	const { kind, count, foreign } = failure;
	const isTold =
		turn.cause === "poll" &&
		state.isPolled &&
		!failure.reported &&
		(foreign || !isPassing(kind) || count > 1);
	const reported = failure.reported || isTold;
	const memory = { ...failed, failure: { ...failure, reported } };
	const after = {
		account: { ...noted, lifted: false },
		known: { ...state.known, memory },
	};
	const said = failureError({ ...state, ...after });
	const told = isTold ? said : undefined;
	return { ...after, turn: { ...turn, error: said }, told };
}

/** What a site's forecast is made of, as text. */
function inputsOf({ state, record }: Site): string {
	const { latitude, longitude, strings, config } = record;
	return JSON.stringify([state, latitude, longitude, strings, config]);
}

/**
 * A forecast has come: it becomes the source's, with all that it says of times, unless
 * another one must confirm it.
 */
function afterForecast(
	{ account, known, origin, timing, now }: Situation,
	{ answer, forecast }: NonNullable<Outcome["came"]>,
	parameters: RequestParameters,
	turn: Turn,
): StepResult {
	const { memory, held, site } = known;
	const computedAt = forecast.computed_at ?? now;
	const isNew = !held || memory.computedAt !== computedAt;
	// A curve that is suddenly all zero must be said by two forecasts (behaviour: Failures).
	const isUnconfirmed =
		isNew &&
		held !== undefined &&
		hasPower(held.forecast) &&
		!hasPower(forecast) &&
		(memory.suspect === null || memory.suspect === computedAt);
	// An answer's `Date` tells whole seconds.
	const { next_poll_at: said } = forecast;
	const isAhead = said !== null && said >= now + SECOND_MS;
	const nextPollAt = isAhead ? Math.min(said, now + FURTHEST_POLL_MS) : null;
	const noted = noteAnswer(memory, {
		answeredAt: now,
		computedAt,
		said,
		nextPollAt,
		jitterMs: timing.jitterMs,
		isNew,
		isUnconfirmed,
		automatic: turn.cause === "poll",
	});
	const after: StepResult = {
		account: noteForecast(account, forecast.available),
		known: { ...known, memory: noted, asked: wantsOf(parameters) },
		turn: { ...turn, forecast: "over" },
	};
	if (isUnconfirmed) return after;
	const settled = held?.head.settled ?? [];
	const head = {
		key: origin.key,
		system: systemHash(origin),
		answeredAt: now,
		computedAt,
		nextPollAt,
		...parameters,
		siteZone: site?.timezone ?? null,
		settled:
			held && isNew ? settle(settled, held.forecast, computedAt, now) : settled,
	};
	const power = ExpectedPower.of(forecast, computedAt);
	const isNews = isNew || memory.changedAt !== noted.changedAt;
	return {
		...after,
		known: { ...after.known, held: { answer, forecast, head, power } },
		turn: { ...after.turn, isNews },
	};
}

const hasPower = ({ values }: Forecast) =>
	values.rows.some((row) => Number(row.pv_power) > 0);
