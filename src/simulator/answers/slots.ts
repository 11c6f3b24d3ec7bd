import { DAY_MS, HOUR_MS } from "../../util/time";
import type { ZoneClock } from "../physics/zone-clock";

/**
 * The slot that holds `now`, from site-local midnight (spec, Endpoints, rule 6).
 * Steps of an hour or less run on evenly through a clock change; longer ones
 * keep to the wall clock (00:00, 06:00, 12:00, 18:00).
 */
export function slotAt(
	clock: ZoneClock,
	updatesPerDay: number,
	now: number,
): { start: number; next: number } {
	const day = clock.dayOf(now);
	const midnight = clock.dayStart(day);
	const nextMidnight = clock.dayStart(day + 1);
	const step = DAY_MS / updatesPerDay;
	if (step <= HOUR_MS) {
		const start = midnight + Math.floor((now - midnight) / step) * step;
		return { start, next: Math.min(start + step, nextMidnight) };
	}
	let start = midnight;
	for (let k = 1; k < updatesPerDay; k++) {
		const at = clock.firstInstantFrom(day * DAY_MS + k * step);
		if (at > now) return { start, next: at };
		start = at;
	}
	return { start, next: nextMidnight };
}
