import type { Node, NodeAPI } from "node-red";
import type { HistoryConfig } from "./node";

export = (RED: NodeAPI): void => {
	function History(this: Node, config: HistoryConfig): void {
		RED.nodes.createNode(this, config);
		const { openHistory } = require("./node") as typeof import("./node");
		openHistory(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-history", History);
};
