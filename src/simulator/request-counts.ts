import { HEADER, UNMETERED } from "../service/http/exchange";
import type { Plan } from "./plans";

/** Forecast and historical requests have separate budgets. */
export type QuotaKind = "forecast" | "historical";

/** Counted requests of one account, by calendar month in UTC (spec, Limits). */
export class RequestCounts {
	readonly #used = new Map<string, number>();

	/** Requests counted in the month of `now`. */
	used(kind: QuotaKind, now: number): number {
		return this.#used.get(key(kind, now)) ?? 0;
	}

	/** Requests allowed a month; null = unmetered. `sites` is the number of sites of the account. */
	limit(kind: QuotaKind, plan: Plan, sites: number): number | null {
		const base =
			kind === "forecast" ? plan.forecastRequests : plan.historicalRequests;
		return base === null
			? null
			: base + plan.requestsPerExtraSite * Math.max(0, sites - 1);
	}

	/** Counts up to `count` requests and returns how many fitted under the limit. */
	spend(
		kind: QuotaKind,
		now: number,
		count: number,
		limit: number | null,
	): number {
		const used = this.used(kind, now);
		const granted =
			limit === null ? count : Math.max(0, Math.min(count, limit - used));
		this.#used.set(key(kind, now), used + granted);
		return granted;
	}

	/** The four `RequestLimit-*` headers. */
	headers(
		kind: QuotaKind,
		now: number,
		limit: number | null,
	): Record<string, string> {
		const used = this.used(kind, now);
		return {
			[HEADER.limit]: limit === null ? UNMETERED : String(limit),
			[HEADER.used]: String(used),
			[HEADER.remaining]:
				limit === null ? UNMETERED : String(Math.max(0, limit - used)),
			[HEADER.reset]: nextMonth(now).replace(".000Z", "Z"),
		};
	}
}

function key(kind: QuotaKind, now: number): string {
	return `${kind} ${new Date(now).toISOString().slice(0, 7)}`;
}

function nextMonth(now: number): string {
	const date = new Date(now);
	return new Date(
		Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
	).toISOString();
}
