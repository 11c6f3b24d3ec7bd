import { readdir, rename, stat, unlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Node, NodeAPI } from "node-red";
import { type Learned, readLearned } from "../../src/learn/state";
import { DAY_MS } from "../../src/util/time";
import { NodeFile } from "../shared/node-file";

/** How long what a node has learned outlives it, ms. */
const KEPT_MS = 30 * DAY_MS;
const RETIRED = ".deleted";

function readText(text: string): Learned | undefined {
	try {
		return readLearned(text);
	} catch {
		return undefined;
	}
}

/**
 * What one node has learned, on disk (behaviour: Learning). A node that is gone
 * leaves it for 30 days to one of the same id, for it cannot be had again. No
 * method rejects.
 */
export class LearnFile extends NodeFile<Learned> {
	constructor(RED: NodeAPI, node: Node) {
		super(RED, node, "learn", readText);
	}

	override async load(): Promise<Learned | undefined> {
		const folder = dirname(this.file);
		// Where there is a file this changes nothing that counts: it is the older one.
		if (!(await stat(this.file).catch(() => undefined))) {
			await rename(this.file + RETIRED, this.file).catch(() => {});
		}
		for (const name of await readdir(folder).catch(() => [])) {
			if (!name.startsWith("learn-") || !name.endsWith(RETIRED)) continue;
			const path = join(folder, name);
			const retired = await stat(path).catch(() => undefined);
			if (Date.now() - (retired?.mtimeMs ?? 0) > KEPT_MS) {
				await unlink(path).catch(() => {});
			}
		}
		return super.load();
	}

	/** Sets aside what was saved, for a node that is no longer there. */
	async retire(): Promise<void> {
		const path = this.file + RETIRED;
		await this.idle();
		await rename(this.file, path).catch(() => {});
		await utimes(path, new Date(), new Date()).catch(() => {});
	}
}
