import type { Zone } from "../forecast/zone";
import { MINUTE_MS } from "../util/time";
import type { BatteryState } from "./battery-state";
import type { InputFact, InputFacts } from "./payload";
import type { BatterySettings } from "./settings";

/** The forecast that a plan is made of; null = none. */
interface ForecastFact {
	/** Epoch ms; null where it does not say. */
	readonly computed_at: number | null;
	/** Epoch ms at which it came in. */
	readonly received_at: number;
	/** End of its last quarter, epoch ms. */
	readonly until: number | null;
}

/** End of the run of rows without a hole that holds `now`, or begins after it. */
function knownUntil(
	rows: readonly { readonly start: number; readonly end: number }[],
	now: number,
): number | null {
	let until: number | null = null;
	for (const { start, end } of rows) {
		if (end <= now) continue;
		if (until !== null && start > until) break;
		until = end;
	}
	return until;
}

/** What came of the rows of prices that are not over; there is one at least. */
function priceFacts(
	{ value, unit }: NonNullable<BatteryState["prices"]>,
	zone: Zone,
	now: number,
) {
	const rows = value.filter(({ end }) => end > now);
	const prices = rows.map(({ price }) => price);
	const [first = 0, last = first] = [rows[0], rows.at(-1)].map(
		(row) => row?.start,
	);
	return {
		count: rows.length,
		unit,
		first: zone.format(first),
		last: zone.format(last),
		least: Math.min(...prices),
		most: Math.max(...prices),
	};
}

/**
 * What is known besides the plan itself: how old each input is, and until when it
 * is known (`payload.inputs`).
 *
 * @param state after `expire`
 * @param now epoch ms
 * @param zone of the texts
 */
export function inputFacts(
	state: BatteryState,
	forecast: ForecastFact | null,
	settings: Pick<BatterySettings, "load" | "maxSocAgeMinutes">,
	now: number,
	zone: Zone,
): InputFacts {
	const fact = (at: number, until: number | null): InputFact => ({
		at: zone.format(at),
		age_minutes: Math.max(0, Math.floor((now - at) / MINUTE_MS)),
		until: until === null ? null : zone.format(until),
	});
	const { soc, load, prices, feedIn, targets, settings: changes } = state;
	const counted = state.house?.running?.counted_to;
	const learned =
		settings.load === "learned" && counted !== undefined
			? fact(counted, null)
			: null;
	const instants = (targets?.value ?? []).map(({ by }) =>
		"instant" in by ? by.instant : Number.POSITIVE_INFINITY,
	);
	const lastTarget = Math.max(...instants);
	return {
		forecast:
			forecast &&
			fact(forecast.computed_at ?? forecast.received_at, forecast.until),
		soc:
			soc &&
			fact(
				soc.at,
				Math.max(soc.at, soc.steady_until ?? 0) +
					settings.maxSocAgeMinutes * MINUTE_MS,
			),
		load: load
			? fact(
					load.at,
					load.value.kind === "spans" ? knownUntil(load.value.rows, now) : null,
				)
			: learned,
		prices: prices && {
			...fact(prices.at, knownUntil(prices.value, now)),
			...priceFacts(prices, zone, now),
		},
		feedIn:
			feedIn &&
			fact(
				feedIn.at,
				typeof feedIn.value === "number" ? null : knownUntil(feedIn.value, now),
			),
		targets:
			targets &&
			fact(targets.at, Number.isFinite(lastTarget) ? lastTarget : null),
		settings: changes && fact(changes.at, null),
	};
}
