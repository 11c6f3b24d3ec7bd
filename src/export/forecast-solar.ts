import { QUARTER_MS } from "../util/time";
import type { Format, Source } from "./format";
import { powerAt, utcOffsetText, wattHours, watts, wholeDays } from "./values";

/**
 * Reading what lies in the house costs nothing: the figures of the public plan,
 * never used up, are what readers know how to pace themselves by.
 */
const RATE_LIMIT = { period: 3600, limit: 12, remaining: 12 } as const;

/** Quarters with power, and the dark ones beside them: the API too is silent by night. */
function isLight({ curve }: Source, start: number): boolean {
	return [start - QUARTER_MS, start, start + QUARTER_MS].some(
		(quarter) => curve.at(quarter) > 0,
	);
}

/** The JSON of forecast.solar's /estimate, from today's midnight on; its `time=utc` form with days of the site. */
export const forecastSolar: Format = {
	help: "For readers of the forecast.solar API: its JSON with watts, watt_hours_period, watt_hours and watt_hours_day.",
	label: "end of a quarter hour; watts is the power at that instant",
	contentType: "application/json",
	options: [],
	make(source) {
		const { curve, zone, todayStart, nowMs } = source;
		const power: Record<string, number> = {};
		const period: Record<string, number> = {};
		const total: Record<string, number> = {};
		let day = Number.NaN;
		let sum = 0;
		for (
			let start = Math.max(todayStart, curve.from);
			start < curve.to;
			start += QUARTER_MS
		) {
			const mean = curve.at(start);
			if (zone.dayOf(start) !== day) {
				day = zone.dayOf(start);
				sum = 0;
			}
			if (Number.isNaN(mean)) continue;
			sum += wattHours(mean, QUARTER_MS);
			if (!isLight(source, start)) continue;
			const end = start + QUARTER_MS;
			const stamp = utcOffsetText(end);
			const atEnd = powerAt(source, end);
			power[stamp] = watts(Number.isNaN(atEnd) ? mean : atEnd);
			period[stamp] = wattHours(mean, QUARTER_MS);
			total[stamp] = Math.round(sum * 1e4) / 1e4;
		}
		const days = wholeDays(source, source.today).filter(
			(span) => !curve.gap(span.from, span.to),
		);
		return [
			{
				payload: {
					result: {
						watts: power,
						watt_hours_period: period,
						watt_hours: total,
						watt_hours_day: Object.fromEntries(
							days.map(({ from, to }) => [
								zone.dateOf(from),
								wattHours(curve.mean(from, to), to - from),
							]),
						),
					},
					message: {
						code: 0,
						type: "success",
						text: "",
						info: { timezone: zone.name, time: utcOffsetText(nowMs) },
						ratelimit: RATE_LIMIT,
					},
				},
				span: { from: todayStart, to: curve.to },
				extra: {
					headers: {
						"x-ratelimit-period": String(RATE_LIMIT.period),
						"x-ratelimit-limit": String(RATE_LIMIT.limit),
						"x-ratelimit-remaining": String(RATE_LIMIT.remaining),
					},
				},
			},
		];
	},
};
