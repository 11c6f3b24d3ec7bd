import { SolarYieldError } from "../../service/errors/solar-yield-error";
import { QUARTER_MS, utcText } from "../../util/time";
import type { Zone } from "../../util/zone";
import { stepStart } from "./curve";
import type { Source } from "./source";

/** Watts to a hundredth: sums of a day stay right to a tenth of a watt hour. */
export const watts = (value: number) => Math.round(value * 100) / 100;
/** Kilowatts of watts, to the same hundredth of a watt. */
export const kilowatts = (value: number) => Math.round(value * 100) / 100_000;
/** Watt hours of a mean power in W over a time in ms, to a ten-thousandth. */
export const wattHours = (mean: number, ms: number) =>
	Math.round((mean * ms) / 360) / 10_000;

/** UTC as `…+00:00`, for readers that do not know `Z` (Python before 3.11). */
export const utcOffsetText = (instant: number) =>
	`${utcText(instant).slice(0, -1)}+00:00`;

/** The site's clock without an offset, as spreadsheets and forecast.solar's readers want it. */
export const siteClock = (instant: number, zone: Zone) =>
	zone.format(instant).slice(0, 19).replace("T", " ");

/** The starts of the quarters whose power is known, from an instant on and before another. */
export function quarters(
	{ curve }: Pick<Source, "curve">,
	from: number,
	to = curve.to,
): number[] {
	const starts: number[] = [];
	const end = Math.min(to, curve.to);
	for (
		let start = Math.max(from, curve.from);
		start < end;
		start += QUARTER_MS
	) {
		if (!Number.isNaN(curve.at(start))) starts.push(start);
	}
	return starts;
}

/**
 * Power at the instant between two quarters, the mean of both, so that
 * trapezoids over a day that begins and ends in darkness have the day's energy.
 *
 * @returns NaN where one of the two is unknown, but 0 beside a quarter without power
 */
export function powerAt({ curve }: Source, instant: number): number {
	const before = curve.at(instant - QUARTER_MS);
	const after = curve.at(instant);
	if (Number.isNaN(before)) return after === 0 ? 0 : Number.NaN;
	if (Number.isNaN(after)) return before === 0 ? 0 : Number.NaN;
	return (before + after) / 2;
}

/** Local dates that the curve covers whole, from one on; gaps may be within. */
export function wholeDays(
	{ curve, zone }: Source,
	from: number,
): { day: number; from: number; to: number }[] {
	const days = [];
	// The host's clock may begin long before the curve.
	const first = Math.max(from, zone.dayOf(curve.from));
	for (let day = first; zone.dayStart(day + 1) <= curve.to; day += 1) {
		const span = { from: zone.dayStart(day), to: zone.dayStart(day + 1) };
		if (span.to > span.from && curve.from <= span.from)
			days.push({ day, ...span });
	}
	return days;
}

/** The first step of the site's clock that begins within the curve, from the one that holds an instant on. */
export function firstStep(
	{ curve, zone }: Source,
	from: number,
	stepMs: number,
): number {
	const start = stepStart(zone, Math.max(from, curve.from), stepMs);
	return start < curve.from ? start + stepMs : start;
}

/**
 * Refuses a gap that was too long to be filled.
 *
 * @param reader program that would plan with the gap
 * @throws SolarYieldError `RESPONSE`
 */
export function refuseGap(
	{ curve, zone }: Source,
	from: number,
	to: number,
	reader: string,
): void {
	const gap = curve.gap(from, to);
	if (!gap) return;
	const time = (at: number) => ({ at, zone: zone.name });
	throw new SolarYieldError("RESPONSE", "export.gap", {
		from: time(gap.from),
		to: time(gap.to),
		reader,
	});
}

/**
 * Refuses to send an empty plan.
 *
 * @throws SolarYieldError `RESPONSE`
 */
export function refuseEmpty(count: number, { curve, zone }: Source): void {
	if (count > 0) return;
	const time = (at: number) => ({ at, zone: zone.name });
	throw new SolarYieldError("RESPONSE", "export.no_step", {
		from: time(curve.from),
		to: time(curve.to),
	});
}
