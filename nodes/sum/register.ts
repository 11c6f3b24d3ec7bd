import type { Node, NodeAPI } from "node-red";
import type { SumConfig } from "./node";

export = (RED: NodeAPI): void => {
	function Sum(this: Node, config: SumConfig): void {
		RED.nodes.createNode(this, config);
		const { openSum } = require("./node") as typeof import("./node");
		openSum(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-sum", Sum);
};
