import type { Node, NodeAPI } from "node-red";
import {
	type FlowsStart,
	onceFlowsStarted,
	onFlowsStarted,
} from "./flows-started";

/** Ids of a node and of all that its messages can reach. */
function reached({ config }: FlowsStart, id: string): Set<string> {
	const nodes = new Map(config.flows.map((each) => [each.id, each]));
	const ids = new Set([id]);
	for (const each of ids) {
		const { type, wires = [], links = [] } = nodes.get(each) ?? {};
		for (const next of wires.flat()) ids.add(next);
		if (type === "link out") for (const next of links) ids.add(next);
	}
	return ids;
}

/**
 * Calls back after each deploy that left a node running and started or wired anew
 * others behind it: those have had no message of it yet.
 */
export function onStartedBehind(
	RED: NodeAPI,
	node: Node,
	call: () => void,
): void {
	// Not of the deploy that starts this node itself.
	let stop = onceFlowsStarted(RED, () => {
		stop = onFlowsStarted(RED, (start) => {
			const { diff } = start;
			if (!diff) return;
			const behind = reached(start, node.id);
			const begun = [...diff.added, ...diff.changed, ...diff.rewired];
			if (begun.some((id) => behind.has(id))) call();
		});
	});
	node.on("close", () => stop());
}
