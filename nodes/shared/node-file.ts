import { readdir, unlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Node, NodeAPI } from "node-red";
import { hashOf, renameFile, writtenAt } from "../../src/util/disk/atomic-file";
import { type FileFormat, Store } from "../../src/util/disk/store";
import { DAY_MS } from "../../src/util/time";
import { onceFlowsStarted } from "./flows-started";
import { tellWarning } from "./handler";
import { storeFolder } from "./user-folder";

/** What a node keeps outlives it by so long: what Node-RED deletes may come back, and a year of readings cannot be had again. */
const OUTLIVES_MS = 30 * DAY_MS;
const RETIRED = ".deleted";

/** The file of a node beside the forecasts: its kind and its id, which may hold anything where it was written by hand. */
function fileOf(RED: NodeAPI, { type, id }: Node): string {
	const name = /^[0-9a-z.-]{1,60}$/.test(id) ? id : hashOf(id, 16);
	const kind = type.replace("solar-yield-", "");
	return join(storeFolder(RED), `${kind}-${name}.json`);
}

/**
 * What one node remembers beyond restarts (behaviour: Restarts and deploys). A node
 * that is gone leaves it for 30 days to one of the same id.
 */
export class NodeFile<Content> extends Store<Content> {
	readonly #file: string;

	/** @param damaged as `Store` takes it */
	constructor(
		RED: NodeAPI,
		node: Node,
		format: FileFormat<Content>,
		damaged = "store.begins_anew",
	) {
		const file = fileOf(RED, node);
		super(file, format, (text) => tellWarning(RED, node, text), damaged);
		this.#file = file;
	}

	override async load(): Promise<Content | undefined> {
		const folder = dirname(this.#file);
		for (const name of await readdir(folder).catch(() => [])) {
			if (!name.endsWith(RETIRED)) continue;
			const path = join(folder, name);
			const isOver = Date.now() - (await writtenAt(path)) > OUTLIVES_MS;
			if (isOver) await unlink(path).catch(() => {});
			else if (path === this.#file + RETIRED) {
				const isThere = (await writtenAt(this.#file)) > 0;
				if (!isThere) await renameFile(path, this.#file).catch(() => {});
			}
		}
		return super.load();
	}
}

/**
 * Sets the file of a node that has closed aside where the deploy has left the node in
 * no flow. (The close handler is not told so by a full deploy, and is told the same of
 * a node that was only disabled.)
 */
export function retireOnceDeleted(RED: NodeAPI, node: Node): void {
	onceFlowsStarted(RED, () => {
		if (isInFlows(RED, node.id)) return;
		const file = fileOf(RED, node);
		const path = file + RETIRED;
		const now = new Date();
		renameFile(file, path)
			.then(() => utimes(path, now, now))
			// Most nodes have none.
			.catch(() => {});
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
