import type { NodeAPI } from "node-red";
import type { ForecastConfig, ForecastNode } from "../src/runtime/forecast";

export = (RED: NodeAPI): void => {
	function Forecast(this: ForecastNode, config: ForecastConfig): void {
		RED.nodes.createNode(this, config);
		const { openForecast } =
			require("../src/runtime/forecast") as typeof import("../src/runtime/forecast");
		openForecast(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-forecast", Forecast);
};
