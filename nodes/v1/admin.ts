import type { NodeAPI } from "node-red";
import { answer, editorLanguage } from "../shared/admin-answer";
import { fromEditor } from "../shared/from-editor";

/**
 * What the V1 dialog asks, below `solar-yield/v1/`. Only `create-site` makes a
 * request to the service, and none costs quota. Users who may only read do not see
 * the values of environment variables.
 */
export function addV1Routes(RED: NodeAPI): void {
	const lazily = () => require("./node") as typeof import("./node");
	RED.httpAdmin.get(
		"/solar-yield/v1/parameters",
		RED.auth.needsPermission("solar-yield.read"),
		answer(() => lazily().v1Table()),
	);
	for (const action of ["check", "move", "create-site"] as const) {
		RED.httpAdmin.post(
			`/solar-yield/v1/${action}`,
			RED.auth.needsPermission("solar-yield.write"),
			fromEditor,
			answer((request) =>
				lazily().V1_ACTIONS[action](
					RED,
					request.body ?? {},
					editorLanguage(request),
				),
			),
		);
	}
}
