import { QUARTER_MS } from "../util/time";
import type { Forecast } from "./forecast";
import type { Settled } from "./series";

export type { Settled };

/** What `msg.solar.settled` says by the end of each quarter, by its start. */
export const settledStarts = (
	settled: readonly (readonly [endMs: number, watts: number])[],
): Settled => settled.map(([end, watts]) => [end - QUARTER_MS, watts]);

/**
 * What has settled when one forecast takes another's place: every quarter that
 * began before the new one was computed, as the old one has it, unless it had
 * settled before (behaviour: Messages "Settled"). So a later forecast that rewrites the
 * past changes nothing.
 *
 * @param known settled so far
 * @param old the forecast that is replaced
 * @param computedAt when the new one was computed, epoch ms
 * @returns ascending, from the site's local date of `now` on
 */
export function settle(
	known: Settled,
	old: Forecast,
	computedAt: number,
	now: number,
): Settled {
	const { zone, values } = old;
	const from = zone.dayStart(zone.dayOf(now));
	const settled = new Map(known.filter(([start]) => start >= from));
	// A time of computing ahead of the clock must not settle what is still to come.
	const end = Math.min(computedAt, now);
	for (let start = from; start < end; start += QUARTER_MS) {
		const watts = values.valueAt(start, "pv_power");
		if (!settled.has(start) && watts !== null) settled.set(start, watts);
	}
	return [...settled].sort(([a], [b]) => a - b);
}

/**
 * Today's past quarters: settled ones, and those the present forecast still
 * stands for. The running quarter is among them when it has settled, so that its
 * end changes nothing.
 *
 * @returns [end in epoch ms, W], ascending; unknown quarters are left out
 */
export function settledToday(
	known: Settled,
	forecast: Forecast,
	now: number,
): [endMs: number, watts: number][] {
	const { zone, values } = forecast;
	const settled = new Map(known);
	const today: [number, number][] = [];
	for (
		let start = zone.dayStart(zone.dayOf(now));
		start < now;
		start += QUARTER_MS
	) {
		const isPast = start + QUARTER_MS <= now;
		const watts =
			settled.get(start) ?? (isPast ? values.valueAt(start, "pv_power") : null);
		if (watts !== null) today.push([start + QUARTER_MS, watts]);
	}
	return today;
}
