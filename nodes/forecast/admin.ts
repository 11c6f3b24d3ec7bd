import type { NodeAPI } from "node-red";
import { answer } from "../shared/admin-answer";

/** What the forecast dialog asks of running nodes, below `solar-yield/`; it costs no quota. */
export function addForecastRoutes(RED: NodeAPI): void {
	const read = RED.auth.needsPermission("solar-yield.read");
	const lazily = () => require("./node") as typeof import("./node");

	RED.httpAdmin.get(
		"/solar-yield/forecast/:id",
		read,
		answer((request) =>
			lazily().forecastPreview(RED, String(request.params.id), request.query),
		),
	);
}
