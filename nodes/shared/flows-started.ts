import type { Node, NodeAPI } from "node-red";

interface Deployed {
	readonly id: string;
	readonly type: string;
	readonly wires?: readonly (readonly string[])[];
	/** Ids at the other end of a link node. */
	readonly links?: readonly string[];
}

/** What Node-RED tells of a start of the flows; `diff` is null where all nodes were started. */
interface FlowsStart {
	readonly config: { readonly flows: readonly Deployed[] };
	readonly diff?: {
		readonly added: readonly string[];
		readonly changed: readonly string[];
		readonly rewired: readonly string[];
	} | null;
}

type Listener = (start: FlowsStart) => void;

const listeners = new Set<Listener>();
/** Node-RED's one listener for all: Node.js warns of more than ten. */
const tellAll: Listener = (start) => {
	for (const each of [...listeners]) each(start);
};

/**
 * Calls back at each start of the flows, at Node-RED's own and at the end of each
 * deploy: from then on what a node sends arrives, and every node is there. A listener
 * that is there already is called once all the same.
 *
 * @returns ends it
 */
export function onFlowsStarted(RED: NodeAPI, listener: Listener): () => void {
	if (listeners.size === 0) RED.events.on("flows:started", tellAll);
	listeners.add(listener);
	return () => {
		listeners.delete(listener);
		if (listeners.size === 0) {
			RED.events.removeListener("flows:started", tellAll);
		}
	};
}

/**
 * Calls back at the next start of the flows: the end of the deploy that is under way.
 *
 * @returns no longer waits
 */
export function onceFlowsStarted(RED: NodeAPI, call: () => void): () => void {
	const stop = onFlowsStarted(RED, () => {
		stop();
		call();
	});
	return stop;
}

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

/** Ids of the forecast nodes whose messages can reach a node. */
export const forecastsBefore = (start: FlowsStart, id: string): string[] =>
	start.config.flows
		.filter(({ type }) => type === "solar-yield-forecast")
		.map((each) => each.id)
		.filter((each) => reached(start, each).has(id));

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
