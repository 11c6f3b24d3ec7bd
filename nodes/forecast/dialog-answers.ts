import type { QuotaFacts } from "../../src/messages/facts";

/** When a forecast is asked for next and why, and its curve for a small chart. */
export interface ForecastPreview {
	/** Name or id of the site on show, null for a system that is no site. */
	readonly site: string | null;
	/** Whether it is what the dialog has; else it is what is deployed. */
	readonly is_as_set: boolean;
	/** UTC, null when no request is planned. */
	readonly next_request_at: string | null;
	readonly reason: string;
	readonly reason_text: string;
	/** Groups that the forecast was not asked for and the next one brings where they are ticked. */
	readonly awaited: readonly string[];
	readonly error: { readonly code: string; readonly message: string } | null;
	readonly stale: boolean;
	readonly available: readonly string[] | null;
	readonly timezone: string | null;
	/** UTC. */
	readonly computed_at: string | null;
	readonly quota: QuotaFacts;
	/** Today and tomorrow, with the energy that statuses and messages name. */
	readonly days: readonly {
		readonly date: string;
		readonly energy_kwh: number | null;
	}[];
	/** Quarter hours of these days: [start in epoch ms, W]. */
	readonly curve: readonly (readonly [start: number, watts: number | null])[];
}
