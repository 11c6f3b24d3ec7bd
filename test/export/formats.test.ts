import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import {
	type ExportMessage,
	FORMAT_NAMES,
	type FormatName,
	readExportOptions,
	readRequest,
} from "../../src/export";
import { exportForecast } from "../support/export-forecast";
import { MINUTE, QUARTER } from "../support/time";
import {
	gappedPlans,
	type MadeForecast,
	makeForecast,
	wholePlans,
} from "./forecasts";

const utc = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
const utcOffset = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\+00:00$/);
const power = z.number().nonnegative();

/** A stretch with an energy in Wh, as a reader of the format understands it. */
interface Stretch {
	readonly start: number;
	readonly end: number;
	readonly wh: number;
}

interface Case {
	readonly format: FormatName;
	readonly options?: Record<string, unknown>;
	/** The payload of each message. */
	readonly schema: z.ZodType;
	/** What a reader gets out of all messages. */
	read(messages: ExportMessage[], now: number): Stretch[];
	/** Whether it begins with the running step and not with the day. */
	readonly fromNow?: true;
	/** Parameters of the HTTP request. */
	readonly query?: Record<string, string>;
}

const hours = (ms: number) => ms / 3_600_000;
const mean = (start: number, length: number, watts: number): Stretch => ({
	start,
	end: start + length,
	wh: watts * hours(length),
});
/** Payloads are read as their readers do, unchecked. */
type Loose = any;

const Evcc = z.array(z.strictObject({ start: utc, end: utc, value: power }));
const first = (messages: ExportMessage[]): Loose => messages[0]?.payload;
const slots = (messages: ExportMessage[]): Loose[] => first(messages);

const emhassCase = (shape: "dict" | "list", step: number): Case => ({
	format: "emhass",
	options: { shape, step },
	schema: z.strictObject({
		prediction_horizon: z
			.int()
			.min(1)
			.max(1440 / step),
		optimization_time_step: z.literal(step),
		pv_power_forecast:
			shape === "dict" ? z.record(utcOffset, power) : z.array(power).min(1),
	}),
	fromNow: true,
	read(messages, now) {
		const { pv_power_forecast: values } = first(messages);
		const length = step * MINUTE;
		if (shape === "dict") {
			return Object.entries(values).map(([stamp, watts]) =>
				mean(Date.parse(stamp), length, watts as number),
			);
		}
		// `now` is chosen to begin a step.
		return values.map((watts: number, index: number) =>
			mean(now + index * length, length, watts),
		);
	},
});

const eosCase = (step: number, interval: string): Case => ({
	format: "eos",
	options: { step },
	schema: z
		.strictObject({
			start_datetime: utcOffset,
			interval: z.literal(interval),
			pvforecast_ac_power: z.array(power).min(1),
			pvforecast_dc_power: z.array(power),
		})
		.refine(
			(body) =>
				body.pvforecast_ac_power.length === body.pvforecast_dc_power.length,
		),
	read(messages) {
		const body = first(messages);
		const start = Date.parse(body.start_datetime);
		return body.pvforecast_ac_power.map((watts: number, index: number) =>
			mean(start + index * step * MINUTE, step * MINUTE, watts),
		);
	},
});

/** All three in every row: Predbat takes a missing one for no sun. */
const estimate = {
	pv_estimate: power,
	pv_estimate10: power,
	pv_estimate90: power,
};
const apiRow = (step: number) =>
	z
		.strictObject({
			...estimate,
			period_end: z.string().regex(/T\d\d:\d\d:00\.0000000Z$/),
			period: z.literal(`PT${step}M`),
		})
		.refine(
			(row) =>
				row.pv_estimate10 <= row.pv_estimate &&
				row.pv_estimate <= row.pv_estimate90,
		);
const solcastCases = ([15, 30] as const).flatMap((step): Case[] => [
	...(["kw", "kwh"] as const).map(
		(rows): Case => ({
			format: "solcast",
			options: { shape: "attribute", step, rows },
			schema: z.strictObject({
				state: power,
				detailedForecast: z.array(
					z.strictObject({ period_start: utcOffset, ...estimate }),
				),
			}),
			read: (messages) =>
				messages.flatMap(({ payload }) =>
					(payload as Loose).detailedForecast.map((row: Loose) =>
						mean(
							Date.parse(row.period_start),
							step * MINUTE,
							row.pv_estimate * 1000 * (rows === "kwh" ? 60 / step : 1),
						),
					),
				),
		}),
	),
	{
		format: "solcast",
		options: { shape: "api", step },
		schema: z.strictObject({
			forecasts: z.array(apiRow(step)),
		}),
		fromNow: true,
		read: (messages) =>
			first(messages).forecasts.map((row: Loose) =>
				mean(
					Date.parse(row.period_end.replace("0000Z", "Z")) - step * MINUTE,
					step * MINUTE,
					row.pv_estimate * 1000,
				),
			),
	},
]);

/** A CSV line without quotes: there are none in made-up forecasts. */
const csvRows = (text: string, between = ",") => {
	const [head, ...lines] = text.trimEnd().split("\n");
	const names = head?.split(between) ?? [];
	return lines.map((line) =>
		Object.fromEntries(
			line.split(between).map((cell, index) => [names[index], cell]),
		),
	);
};

const seconds = z.int().refine((value) => value % 900 === 0);
const rows = z.array(power).min(5);
const OpenMeteo = z
	.strictObject({
		utc_offset_seconds: z.int(),
		timezone: z.string(),
		minutely_15_units: z.record(z.string(), z.string()),
		minutely_15: z.strictObject({
			time: z.array(seconds),
			temperature_2m: z.array(z.number()),
			global_tilted_irradiance: rows,
			global_tilted_irradiance_instant: rows,
			diffuse_radiation: rows,
			diffuse_radiation_instant: rows,
			direct_radiation: rows,
			direct_radiation_instant: rows,
			snow_depth: z.array(z.literal(0)),
		}),
		daily_units: z.record(z.string(), z.string()),
		daily: z.strictObject({
			time: z.array(seconds),
			sunrise: z.array(z.int()),
			sunset: z.array(z.int()),
		}),
	})
	.refine(({ minutely_15 }) =>
		Object.values(minutely_15).every(
			({ length }) => length === minutely_15.time.length,
		),
	)
	.refine(({ utc_offset_seconds: offset, minutely_15, daily }) => {
		// A date for each row, and daylight within it.
		const date = (time: number) => Math.floor((time + offset) / 86_400);
		const dates = new Set(daily.time.map(date));
		return (
			minutely_15.time.every((time) => dates.has(date(time))) &&
			daily.time.every(
				(time, index) =>
					date(daily.sunrise[index] ?? 0) === date(time) &&
					date(daily.sunset[index] ?? 0) === date(time) &&
					(daily.sunrise[index] ?? 0) < (daily.sunset[index] ?? 0),
			)
		);
	});

const CASES: readonly Case[] = [
	{
		format: "evcc",
		schema: Evcc,
		read(messages) {
			// core/solar.go: trapezoids between the starts.
			const list = slots(messages);
			return list.slice(1).map((slot, index) => {
				const before = list[index] as Loose;
				const start = Date.parse(before.start);
				const end = Date.parse(slot.start);
				return {
					start,
					end,
					wh: ((before.value + slot.value) / 2) * hours(end - start),
				};
			});
		},
	},
	{
		format: "evcc",
		options: { value: "meanPower" },
		schema: Evcc,
		read: (messages) =>
			slots(messages).map(({ start, value }) =>
				mean(Date.parse(start), QUARTER, value),
			),
	},
	{
		format: "evcc",
		options: { value: "energyWh" },
		schema: Evcc,
		read: (messages) =>
			slots(messages).map(({ start, end, value }) => ({
				start: Date.parse(start),
				end: Date.parse(end),
				wh: value,
			})),
	},
	...([5, 15, 20, 30, 60] as const).map((step) => emhassCase("dict", step)),
	...([15, 30] as const).map((step) => emhassCase("list", step)),
	eosCase(15, "15 minutes"),
	eosCase(30, "30 minutes"),
	eosCase(60, "1 hour"),
	...solcastCases,
	{
		format: "forecast-solar",
		schema: z.strictObject({
			result: z.strictObject({
				watts: z.record(utcOffset, power),
				watt_hours_period: z.record(utcOffset, power),
				watt_hours: z.record(utcOffset, power),
				watt_hours_day: z.record(z.iso.date(), power),
			}),
			message: z.strictObject({
				code: z.literal(0),
				type: z.literal("success"),
				text: z.string(),
				info: z.strictObject({ timezone: z.string(), time: z.string() }),
				ratelimit: z.strictObject({
					period: z.int(),
					limit: z.int(),
					remaining: z.int(),
				}),
			}),
		}),
		read: (messages) =>
			Object.entries(first(messages).result.watt_hours_period).map(
				([stamp, wh]) => ({
					start: Date.parse(stamp) - QUARTER,
					end: Date.parse(stamp),
					wh: wh as number,
				}),
			),
	},
	{
		format: "forecast-solar",
		options: { time: "seconds" },
		schema: z.looseObject({
			result: z.looseObject({
				watt_hours_period: z.record(z.string().regex(/^\d{10}$/), power),
			}),
		}),
		read: (messages) =>
			Object.entries(first(messages).result.watt_hours_period).map(
				([stamp, wh]) => ({
					start: Number(stamp) * 1000 - QUARTER,
					end: Number(stamp) * 1000,
					wh: wh as number,
				}),
			),
	},
	{
		format: "open-meteo",
		query: { timezone: "auto", forecast_days: "16", past_days: "92" },
		schema: OpenMeteo,
		read: (messages) => {
			const { minutely_15: rows } = OpenMeteo.parse(first(messages));
			// open_meteo_solar_forecast.py: power of a module that the sun warms.
			return rows.time.slice(1).map((end, index) => {
				const g = rows.global_tilted_irradiance[index + 1] ?? Number.NaN;
				const warmer = (rows.temperature_2m[index] ?? 0) + 0.0342 * g - 25;
				const watts = 10_000 * (g / 1000) * (1 - 0.004 * warmer);
				return mean(end * 1000 - QUARTER, QUARTER, watts);
			});
		},
	},
	{
		format: "influxdb",
		options: { past: true },
		schema: z.array(
			z.strictObject({
				measurement: z.literal("pv_forecast"),
				tags: z.union([
					z.strictObject({
						site: z.literal("site_a1"),
						level: z.literal("site"),
					}),
					z.strictObject({
						site: z.literal("site_a1"),
						level: z.literal("string"),
						string: z.string(),
					}),
				]),
				fields: z.record(z.string().regex(/^(?!time$)\w+$/), z.number()),
				timestamp: z.date(),
			}),
		),
		read: (messages) =>
			slots(messages)
				.filter(({ tags }) => tags.string === undefined)
				.map(({ timestamp, fields }) =>
					mean(timestamp.getTime(), QUARTER, fields.power_w),
				),
	},
	{
		format: "chart",
		schema: z.array(
			z
				.strictObject({
					t: z.int(),
					pv: power,
					clearsky: power.optional(),
					min: power.optional(),
					max: power.optional(),
				})
				.catchall(power),
		),
		read: (messages) =>
			slots(messages).map(({ t, pv }) => mean(t - QUARTER / 2, QUARTER, pv)),
	},
	{
		format: "apexcharts",
		options: { days: 8 },
		schema: z.strictObject({
			forecast: z.array(
				z.strictObject({
					datetime: z.string().regex(/T\d\d:\d\d:\d\dZ$/),
					watts: power,
				}),
			),
		}),
		read: (messages) =>
			first(messages).forecast.map((point: Loose) =>
				mean(Date.parse(point.datetime) - QUARTER / 2, QUARTER, point.watts),
			),
	},
	{
		format: "csv",
		schema: z
			.string()
			.regex(/^start,end,[\w,]+\n/)
			.refine((text) => !/null|NaN|undefined|-\d+\.?\d*(,|\n|$)/.test(text)),
		read: (messages) =>
			csvRows(first(messages)).map((row) => {
				assert.equal(
					Date.parse(row.end ?? "") - Date.parse(row.start ?? ""),
					QUARTER,
				);
				return mean(Date.parse(row.start ?? ""), QUARTER, Number(row.pv_power));
			}),
	},
	{
		format: "csv",
		options: { separator: "semicolon", decimal: "comma" },
		schema: z
			.string()
			.regex(/^start;end;[\w;]+\n/)
			.refine((text) => !/null|NaN|undefined|\d\.\d/.test(text)),
		read: (messages) =>
			csvRows(first(messages), ";").map((row) =>
				mean(
					Date.parse(row.start ?? ""),
					QUARTER,
					Number(row.pv_power?.replace(",", ".")),
				),
			),
	},
	{
		format: "v1",
		schema: z.strictObject({
			data: z.literal("forecast"),
			data_timezone: z.literal("utc"),
			values: z.array(
				z.strictObject({
					dtm: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:00$/),
					pv_watts: power,
					pv_watts_clearsky: power.optional(),
					spec_watts: power.optional(),
					spec_watts_clearsky: power.optional(),
					GHI: z.number().optional(),
					temp: z.number().optional(),
					weather_code: z.number().optional(),
				}),
			),
		}),
		read: (messages) =>
			first(messages).values.map((row: Loose) =>
				mean(
					Date.parse(`${row.dtm.replace(" ", "T")}Z`) - QUARTER,
					QUARTER,
					row.pv_watts,
				),
			),
	},
];

const title = ({ format, options = {} }: Case) =>
	[format, ...Object.values(options)].join(" ");

function run(each: Case, made: MadeForecast, nowMs: number): ExportMessage[] {
	const options = readExportOptions(each.format, each.options ?? {});
	return exportForecast(each.format, options, {
		forecast: made.forecast,
		facts: made.solar,
		nowMs,
		topic: "solar-yield/site_a1/forecast",
		request: readRequest({ query: each.query }),
	});
}

/** What holds of every document: the schema, and each instant once, in order. */
function checkDocument(
	each: Case,
	messages: ExportMessage[],
	now: number,
): Stretch[] {
	for (const { payload, topic, retain } of messages) {
		each.schema.parse(payload);
		assert.match(topic, new RegExp(`^solar-yield/site_a1/${each.format}(/|$)`));
		assert.equal(retain, true);
		// Two offsets never mix in one document.
		const offsets = new Set(
			JSON.stringify(payload).match(
				/(?<=T\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|[+-]\d\d:\d\d)/g,
			),
		);
		if (each.format !== "influxdb") assert.ok(offsets.size <= 1);
	}
	const stretches = each.read(messages, now);
	for (const [index, { start, end, wh }] of stretches.entries()) {
		assert.ok(Number.isFinite(start + end + wh) && wh >= 0);
		const before = stretches[index - 1];
		assert.ok(!before || before.start < start, "instants ascend");
	}
	return stretches;
}

/** Made-up forecasts for all formats; what fails names its plan. */
const sample = <Plan extends Parameters<typeof makeForecast>[0]>(
	plans: fc.Arbitrary<Plan>,
) => fc.sample(plans, 20).map((plan) => ({ plan, made: makeForecast(plan) }));
const once = <Value>(make: () => Value) => {
	let value: Value | undefined;
	return () => {
		value ??= make();
		return value;
	};
};
const whole = once(() => sample(wholePlans));
const gapped = once(() => sample(gappedPlans));

/** Runs a check over forecasts, naming the plan of one that fails. */
function over(
	samples: ReturnType<typeof sample>,
	check: (made: MadeForecast, index: number) => void,
): void {
	assert.ok(samples.length > 0);
	for (const [index, { plan, made }] of samples.entries()) {
		try {
			check(made, index);
		} catch (error) {
			throw new Error(`${(error as Error).message}; ${JSON.stringify(plan)}`, {
				cause: error,
			});
		}
	}
}

describe("export: every format", () => {
	it("is in the table, and in a test", () => {
		assert.deepEqual(
			[...FORMAT_NAMES].sort(),
			[
				...new Set([
					...CASES.map(({ format }) => format),
					"home-assistant",
					"text",
					"values",
				]),
			].sort(),
		);
	});

	for (const each of CASES) {
		it(`${title(each)}: whole days have their energy, whatever day and zone`, () => {
			over(whole(), (made, index) => {
				// An hour of the site's clock: every step begins there.
				const now =
					(made.quarters[(index % 24) * 4]?.start ?? 0) +
					(each.fromNow ? 0 : 1234);
				const messages = run(each, made, now);
				const stretches = checkDocument(each, messages, now);
				assert.equal(messages[0]?.solar?.gaps_filled, 0);
				for (const { start, end, energy } of made.days) {
					if (each.fromNow && start < now) continue;
					// Midnights are dark: a step over one adds nothing to either day.
					const wh = stretches
						.filter((one) => one.start >= start && one.start < end)
						.reduce((sum, one) => sum + one.wh, 0);
					assert.ok(
						Math.abs(wh - energy * 1000) < 0.2,
						`${new Date(start).toISOString()}: ${wh} Wh instead of ${energy * 1000}`,
					);
				}
			});
		});
	}
});

/** Which quarters are known, filled, or missing in a forecast with gaps. */
function model(made: MadeForecast) {
	const rows = new Map(
		(made.body.values as { timestamp: string; pv_power: number | null }[]).map(
			({ timestamp, pv_power }) => [
				Date.parse(timestamp) -
					(made.forecast.interval === "end" ? QUARTER : 0),
				pv_power,
			],
		),
	);
	const clock = (start: number) => made.forecast.zone.quarterOfDay(start);
	const dark = new Set(
		[...rows].filter(([, watts]) => watts === 0).map(([start]) => clock(start)),
	);
	const state = made.quarters.map(({ start }) =>
		rows.get(start) != null || dark.has(clock(start)) ? "known" : "missing",
	);
	const present = made.quarters.map(
		({ start }, index) => rows.has(start) && state[index] === "known",
	);
	let from = present.indexOf(true);
	let to = present.lastIndexOf(true) + 1;
	while (state[from - 1] === "known") from -= 1;
	while (state[to] === "known") to += 1;
	const filled = new Set<number>();
	const missing = new Set<number>();
	for (let index = from; index < to; index += 1) {
		if (state[index] === "known") continue;
		let end = index;
		while (state[end] !== "known") end += 1;
		for (let gap = index; gap < end; gap += 1) {
			(end - index <= 4 ? filled : missing).add(gap);
		}
		index = end;
	}
	return { from, to, filled, missing };
}

describe("export: gaps", () => {
	for (const each of CASES) {
		it(`${title(each)}: up to an hour is filled and counted, more is left out or refused`, () => {
			over(gapped(), (made) => {
				const { from, to, filled, missing } = model(made);
				const now = made.quarters[0]?.start ?? 0;
				const late = each.format === "emhass" && from > 0;
				if (
					["emhass", "eos"].includes(each.format) &&
					(missing.size > 0 || late)
				) {
					assert.throws(() => run(each, made, now), {
						code: "SOLAR_YIELD_RESPONSE",
						message: late ? /no (?:power|whole step)/ : /no power from/,
					});
					return;
				}
				const messages = run(each, made, now);
				const stretches = checkDocument(each, messages, now);
				// Solcast counts by day, in each day's message.
				if (each.format !== "solcast") {
					assert.equal(messages[0]?.solar?.gaps_filled, filled.size);
				}
				const covers = (index: number) => {
					const start = made.quarters[index]?.start ?? 0;
					return stretches.some((one) => one.start <= start && one.end > start);
				};
				// evcc itself draws a line from slot to slot.
				if (each.format === "evcc" && !each.options) return;
				for (const index of missing) {
					assert.ok(!covers(index), "a long gap is left out");
				}
				// What is known stays as it is.
				if (each.format !== "csv") return;
				for (let index = from; index < to; index += 1) {
					if (missing.has(index) || filled.has(index)) continue;
					const { start, watts } = made.quarters[index] ?? {};
					assert.equal(
						stretches.find((one) => one.start === start)?.wh,
						(watts ?? Number.NaN) / 4,
					);
				}
			});
		});
	}
});
