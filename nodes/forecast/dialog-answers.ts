import type { QuotaFacts } from "../../src/messages/facts";

/** When a deployed forecast node asks next and why, and its curve for a small chart. */
export interface ForecastPreview {
	/** UTC, null when no request is planned. */
	readonly next_request_at: string | null;
	readonly reason: string;
	readonly reason_text: string;
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
