import type { Node, NodeAPI } from "node-red";
import type { BatteryConfig } from "../src/runtime/battery";

export = (RED: NodeAPI): void => {
	function Battery(this: Node, config: BatteryConfig): void {
		RED.nodes.createNode(this, config);
		const { openBattery } =
			require("../src/runtime/battery") as typeof import("../src/runtime/battery");
		openBattery(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-battery", Battery);
};
