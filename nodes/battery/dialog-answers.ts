import type { LearnedWeek } from "../../src/battery/house/learned-load";
import type { PriceDays } from "../shared/dialog-answers";

/** A plan for a picture. */
export interface PlanAnswer {
	/** Quarter hours: start in epoch ms, sun and house in W, charge at the end in percent; empty where there is no plan. */
	readonly rows: readonly (readonly [
		start: number,
		pvW: number,
		loadW: number,
		soc: number,
	])[];
	/** Why there is none, as statuses name it. */
	readonly reason: string | null;
	readonly timezone: string | null;
	/** Epoch ms. */
	readonly fullAt: number | null;
	readonly fromGridKwh: number | null;
	readonly curtailedKwh: number | null;
}

/** Answer to `battery/<id>`: what a deployed node knows, for pictures. */
export interface BatteryView {
	/** Null where no `msg.house_w` has come in. */
	readonly week: LearnedWeek | null;
	/** Null where none of today or tomorrow is known. */
	readonly prices: PriceDays | null;
	readonly plan: PlanAnswer;
}
