import {
	AccountMemory,
	AnswerHead,
	SiteMemory,
} from "../../src/polling/memory/memory";
import type {
	AccountStorage,
	Keeper,
	StoredAnswer,
} from "../../src/polling/storage/account-files";

/** A storage in memory that survives its hub, as the disk does, and takes what the disk can give back. */
export class MemoryStorage implements AccountStorage {
	account: string | undefined;
	readonly sites = new Map<string, string>();
	readonly answers = new Map<string, StoredAnswer>();
	/** Called before each write; what it throws ends the process there. */
	onSave: (what: "account" | "site" | "answer", content: string) => void =
		() => {};

	#keeper<T>(
		what: "account" | "site" | "answer",
		load: () => T | undefined,
		check: (value: T) => string,
		save: (value: T, text: string) => void,
		setAside: () => void = () => {},
	): Keeper<T> {
		return {
			load: async () => load(),
			save: async (value) => {
				const text = check(value);
				this.onSave(what, text);
				save(value, text);
			},
			setAside: async () => setAside(),
			isChanged: async () => false,
			isDamaged: false,
		};
	}

	get accountStore(): Keeper<AccountMemory> {
		return this.#keeper(
			"account",
			() => this.account && (JSON.parse(this.account) as AccountMemory),
			(memory) => JSON.stringify(AccountMemory.parse(memory)),
			(_, text) => {
				this.account = text;
			},
		) as Keeper<AccountMemory>;
	}

	siteStore(key: string): Keeper<SiteMemory> {
		return this.#keeper(
			"site",
			() => this.site(key) ?? undefined,
			(memory) => JSON.stringify(SiteMemory.parse(memory)),
			(_, text) => this.sites.set(key, text),
		);
	}

	answerStore(key: string): Keeper<StoredAnswer> {
		return this.#keeper(
			"answer",
			() => this.answers.get(key),
			({ head }) => JSON.stringify(AnswerHead.parse(head)),
			(answer) => this.answers.set(key, answer),
			() => this.answers.delete(key),
		);
	}

	async lock() {
		return true;
	}
	async unlock() {}
	async idle() {}

	/** What is remembered of a site. */
	site(key: string): SiteMemory {
		return JSON.parse(this.sites.get(key) ?? "null") as SiteMemory;
	}
}
