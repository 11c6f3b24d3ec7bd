import { placeForecast } from "../../forecast/forecast";
import { readForecast } from "../../service/v2/forecast-answer";
import { readSite } from "../../service/v2/sites/site";
import type { AccountState } from "../account/account-state";
import {
	noteServerClock,
	recoverStop,
	takeOverAccount,
} from "../account/account-transitions";
import { systemHash } from "../account/forecast-source";
import {
	expireRecord,
	forgetAnswer,
	loseAnswer,
	noteInterruption,
	noteStoredAnswer,
	takeOverSite,
} from "../account/site-transitions";
import type { SourceState } from "../account/source-state";
import type { AccountStorage, StoredAnswer } from "../storage/account-storage";
import { wantsOf } from "./accept-answer";
import type { Notifier } from "./notifier";

/** Saves the live state, and loads what was stored by an earlier process or by another one. */
export class StoredState {
	readonly #account: AccountState;
	readonly #storage: AccountStorage;
	readonly #notifier: Notifier;

	constructor(
		account: AccountState,
		storage: AccountStorage,
		notifier: Notifier,
	) {
		this.#account = account;
		this.#storage = storage;
		this.#notifier = notifier;
	}

	// — save —

	/** Saves what is remembered of a source, and of the account. */
	async save(source?: SourceState): Promise<void> {
		const account = this.#account;
		account.paceCache.invalidate();
		account.update(noteServerClock, account.server);
		await Promise.all([
			source &&
				this.#isWorthSaving(source) &&
				this.#storage.saveSite(source.key, source.memory),
			this.#storage.saveAccount(account.memory),
		]);
	}

	/** Saves as `save` does, and tells those whose statuses may show it. */
	async saveAndNotify(source?: SourceState): Promise<void> {
		await this.save(source);
		this.#notifier.changed(source);
	}

	/**
	 * Not a source whose inline system was edited, which has nothing to say any
	 * more, nor an id that only a message named and that cost no request: a flow
	 * may make up any number of these.
	 */
	#isWorthSaving(source: SourceState): boolean {
		const { key, subscribers, memory } = source;
		return (
			this.#account.sources.get(key) === source &&
			(subscribers.size > 0 || memory.requestedAt !== null)
		);
	}

	// — load —

	/** Loads what an earlier process stored of the account. */
	async loadAccount(): Promise<void> {
		const memory = await this.#storage.loadAccount();
		if (!memory) return;
		this.#account.server.resume(memory.skew, memory.seenAt, memory.dateRefuted);
		this.#account.update(takeOverAccount, memory);
	}

	/** Loads what is stored of a source, when it is first named. */
	async loadSource(source: SourceState): Promise<void> {
		const [memory, answer] = await Promise.all([
			this.#storage.loadSite(source.key),
			this.#storage.loadAnswer(source.key),
		]);
		// What is stored of an inline system that was edited is another system's.
		if (memory?.system === systemHash(source.origin)) {
			source.update(takeOverSite, memory);
		}
		const { failure } = source.memory;
		// What the sites' files tell has to do.
		if (failure && (await this.#storage.wasDamaged())) {
			this.#account.update(recoverStop, failure);
		}
		await this.#useAnswer(source, answer);
		// Nobody waits for that request's answer any more.
		if (source.memory.open) source.update(noteInterruption);
	}

	/** Makes a stored forecast the source's; one that cannot be read changes nothing. */
	async #useAnswer(
		source: SourceState,
		stored: StoredAnswer | undefined,
	): Promise<void> {
		const { origin, key } = source;
		const { record } = source.memory;
		if (record !== null && origin.kind === "site") {
			try {
				source.site = readSite(record, key);
			} catch {
				source.update(expireRecord);
			}
		}
		if (!stored || stored.head.system !== systemHash(origin)) {
			const isDamaged = await this.#storage.wasDamaged(key);
			source.update(isDamaged ? loseAnswer : forgetAnswer);
			return;
		}
		const { head, body } = stored;
		try {
			const answer = readForecast(JSON.parse(body));
			const { siteZone } = head;
			const [interval] = this.#account.settings.intervals;
			const forecast = placeForecast(answer, { siteZone, interval });
			source.put(answer, head, new Map([[forecast.interval, forecast]]));
			source.asked = wantsOf(head);
		} catch {
			source.update(loseAnswer);
			await this.#storage.discardAnswer(key);
			return;
		}
		source.update(noteStoredAnswer, head);
	}

	// — other processes on the same folder —

	/** Takes over what another process has stored of the account meanwhile. */
	async takeOverAccount(): Promise<void> {
		if (!(await this.#storage.changedByOthers())) return;
		const memory = await this.#storage.loadAccount();
		if (memory) this.#account.update(takeOverAccount, memory);
	}

	/** Takes over what another process has fetched meanwhile. */
	async takeOverFromOthers(source: SourceState): Promise<void> {
		await this.takeOverAccount();
		const { key, origin } = source;
		if (!(await this.#storage.changedByOthers(key))) return;
		const memory = await this.#storage.loadSite(key);
		if (!memory || memory.system !== systemHash(origin)) return;
		source.update(takeOverSite, memory);
		const { answeredAt, computedAt } = source.head ?? {};
		if (answeredAt === memory.answeredAt) return;
		await this.#useAnswer(source, await this.#storage.loadAnswer(key));
		if (source.head && source.head.computedAt !== computedAt) {
			await this.#notifier.announceNew(source);
		}
	}
}
