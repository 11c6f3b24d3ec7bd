import type { NodeAPI } from "node-red";
import { answer } from "../shared/admin-answer";
import type { LearnNode } from "./settings";

/** What the learn dialog asks of its deployed node, below `solar-yield/`; it costs no quota. */
export function addLearnRoutes(RED: NodeAPI): void {
	const read = RED.auth.needsPermission("solar-yield.read");

	RED.httpAdmin.get(
		"/solar-yield/learn/:id",
		read,
		answer(({ params }) => {
			const node = RED.nodes.getNode(String(params.id)) as LearnNode | null;
			return node?.solarYieldLearn?.();
		}),
	);
}
