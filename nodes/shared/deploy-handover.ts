import type { Node, NodeAPI } from "node-red";
import { onceFlowsStarted } from "./flows-started";

/**
 * State that nodes hand over to their successors in a deploy. A deploy of modified
 * nodes restarts a node, but not those that feed it, so what it had received would be
 * lost. After a full deploy everything is sent anew, and no state is handed over.
 */
export class Handover<T> {
	readonly #left = new Map<string, T>();
	readonly #isForFull: boolean;

	/** @param isForFull whether state is handed over in a full deploy, too */
	constructor(isForFull = false) {
		this.#isForFull = isForFull;
	}

	/** Keeps the state of a node for the next node of the same id. */
	leave(RED: NodeAPI, { id }: Node, known: T): void {
		if (this.#left.size === 0) {
			const clear = () => this.#left.clear();
			RED.events.once("flows:stopped", ({ type }: { type?: string }) => {
				if (type === "full" && !this.#isForFull) clear();
			});
			// Nodes that have not been made again by then were deleted.
			onceFlowsStarted(RED, clear);
		}
		this.#left.set(id, known);
	}

	/** The state that the node of the same id left, undefined when it left none. */
	take({ id }: Node): T | undefined {
		const known = this.#left.get(id);
		this.#left.delete(id);
		return known;
	}
}
