import { join } from "node:path";
import type { Node, NodeAPI } from "node-red";
import { hashOf } from "../../src/util/disk/atomic-file";
import { Store } from "../../src/util/disk/store";
import { onceFlowsStarted } from "./flows-started";
import { tellWarning } from "./handler";
import { storeFolder } from "./user-folder";

/** A node's id as a part of a file's name; ids that were written by hand may hold anything. */
const nameOf = (id: string) =>
	/^[0-9a-z.-]{1,60}$/.test(id) ? id : hashOf(id, 16);

/**
 * What one node remembers beyond restarts, as a text in a file of its own beside
 * the forecasts (behaviour: Restarts and deploys). Never rejects.
 */
export class NodeFile<Content> {
	readonly #store: Store<string>;
	readonly #read: (text: string) => Content | undefined;

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
		this.#store = new Store(
			join(storeFolder(RED), `${kind}-${nameOf(node.id)}.json`),
			{
				read: (content) => {
					const text = String(content);
					if (read(text) === undefined) throw new Error("none of this node's");
					return text;
				},
				write: (text) => text,
			},
			(text) => tellWarning(RED, node, text),
			"store.begins_anew",
		);
		this.#read = read;
	}

	/** What was remembered, undefined when nothing (whole) was. */
	async load(): Promise<Content | undefined> {
		const text = await this.#store.load();
		return text === undefined ? undefined : this.#read(text);
	}

	save(text: string): void {
		void this.#store.save(text);
	}

	/** Resolves when all that was saved is on disk, or cannot be put there. */
	idle(): Promise<void> {
		return this.#store.idle();
	}

	/** Forgets it all, for a node that was deleted for good. */
	remove(): Promise<void> {
		return this.#store.remove();
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
