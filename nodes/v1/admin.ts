import type { NodeAPI } from "node-red";
import { answer, editorLanguage } from "../shared/admin-answer";
import { fromEditor } from "../shared/from-editor";

/**
 * What the V1 dialog asks, below `solar-yield/v1/`. Only `create-site` makes a
 * request to the service, and none costs quota. Users who may only read do not see
 * the values of environment variables.
 */
export function addV1Routes(RED: NodeAPI): void {
	const read = RED.auth.needsPermission("solar-yield.read");
	const write = RED.auth.needsPermission("solar-yield.write");
	const lazily = () => require("./node") as typeof import("./node");
	const act = (action: "check" | "move" | "create-site") =>
		answer((request) =>
			lazily().V1_ACTIONS[action](
				RED,
				request.body ?? {},
				editorLanguage(request),
			),
		);

	RED.httpAdmin.get(
		"/solar-yield/v1/parameters",
		read,
		answer(() => lazily().v1Table()),
	);
	RED.httpAdmin.post("/solar-yield/v1/check", write, fromEditor, act("check"));
	RED.httpAdmin.post("/solar-yield/v1/move", write, fromEditor, act("move"));
	RED.httpAdmin.post(
		"/solar-yield/v1/create-site",
		write,
		fromEditor,
		act("create-site"),
	);
}
