import type { SolarYieldClient } from "../../service/client";
import type { AccountState } from "../account/account-state";
import {
	countRequest,
	noteBurst,
	noteHistory,
	uncountRequest,
} from "../account/account-transitions";
import { reachedHistoricalLimit } from "../schedule/limits";
import type { AccountStorage } from "../storage/account-storage";
import { goneError, limitError, requestError } from "./failures";
import { isUncounted } from "./fetch-forecast";
import type { RequestQueue } from "./request-queue";
import type { StoredState } from "./stored-state";

/** Historical requests, with a count and limits of their own (behaviour: The month's requests). */
export class HistoricalRequests {
	readonly #account: AccountState;
	readonly #queue: RequestQueue;
	readonly #client: SolarYieldClient;
	readonly #storage: AccountStorage;
	readonly #stored: StoredState;

	constructor(
		account: AccountState,
		queue: RequestQueue,
		client: SolarYieldClient,
		storage: AccountStorage,
		stored: StoredState,
	) {
		this.#account = account;
		this.#queue = queue;
		this.#client = client;
		this.#storage = storage;
		this.#stored = stored;
	}

	/**
	 * Makes a request in its turn.
	 *
	 * @throws SolarYieldError as `ask` does; `QUOTA` or `RATE` while it may not be asked
	 */
	request<T>(ask: (client: SolarYieldClient) => Promise<T>): Promise<T> {
		return this.#queue.inTurn(async () => {
			const account = this.#account;
			const gone = goneError(account);
			if (gone) throw gone;
			const isLocked = await this.#storage.lock();
			try {
				await this.#stored.takeOverAccount();
				const limit = reachedHistoricalLimit(account.memory, account.now());
				if (limit) throw limitError(limit);
				return await this.#fetch(ask);
			} finally {
				if (isLocked) await this.#storage.unlock();
			}
		});
	}

	async #fetch<T>(ask: (client: SolarYieldClient) => Promise<T>): Promise<T> {
		const account = this.#account;
		account.update(countRequest, "historical", account.now());
		await this.#stored.saveAndNotify();
		try {
			const answer = await ask(this.#client);
			account.update(noteHistory);
			return answer;
		} catch (error) {
			const failure = requestError(error);
			const now = account.now();
			if (isUncounted(failure)) {
				account.update(uncountRequest, "historical", now);
			}
			if (failure.kind === "RATE") account.update(noteBurst, failure, now);
			throw failure;
		} finally {
			await this.#stored.saveAndNotify();
		}
	}
}
