import type { Node, NodeAPI } from "node-red";
import { addV1Routes } from "./admin";
import type { V1Config } from "./node";

export = (RED: NodeAPI): void => {
	function V1(this: Node, config: V1Config): void {
		RED.nodes.createNode(this, config);
		const { openV1 } = require("./node") as typeof import("./node");
		openV1(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-v1", V1);
	addV1Routes(RED);
};
