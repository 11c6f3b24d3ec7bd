import { createHmac, randomBytes } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Text } from "../../texts/texts";
import type { AccountMemory, SiteMemory } from "../memory/schemas";
import type { AccountStorage, StoredAnswer } from "./account-storage";
import {
	ChangedFiles,
	codeOf,
	createWhole,
	hashOf,
	inFolder,
	isMissing,
	readOwn,
	renameFile,
	stampOf,
	writeAtomically,
	writeWhole,
} from "./atomic-file";
import {
	readAccount,
	readAnswer,
	readSiteMemory,
	writeAccount,
	writeAnswer,
	writeSite,
} from "./file-formats";
import { acquireLock, releaseLock } from "./lock-file";
import { sweepTemporary, temporaryMark } from "./temporary-files";

export type ReportFault = (text: Text) => void;

/**
 * One account's memory on disk (behaviour: Restarts and deploys): a small file for the account and
 * one for each site, written before and after each request, and a file per
 * forecast.
 *
 * File names hold a salted hash of base URL and key, so that nobody else's data
 * is ever read and nothing can be learned from them. Never rejects: a directory
 * that cannot be written is reported once, then memory has to do; a damaged file
 * is set aside and reported.
 */
export class AccountFiles implements AccountStorage {
	readonly #folder: string;
	readonly #baseUrl: string;
	readonly #apiKey: string;
	readonly #report: ReportFault;
	readonly #mark = temporaryMark();
	/** The folder's salt once it is read, until then one to put there. */
	#salt = randomBytes(16).toString("hex");
	#name: Promise<string> | undefined;
	#writable = true;
	/** Reasons reported already. */
	readonly #reported = new Set<string>();
	/** Writes go one after another; of one file only the newest content is written. */
	#queue: Promise<void> = Promise.resolve();
	readonly #waiting = new Map<string, () => string | Promise<Uint8Array>>();
	readonly #changed = new ChangedFiles();
	/** Stamps of the files that others may write as well, as we last read or wrote them. */
	readonly #seen = new Map<string, string>();
	/** What was found damaged: the account (blank), and sources' forecasts. */
	readonly #damaged = new Set<string>();
	/** Sites out of the first release's account file, for a folder that cannot be written. */
	#sites: ReadonlyMap<string, SiteMemory> = new Map();

	/** @param folder `solar-yield/` under the user directory */
	constructor(
		folder: string,
		baseUrl: string,
		apiKey: string,
		report: ReportFault = () => {},
	) {
		this.#folder = folder;
		this.#baseUrl = baseUrl;
		this.#apiKey = apiKey;
		this.#report = report;
	}

	/** The hash of base URL and key that file names hold. */
	#account(): Promise<string> {
		this.#name ??= this.#readSalt().then((salt) => {
			this.#salt = salt;
			return createHmac("sha256", salt)
				.update(`${this.#baseUrl}\n${this.#apiKey}`)
				.digest("hex")
				.slice(0, 16);
		});
		return this.#name;
	}

	/** The salt of the folder, made by whoever is first in it. */
	async #readSalt(): Promise<string> {
		const file = join(this.#folder, "salt");
		try {
			for (let attempt = 0; attempt < 2; attempt += 1) {
				const content = await readOwn(file).catch((error) => {
					if (!isMissing(error)) throw error;
				});
				const known = content?.toString();
				if (known !== undefined && /^[0-9a-f]{32}$/.test(known)) return known;
				if (known !== undefined) await this.#setAside(file, "polling.damaged");
				if (await inFolder(this.#folder, () => this.#createSalt())) break;
			}
		} catch (error) {
			this.#fail(error);
			// Names are only of use once the salt is on disk, too: try again.
			this.#name = undefined;
		}
		return this.#salt;
	}

	/** Puts the salt into the folder, unless there is one. */
	#createSalt(): Promise<boolean> {
		const file = join(this.#folder, "salt");
		return createWhole(file, `${file}.${this.#mark}`, (name) =>
			writeWhole(name, this.#salt),
		);
	}

	/** The beginning of the paths of other files of this account, such as those of a `FileCache`. */
	async pathOf(kind: string): Promise<string> {
		return join(this.#folder, `${kind}-${await this.#account()}`);
	}

	async #accountFile(extension = "json"): Promise<string> {
		return `${await this.pathOf("account")}.${extension}`;
	}

	/** A source's file; a key may hold what no file name can. */
	async #sourceFile(kind: "site" | "forecast", key: string): Promise<string> {
		return `${await this.pathOf(kind)}-${hashOf(key, 12)}.json`;
	}

	/** What was remembered of the account, undefined when nothing (whole) was. */
	async loadAccount(): Promise<AccountMemory | undefined> {
		const file = await this.#accountFile();
		await Promise.all([sweepTemporary(this.#folder), this.#see(file)]);
		const stored = await this.#read(file, readAccount, "");
		const sites = Object.entries(stored?.sites ?? {});
		if (stored && sites.length > 0) {
			// The account goes last: until it is written, the old file still holds all.
			this.#sites = new Map(sites);
			for (const [key, memory] of sites) void this.saveSite(key, memory);
			await this.saveAccount(stored.memory);
		}
		return stored?.memory;
	}

	/** What was remembered of a source, undefined when nothing (whole) was. */
	async loadSite(key: string): Promise<SiteMemory | undefined> {
		const file = await this.#sourceFile("site", key);
		await this.#see(file);
		return (
			(await this.#read(file, (content) => readSiteMemory(content, key))) ??
			this.#sites.get(key)
		);
	}

	async changedByOthers(key?: string): Promise<boolean> {
		await this.#queue;
		const file = await (key === undefined
			? this.#accountFile()
			: this.#sourceFile("site", key));
		const stamp = await this.#stamp(file);
		return stamp !== "" && stamp !== this.#seen.get(file);
	}

	async #see(file: string): Promise<void> {
		this.#seen.set(file, await this.#stamp(file));
	}

	async #stamp(file: string): Promise<string> {
		try {
			return stampOf(await stat(file));
		} catch {
			return "";
		}
	}

	/**
	 * Takes the account's lock, so that of two processes on one folder the second
	 * sees the first one's answer before it asks.
	 *
	 * @returns false while another one holds it
	 */
	async lock(): Promise<boolean> {
		return acquireLock(await this.#accountFile("lock"), this.#mark);
	}

	async unlock(): Promise<void> {
		await releaseLock(await this.#accountFile("lock"));
	}

	/** The stored forecast of a source, undefined when there is none (whole). */
	async loadAnswer(key: string): Promise<StoredAnswer | undefined> {
		return this.#read(
			await this.#sourceFile("forecast", key),
			(content) => readAnswer(content, key),
			key,
		);
	}

	async wasDamaged(key = ""): Promise<boolean> {
		return this.#damaged.has(key);
	}

	/** Sets a stored forecast aside whose body turned out to be unreadable. */
	async discardAnswer(key: string): Promise<void> {
		await this.#setAside(
			await this.#sourceFile("forecast", key),
			"polling.unreadable",
		);
	}

	/** Resolves when the content is on disk, or cannot be put there. */
	saveAccount(memory: AccountMemory): Promise<void> {
		return this.#write(
			"account",
			() => writeAccount(memory),
			() => this.#accountFile(),
		);
	}

	/** Resolves when the content is on disk, or cannot be put there. */
	saveSite(key: string, memory: SiteMemory): Promise<void> {
		return this.#write(
			`site ${key}`,
			() => writeSite(key, memory),
			() => this.#sourceFile("site", key),
		);
	}

	/** Resolves when the content is on disk, or cannot be put there. */
	saveAnswer(answer: StoredAnswer): Promise<void> {
		const { key } = answer.head;
		return this.#write(
			`forecast ${key}`,
			() => writeAnswer(answer),
			() => this.#sourceFile("forecast", key),
		);
	}

	/** Resolves when all that was to be saved is on disk. */
	async flush(): Promise<void> {
		await this.#queue;
	}

	#write(
		name: string,
		content: () => string | Promise<Uint8Array>,
		fileOf: () => Promise<string>,
	): Promise<void> {
		this.#waiting.set(name, content);
		this.#queue = this.#queue.then(async () => {
			const newest = this.#waiting.get(name);
			if (newest === undefined) return;
			this.#waiting.delete(name);
			const isForecast = name.startsWith("forecast ");
			// Forecasts always differ, and are too large to be remembered twice.
			const write: typeof writeAtomically = isForecast
				? writeAtomically
				: (...parts) => this.#changed.write(...parts);
			try {
				const file = await fileOf();
				const whole = await newest();
				const stamp = await inFolder(
					this.#folder,
					() => write(file, whole, `${file}.${this.#mark}`),
					// Where the folder was removed while we run, the files' names need their salt again.
					() => this.#createSalt(),
				);
				if (!isForecast) this.#seen.set(file, stamp);
				this.#writable = true;
			} catch (error) {
				this.#fail(error);
			}
		});
		return this.#queue;
	}

	/** @param key of the source whose forecast it is, blank for the account's file */
	async #read<T>(
		file: string,
		parse: (content: Buffer) => Promise<T>,
		key?: string,
	): Promise<T | undefined> {
		if (key !== undefined) this.#damaged.delete(key);
		let content: Buffer;
		try {
			content = await readOwn(file);
		} catch (error) {
			if (!isMissing(error)) this.#fail(error);
			return undefined;
		}
		try {
			return await parse(content);
		} catch {
			await this.#setAside(file, "polling.damaged");
			if (key !== undefined) this.#damaged.add(key);
			return undefined;
		}
	}

	async #setAside(file: string, why: string): Promise<void> {
		try {
			await rm(`${file}.damaged`, { recursive: true, force: true });
			await renameFile(file, `${file}.damaged`);
		} catch (error) {
			if (isMissing(error)) return;
			this.#fail(error);
			return;
		}
		this.#report({
			key: "polling.file_set_aside",
			values: { why: { key: why }, file },
		});
	}

	/** Reports, once for each reason, that the folder cannot be used. */
	#fail(error: unknown): void {
		const reason = codeOf(error) ?? "unreadable";
		const isKnown = !this.#writable || this.#reported.has(reason);
		this.#writable = false;
		this.#reported.add(reason);
		if (isKnown) return;
		this.#report({
			key: "polling.folder",
			values: { folder: this.#folder, reason },
		});
	}
}
