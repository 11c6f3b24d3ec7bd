import { bandUntil, type Forecast } from "../forecast/forecast";
import type { Zone } from "../forecast/zone";
import { QUARTER_MS } from "../util/time";
import type { PlanInput, PowerQuarter } from "./problem";
import type { LocalTime } from "./profile";

/** The clock and calendar of a site's zone, for `PlanInput.localTime`. */
export function siteClock(zone: Zone): (instant: number) => LocalTime {
	return (instant) => {
		// The wall clock read as if it were UTC: no zone of the process comes in.
		const wall = new Date(zone.wallClock(instant));
		return {
			hour: wall.getUTCHours(),
			weekday: wall.getUTCDay() || 7,
			month: wall.getUTCMonth() + 1,
			day: wall.getUTCDate(),
		};
	};
}

/** No plan looks further ahead, ms: the service foresees 7 days after today. */
const LONGEST_MS = 9 * 86_400_000;

/**
 * What a plan needs of a forecast: its quarters from the running one to its
 * last row, unknown powers as null, and the end of its band.
 *
 * @param now epoch ms
 */
export function forecastPart(
	forecast: Forecast,
	now: number,
): Pick<PlanInput, "quarters" | "band_until" | "localTime"> {
	const { values } = forecast;
	const last = Math.min(
		values.starts[values.starts.length - 1] ?? 0,
		now + LONGEST_MS,
	);
	const quarters: PowerQuarter[] = [];
	for (
		let start = Math.floor(now / QUARTER_MS) * QUARTER_MS;
		start <= last;
		start += QUARTER_MS
	) {
		quarters.push({
			start,
			pv_w: values.valueAt(start, "pv_power"),
			pv_min_w: values.valueAt(start, "pv_power_min"),
		});
	}
	return {
		quarters,
		band_until: bandUntil(forecast),
		localTime: siteClock(forecast.zone),
	};
}
