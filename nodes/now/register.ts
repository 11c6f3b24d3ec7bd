import type { Node, NodeAPI } from "node-red";
import type { NowConfig } from "./node";

export = (RED: NodeAPI): void => {
	function Now(this: Node, config: NowConfig): void {
		RED.nodes.createNode(this, config);
		const { openNow } = require("./node") as typeof import("./node");
		openNow(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-now", Now);
};
