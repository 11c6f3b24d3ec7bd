import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { AccountState } from "../account/account-state";
import { endLift } from "../account/account-transitions";
import { noteRequestEnd } from "../account/site-transitions";
import type { SourceState } from "../account/source-state";
import { LOCKED_MS } from "../schedule/back-off";
import type { AccountStorage } from "../storage/account-storage";
import {
	goneError,
	nothingKnownError,
	refusalError,
	requestError,
} from "./failures";
import type { ForecastFetcher, RequestCause } from "./fetch-forecast";
import type { Notifier } from "./notifier";
import type { RequestQueue } from "./request-queue";
import type { SiteProbe } from "./site-probe";
import type { StoredState } from "./stored-state";

/** What a request is made for, and whether it is still needed when its turn comes. */
export interface RequestTrigger {
	readonly cause: RequestCause;
	readonly isNeeded: () => boolean;
}

/** The requests for forecasts of an account, from their turn to the note of what came of them. */
export class ForecastRequests {
	readonly #account: AccountState;
	readonly #queue: RequestQueue;
	readonly #storage: AccountStorage;
	readonly #stored: StoredState;
	readonly #notifier: Notifier;
	readonly #probe: SiteProbe;
	readonly #fetcher: ForecastFetcher;
	readonly #onEnd: (source: SourceState) => void;

	/** @param onEnd called after each request */
	constructor(
		account: AccountState,
		queue: RequestQueue,
		storage: AccountStorage,
		stored: StoredState,
		notifier: Notifier,
		probe: SiteProbe,
		fetcher: ForecastFetcher,
		onEnd: (source: SourceState) => void,
	) {
		this.#account = account;
		this.#queue = queue;
		this.#storage = storage;
		this.#stored = stored;
		this.#notifier = notifier;
		this.#probe = probe;
		this.#fetcher = fetcher;
		this.#onEnd = onEnd;
	}

	/**
	 * Makes a request, or joins the one under way for this source.
	 *
	 * @returns what went wrong
	 */
	request(
		source: SourceState,
		trigger: RequestTrigger,
	): Promise<SolarYieldError | undefined> {
		if (source.request) return source.request;
		const request = this.#queue
			.inTurn(() => this.#takeTurn(source, trigger))
			.catch((error) => {
				// Whatever it was, it must not be tried again at once.
				source.update(noteRequestEnd);
				this.#account.update(endLift);
				const failure = requestError(error);
				this.#notifier.fail(source, failure, trigger.cause === "poll");
				return failure;
			})
			.finally(() => {
				source.request = undefined;
				this.#onEnd(source);
			});
		source.request = request;
		this.#queue.track(request);
		return request;
	}

	async #takeTurn(
		source: SourceState,
		trigger: RequestTrigger,
	): Promise<SolarYieldError | undefined> {
		if (!trigger.isNeeded()) return undefined;
		const gone = goneError(this.#account);
		if (gone) return gone;
		const isLocked = await this.#storage.lock();
		if (!isLocked && trigger.cause === "poll") {
			source.lockedUntil = this.#account.now() + LOCKED_MS;
			return undefined;
		}
		try {
			await this.#stored.takeOverFromOthers(source);
			return await this.#ask(source, trigger);
		} finally {
			if (isLocked) await this.#storage.unlock();
		}
	}

	async #ask(
		source: SourceState,
		{ cause, isNeeded }: RequestTrigger,
	): Promise<SolarYieldError | undefined> {
		const account = this.#account;
		const automatic = cause === "poll";
		// Since it was decided, others may have asked, and requests may have been blocked.
		if (!isNeeded()) return undefined;
		if (cause === "refresh") {
			const refused = refusalError(account, source);
			if (refused) return refused;
			const { refreshedAt } = source;
			const blocked = await this.#probe.blockError(source);
			if (blocked) {
				// One attempt is what was allowed, and this was it.
				account.update(endLift);
				if (source.refreshedAt !== refreshedAt) {
					await this.#stored.saveAndNotify(source);
				}
				return blocked;
			}
		} else if (account.plan(source).what === "probe") {
			await this.#probe.probe(source);
			if (account.plan(source).what === "probe") {
				await this.#stored.saveAndNotify(source);
				return automatic ? undefined : nothingKnownError(account, source);
			}
		}
		let error = await this.#probe.readFirst(source);
		// One attempt is what was allowed, not one until it works.
		if (error) account.update(endLift);
		// With the server's clock known it may turn out that nothing is due yet.
		if (isNeeded()) {
			error ??= await this.#fetcher.fetch(source, cause);
			if (error) this.#notifier.fail(source, error, automatic);
		} else error = undefined;
		await this.#stored.saveAndNotify(source);
		return error && this.#notifier.withRetryTime(source, error);
	}
}
