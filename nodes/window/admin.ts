import type { NodeAPI } from "node-red";
import { answer } from "../shared/admin-answer";
import { fromEditor } from "../shared/from-editor";
import type { WindowNode } from "./window-node";

/**
 * What the dialog asks of its deployed node, below `solar-yield/`: the windows as
 * they are, or as they would be with other settings. Neither changes anything.
 */
export function addWindowRoutes(RED: NodeAPI): void {
	const read = RED.auth.needsPermission("solar-yield.read");
	const lazily = () => require("./node") as typeof import("./node");
	const windowNode = (id: unknown) =>
		RED.nodes.getNode(String(id)) as WindowNode | null;

	RED.httpAdmin.get(
		"/solar-yield/window/:id",
		read,
		answer(({ params }) => lazily().windowPreview(windowNode(params.id))),
	);
	RED.httpAdmin.post(
		"/solar-yield/window/:id",
		read,
		fromEditor,
		answer(({ params, body }) =>
			lazily().windowsWith(windowNode(params.id), body),
		),
	);
}
