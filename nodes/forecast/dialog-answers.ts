import type { TwoDays } from "../shared/dialog-answers";

/** When a forecast is asked for next and why, and its curve for a small chart. */
export interface ForecastPreview<Said = string> extends TwoDays {
	/** Name or id of the site on show, null for a system that is no site. */
	readonly site: string | null;
	/** Whether it is what the dialog has; else it is what is deployed. */
	readonly is_as_set: boolean;
	/** UTC, null when no request is planned. */
	readonly next_request_at: string | null;
	readonly reason: string;
	/** Groups that the forecast was not asked for and the next one brings where they are ticked. */
	readonly awaited: readonly string[];
	readonly error: Said | null;
	readonly stale: boolean;
}
