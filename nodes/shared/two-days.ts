import { type Forecast, siteDayEnergy } from "../../src/forecast/forecast";
import type { Settled } from "../../src/forecast/settled";
import type { PriceRow } from "../../src/prices/reader";
import { dateText } from "../../src/util/time";
import type { Zone } from "../../src/util/zone";
import type { PriceDays, TwoDays } from "./dialog-answers";

/**
 * Curve and energies of the site's today and tomorrow, as statuses and messages have
 * them; nothing of a forecast that has yet to come.
 *
 * @param now epoch ms
 */
export function twoDays(
	forecast: Forecast | undefined,
	now: number,
	settled?: Settled,
): Omit<TwoDays, "timezone"> {
	if (!forecast) return { days: [], curve: [] };
	const { zone, values } = forecast;
	const today = zone.dayOf(now);
	const from = values.indexFrom(zone.dayStart(today));
	const to = values.indexFrom(zone.dayStart(today + 2));
	return {
		days: [today, today + 1].map((day) => ({
			date: dateText(day),
			start: zone.dayStart(day),
			energy_kwh: siteDayEnergy(forecast, day, "pv_power", settled),
		})),
		curve: values.starts
			.slice(from, to)
			.map((start) => [start, values.valueAt(start, "pv_power")]),
	};
}

/**
 * Prices of the site's today and tomorrow; null where none is known of them.
 *
 * @param now epoch ms
 */
export function priceDays(
	prices: readonly PriceRow[],
	zone: Zone,
	now: number,
): PriceDays | null {
	const today = zone.dayOf(now);
	const midnights = [
		zone.dayStart(today),
		zone.dayStart(today + 1),
		zone.dayStart(today + 2),
	] as const;
	const rows = prices
		.filter(({ start, end }) => end > midnights[0] && start < midnights[2])
		.map(({ start, end, price }) => [start, end, price] as const);
	return rows.length > 0 ? { timezone: zone.name, midnights, rows } : null;
}
