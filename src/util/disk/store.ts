import { readdir, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Queue } from "../queue";
import {
	codeOf,
	hashOf,
	isMissing,
	readOwn,
	renameFile,
	sweepTemporary,
	temporaryMark,
	writeAtomically,
	writtenAt,
} from "./atomic-file";

/** Told of what a person should know: the key of a text, and what stands in its places. */
export type ReportFault = (text: {
	readonly key: string;
	readonly values: Readonly<Record<string, string>>;
}) => void;
type Content = string | Uint8Array;

/** How a value stands in a file. */
export interface FileFormat<T> {
	/** May throw at what it cannot use. */
	read(content: Buffer): T | Promise<T>;
	write(value: T): Content | Promise<Content>;
}

/** A value as JSON text. */
export const jsonFormat = <T>(parse: (json: unknown) => T): FileFormat<T> => ({
	read: (content) => parse(JSON.parse(String(content))),
	write: (value) => JSON.stringify(value),
});

const DIGEST_LENGTH = 32;

/** A content behind the line with its digest. */
export const withDigest = (content: Content): Buffer =>
	Buffer.concat([
		Buffer.from(`${hashOf(content, DIGEST_LENGTH)}\n`),
		Buffer.from(content),
	]);

/** Contents that the disk did not take, by file: they outlive the store, as after a deploy. */
const kept = new Map<string, Content>();
/** Folders of which was said that they cannot be used. */
const said = new Set<string>();
/** Folders that were swept in this process. */
const swept = new Map<string, Promise<void>>();

/**
 * One file of what is to outlive a restart (behaviour: Restarts and deploys), behind a
 * line with its digest. It is written whole or not at all, and only where something
 * changed; of values that wait only the newest is written. A damaged file is set aside
 * and said once. Where the disk does not take it, that is said once for the folder, and
 * memory has to do. No method rejects.
 */
export class Store<T> {
	readonly #file: string;
	readonly #format: FileFormat<T>;
	readonly #report: ReportFault;
	readonly #damaged: string;
	readonly #mark = temporaryMark();
	readonly #queue = new Queue();
	#waiting: { readonly value: T } | undefined;
	/** What we last read or wrote, and the file's identity then. */
	#digest = "";
	#stamp = "";
	#isDamaged = false;

	/**
	 * @param damaged key of the text that says what follows from a damaged file
	 */
	constructor(
		file: string,
		format: FileFormat<T>,
		report: ReportFault,
		damaged: string,
	) {
		this.#file = file;
		this.#format = format;
		this.#report = report;
		this.#damaged = damaged;
	}

	/** What was saved, undefined where there is nothing, or nothing whole. */
	async load(): Promise<T | undefined> {
		await this.#queue.idle();
		this.#isDamaged = false;
		const unsaved = kept.get(this.#file);
		if (unsaved !== undefined) return this.#format.read(Buffer.from(unsaved));
		const folder = dirname(this.#file);
		if (!swept.has(folder)) swept.set(folder, sweepTemporary(folder));
		await swept.get(folder);
		try {
			const whole = await readOwn(this.#file);
			this.#stamp = await this.#stampNow();
			try {
				const content = whole.subarray(DIGEST_LENGTH + 1);
				const sound = withDigest(content);
				this.#digest = sound.toString("latin1", 0, DIGEST_LENGTH);
				if (!sound.equals(whole)) {
					throw new Error("not whole");
				}
				return await this.#format.read(content);
			} catch {
				await this.setAside();
			}
		} catch (error) {
			if (!isMissing(error)) this.#fail(error);
		}
		return undefined;
	}

	/** Sets the file aside, since it is damaged or of no use, and says so. */
	async setAside(): Promise<void> {
		const aside = `${this.#file}.damaged`;
		this.#isDamaged = true;
		try {
			await rm(aside, { recursive: true, force: true });
			await renameFile(this.#file, aside);
		} catch (error) {
			if (!isMissing(error)) this.#fail(error);
			return;
		}
		this.#report({ key: this.#damaged, values: { file: aside } });
	}

	/** Whether the file was there when it was loaded, but damaged. */
	get isDamaged(): boolean {
		return this.#isDamaged;
	}

	/** Whether somebody else has written the file since we read or wrote it. */
	async isChanged(): Promise<boolean> {
		await this.#queue.idle();
		const stamp = await this.#stampNow();
		return stamp !== "" && stamp !== this.#stamp;
	}

	/** Resolves when this value, or a newer one, is on disk or cannot be put there. */
	save(value: T): Promise<void> {
		this.#waiting = { value };
		return this.#queue.add(() => this.#write());
	}

	/** Resolves when nothing waits to be written. */
	idle(): Promise<void> {
		return this.#queue.idle();
	}

	async #write(): Promise<void> {
		const waiting = this.#waiting;
		this.#waiting = undefined;
		if (!waiting) return;
		const content = await this.#format.write(waiting.value);
		const whole = withDigest(content);
		const digest = whole.toString("latin1", 0, DIGEST_LENGTH);
		try {
			const isThere =
				digest === this.#digest && this.#stamp === (await this.#stampNow());
			if (!isThere) {
				await writeAtomically(this.#file, whole, this.#mark);
				this.#digest = digest;
				this.#stamp = await this.#stampNow();
			}
			kept.delete(this.#file);
		} catch (error) {
			kept.set(this.#file, content);
			this.#fail(error);
		}
	}

	/** Identity of the file's present version, "" where there is none. */
	async #stampNow(): Promise<string> {
		try {
			const { mtimeMs, size, ino } = await stat(this.#file);
			return `${mtimeMs} ${size} ${ino}`;
		} catch {
			return "";
		}
	}

	#fail(error: unknown): void {
		const folder = dirname(this.#file);
		if (said.has(folder)) return;
		said.add(folder);
		const reason = codeOf(error) ?? "unreadable";
		this.#report({ key: "store.folder", values: { folder, reason } });
	}
}

/**
 * Removes files whose paths begin alike, but for the newest that are young enough.
 * Never rejects.
 *
 * @param most that are left
 */
export async function prune(
	path: string,
	most = 0,
	maxAgeMs = 0,
): Promise<void> {
	const unsaved = [...kept.keys()].filter((file) => file.startsWith(path));
	const spare = Math.max(0, unsaved.length - most);
	for (const file of unsaved.slice(0, spare)) kept.delete(file);
	const names = await readdir(dirname(path)).catch(() => []);
	const files = await Promise.all(
		names
			.filter((name) => name.startsWith(basename(path)))
			.map((name) => join(dirname(path), name))
			.map(async (file) => ({ file, at: await writtenAt(file) })),
	);
	files.sort((a, b) => b.at - a.at);
	for (const [index, { file, at }] of files.entries()) {
		const isLeft = index < most && Date.now() - at <= maxAgeMs;
		if (!isLeft) await unlink(file).catch(() => {});
	}
}
