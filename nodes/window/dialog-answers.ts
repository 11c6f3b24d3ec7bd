import type { Output } from "../../src/window/output";
import type { WindowSetting } from "../../src/window/settings";
import type { PriceDays, TwoDays } from "../shared/dialog-answers";

/** What of an output its dialog shows. */
type Shown = "windows" | "why" | "shortage" | "oldHours" | "lacksPrices";

/** The windows of today and tomorrow, and why they are these. Instants are epoch ms. */
export interface WindowsAnswer extends Pick<Output, Shown> {
	/** Settings that messages have replaced. */
	readonly overridden: readonly WindowSetting[];
}

/** What a deployed node of the best time knows, for a picture. */
export type WindowPreview = WindowsAnswer &
	TwoDays & {
		/** Null where none of today or tomorrow is known. */
		readonly prices: PriceDays | null;
	};
