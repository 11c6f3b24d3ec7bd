import { mkdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Published, publishedByFirstRelease } from "../../src/export";
import {
	codeOf,
	isMissing,
	readOwn,
	writeAtomically,
} from "../../src/polling/storage/atomic-file";
import {
	sweepTemporary,
	temporaryMark,
} from "../../src/polling/storage/temporary-files";
import type { Text } from "../../src/texts/texts";

const Content = z.object({
	version: z.literal(2),
	/** By the id of the node. */
	nodes: z.record(z.string(), Published),
});

/** The file of version 0.1.0: of Home Assistant alone, and of all nodes with one prefix. */
const FirstContent = z.object({
	version: z.literal(1),
	/** By discovery prefix, then by the site's label in topics. */
	prefixes: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				entities: z.record(z.string(), z.string()),
				curves: z.array(z.int()),
			}),
		),
	),
});
type FirstContent = z.infer<typeof FirstContent>;

type Report = (text: Text) => void;

/**
 * What each export node of a user directory has published, on disk: brokers keep it
 * longer than a process lives, and what is gone has to be removed. (A node's context
 * is lost with its node unless a store for it was set up.) No method rejects.
 */
class PublishedFile {
	readonly #folder: string;
	readonly #file: string;
	readonly #firstFile: string;
	readonly #mark = temporaryMark();
	#nodes: Record<string, Published> = {};
	/** What version 0.1.0 left, until it is in the new file. */
	#first: FirstContent["prefixes"] = {};
	#loading: Promise<void> | undefined;
	#written = "";
	/** Whether there is nothing that the file lacks. */
	#isSaved = false;
	#queue: Promise<void> = Promise.resolve();
	#told = false;

	constructor(folder: string) {
		this.#folder = folder;
		this.#file = join(folder, "published.json");
		this.#firstFile = join(folder, "home-assistant.json");
	}

	/**
	 * What a node had published.
	 *
	 * @param prefix Home Assistant's discovery prefix, undefined for other formats
	 */
	async load(
		id: string,
		prefix: string | undefined,
		report: Report,
	): Promise<Published> {
		this.#loading ??= this.#read(report);
		await this.#loading;
		const known = this.#nodes[id];
		if (known) return known;
		const first = prefix === undefined ? undefined : this.#first[prefix];
		if (prefix === undefined || first === undefined) return {};
		const published: Published = Object.fromEntries(
			Object.entries(first).map(([label, { entities, curves }]) => [
				label,
				publishedByFirstRelease(prefix, label, entities, curves),
			]),
		);
		this.save(id, published, report);
		return published;
	}

	/** Notes what a node has published by now; writes when that changed anything. */
	save(id: string, published: Published, report: Report): void {
		if (published === this.#nodes[id] && this.#isSaved) return;
		this.#isSaved = false;
		if (Object.keys(published).length > 0) this.#nodes[id] = published;
		else delete this.#nodes[id];
		this.#queue = this.#queue.then(async () => {
			const content = JSON.stringify({ version: 2, nodes: this.#nodes });
			this.#isSaved = true;
			if (content === this.#written) return;
			try {
				await mkdir(this.#folder, { recursive: true });
				await writeAtomically(
					this.#file,
					content,
					`${this.#file}.${this.#mark}`,
				);
				this.#written = content;
				await unlink(this.#firstFile).catch(() => {});
			} catch (error) {
				this.#isSaved = false;
				this.#fail(error, report);
			}
		});
	}

	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void> {
		return this.#queue;
	}

	async #read(report: Report): Promise<void> {
		await sweepTemporary(this.#folder);
		const own = await this.#readFile(this.#file, Content, report);
		if (own) {
			this.#nodes = own.nodes;
			this.#written = JSON.stringify({ version: 2, nodes: own.nodes });
		}
		const first = await this.#readFile(this.#firstFile, FirstContent, report);
		this.#first = first?.prefixes ?? {};
	}

	/** The content of a file, undefined where there is none; a damaged one is set aside. */
	async #readFile<T>(
		file: string,
		content: z.ZodType<T>,
		report: Report,
	): Promise<T | undefined> {
		let text: string;
		try {
			text = String(await readOwn(file));
		} catch (error) {
			if (!isMissing(error)) this.#fail(error, report);
			return undefined;
		}
		try {
			return content.parse(JSON.parse(text));
		} catch {
			await rename(file, `${file}.damaged`).catch(() => {});
			report({ key: "export.file_set_aside", values: { file } });
			return undefined;
		}
	}

	#fail(error: unknown, report: Report): void {
		if (this.#told) return;
		this.#told = true;
		report({
			key: "export.file",
			values: { file: this.#file, code: codeOf(error) ?? "unreadable" },
		});
	}
}

const files = new Map<string, PublishedFile>();

/** The file of a folder, one in the process. */
export function publishedFile(folder: string): PublishedFile {
	const file = files.get(folder) ?? new PublishedFile(folder);
	files.set(folder, file);
	return file;
}
