import type { Interval } from "../../forecast/forecast";
import {
	errorFacts,
	restated,
	type SolarYieldError,
} from "../../service/errors/solar-yield-error";
import { MINUTE_MS } from "../../util/time";
import type { AccountState } from "../account/account-state";
import { noteWanted } from "../account/site-transitions";
import type { ForecastSnapshot } from "../account/snapshots";
import type { SourceState } from "../account/source-state";
import type { Wants } from "../account/subscriber";
import { isWithin } from "../schedule/remembered-times";
import { failureError, nothingKnownError, refusalError } from "./failures";
import type { ForecastRequests, RequestTrigger } from "./forecast-requests";

/** Time in which `refresh` gets the answer that has just come (behaviour: Messages), ms. */
const REFRESH_DISTANCE_MS = MINUTE_MS;

/** A request that is made in any case when its turn comes. */
export const REFRESH: RequestTrigger = {
	cause: "refresh",
	isNeeded: () => true,
};

/** What an input gets: what is known, and what went wrong in asking for more. */
export interface InputResult {
	readonly state: ForecastSnapshot | undefined;
	/** Whether no request was made for it. */
	readonly cached: boolean;
	readonly error: SolarYieldError | undefined;
}

/** Answers inputs (behaviour: Messages "Input"), after a request where one is called for. */
export class InputRequests {
	readonly #account: AccountState;
	readonly #requests: ForecastRequests;

	constructor(account: AccountState, requests: ForecastRequests) {
		this.#account = account;
		this.#requests = requests;
	}

	/** Never rejects. */
	async ask(
		source: SourceState,
		wants: Wants,
		refresh: boolean,
		interval: Interval,
	): Promise<InputResult> {
		const before = source.memory.answeredAt;
		const error = await (refresh
			? this.#refresh(source, wants)
			: this.#askIfNeeded(source, wants));
		const state = this.#account.forecastSnapshot(source, interval);
		return {
			state,
			cached: source.memory.answeredAt === before,
			error:
				error ?? (state ? undefined : nothingKnownError(this.#account, source)),
		};
	}

	/** Whether an answer has just come. */
	isFresh({ memory: { answeredAt } }: SourceState): boolean {
		const now = this.#account.now();
		return (
			answeredAt !== null && isWithin(REFRESH_DISTANCE_MS, answeredAt, now)
		);
	}

	async #refresh(
		source: SourceState,
		wants: Wants,
	): Promise<SolarYieldError | undefined> {
		this.#keepUp(source, wants);
		while (source.request) {
			const error = await source.request;
			if (error) return this.#withRefreshTime(source, error);
		}
		if (this.isFresh(source)) return undefined;
		const refused = this.#refusedRefresh(source);
		if (refused) return refused;
		const error = await this.#requests.request(source, REFRESH);
		return error && this.#withRefreshTime(source, error);
	}

	/** Why a refresh makes no request now. */
	#refusedRefresh(source: SourceState): SolarYieldError | undefined {
		const refused = refusalError(this.#account, source);
		if (refused) return refused;
		const { failure } = source.memory;
		const now = this.#account.now();
		return failure && isWithin(REFRESH_DISTANCE_MS, failure.at, now)
			? failureError(source, failure.at + REFRESH_DISTANCE_MS)
			: undefined;
	}

	/** An error with the time from which a refresh asks again, which may be long before the next poll. */
	#withRefreshTime(
		source: SourceState,
		error: SolarYieldError,
	): SolarYieldError {
		const refused = this.#refusedRefresh(source);
		if (!refused) return error;
		const { retryAt } = errorFacts(refused);
		return restated(error, { facts: { retryAt } });
	}

	async #askIfNeeded(
		source: SourceState,
		wants: Wants,
	): Promise<SolarYieldError | undefined> {
		this.#keepUp(source, wants);
		const isCovered = () =>
			source.forecast !== undefined && this.#covers(source, wants);
		while (source.request) {
			if (isCovered()) return undefined;
			const error = await source.request;
			if (error) return error;
		}
		const isNeeded = () => {
			const covered = isCovered();
			// The poll loop serves the source: it asks in its own time.
			if (covered && source.isAuto) return false;
			return (
				this.#account.isDue(source) ||
				(!covered && !this.#account.isForbidden(source))
			);
		};
		return isNeeded()
			? this.#requests.request(source, { cause: "input", isNeeded })
			: undefined;
	}

	/** Whether the last answer was asked for with all that is wanted. */
	#covers({ asked }: SourceState, wants: Wants): boolean {
		return (
			asked !== undefined &&
			asked.pastDays >= wants.pastDays &&
			(!wants.variability ||
				asked.variability ||
				!this.#account.mayHave("variability"))
		);
	}

	/** Has the next polls bring along what a message wants. */
	#keepUp(source: SourceState, wants: Wants): void {
		if (wants.pastDays === 0 && !wants.variability) return;
		source.update(noteWanted, wants, this.#account.now());
	}
}
