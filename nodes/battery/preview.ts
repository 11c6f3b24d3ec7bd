import {
	type BatteryKnowledge,
	planOf,
	settingsOf,
	verdictOf,
} from "../../src/battery/knowledge";
import type { Moment } from "../../src/battery/release";
import type { PlanAnswer } from "./dialog-answers";
import { RELEASE_KEY } from "./status";

/**
 * The plan that a node would make now of what it last heard.
 *
 * @param config its properties
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function planAnswer(
	known: BatteryKnowledge,
	config: Readonly<Record<string, unknown>>,
	moment: Moment,
): PlanAnswer {
	const settings = settingsOf(config, known);
	const { act, reason } = verdictOf(known, settings, moment);
	const timezone = known.input?.forecast.zone.name ?? null;
	if (act !== "drive" && act !== "demo") {
		return {
			rows: [],
			reason: RELEASE_KEY[reason ?? "no-forecast"],
			timezone,
			fullAt: null,
			fromGridKwh: null,
			curtailedKwh: null,
		};
	}
	const plan = planOf(known, settings, moment.at, act === "demo");
	return {
		rows: plan.plan.map(({ start, pv_w, load_w, soc }) => [
			Date.parse(start),
			pv_w,
			load_w,
			soc,
		]),
		reason: null,
		timezone,
		fullAt: plan.full_at === null ? null : Date.parse(plan.full_at),
		fromGridKwh: plan.energy_from_grid_kwh,
		curtailedKwh: plan.curtailed_kwh,
	};
}
