import type { NodeAPI } from "node-red";

/** What Node-RED tells before it stops nodes (`flows:stopping`). */
export interface Stopping {
	/** `full`: all of them, in a full deploy or at the end of Node-RED. */
	readonly type?: string;
	readonly diff?: { readonly removed?: readonly string[] };
}

/**
 * Whether a node goes with a stop: all do, or it, its subflow's instance or its like in
 * the subflow is taken away or disabled. (Nodes within subflows are not told.) Of a node
 * in a subflow the id is that of the instance, a hyphen, and the id in the subflow.
 */
export function isLeaving(id: string, { type, diff }: Stopping): boolean {
	return (
		type === "full" ||
		(diff?.removed ?? []).some(
			(removed) =>
				removed === id ||
				id.startsWith(`${removed}-`) ||
				id.endsWith(`-${removed}`),
		)
	);
}

/** Waits for the end of a deploy, and acts if a node is no longer in the flows; one that is only disabled is. */
export function whenDeleted(RED: NodeAPI, id: string, act: () => void): void {
	RED.events.once("flows:started", () => {
		const ids = new Set<string>();
		RED.nodes.eachNode((node) => ids.add(node.id));
		const isThere = (path: string): boolean =>
			ids.has(path) ||
			[...path.matchAll(/-/g)].some(
				({ index }) =>
					ids.has(path.slice(index + 1)) && isThere(path.slice(0, index)),
			);
		if (!isThere(id)) act();
	});
}
