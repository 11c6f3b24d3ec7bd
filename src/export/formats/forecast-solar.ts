import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
import { QUARTER_MS } from "../../util/time";
import type { Zone } from "../../util/zone";
import { choice, type Format } from "../format";
import type { Source } from "../source/source";
import {
	powerAt,
	siteClock,
	utcOffsetText,
	wattHours,
	watts,
	wholeDays,
} from "../source/units";

/** Figures of the public plan, never used up: readers pace their requests by them. */
const RATE_LIMIT = { period: 3600, limit: 12, remaining: 12 } as const;

/** How an instant is written, by that API's parameter `time`. */
const TIMES: Readonly<Record<string, (instant: number, zone: Zone) => string>> =
	{
		utc: utcOffsetText,
		local: siteClock,
		iso8601: (instant, zone) => zone.format(instant),
		seconds: (instant) => String(instant / 1000),
		milliseconds: String,
	};

/** The way in which times are written: the request's, else the option's. */
function timeOf({ request }: Source, option: unknown): string {
	const { time = option } = request.query;
	if (typeof time === "string" && Object.hasOwn(TIMES, time)) return time;
	throw inputError("export.query_time", {
		value: show(time),
		choices: Object.keys(TIMES),
	});
}

/** Values by time, as the API's `result` holds them. */
type Values = Record<string, number>;

/** The parts of an estimate, by the API's names. */
function estimateOf(source: Source, write: (instant: number) => string) {
	const { curve, zone, todayStart, today } = source;
	const power: Values = {};
	const watt_hours_period: Values = {};
	const watt_hours: Values = {};
	let day = Number.NaN;
	let sum = 0;
	for (const start of curve.quarters(todayStart)) {
		const mean = curve.at(start);
		const end = start + QUARTER_MS;
		if (zone.dayOf(start) !== day) sum = 0;
		day = zone.dayOf(start);
		const energy = wattHours(mean, QUARTER_MS);
		sum += energy;
		// Quarters without power whose neighbours have none: the API leaves the night out too.
		if (
			!(
				Math.max(mean, curve.at(end) || 0, curve.at(start - QUARTER_MS) || 0) >
				0
			)
		)
			continue;
		const stamp = write(end);
		const atEnd = powerAt(source, end);
		power[stamp] = watts(Number.isNaN(atEnd) ? mean : atEnd);
		// Local times without an offset come twice in autumn: no energy is lost.
		watt_hours_period[stamp] = (watt_hours_period[stamp] ?? 0) + energy;
		watt_hours[stamp] = Math.round(sum * 1e4) / 1e4;
	}
	const days = wholeDays(source, today).filter(
		(span) => !curve.gap(span.from, span.to),
	);
	const watt_hours_day: Values = Object.fromEntries(
		days.map(({ from, to }) => [
			zone.dateOf(from),
			wattHours(curve.mean(from, to), to - from),
		]),
	);
	return { watts: power, watt_hours_period, watt_hours, watt_hours_day };
}

/** The part of an estimate that a route answers with; all of it under `/estimate`. */
const ROUTE = /\/estimate\/(watts|watthours(?:\/(?:period|day))?)(?:\/|$)/;

/**
 * The JSON of forecast.solar's /estimate and of the routes below it
 * (doc.forecast.solar/api:estimate), from today's midnight on.
 */
export const forecastSolar: Format = {
	contentType: "application/json",
	oneSite: true,
	options: [choice("time", Object.keys(TIMES))],
	failure: (text, code) => ({
		result: null,
		message: { code, type: "error", text, ratelimit: RATE_LIMIT },
	}),
	make(source, options) {
		const { curve, zone, todayStart, nowMs, request } = source;
		const time = timeOf(source, options.time);
		const write = TIMES[time] as (typeof TIMES)[string];
		const estimate = estimateOf(source, (instant) => write(instant, zone));
		const part = ROUTE.exec(request.path)?.[1]
			?.replace("watthours", "watt_hours")
			.replace("/", "_");
		return [
			{
				payload: {
					result: part ? estimate[part as keyof typeof estimate] : estimate,
					message: {
						code: 0,
						type: "success",
						text: "",
						info: {
							timezone: zone.name,
							// Its offset is what readers apply to times that have none.
							time: time === "utc" ? utcOffsetText(nowMs) : zone.format(nowMs),
						},
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
