import type { Node, NodeAPI } from "node-red";
import { onceFlowsStarted } from "../shared/flows-started";
import { ownError } from "../shared/handler";
import { offMessage } from "./messages";
import { nameOf, type WindowConfig } from "./window-node";

/** What a window switched on before must not stay on. */
export function switchOff(
	RED: NodeAPI,
	node: Node,
	config: WindowConfig,
	error: unknown,
): void {
	const message = offMessage(nameOf(config, node), ownError(error).message);
	const stop = onceFlowsStarted(RED, () => node.send([message, null] as never));
	node.on("close", () => stop());
}
