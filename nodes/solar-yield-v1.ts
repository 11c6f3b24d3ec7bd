import type { Node, NodeAPI } from "node-red";
import type { V1Config } from "../src/runtime/v1";
import { addV1Routes } from "../src/runtime/v1-admin";

export = (RED: NodeAPI): void => {
	function V1(this: Node, config: V1Config): void {
		RED.nodes.createNode(this, config);
		const { openV1 } =
			require("../src/runtime/v1") as typeof import("../src/runtime/v1");
		openV1(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-v1", V1);
	addV1Routes(RED);
};
