import type { Node, NodeAPI } from "node-red";
import { addBatteryRoutes } from "./admin";
import type { BatteryConfig } from "./node";

export = (RED: NodeAPI): void => {
	function Battery(this: Node, config: BatteryConfig): void {
		RED.nodes.createNode(this, config);
		const { openBattery } = require("./node") as typeof import("./node");
		openBattery(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-battery", Battery);
	addBatteryRoutes(RED);
};
