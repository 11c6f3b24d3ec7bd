import type { Node, NodeAPI } from "node-red";
import { handleInput, ownError } from "./handler";
import { problemStatus } from "./status";

/**
 * Wires a node whose settings are invalid: its status says so, and every message to
 * it ends in the error.
 */
export function refuseInput(RED: NodeAPI, node: Node, error: unknown): void {
	const problem = ownError(error);
	node.status(problemStatus(problem, RED._));
	handleInput(RED, node, () => {
		throw problem;
	});
	node.on("close", () => node.status({}));
}
