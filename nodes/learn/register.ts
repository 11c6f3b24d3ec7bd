import type { NodeAPI } from "node-red";
import { addLearnRoutes } from "./admin";
import type { LearnConfig, LearnNode } from "./settings";

export = (RED: NodeAPI): void => {
	function Learn(this: LearnNode, config: LearnConfig): void {
		RED.nodes.createNode(this, config);
		const { openLearn } = require("./node") as typeof import("./node");
		openLearn(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-learn", Learn);
	addLearnRoutes(RED);
};
