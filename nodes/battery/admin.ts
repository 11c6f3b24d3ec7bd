import type { NodeAPI } from "node-red";
import { answer } from "../shared/admin-answer";
import type { BatteryNode } from "./node";

/** What the battery's dialog asks of its deployed node, below `solar-yield/`. */
export function addBatteryRoutes(RED: NodeAPI): void {
	const read = RED.auth.needsPermission("solar-yield.read");

	RED.httpAdmin.get(
		"/solar-yield/battery/:id",
		read,
		answer(({ params }) => {
			const node = RED.nodes.getNode(String(params.id)) as BatteryNode | null;
			return node?.solarYield?.view();
		}),
	);
}
