import type { LearnedWeek } from "../../src/battery/house/learned-load";
import type { PriceDays } from "../shared/dialog-answers";

/** Answer to `battery/<id>`: what a deployed node knows, for pictures. */
export interface BatteryView {
	/** Null where no `msg.house_w` has come in. */
	readonly week: LearnedWeek | null;
	/** Null where none of today or tomorrow is known. */
	readonly prices: PriceDays | null;
}
