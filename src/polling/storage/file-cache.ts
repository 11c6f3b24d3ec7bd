import { readdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
	decode,
	inFolder,
	readOwn,
	seal,
	unseal,
	writeAtomically,
} from "./atomic-file";

/** What is older, or beyond that many bytes in all, is removed, the oldest first. */
export interface Bounds {
	readonly maxAgeMs: number;
	readonly maxBytes: number;
}

/** So many texts that the disk does not take are kept in memory, the newest. */
const MOST_UNSAVED = 8;

let shelves = 0;

/**
 * Texts of one kind that are kept beside an account's forecasts, each in a file
 * of its own; in memory where the disk does not take them. Never rejects: what
 * cannot be read is not there.
 */
export class Shelf {
	readonly #path: () => Promise<string>;
	readonly #bounds: Bounds | undefined;
	readonly #mark = `${process.pid}.${++shelves}.tmp`;
	readonly #unsaved = new Map<string, string>();
	#queue: Promise<void> = Promise.resolve();

	/**
	 * @param path what the path of each file begins with (`Store.pathOf`)
	 * @param bounds none for texts that do not grow
	 */
	constructor(path: () => Promise<string>, bounds?: Bounds) {
		this.#path = path;
		this.#bounds = bounds;
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
			const sealed = await unseal(await readOwn(await this.#file(name)));
			return sealed && decode(sealed);
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
				writeAtomically(file, seal(text), `${file}.${this.#mark}`),
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
		if (!this.#bounds) return;
		const { maxAgeMs, maxBytes } = this.#bounds;
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
