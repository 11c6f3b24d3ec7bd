import { learnedWeek } from "../../src/battery/house/learned-load";
import {
	type BatteryKnowledge,
	planOf,
	settingsOf,
	verdictOf,
} from "../../src/battery/knowledge";
import type { Moment } from "../../src/battery/release";
import { priceDays } from "../shared/two-days";
import type { BatteryView, PlanAnswer } from "./dialog-answers";
import { whyReleased } from "./status";

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
	const verdict = verdictOf(known, settings, moment);
	const reason = whyReleased(verdict);
	const timezone = known.input?.forecast.zone.name ?? null;
	if (reason !== null) {
		return {
			rows: [],
			reason,
			timezone,
			fullAt: null,
			fromGridKwh: null,
			curtailedKwh: null,
		};
	}
	const plan = planOf(known, settings, moment.at, verdict.act === "demo");
	return {
		rows: plan.plan.map(({ start, pv_w, load_w, soc }) => [
			Date.parse(start),
			pv_w,
			load_w,
			soc,
		]),
		reason,
		timezone,
		fullAt: plan.full_at === null ? null : Date.parse(plan.full_at),
		fromGridKwh: plan.energy_from_grid_kwh,
		curtailedKwh: plan.curtailed_kwh,
	};
}

/**
 * What a node knows, for pictures.
 *
 * @param now epoch ms
 */
export function batteryView(
	{ input, kept }: BatteryKnowledge,
	plan: PlanAnswer,
	now: number,
): BatteryView {
	const zone = input?.forecast.zone;
	return {
		week: kept.house && learnedWeek(kept.house),
		prices: zone ? priceDays(kept.prices?.value ?? [], zone, now) : null,
		plan,
	};
}
