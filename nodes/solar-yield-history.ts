import type { Node, NodeAPI } from "node-red";
import type { HistoryConfig } from "../src/runtime/history";

export = (RED: NodeAPI): void => {
	function History(this: Node, config: HistoryConfig): void {
		RED.nodes.createNode(this, config);
		const { openHistory } =
			require("../src/runtime/history") as typeof import("../src/runtime/history");
		openHistory(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-history", History);
};
