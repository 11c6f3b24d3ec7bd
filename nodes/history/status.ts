import type { NodeStatus } from "node-red";
import {
	energyText,
	makeStatus,
	type RequestState,
	requestStatus,
	type Translate,
	textsOf,
} from "../shared/status";

/** What a history node does, sent last, or why it could not. */
export type HistoryNodeState =
	| RequestState
	| {
			/** Days sent so far, and all of them. */
			readonly sent: number;
			readonly count: number;
			/** Energy of all the days, null while it is not known. */
			readonly kwh: number | null;
			/** Whether no request was needed. */
			readonly cached: boolean;
	  };

export function historyStatus(
	state: HistoryNodeState,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	if ("asking" in state || "failure" in state) {
		return requestStatus(state, demo, translate);
	}
	const { sent, count, kwh, cached } = state;
	const say = textsOf("solar-yield-history", translate);
	if (sent < count) {
		const values = { sent: String(sent), count: String(count) };
		return makeStatus("asking", say("sending", values), demo);
	}
	const parts = [say("days", { count: String(count) })];
	if (kwh !== null) {
		parts.push(say("energy", { kwh: energyText(kwh, translate) }));
	}
	if (cached) parts.push(say("cached"));
	return makeStatus("fine", parts.join(" · "), demo);
}
