import type { Node, NodeAPI } from "node-red";
import type { NowConfig } from "../src/runtime/now";

export = (RED: NodeAPI): void => {
	function Now(this: Node, config: NowConfig): void {
		RED.nodes.createNode(this, config);
		const { openNow } =
			require("../src/runtime/now") as typeof import("../src/runtime/now");
		openNow(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-now", Now);
};
