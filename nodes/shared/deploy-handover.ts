import type { Node, NodeAPI } from "node-red";

/**
 * What nodes know, from their close to the end of the deploy that closed them. A
 * deploy of what was modified restarts a node, but not those that feed it; after
 * a full one everything is sent anew, and what was known is of no use.
 */
export class Handover<T> {
	readonly #left = new Map<string, T>();

	/** Leaves what a node knows to the next node of its id. */
	leave(RED: NodeAPI, { id }: Node, known: T): void {
		if (this.#left.size === 0) {
			const clear = () => this.#left.clear();
			RED.events.once("flows:stopped", ({ type }: { type?: string }) => {
				if (type === "full") clear();
			});
			// Whoever has not come back by then never will.
			RED.events.once("flows:started", clear);
		}
		this.#left.set(id, known);
	}

	/** What the node of the same id left behind, if it did. */
	take({ id }: Node): T | undefined {
		const known = this.#left.get(id);
		this.#left.delete(id);
		return known;
	}
}
