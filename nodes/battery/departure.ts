import type { NodeAPI } from "node-red";

/** What Node-RED tells before it stops nodes (`flows:stopping`). */
interface Stopping {
	/** `full`: all of them, in a full deploy or at the end of Node-RED. */
	readonly type?: string;
	readonly diff?: { readonly removed?: readonly string[] };
}

let last: Stopping = {};
const watched = new WeakSet<object>();

/** Keeps in view what Node-RED stops; one listener for all nodes, for Node.js warns of more than ten. */
export function watchStops({ events }: NodeAPI): void {
	if (watched.has(events)) return;
	watched.add(events);
	events.on("flows:stopping", (stopping: Stopping) => {
		last = stopping;
	});
}

/**
 * Whether a node goes with a stop: all do, or it, its subflow's instance or its like in
 * the subflow is taken away or disabled. (Nodes within subflows are not told.) Of a node
 * in a subflow the id is that of the instance, a hyphen, and the id in the subflow.
 *
 * @param stopping the last one where none is given
 */
export function isLeaving(
	id: string,
	{ type, diff }: Stopping = last,
): boolean {
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
