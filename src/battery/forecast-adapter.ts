import { bandUntil, type Forecast } from "../forecast/forecast";
import { DAY_MS, QUARTER_MS } from "../util/time";
import type { PowerQuarter } from "./inputs/whole-quarters";
import type { PlanInput } from "./plan-inputs";

/** No plan looks further ahead, ms: the service foresees 7 days after today. */
const LONGEST_MS = 9 * DAY_MS;

type ForecastPart = Pick<PlanInput, "quarters" | "band_until" | "zone">;
const partsKnown = new WeakMap<Forecast, ForecastPart>();

/**
 * What a plan needs of a forecast: its quarters from the running one to its
 * last row, unknown powers as null, and the end of its band. Made once for each
 * quarter hour.
 *
 * @param now epoch ms
 */
export function forecastPart(forecast: Forecast, now: number): ForecastPart {
	const first = Math.floor(now / QUARTER_MS) * QUARTER_MS;
	const known = partsKnown.get(forecast);
	if (known?.quarters[0]?.start === first) return known;
	const { values } = forecast;
	const last = Math.min(
		values.starts[values.starts.length - 1] ?? 0,
		first + LONGEST_MS,
	);
	const quarters: PowerQuarter[] = [];
	for (let start = first; start <= last; start += QUARTER_MS) {
		quarters.push({
			start,
			pv_w: values.valueAt(start, "pv_power"),
			pv_min_w: values.valueAt(start, "pv_power_min"),
		});
	}
	const part = {
		quarters,
		band_until: bandUntil(forecast),
		zone: forecast.zone,
	};
	partsKnown.set(forecast, part);
	return part;
}

/** The quarters of the local day of an instant, past ones included, as far as the forecast has their power. */
export function todaysQuarters(
	{ values, zone }: Forecast,
	now: number,
): PowerQuarter[] {
	const end = zone.dayStart(zone.dayOf(now) + 1);
	const quarters: PowerQuarter[] = [];
	for (
		let start = zone.dayStart(zone.dayOf(now));
		start < end;
		start += QUARTER_MS
	) {
		quarters.push({
			start,
			pv_w: values.valueAt(start, "pv_power"),
			pv_min_w: null,
		});
	}
	return quarters;
}
