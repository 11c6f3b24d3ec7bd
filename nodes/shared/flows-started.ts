import type { NodeAPI } from "node-red";

/** What waits. One listener calls all: Node.js warns of more than ten. */
const waiting = new Set<() => void>();

/**
 * Calls back once the flows of the deploy or start that is under way run: from
 * then on what a node sends arrives, and every node is there.
 *
 * @returns no longer waits
 */
export function onceFlowsStarted(RED: NodeAPI, call: () => void): () => void {
	if (waiting.size === 0) {
		RED.events.once("flows:started", () => {
			const calls = [...waiting];
			waiting.clear();
			for (const each of calls) each();
		});
	}
	waiting.add(call);
	return () => waiting.delete(call);
}
