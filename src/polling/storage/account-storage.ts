import type { AnswerHead } from "../memory/answer-head";
import type { AccountMemory, SiteMemory } from "../memory/schemas";

/** A forecast as it is stored: what is remembered of the answer, and its body as received. */
export interface StoredAnswer {
	readonly head: AnswerHead;
	readonly body: string;
}

/** Where an account's memory is stored; `AccountFiles` is the one on disk. No method rejects. */
export interface AccountStorage {
	loadAccount(): Promise<AccountMemory | undefined>;
	loadSite(key: string): Promise<SiteMemory | undefined>;
	loadAnswer(key: string): Promise<StoredAnswer | undefined>;
	/** Whether the account, or a source's stored answer, was there when it was loaded, but damaged. */
	wasDamaged(key?: string): Promise<boolean>;
	/** Sets a stored answer aside that cannot be used. */
	discardAnswer(key: string): Promise<void>;
	saveAccount(memory: AccountMemory): Promise<void>;
	saveSite(key: string, memory: SiteMemory): Promise<void>;
	saveAnswer(answer: StoredAnswer): Promise<void>;
	/**
	 * Whether another process saved the account, or what is remembered of a
	 * source, since we loaded or saved it.
	 */
	changedByOthers(key?: string): Promise<boolean>;
	/** Takes the account's lock, without which no request is made; false while another process has it. */
	lock(): Promise<boolean>;
	unlock(): Promise<void>;
	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void>;
}
