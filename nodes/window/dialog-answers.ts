import type { PlannedWindow, Why } from "../../src/window/output";
import type { Shortage } from "../../src/window/plan";
import type { WindowSetting } from "../../src/window/settings";
import type { PriceDays, TwoDays } from "../shared/dialog-answers";

/** The windows of today and tomorrow, and why they are these. Instants are epoch ms. */
export interface WindowsAnswer {
	readonly windows: readonly PlannedWindow[];
	readonly why: Why;
	/** What today's hours lack. */
	readonly shortage: Shortage | null;
	/** Age of a forecast that is old, hours. */
	readonly oldHours: number | null;
	/** Settings that messages have replaced. */
	readonly overridden: readonly WindowSetting[];
	/** Whether `cost` was asked for and no price ahead is known. */
	readonly lacksPrices: boolean;
}

/** What a deployed node of the best time knows, for a picture. */
export type WindowPreview = WindowsAnswer &
	TwoDays & {
		/** Null where none of today or tomorrow is known. */
		readonly prices: PriceDays | null;
	};
