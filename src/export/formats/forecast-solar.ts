import type { Zone } from "../../forecast/zone";
import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
import { QUARTER_MS } from "../../util/time";
import type { Format, Source } from "../format";
import {
	powerAt,
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
		local: (instant, zone) =>
			zone.format(instant).slice(0, 19).replace("T", " "),
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

/** Whether a quarter has power or adjoins one that has: the API leaves the night out too. */
function isLight({ curve }: Source, start: number): boolean {
	return [start - QUARTER_MS, start, start + QUARTER_MS].some(
		(quarter) => curve.at(quarter) > 0,
	);
}

/** Values by time, as the API's `result` holds them. */
type Values = Record<string, number>;

/** The four parts of an estimate, by the API's names. */
interface Estimate {
	readonly watts: Values;
	readonly watt_hours_period: Values;
	readonly watt_hours: Values;
	readonly watt_hours_day: Values;
}

function estimateOf(
	source: Source,
	write: (instant: number) => string,
): Estimate {
	const { curve, zone, todayStart, today } = source;
	const power: Values = {};
	const period: Values = {};
	const total: Values = {};
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
		const energy = wattHours(mean, QUARTER_MS);
		sum += energy;
		if (!isLight(source, start)) continue;
		const end = start + QUARTER_MS;
		const stamp = write(end);
		const atEnd = powerAt(source, end);
		power[stamp] = watts(Number.isNaN(atEnd) ? mean : atEnd);
		// Local times without an offset come twice in autumn: no energy is lost.
		period[stamp] = (period[stamp] ?? 0) + energy;
		total[stamp] = Math.round(sum * 1e4) / 1e4;
	}
	const days = wholeDays(source, today).filter(
		(span) => !curve.gap(span.from, span.to),
	);
	return {
		watts: power,
		watt_hours_period: period,
		watt_hours: total,
		watt_hours_day: Object.fromEntries(
			days.map(({ from, to }) => [
				zone.dateOf(from),
				wattHours(curve.mean(from, to), to - from),
			]),
		),
	};
}

/** The part of an estimate that a route answers with; all of them under `/estimate`. */
const ROUTES: Readonly<Record<string, keyof Estimate>> = {
	watts: "watts",
	watthours: "watt_hours",
	"watthours/period": "watt_hours_period",
	"watthours/day": "watt_hours_day",
};
const ROUTE = /\/estimate\/(watts|watthours(?:\/(?:period|day))?)(?:\/|$)/;

/**
 * The JSON of forecast.solar's /estimate and of the routes below it
 * (doc.forecast.solar/api:estimate), from today's midnight on.
 */
export const forecastSolar: Format = {
	contentType: "application/json",
	oneSite: true,
	options: [
		{
			kind: "choice",
			name: "time",
			values: Object.keys(TIMES),
			default: "utc",
		},
	],
	failure: (text, code) => ({
		result: null,
		message: { code, type: "error", text, ratelimit: RATE_LIMIT },
	}),
	make(source, options) {
		const { curve, zone, todayStart, nowMs, request } = source;
		const time = timeOf(source, options.time);
		const write = TIMES[time] as (typeof TIMES)[string];
		const estimate = estimateOf(source, (instant) => write(instant, zone));
		const part = ROUTES[ROUTE.exec(request.path)?.[1] ?? ""];
		return [
			{
				payload: {
					result: part === undefined ? estimate : estimate[part],
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
