import { scryptSync } from "node:crypto";
import { mkdir, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import {
	codeOf,
	hashOf,
	isAlive,
	MOST_BYTES,
	readOwn,
} from "../../util/disk/atomic-file";
import {
	type FileFormat,
	jsonFormat,
	type ReportFault,
	Store,
} from "../../util/disk/store";
import { MINUTE_MS } from "../../util/time";
import { AccountMemory, AnswerHead, SiteMemory } from "../memory/memory";

/** A forecast as it is stored: what is remembered of the answer, and its body as received. */
export interface StoredAnswer {
	readonly head: AnswerHead;
	readonly body: string;
}

/** Where one value is kept; a `Store` is one on disk. No method rejects. */
export type Keeper<T> = Pick<
	Store<T>,
	"load" | "save" | "setAside" | "isDamaged" | "isChanged"
>;

/** A forecast packed: a seventh of the bytes on the disk, each quarter hour. */
const ANSWER: FileFormat<StoredAnswer> = {
	async read(content) {
		const options = { maxOutputLength: MOST_BYTES };
		const text = String(await promisify(gunzip)(content, options));
		const end = text.indexOf("\n");
		const head = AnswerHead.parse(JSON.parse(text.slice(0, end)));
		return { head, body: text.slice(end + 1) };
	},
	// The quickest level: the next one takes half as long again for a tenth less.
	write: ({ head, body }) =>
		promisify(gzip)(`${JSON.stringify(head)}\n${body}`, { level: 1 }),
};
const ACCOUNT = jsonFormat(AccountMemory.parse);
const SITE = jsonFormat(SiteMemory.parse);

/** Work of the hash in file names: enough that nobody tries keys, 3 ms for us. */
const WORK = { N: 1024 };

/**
 * One account's memory on disk (behaviour: Restarts and deploys): a small file for the
 * account and one for each site, written before and after each request, and a file per
 * forecast. Their names hold a salted hash of base URL and key, so nobody else's data is
 * read, and nothing can be learned from them.
 */
export class AccountFiles {
	readonly #folder: string;
	readonly #name: string;
	readonly #report: ReportFault;
	readonly #stores = new Map<string, Store<never>>();

	/** @param folder `solar-yield/` under the user directory */
	constructor(
		folder: string,
		baseUrl: string,
		apiKey: string,
		report: ReportFault = () => {},
	) {
		this.#folder = folder;
		const salt = `solar-yield ${baseUrl}`;
		this.#name = scryptSync(apiKey, salt, 8, WORK).toString("hex");
		this.#report = report;
	}

	/** The beginning of the paths of this account's files of a kind. */
	pathOf(kind: string): string {
		return join(this.#folder, `${kind}-${this.#name}`);
	}

	#store<T>(path: string, format: FileFormat<T>): Store<T> {
		const store =
			(this.#stores.get(path) as Store<T> | undefined) ??
			new Store(`${path}.json`, format, this.#report, "store.asked_anew");
		this.#stores.set(path, store as Store<never>);
		return store;
	}

	get accountStore(): Keeper<AccountMemory> {
		return this.#store(this.pathOf("account"), ACCOUNT);
	}

	/** @param key of a source, which may hold what no file name can */
	siteStore(key: string): Keeper<SiteMemory> {
		return this.#store(`${this.pathOf("site")}-${hashOf(key, 12)}`, SITE);
	}

	answerStore(key: string): Keeper<StoredAnswer> {
		return this.#store(`${this.pathOf("forecast")}-${hashOf(key, 12)}`, ANSWER);
	}

	get #lockFile(): string {
		return `${this.pathOf("account")}.lock`;
	}

	/**
	 * Takes the account's lock, for which polls wait: a file that one process
	 * at a time can create, so that of two processes on one folder the second sees the
	 * first one's answer before it asks.
	 *
	 * @returns false while another one holds it
	 */
	async lock(): Promise<boolean> {
		const file = this.#lockFile;
		if (held.has(file)) return false;
		held.add(file);
		// Where nothing can be written, there is nothing to share either.
		const isFolder = await mkdir(this.#folder, { recursive: true }).then(
			() => true,
			() => false,
		);
		if (!isFolder) return true;
		try {
			if (await isAbandoned(file)) await rm(file, { recursive: true });
			await writeFile(file, String(process.pid), { flag: "wx", mode: 0o600 });
		} catch (error) {
			if (codeOf(error) !== "EEXIST") return true;
			held.delete(file);
			return false;
		}
		return true;
	}

	/** Gives the lock back. */
	async unlock(): Promise<void> {
		await unlink(this.#lockFile).catch(() => {});
		held.delete(this.#lockFile);
	}

	/** Resolves when all that was to be saved is on disk. */
	async idle(): Promise<void> {
		for (const store of this.#stores.values()) await store.idle();
	}
}

/** Where an account's memory is kept: on disk, or what does as much. No method rejects. */
export type AccountStorage = Omit<AccountFiles, "pathOf">;

/** Age at which a lock file has outlasted every request that it could stand for, ms. */
const LONGEST_LOCK_MS = 5 * MINUTE_MS;
/** Lock files that this process holds. */
const held = new Set<string>();

async function isAbandoned(file: string): Promise<boolean> {
	const facts = await stat(file).catch(() => undefined);
	if (!facts) return false;
	// A lock from the future was taken before a clock was put right.
	if (Math.abs(Date.now() - facts.mtimeMs) > LONGEST_LOCK_MS) return true;
	// One without a number is being written; one of another user cannot be read, and grows old all the same.
	const pid = Number(await readOwn(file).catch(() => 0));
	return pid > 0 && (pid === process.pid || !isAlive(pid));
}
