import type { NodeAPI } from "node-red";
import { answer } from "../shared/admin-answer";
import { fromEditor } from "../shared/from-editor";

/**
 * What the site dialog asks of a deployed account, below `solar-yield/site/`;
 * none of it costs quota.
 */
export function addSiteRoutes(RED: NodeAPI): void {
	const read = RED.auth.needsPermission("solar-yield.read");
	const write = RED.auth.needsPermission("solar-yield.write");
	const lazily = () => require("./node") as typeof import("./node");

	RED.httpAdmin.get(
		"/solar-yield/site/:account",
		read,
		fromEditor,
		answer(({ params, query }) =>
			lazily().readStoredSite(RED, params.account, query.siteId),
		),
	);
	RED.httpAdmin.post(
		"/solar-yield/site/:account/create",
		write,
		fromEditor,
		answer(({ params, body }) =>
			lazily().createSite(RED, params.account, body?.system),
		),
	);
	RED.httpAdmin.post(
		"/solar-yield/site/:account/strings",
		write,
		fromEditor,
		answer(({ params, body }) =>
			lazily().saveStrings(RED, params.account, body ?? {}),
		),
	);
}
