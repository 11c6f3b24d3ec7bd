import type { NodeAPI } from "node-red";
import { answer, spoken } from "../shared/admin-answer";
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

	RED.httpAdmin.get(
		"/solar-yield/v1/parameters",
		read,
		answer(() => lazily().v1Table()),
	);
	RED.httpAdmin.post(
		"/solar-yield/v1/check",
		write,
		fromEditor,
		answer((request) => {
			const findings = lazily().checkSet(RED, request.body ?? {});
			const said = (text: string) => spoken(text, request);
			return {
				...findings,
				problems: findings.problems.map(said),
				warnings: findings.warnings.map(said),
			};
		}),
	);
	RED.httpAdmin.post(
		"/solar-yield/v1/move",
		write,
		fromEditor,
		answer((request) => {
			const { site, report } = lazily().moveSet(RED, request.body ?? {});
			const said = report.map((entry) => ({
				...entry,
				note: spoken(entry.note, request),
			}));
			return { site, report: said };
		}),
	);
	RED.httpAdmin.post(
		"/solar-yield/v1/create-site",
		write,
		fromEditor,
		answer(async (request) => {
			const made = await lazily().createMovedSite(RED, request.body ?? {});
			return made.plan ? { plan: spoken(made.plan, request) } : made;
		}),
	);
}
