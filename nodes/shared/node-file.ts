import { rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Node, NodeAPI } from "node-red";
import {
	addDigest,
	ChangedFiles,
	codeOf,
	decode,
	hashOf,
	inFolder,
	isMissing,
	readOwn,
	withoutDigest,
} from "../../src/polling/storage/atomic-file";
import {
	sweepTemporary,
	temporaryMark,
} from "../../src/polling/storage/temporary-files";
import type { Text } from "../../src/texts/texts";
import { onceFlowsStarted } from "./flows-started";
import { tellWarning } from "./handler";
import { storeFolder } from "./user-folder";

/** Texts that the disk did not take, by file, so that a deploy does not lose them. */
const unsaved = new Map<string, string>();
/** Files of which it was said that they cannot be used. */
const reported = new Set<string>();

/** A node's id as a part of a file's name; ids that were written by hand may hold anything. */
const nameOf = (id: string) =>
	/^[0-9a-z.-]{1,60}$/.test(id) ? id : hashOf(id, 16);

/**
 * What one node remembers beyond restarts, as a text in a file of its own beside
 * the forecasts (behaviour: Restarts and deploys). Never rejects: where the disk
 * does not take it, that is said once, and memory has to do.
 */
export class NodeFile<Content> {
	protected readonly file: string;
	readonly #read: (text: string) => Content | undefined;
	readonly #report: (text: Text) => void;
	readonly #mark = temporaryMark();
	readonly #changed = new ChangedFiles();
	/** Writes go one after another; only the newest content is written. */
	#queue: Promise<void> = Promise.resolve();
	#waiting: string | undefined;
	#removed = false;

	/**
	 * @param kind what the file's name begins with
	 * @param read undefined for a text that is none of this node's
	 */
	constructor(
		RED: NodeAPI,
		node: Node,
		kind: string,
		read: (text: string) => Content | undefined,
	) {
		this.file = join(storeFolder(RED), `${kind}-${nameOf(node.id)}.json`);
		this.#read = read;
		this.#report = (text) => tellWarning(RED, node, text);
	}

	/** What was remembered, undefined when nothing (whole) was. */
	async load(): Promise<Content | undefined> {
		const kept = unsaved.get(this.file);
		if (kept !== undefined) return this.#read(kept);
		await sweepTemporary(dirname(this.file));
		try {
			const bytes = await readOwn(this.file);
			const text = await withoutDigest(bytes).catch(() => undefined);
			const content = text && this.#read(decode(text));
			if (content === undefined) await this.#setAside();
			return content;
		} catch (error) {
			if (!isMissing(error)) this.#fail(error);
			return undefined;
		}
	}

	save(text: string): void {
		this.#waiting = text;
		this.#queue = this.#queue.then(() => this.#write());
	}

	async #write(): Promise<void> {
		const text = this.#waiting;
		if (text === undefined || this.#removed) return;
		this.#waiting = undefined;
		const file = this.file;
		try {
			await inFolder(dirname(file), () =>
				this.#changed.write(file, addDigest(text), `${file}.${this.#mark}`),
			);
			unsaved.delete(file);
			reported.delete(file);
		} catch (error) {
			unsaved.set(file, text);
			this.#fail(error);
		}
	}

	/** Resolves when all that was saved is on disk, or cannot be put there. */
	idle(): Promise<void> {
		return this.#queue;
	}

	/** Forgets it all, for a node that was deleted for good. */
	remove(): Promise<void> {
		this.#removed = true;
		unsaved.delete(this.file);
		this.#queue = this.#queue.then(() => unlink(this.file)).catch(() => {});
		return this.#queue;
	}

	async #setAside(): Promise<void> {
		await rename(this.file, `${this.file}.damaged`);
		this.#report({ key: "nodes.file_set_aside", values: { file: this.file } });
	}

	#fail(error: unknown): void {
		if (reported.has(this.file)) return;
		reported.add(this.file);
		this.#report({
			key: "nodes.file",
			values: {
				code: codeOf(error) ?? { key: "nodes.unknown_error" },
				file: this.file,
			},
		});
	}
}

/**
 * Calls back after the deploy that closed a node if the node is in no flow any
 * more. (The close handler is not told so by a full deploy, and is told the same
 * of a node that was only disabled.)
 */
export function onceDeleted(
	RED: NodeAPI,
	{ id }: Node,
	deleted: () => void,
): void {
	onceFlowsStarted(RED, () => {
		if (!isInFlows(RED, id)) deleted();
	});
}

/** Whether a node stands in a flow, disabled or not, or in an instance of a subflow. */
function isInFlows(RED: NodeAPI, id: string): boolean {
	if (RED.nodes.getNode(id)) return true;
	let isThere = false;
	RED.nodes.eachNode((node) => {
		// A node of an instance of a subflow is called `<instance>-<node>`.
		isThere ||=
			node.id === id ||
			(node.type.startsWith("subflow:") && id.startsWith(`${node.id}-`));
	});
	return isThere;
}
