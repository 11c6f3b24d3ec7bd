import { SolarYieldError } from "../../service/errors/solar-yield-error";
import { MINUTE_MS, QUARTER_MS, utcText } from "../../util/time";
import type { Zone } from "../../util/zone";
import { type CurveSpan, type Step, stepStart } from "./curve";
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

/**
 * Power at the instant between two quarters, the mean of both, so that
 * trapezoids over a day that begins and ends in darkness have the day's energy.
 *
 * @returns NaN where one of the two is unknown, but 0 beside a quarter without power
 */
export function powerAt({ curve }: Source, instant: number): number {
	const before = curve.at(instant - QUARTER_MS);
	const after = curve.at(instant);
	const mean = (before + after) / 2;
	return Number.isNaN(mean) && (before === 0 || after === 0) ? 0 : mean;
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
 * Refuses to send an empty plan.
 *
 * @throws SolarYieldError `RESPONSE`
 */
export function refuseEmpty(count: number, { curve, zone }: Source): void {
	if (count === 0) throw refusal("export.no_step", curve, zone);
}

/**
 * The steps that a reader plans with, none missing.
 *
 * @param from where the first begins, epoch ms
 * @param minutes length of a step
 * @param reader the program that plans
 * @throws SolarYieldError `RESPONSE` for a gap that was too long to be filled, and where there is no step
 */
export function planSteps(
	source: Source,
	from: number,
	minutes: number,
	reader: string,
): Step[] {
	const { curve, zone } = source;
	if (from < curve.from) refuseEmpty(0, source);
	const gap = curve.gap(from, curve.to);
	if (gap) throw refusal("export.gap", gap, zone, { reader });
	const steps = curve.steps(from, curve.to, minutes * MINUTE_MS);
	refuseEmpty(steps.length, source);
	return steps;
}

function refusal(key: string, { from, to }: CurveSpan, zone: Zone, more = {}) {
	const time = (at: number) => ({ at, zone: zone.name });
	return new SolarYieldError("RESPONSE", key, {
		from: time(from),
		to: time(to),
		...more,
	});
}
