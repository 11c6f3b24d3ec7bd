import type { Node, NodeAPI } from "node-red";
import { handleInput, ownError } from "./handler";
import { problemStatus } from "./status";

/**
 * Wires a node that cannot work as it is set up: its status says so, and so does
 * the error that every message to it ends in.
 */
export function refuseInput(RED: NodeAPI, node: Node, error: unknown): void {
	const problem = ownError(error);
	node.status(problemStatus(problem, RED._));
	handleInput(node, () => {
		throw problem;
	});
	node.on("close", () => node.status({}));
}
