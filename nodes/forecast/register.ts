import type { NodeAPI } from "node-red";
import { addForecastRoutes } from "./admin";
import type { ForecastConfig, ForecastNode } from "./settings";

export = (RED: NodeAPI): void => {
	function Forecast(this: ForecastNode, config: ForecastConfig): void {
		RED.nodes.createNode(this, config);
		const { openForecast } = require("./node") as typeof import("./node");
		openForecast(RED, this, config);
	}
	RED.nodes.registerType("solar-yield-forecast", Forecast);
	addForecastRoutes(RED);
};
