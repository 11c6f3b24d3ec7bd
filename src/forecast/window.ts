import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { QUARTER_MS, readStamp, readTime } from "../util/time";
import type { Zone } from "../util/zone";
import type { Forecast } from "./forecast";
import { type Energy, energy } from "./series";

function readMoment(name: string, value: unknown, zone: Zone): number {
	const ms = readTime(value);
	if (!Number.isNaN(ms)) return ms;
	const text = String(value);
	const stamp = readStamp(text.length === 10 ? `${text}T00:00` : text);
	const isNaive = Number.isNaN(stamp.offset) && !Number.isNaN(stamp.ms);
	if (isNaive) return zone.firstInstantFrom(stamp.ms);
	throw inputError("window_energy.time", {
		name,
		value: show(value),
		zone: zone.name,
	});
}

/** Quarters of the grid that a span touches. */
const quartersIn = (from: number, to: number) =>
	to > from ? Math.ceil(to / QUARTER_MS) - Math.floor(from / QUARTER_MS) : 0;

/**
 * Energy of any window, exact to the millisecond (behaviour: Messages, an input
 * `{from, to}` of `solar-yield-now`).
 *
 * @param window each an ISO 8601 text with an offset, or without one in the
 * site's zone (in the repeated hour of autumn the earlier of the two), a date
 * (its first instant), a `Date`, or epoch ms
 * @returns kWh, null when any part is unknown; `gaps` counts the unknown
 * quarters, those beyond the rows included
 * @throws SolarYieldError `INPUT` naming the field
 */
export function windowEnergy(
	forecast: Forecast,
	window: { readonly from?: unknown; readonly to?: unknown },
): Energy {
	const { zone, values } = forecast;
	const from = readMoment("from", window.from, zone);
	const to = readMoment("to", window.to, zone);
	if (from > to) {
		throw inputError("window_energy.order", {
			from: show(window.from),
			to: show(window.to),
		});
	}
	// No quarter beyond the dates that have rows is known: they are counted, not visited.
	const first = values.starts[0] ?? from;
	const last = values.starts.at(-1) ?? from;
	const low = zone.dayStart(zone.dayOf(first));
	const high = zone.dayStart(zone.dayOf(last) + 1);
	const { energy_kwh, gaps } = energy(
		values,
		Math.max(from, low),
		Math.min(to, high),
	);
	const beyond =
		quartersIn(from, Math.min(to, low)) + quartersIn(Math.max(from, high), to);
	return { energy_kwh: beyond > 0 ? null : energy_kwh, gaps: gaps + beyond };
}
