import { join } from "node:path";
import { z } from "zod";
import { Published } from "../../src/export";
import { jsonFormat, type ReportFault, Store } from "../../src/util/disk/store";

/** By the id of the node. */
const Content = z.record(z.string(), Published);

/**
 * What each export node of a user directory has published, on disk: brokers keep it
 * longer than a process lives, and what is gone has to be removed. (A node's context
 * is lost with its node unless a store for it was set up.) No method rejects.
 */
class PublishedFile {
	readonly #store: Store<Record<string, Published>>;
	#nodes: Record<string, Published> = {};
	#loading: Promise<void> | undefined;
	#report: ReportFault = () => {};

	constructor(folder: string) {
		this.#store = new Store(
			join(folder, "published.json"),
			jsonFormat((json) => Content.parse(json)),
			(text) => this.#report(text),
			"store.by_hand",
		);
	}

	/** What a node had published. */
	async load(id: string, report: ReportFault): Promise<Published> {
		this.#report = report;
		this.#loading ??= this.#read();
		await this.#loading;
		return this.#nodes[id] ?? {};
	}

	async #read(): Promise<void> {
		this.#nodes = { ...(await this.#store.load()), ...this.#nodes };
	}

	/** Notes what a node has published by now; writes when that changed anything. */
	save(id: string, published: Published, report: ReportFault): void {
		if (published === this.#nodes[id]) return;
		this.#report = report;
		if (Object.keys(published).length > 0) this.#nodes[id] = published;
		else delete this.#nodes[id];
		void this.#store.save(this.#nodes);
	}

	/** Resolves when all that was to be saved is on disk. */
	flush(): Promise<void> {
		return this.#store.idle();
	}
}

const files = new Map<string, PublishedFile>();

/** The file of a folder, one in the process. */
export function publishedFile(folder: string): PublishedFile {
	const file = files.get(folder) ?? new PublishedFile(folder);
	files.set(folder, file);
	return file;
}
