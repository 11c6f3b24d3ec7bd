import type { NodeStatus } from "node-red";
import type { SiteOperation } from "../../src/service/v2/sites/site-operations";
import {
	makeStatus,
	type RequestState,
	requestStatus,
	type Translate,
	textsOf,
} from "../shared/status";

/** What each operation has done. */
const DONE: Record<SiteOperation, string> = {
	list: "listed",
	get: "read",
	create: "created",
	update: "changed",
	delete: "deleted",
	restore: "restored",
	"add-string": "string_added",
	"update-string": "string_changed",
	"remove-string": "string_removed",
};

/** What a site node does, did last, or why it could not. */
export type SiteNodeState =
	| RequestState
	| { readonly operation: "list"; readonly count: number }
	| {
			readonly operation: Exclude<SiteOperation, "list">;
			/** Name or id of the site. */
			readonly site: string;
	  };

export function siteStatus(
	state: SiteNodeState,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	if ("asking" in state || "failure" in state) {
		return requestStatus(state, demo, translate);
	}
	const values =
		state.operation === "list"
			? { count: String(state.count) }
			: { site: state.site };
	const say = textsOf("solar-yield-site", translate);
	return makeStatus("fine", say(DONE[state.operation], values), demo);
}
