import type { NodeStatus } from "node-red";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { ForecastSum } from "../../src/sum";
import { dateText } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import {
	energyText,
	makeStatus,
	sharedTexts,
	type Translate,
	textsOf,
} from "../shared/status";

/** What a sum node knows. */
export interface SumState {
	/** Named sites of which no forecast is known. */
	readonly missing: readonly string[];
	/** Whether a forecast has come, of whatever site. */
	readonly heard: boolean;
	/** Number of sites of which one is known. */
	readonly count: number;
	readonly sum?: ForecastSum | undefined;
	/** Why the last message led to nothing. */
	readonly failure?: SolarYieldError;
}

/** What a sum node shows: today's energy and the number of sites, or which are missing. */
export function sumStatus(
	{ missing, heard, count, sum, failure }: SumState,
	now: number,
	translate: Translate,
): NodeStatus {
	const say = textsOf("solar-yield-sum", translate);
	const sayShared = sharedTexts(translate);
	const demo = sum?.solar.demo ?? false;
	if (failure) return makeStatus("failing", say("refused"), demo);
	if (!sum) {
		return !heard
			? makeStatus("idle", say("waiting"), demo)
			: makeStatus(
					"waiting",
					say("missing", { sites: missing.join(", ") }),
					demo,
				);
	}
	const { payload, solar } = sum;
	const zone = Zone.of(solar.timezone) ?? Zone.utc;
	const today = dateText(zone.dayOf(now));
	const energy = payload.daily.find(
		({ date }) => date === today,
	)?.pv_energy_kwh;
	const parts: string[] = [];
	if (typeof energy === "number") {
		const kwh = energyText(energy, translate);
		parts.push(sayShared("today", { kwh }));
	}
	parts.push(say("sites", { count: String(count) }));
	if (solar.stale) parts.push(sayShared("stale"));
	return makeStatus(solar.stale ? "waiting" : "fine", parts.join(" · "), demo);
}
