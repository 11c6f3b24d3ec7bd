import type { NodeAPI } from "node-red";
import type { AccountNode } from "../shared/account-lookup";
import { answer } from "../shared/admin-answer";
import { fromEditor } from "../shared/from-editor";

/**
 * What dialogs ask of an account (all below `solar-yield/`, relative to the
 * editor's own address). None of it costs quota but `ask-now`, which says so.
 */
export function addAccountRoutes(RED: NodeAPI): void {
	const read = RED.auth.needsPermission("solar-yield.read");
	const write = RED.auth.needsPermission("solar-yield.write");
	const lazily = () => require("./node") as typeof import("./node");
	const accountNode = (id: unknown) =>
		RED.nodes.getNode(String(id)) as AccountNode | null;

	RED.httpAdmin.post(
		"/solar-yield/check",
		write,
		fromEditor,
		answer(async ({ body }) =>
			lazily().checkAccount(RED, body ?? {}, accountNode(body?.id)),
		),
	);
	RED.httpAdmin.post(
		"/solar-yield/ask-now",
		write,
		fromEditor,
		answer(async ({ body }) => lazily().askNow(accountNode(body?.id))),
	);
	RED.httpAdmin.get(
		"/solar-yield/accounts",
		read,
		answer(() => lazily().accountsInEditor(RED)),
	);
	RED.httpAdmin.get(
		"/solar-yield/account/:id",
		read,
		answer(async ({ params }) => lazily().accountFacts(accountNode(params.id))),
	);
}
