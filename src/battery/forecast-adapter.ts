import { bandUntil, type Forecast } from "../forecast/forecast";
import { DAY_MS, QUARTER_MS } from "../util/time";
import type { PlanInput, PowerQuarter } from "./plan-inputs";

/** No plan looks further ahead, ms: the service foresees 7 days after today. */
const LONGEST_MS = 9 * DAY_MS;

/** Powers by start of their quarter, epoch ms, that a sum has cut, W. */
type Uncut = readonly (readonly [number, number])[];

/** The quarters of a forecast from one instant to before another, unknown powers as null. */
function quartersOf(
	{ values }: Forecast,
	from: number,
	end: number,
	uncut: Uncut = [],
) {
	const above = new Map(uncut);
	const quarters: PowerQuarter[] = [];
	for (let start = from; start < end; start += QUARTER_MS) {
		quarters.push({
			start,
			pv_w: above.get(start) ?? values.valueAt(start, "pv_power"),
			pv_min_w: values.valueAt(start, "pv_power_min"),
		});
	}
	return quarters;
}

/**
 * What a plan needs of a forecast: its quarters from the running one to its last
 * row, the end of its band, and its zone.
 *
 * @param now epoch ms
 * @param uncut what stands in the place of powers that were cut
 */
export function forecastPart(
	forecast: Forecast,
	now: number,
	uncut?: Uncut,
): Pick<PlanInput, "quarters" | "band_until" | "zone"> {
	const first = Math.floor(now / QUARTER_MS) * QUARTER_MS;
	const last = forecast.values.starts.at(-1) ?? 0;
	return {
		quarters: quartersOf(
			forecast,
			first,
			Math.min(last, first + LONGEST_MS) + QUARTER_MS,
			uncut,
		),
		band_until: bandUntil(forecast),
		zone: forecast.zone,
	};
}

/** The quarters of the local day of an instant, past ones included, as far as the forecast has their power. */
export function todaysQuarters(
	forecast: Forecast,
	now: number,
): PowerQuarter[] {
	const { zone } = forecast;
	const day = zone.dayOf(now);
	return quartersOf(forecast, zone.dayStart(day), zone.dayStart(day + 1));
}
