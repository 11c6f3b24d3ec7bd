import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Published } from "../../src/export";
import {
	codeOf,
	isMissing,
	readOwn,
	writeAtomically,
} from "../../src/polling/storage/atomic-file";

const Content = z.object({
	version: z.literal(1),
	/** By discovery prefix. */
	prefixes: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				entities: z.record(z.string(), z.string()),
				curves: z.array(z.int()),
				every: z.number().nullable(),
			}),
		),
	),
});

type Report = (message: string) => void;

/**
 * Entities that the export nodes of a user directory have published to Home Assistant,
 * on disk: brokers keep them longer than a process lives, and those that are gone have
 * to be removed. (A node's context is lost with its node unless a store for it
 * was set up.) No method rejects.
 */
export class PublishedFile {
	readonly #folder: string;
	readonly #file: string;
	#prefixes: Record<string, Published> = {};
	#loading: Promise<void> | undefined;
	#written = "";
	#queue: Promise<void> = Promise.resolve();
	#told = false;

	constructor(folder: string) {
		this.#folder = folder;
		this.#file = join(folder, "home-assistant.json");
	}

	/** What was published under a discovery prefix. */
	async load(prefix: string, report: Report): Promise<Published> {
		this.#loading ??= this.#read(report);
		await this.#loading;
		return this.#prefixes[prefix] ?? {};
	}

	/** Adds what was published now; writes when that changed anything. */
	save(prefix: string, published: Published, report: Report): void {
		this.#prefixes[prefix] = { ...this.#prefixes[prefix], ...published };
		this.#queue = this.#queue.then(async () => {
			const content = JSON.stringify({
				version: 1,
				prefixes: this.#prefixes,
			});
			if (content === this.#written) return;
			try {
				await mkdir(this.#folder, { recursive: true });
				await writeAtomically(
					this.#file,
					content,
					`${this.#file}.${process.pid}.tmp`,
				);
				this.#written = content;
			} catch (error) {
				this.#fail(error, report);
			}
		});
	}

	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void> {
		return this.#queue;
	}

	async #read(report: Report): Promise<void> {
		let text: string;
		try {
			text = String(await readOwn(this.#file));
		} catch (error) {
			if (!isMissing(error)) this.#fail(error, report);
			return;
		}
		try {
			this.#prefixes = Content.parse(JSON.parse(text)).prefixes;
			this.#written = text;
		} catch {
			await rename(this.#file, `${this.#file}.damaged`).catch(() => {});
			report(
				`A stored file was damaged and was set aside as ${this.#file}.damaged; entities in Home Assistant that are no longer published have to be deleted there by hand`,
			);
		}
	}

	#fail(error: unknown, report: Report): void {
		if (this.#told) return;
		this.#told = true;
		report(
			`The file ${this.#file} cannot be used (${codeOf(error) ?? "unreadable"}); after a restart, entities in Home Assistant that are no longer published have to be deleted there by hand; make the folder writable`,
		);
	}
}

const files = new Map<string, PublishedFile>();

/** The file of a folder, one in the process. */
export function publishedFile(folder: string): PublishedFile {
	const file = files.get(folder) ?? new PublishedFile(folder);
	files.set(folder, file);
	return file;
}
