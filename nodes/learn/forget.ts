import type { NodeAPI } from "node-red";
import type { LearnFile } from "./learn-file";

/**
 * Removes what a closed node has learned, once flows run again in which it does not
 * stand. A node that is disabled stands there still; one inside a subflow has the ids
 * of its instances before its own.
 */
export function removeUnlessConfigured(
	RED: NodeAPI,
	id: string,
	file: LearnFile,
): void {
	RED.events.once("flows:started", () => {
		const ids: string[] = [];
		RED.nodes.eachNode((node) => ids.push(node.id));
		const stands =
			ids.includes(id) ||
			(ids.some((instance) => id.startsWith(`${instance}-`)) &&
				ids.some((own) => id.endsWith(`-${own}`)));
		if (!stands) void file.remove();
	});
}
