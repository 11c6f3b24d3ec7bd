import { readdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
	addDigest,
	decode,
	inFolder,
	readOwn,
	withoutDigest,
	writeAtomically,
} from "./atomic-file";
import { temporaryMark } from "./temporary-files";

/** Limits of a cache; what is beyond them is removed, the oldest first. */
export interface CacheLimits {
	readonly maxAgeMs: number;
	readonly maxBytes: number;
}

/** Newest texts that are kept in memory where the disk does not take them. */
const MOST_UNSAVED = 8;

/**
 * A cache of texts of one kind, each in a file of its own beside an account's
 * forecasts; in memory where the disk does not take them. Never rejects: what
 * cannot be read is not there.
 */
export class FileCache {
	readonly #path: () => Promise<string>;
	readonly #limits: CacheLimits | undefined;
	readonly #mark = temporaryMark();
	readonly #unsaved = new Map<string, string>();
	#queue: Promise<void> = Promise.resolve();

	/**
	 * @param path what the path of each file begins with (`AccountFiles.pathOf`)
	 * @param limits none for texts that do not grow
	 */
	constructor(path: () => Promise<string>, limits?: CacheLimits) {
		this.#path = path;
		this.#limits = limits;
	}

	async #file(name: string): Promise<string> {
		return `${await this.#path()}-${name}.json`;
	}

	/** A text, undefined when there is none, or none that is whole. */
	async load(name: string): Promise<string | undefined> {
		await this.#queue;
		const unsaved = this.#unsaved.get(name);
		if (unsaved !== undefined) return unsaved;
		try {
			const whole = await withoutDigest(await readOwn(await this.#file(name)));
			return whole && decode(whole);
		} catch {
			return undefined;
		}
	}

	/**
	 * Resolves when the text is on disk, or cannot be put there.
	 *
	 * @param name letters, digits and hyphens
	 */
	save(name: string, text: string): Promise<void> {
		return this.#inTurn(async () => {
			this.#unsaved.delete(name);
			this.#unsaved.set(name, text);
			for (const [oldest] of this.#unsaved) {
				if (this.#unsaved.size > MOST_UNSAVED) this.#unsaved.delete(oldest);
			}
			const file = await this.#file(name);
			await inFolder(dirname(file), () =>
				writeAtomically(file, addDigest(text), `${file}.${this.#mark}`),
			);
			this.#unsaved.delete(name);
			await this.#prune();
		});
	}

	/** Removes all texts whose names begin so. */
	remove(prefix: string): Promise<void> {
		return this.#inTurn(async () => {
			for (const name of this.#unsaved.keys()) {
				if (name.startsWith(prefix)) this.#unsaved.delete(name);
			}
			for (const file of await this.#files(prefix)) await unlink(file);
		});
	}

	#inTurn(work: () => Promise<void>): Promise<void> {
		this.#queue = this.#queue.then(work).catch(() => {});
		return this.#queue;
	}

	async #files(prefix = ""): Promise<string[]> {
		const path = await this.#path();
		const start = `${basename(path)}-${prefix}`;
		const names = await readdir(dirname(path));
		return names
			.filter((name) => name.startsWith(start) && name.endsWith(".json"))
			.map((name) => join(dirname(path), name));
	}

	async #prune(): Promise<void> {
		if (!this.#limits) return;
		const { maxAgeMs, maxBytes } = this.#limits;
		const facts = await Promise.all(
			(await this.#files()).map(async (file) => ({
				file,
				...(await stat(file)),
			})),
		);
		let bytes = 0;
		for (const { file, size, mtimeMs } of facts.sort(
			(a, b) => b.mtimeMs - a.mtimeMs,
		)) {
			bytes += size;
			if (bytes > maxBytes || Date.now() - mtimeMs > maxAgeMs) {
				await unlink(file);
			}
		}
	}
}
