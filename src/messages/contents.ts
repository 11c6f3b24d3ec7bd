import type { Forecast } from "../forecast/forecast";
import type { Settled } from "../forecast/settled";
import type { Quota } from "../service/quota";
import type { Site } from "../service/v2/sites/site";
import type { REASONS } from "./reasons";

/**
 * What messages are made of. Whoever polls hands in its own objects, which hold
 * more; all times are epoch ms on the server's clock.
 */

/** The account's use, as `msg.quota` shows it. */
export interface QuotaContent {
	readonly quota: Quota | null;
	/** Own requests this month. */
	readonly own: number;
	/** How forecast requests are paced; other requests are not. */
	readonly pace?: {
		readonly kind: "full" | "spread" | "held";
		/** The account's use at reset, null while unknown. */
		readonly projected: number | null;
	} | null;
}

/** A forecast, and what is known of it and of the next request. */
export interface ForecastContent extends QuotaContent {
	readonly forecast: Forecast;
	readonly site: Site | undefined;
	readonly head: { readonly answeredAt: number };
	readonly plan: {
		/** Null when no request is planned. */
		readonly at: number | null;
		readonly reason: keyof typeof REASONS;
	};
	readonly stale: boolean;
	/** The service's clock minus this machine's, ms; null where it is unknown, or no more than two minutes. */
	readonly clockOffsetMs?: number | null;
	readonly settled: Settled;
	readonly now: number;
}

/** Historical data, and what is known of them. */
export interface HistoryContent extends QuotaContent {
	/** `key` stands for the site id of an inline system. */
	readonly query: { readonly source: { readonly key: string } };
	readonly forecast: Forecast;
	readonly site: Site | undefined;
	readonly answeredAt: number;
	/** Whether it came from disk. */
	readonly cached: boolean;
	readonly now: number;
}
