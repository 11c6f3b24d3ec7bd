import { createHash, createHmac, randomBytes } from "node:crypto";
import {
	link,
	mkdir,
	open,
	readdir,
	readFile,
	rename,
	stat,
	unlink,
	writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AccountMemory } from "./memory";

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException)?.code;
const isMissing = (error: unknown) => codeOf(error) === "ENOENT";

/** Identity of one version of a file; a rename keeps it. */
const stampOf = (facts: { mtimeMs: number; size: number; ino: number }) =>
	`${facts.mtimeMs} ${facts.size} ${facts.ino}`;

/** Puts content on the disk, where a power cut leaves it whole; returns its stamp. */
async function writeWhole(file: string, content: string): Promise<string> {
	const handle = await open(file, "w", 0o600);
	try {
		await handle.writeFile(content);
		await handle.sync();
		return stampOf(await handle.stat());
	} finally {
		await handle.close();
	}
}

/**
 * Writes a file so that whoever reads it, after a power cut too, sees the old
 * content or the new one whole. (The usual library for this no longer runs on
 * Node.js 20, and leaves a temporary file behind for each write cut short.)
 *
 * @param temporary name beside the file, of no other writer
 * @returns the stamp of what was written
 */
export async function writeAtomically(
	file: string,
	content: string,
	temporary: string,
): Promise<string> {
	try {
		const stamp = await writeWhole(temporary, content);
		await rename(temporary, file);
		return stamp;
	} catch (error) {
		await unlink(temporary).catch(() => {});
		throw error;
	}
}

/**
 * Creates a file with all its content at once; false when there is one.
 *
 * @param write puts the content there first, under a name of no other writer
 */
async function createWhole(
	file: string,
	temporary: string,
	write: (temporary: string) => Promise<unknown>,
): Promise<boolean> {
	try {
		await write(temporary);
		try {
			await link(temporary, file);
		} catch (error) {
			if (codeOf(error) === "EEXIST") return false;
			// Not every file system has links.
			await rename(temporary, file);
		}
		return true;
	} finally {
		await unlink(temporary).catch(() => {});
	}
}

/** What stands before the body in a forecast's file. All times are epoch ms on the server's clock. */
const AnswerHead = z.object({
	version: z.literal(1),
	key: z.string(),
	/** Hash of the system an inline forecast was made for. */
	system: z.string().nullable(),
	/** The server's clock at the answer. */
	answeredAt: z.number(),
	computedAt: z.number().nullable(),
	nextPollAt: z.number().nullable(),
	/** What was asked for, which may be more than what came. */
	pastDays: z.int(),
	include: z.array(z.string()),
	/** Zone of the site's record, for answers that say "UTC". */
	siteZone: z.string().nullable(),
	/** Past quarters as last foreseen: [stamp in epoch ms, W]. */
	settled: z.array(z.tuple([z.number(), z.number()])),
});
export type AnswerHead = z.infer<typeof AnswerHead>;

/** On disk a hash of the body stands beside the head: a bad sector need not break the JSON. */
const StoredHead = AnswerHead.extend({ digest: z.string() });

/** A forecast as kept on disk: what we know of it, and the body as received. */
export interface StoredAnswer {
	readonly head: AnswerHead;
	readonly body: string;
}

const hashOf = (text: string, length: number) =>
	createHash("sha256").update(text).digest("hex").slice(0, length);

export type Report = (message: string) => void;

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}

/** A temporary file this old, ms, has no writer any more, whoever has its number now. */
const ABANDONED_MS = 3_600_000;
/** A claim this old, ms, outlasted every request that it could stand for. */
const MAX_CLAIM_MS = 5 * 60_000;
/** Claims of this process, by file. */
const claims = new Set<string>();
let stores = 0;

/**
 * One account's memory on disk (CONTRACT 3.4): a small file that is written
 * before and after each request, and a file per forecast.
 *
 * File names hold a salted hash of base URL and key, so that nobody else's data
 * is ever read and nothing can be learned from them. Never rejects: a directory
 * that cannot be written is reported once, then memory has to do; a damaged file
 * is set aside and reported.
 */
export class Store {
	readonly #folder: string;
	readonly #baseUrl: string;
	readonly #apiKey: string;
	readonly #report: Report;
	/** Marks temporary files as this store's; process and number, since a folder may serve several. */
	readonly #mark = `${process.pid}.${++stores}.tmp`;
	readonly #newSalt = randomBytes(16).toString("hex");
	#name: Promise<string> | undefined;
	#writable = true;
	/** Reasons reported already. */
	readonly #told = new Set<string>();
	/** Writes go one after another; of one file only the newest content is written. */
	#queue: Promise<void> = Promise.resolve();
	readonly #waiting = new Map<string, string>();
	/** Stamp of the account file as we last read or wrote it. */
	#seen = "";

	/** @param folder `solar-yield/` under the user directory */
	constructor(
		folder: string,
		baseUrl: string,
		apiKey: string,
		report: Report = () => {},
	) {
		this.#folder = folder;
		this.#baseUrl = baseUrl;
		this.#apiKey = apiKey;
		this.#report = report;
	}

	/** The part of the file names that stands for base URL and key. */
	#account(): Promise<string> {
		this.#name ??= this.#readSalt().then((salt) =>
			createHmac("sha256", salt)
				.update(`${this.#baseUrl}\n${this.#apiKey}`)
				.digest("hex")
				.slice(0, 16),
		);
		return this.#name;
	}

	/** The salt of the folder; the first store in it makes one. */
	async #readSalt(): Promise<string> {
		const file = join(this.#folder, "salt");
		try {
			await mkdir(this.#folder, { recursive: true });
			for (let attempt = 0; attempt < 2; attempt += 1) {
				const known = await readFile(file, "utf8").catch((error) => {
					if (!isMissing(error)) throw error;
				});
				if (known !== undefined && /^[0-9a-f]{32}$/.test(known)) return known;
				if (known !== undefined) await this.#setAside(file, "damaged");
				const temporary = `${file}.${this.#mark}`;
				const write = (name: string) => writeWhole(name, this.#newSalt);
				if (await createWhole(file, temporary, write)) break;
			}
		} catch (error) {
			this.#fail(error);
			// Names are only of use once the salt is on disk, too: try again.
			this.#name = undefined;
		}
		return this.#newSalt;
	}

	/** What the path of each file of another kind begins with that is kept beside (`Shelf`). */
	async pathOf(kind: string): Promise<string> {
		return join(this.#folder, `${kind}-${await this.#account()}`);
	}

	async #accountFile(extension = "json"): Promise<string> {
		return join(this.#folder, `account-${await this.#account()}.${extension}`);
	}

	async #answerFile(key: string): Promise<string> {
		return join(
			this.#folder,
			`forecast-${await this.#account()}-${hashOf(key, 12)}.json`,
		);
	}

	/** Removes what writers left behind that were killed in the middle. */
	async #sweep(): Promise<void> {
		const names = await readdir(this.#folder).catch(() => []);
		for (const name of names) {
			const pid = Number(/\.(\d+)\.\d+\.tmp$/.exec(name)?.[1]);
			if (!(pid > 0)) continue;
			const file = join(this.#folder, name);
			const written = await stat(file).catch(() => undefined);
			// In a container an earlier process often had our own number.
			const isOurs =
				pid === process.pid &&
				(written?.mtimeMs ?? 0) >= performance.timeOrigin;
			const isOthers = pid !== process.pid && isAlive(pid);
			const isOld = Date.now() - (written?.mtimeMs ?? 0) > ABANDONED_MS;
			if (isOld || !(isOurs || isOthers)) await unlink(file).catch(() => {});
		}
	}

	/** What was remembered of the account, undefined when nothing (whole) was. */
	async loadAccount(): Promise<AccountMemory | undefined> {
		await this.#sweep();
		const file = await this.#accountFile();
		this.#seen = await this.#stamp(file);
		return this.#read(file, (text) => AccountMemory.parse(JSON.parse(text)));
	}

	/** Whether another process wrote the account's file since we read or wrote it. */
	async changedByOthers(): Promise<boolean> {
		await this.#queue;
		const stamp = await this.#stamp(await this.#accountFile());
		return stamp !== "" && stamp !== this.#seen;
	}

	async #stamp(file: string): Promise<string> {
		try {
			return stampOf(await stat(file));
		} catch {
			return "";
		}
	}

	/**
	 * Claims the right to ask for this account, so that of two processes on one
	 * folder the second sees the first one's answer before it asks.
	 *
	 * @returns false while another one has it
	 */
	async claim(): Promise<boolean> {
		const file = await this.#accountFile("lock");
		if (claims.has(file)) return false;
		claims.add(file);
		try {
			await mkdir(this.#folder, { recursive: true });
			for (let attempt = 0; attempt < 2; attempt += 1) {
				const temporary = `${file}.${this.#mark}`;
				// A claim need not outlive a power cut.
				const write = (name: string) =>
					writeFile(name, String(process.pid), { mode: 0o600 });
				if (await createWhole(file, temporary, write)) return true;
				if (!(await this.#isAbandoned(file))) {
					claims.delete(file);
					return false;
				}
				await unlink(file);
			}
		} catch {
			// Where nothing can be written, there is nothing to share either.
		}
		return true;
	}

	async #isAbandoned(file: string): Promise<boolean> {
		try {
			const pid = Number(await readFile(file, "utf8"));
			const { mtimeMs } = await stat(file);
			return (
				!(pid > 0) ||
				pid === process.pid ||
				!isAlive(pid) ||
				Date.now() - mtimeMs > MAX_CLAIM_MS
			);
		} catch (error) {
			return isMissing(error);
		}
	}

	/** Gives a claim back. */
	async release(): Promise<void> {
		const file = await this.#accountFile("lock");
		await unlink(file).catch(() => {});
		claims.delete(file);
	}

	/** The kept forecast of a source, undefined when there is none (whole). */
	async loadAnswer(key: string): Promise<StoredAnswer | undefined> {
		return this.#read(await this.#answerFile(key), (text) => {
			const end = text.indexOf("\n");
			const head = StoredHead.parse(JSON.parse(text.slice(0, end)));
			const body = text.slice(end + 1);
			if (head.key !== key) throw new Error("another source's forecast");
			if (head.digest !== hashOf(body, 32)) throw new Error("not whole");
			return { head: AnswerHead.parse(head), body };
		});
	}

	/** Sets a kept forecast aside whose body turned out to be unreadable. */
	async discardAnswer(key: string): Promise<void> {
		await this.#setAside(await this.#answerFile(key), "unreadable");
	}

	/** Resolves when the content is on disk, or cannot be put there. */
	saveAccount(memory: AccountMemory): Promise<void> {
		const content = JSON.stringify(memory);
		return this.#write(
			"account",
			content,
			() => this.#accountFile(),
			(stamp) => {
				this.#seen = stamp;
			},
		);
	}

	/** Resolves when the content is on disk, or cannot be put there. */
	saveAnswer({ head, body }: StoredAnswer): Promise<void> {
		const digest = hashOf(body, 32);
		return this.#write(
			`forecast ${head.key}`,
			`${JSON.stringify({ ...head, digest })}\n${body}`,
			() => this.#answerFile(head.key),
		);
	}

	/** Resolves when all that was to be saved is on disk. */
	async flush(): Promise<void> {
		await this.#queue;
	}

	#write(
		name: string,
		content: string,
		fileOf: () => Promise<string>,
		onWritten?: (stamp: string) => void,
	): Promise<void> {
		this.#waiting.set(name, content);
		this.#queue = this.#queue.then(async () => {
			const newest = this.#waiting.get(name);
			if (newest === undefined) return;
			this.#waiting.delete(name);
			try {
				const file = await fileOf();
				await mkdir(this.#folder, { recursive: true });
				const stamp = await writeAtomically(
					file,
					newest,
					`${file}.${this.#mark}`,
				);
				onWritten?.(stamp);
				this.#writable = true;
			} catch (error) {
				this.#fail(error);
			}
		});
		return this.#queue;
	}

	async #read<T>(
		file: string,
		parse: (text: string) => T,
	): Promise<T | undefined> {
		let text: string;
		try {
			text = await readFile(file, "utf8");
		} catch (error) {
			if (!isMissing(error)) this.#fail(error);
			return undefined;
		}
		try {
			return parse(text);
		} catch {
			await this.#setAside(file, "damaged");
			return undefined;
		}
	}

	async #setAside(file: string, why: string): Promise<void> {
		try {
			await rename(file, `${file}.damaged`);
		} catch (error) {
			if (isMissing(error)) return;
			this.#fail(error);
			return;
		}
		this.#report(
			`A stored file was ${why} and was set aside as ${file}.damaged; nothing needs to be done, the forecast is asked for anew when it is due`,
		);
	}

	/** Says once, for each reason, that the disk does not do its part. */
	#fail(error: unknown): void {
		const reason = codeOf(error) ?? "unreadable";
		const isKnown = !this.#writable || this.#told.has(reason);
		this.#writable = false;
		this.#told.add(reason);
		if (isKnown) return;
		this.#report(
			`The folder ${this.#folder} cannot be used (${reason}); forecasts are kept in memory only, and a restart costs a request; make the folder writable`,
		);
	}
}
