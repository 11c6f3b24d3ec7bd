import type { NodeStatus } from "node-red";
import type { NowPayload } from "../../src/forecast/now";
import {
	energyText,
	makeStatus,
	sharedTexts,
	type Translate,
	textsOf,
} from "../shared/status";

/** What a now node shows: power and today's energy, or that it waits for a forecast. */
export function nowStatus(
	values: NowPayload | undefined,
	demo: boolean,
	translate: Translate,
): NodeStatus {
	const say = textsOf("solar-yield-now", translate);
	const sayShared = sharedTexts(translate);
	if (!values) return makeStatus("idle", say("waiting"), demo);
	const { power_now_w, energy_today_kwh, stale } = values;
	const parts = [
		power_now_w === null
			? say("unknown")
			: say("power", { watts: power_now_w.toFixed(0) }),
	];
	if (energy_today_kwh !== null) {
		const kwh = energyText(energy_today_kwh, translate);
		parts.push(sayShared("today", { kwh }));
	}
	if (stale) parts.push(sayShared("stale"));
	return makeStatus(stale ? "waiting" : "fine", parts.join(" · "), demo);
}
