import type { NodeAPI } from "node-red";
import { addWindowRoutes } from "./admin";
import type { WindowConfig, WindowNode } from "./window-node";

export = (RED: NodeAPI): void => {
	function Window(this: WindowNode, config: WindowConfig): void {
		RED.nodes.createNode(this, config);
		const { openWindow } = require("./node") as typeof import("./node");
		openWindow(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-window", Window);
	addWindowRoutes(RED);
};
