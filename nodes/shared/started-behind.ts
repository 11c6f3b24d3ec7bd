import type { Node, NodeAPI } from "node-red";
import { onceFlowsStarted } from "./flows-started";

interface Deployed {
	readonly id: string;
	readonly type: string;
	readonly wires?: readonly (readonly string[])[];
	/** Of a link node: the ids of those at the other end. */
	readonly links?: readonly string[];
}

/** What Node-RED tells of a deploy; `diff` is null where all nodes were started. */
interface Deploy {
	readonly config: { readonly flows: readonly Deployed[] };
	readonly diff?: {
		readonly added: readonly string[];
		readonly changed: readonly string[];
		readonly rewired: readonly string[];
	} | null;
}

const listeners = new Set<(deploy: Deploy) => void>();
/** One for all nodes: Node.js warns of more than ten. */
const tellAll = (deploy: Deploy) => {
	for (const each of [...listeners]) each(deploy);
};

/** Ids of a node and of all that its messages can reach. */
function reached({ config }: Deploy, id: string): Set<string> {
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
	const listener = (deploy: Deploy) => {
		const { diff } = deploy;
		if (!diff) return;
		const behind = reached(deploy, node.id);
		const begun = [...diff.added, ...diff.changed, ...diff.rewired];
		if (begun.some((id) => behind.has(id))) call();
	};
	// Not of the deploy that starts this node itself.
	const stopWaiting = onceFlowsStarted(RED, () => {
		if (listeners.size === 0) RED.events.on("flows:started", tellAll);
		listeners.add(listener);
	});
	node.on("close", () => {
		stopWaiting();
		listeners.delete(listener);
		if (listeners.size === 0) {
			RED.events.removeListener("flows:started", tellAll);
		}
	});
}
