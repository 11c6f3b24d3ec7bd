import assert from "node:assert/strict";
import {
	type ExportMessage,
	type FormatName,
	readExportOptions,
	readFormat,
} from "../../src/export";
import { Curve, stepStart } from "../../src/export/source/curve";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { Zone } from "../../src/util/zone";
import { exportForecast } from "../support/export-forecast";
import { QUARTER } from "../support/time";
import { type MadeForecast, makeForecast, type Plan } from "./forecasts";

const DAY: Plan = {
	zone: "Europe/Berlin",
	date: "2026-07-01",
	days: 2,
	peaks: [8000, 4000],
};

/** Payloads are read as their readers do, unchecked. */
type Loose = any;

function send(
	format: FormatName,
	made: Pick<MadeForecast, "forecast" | "solar">,
	now: string | number,
	options: Record<string, unknown> = {},
): ExportMessage[] {
	return exportForecast(format, readExportOptions(format, options), {
		forecast: made.forecast,
		facts: made.solar,
		nowMs: typeof now === "number" ? now : Date.parse(now),
	});
}
const first = ([message]: ExportMessage[]): Loose => message?.payload;
const payload = (...args: Parameters<typeof send>): Loose =>
	first(send(...args));

/** Rows of given powers from a time on, each naming the end of its quarter. */
function rows(from: string, powers: readonly (number | null)[]) {
	return forecastFromInput({
		payload: {
			site_id: "s",
			timezone: "Europe/Berlin",
			values: powers.map((pv_power, index) => ({
				timestamp: new Date(Date.parse(from) + (index + 1) * QUARTER)
					.toISOString()
					.replace(".000Z", "Z"),
				pv_power,
			})),
		},
	});
}

const NOON = "2026-07-01T10:00:00Z";

describe("export: labels", () => {
	// One quarter, 12:00 to 12:15 local, in each format.
	const made = rows(NOON, [4000]);

	it("evcc, influxdb, csv and solcast attributes name the start", () => {
		assert.deepEqual(payload("evcc", made, NOON, { value: "meanPower" }), [
			{
				start: "2026-07-01T10:00:00Z",
				end: "2026-07-01T10:15:00Z",
				value: 4000,
			},
		]);
		assert.deepEqual(payload("influxdb", made, NOON), [
			{
				measurement: "pv_forecast",
				tags: { site: "s", level: "site" },
				fields: { power_w: 4000 },
				timestamp: new Date(NOON),
			},
		]);
		assert.equal(
			payload("csv", made, NOON),
			"start,end,pv_power\n2026-07-01T10:00:00Z,2026-07-01T10:15:00Z,4000\n",
		);
		const day = makeForecast(DAY);
		const [today] = payload("solcast", day, NOON).detailedForecast;
		assert.equal(today.period_start, "2026-06-30T22:00:00+00:00");
	});

	it("emhass and eos name the start of the running step", () => {
		const noon = rows(NOON, [4000, 5000, 6000]);
		assert.deepEqual(
			payload("emhass", noon, "2026-07-01T10:20:00Z", { step: 15 }),
			{
				prediction_horizon: 2,
				optimization_time_step: 15,
				pv_power_forecast: {
					"2026-07-01T10:15:00+00:00": 5000,
					"2026-07-01T10:30:00+00:00": 6000,
				},
			},
		);
		assert.deepEqual(
			payload("emhass", noon, "2026-07-01T10:20:00Z", {
				step: "30",
				shape: "list",
			}),
			{
				prediction_horizon: 1,
				optimization_time_step: 30,
				pv_power_forecast: [4500],
			},
		);
		assert.deepEqual(payload("eos", noon, NOON), {
			start_datetime: "2026-07-01T10:00:00+00:00",
			interval: "15 minutes",
			pvforecast_ac_power: [4000, 5000, 6000],
			pvforecast_dc_power: [4000, 5000, 6000],
		});
	});

	it("solcast's API, forecast.solar and V1 name the end", () => {
		assert.deepEqual(
			payload("solcast", made, NOON, { shape: "api", step: 15 }).forecasts,
			[
				{
					pv_estimate: 4,
					pv_estimate10: 4,
					pv_estimate90: 4,
					period_end: "2026-07-01T10:15:00.0000000Z",
					period: "PT15M",
				},
			],
		);
		assert.deepEqual(payload("forecast-solar", made, NOON).result, {
			watts: { "2026-07-01T10:15:00+00:00": 4000 },
			watt_hours_period: { "2026-07-01T10:15:00+00:00": 1000 },
			watt_hours: { "2026-07-01T10:15:00+00:00": 1000 },
			watt_hours_day: {},
		});
		assert.deepEqual(payload("v1", made, NOON).values, [
			{ dtm: "2026-07-01 10:15:00", pv_watts: 4000 },
		]);
	});

	it("chart and apexcharts name the middle", () => {
		const middle = "2026-07-01T10:07:30Z";
		assert.deepEqual(payload("chart", made, NOON), [
			{ t: Date.parse(middle), pv: 4000 },
		]);
		assert.deepEqual(payload("apexcharts", made, NOON), {
			forecast: [{ datetime: middle, watts: 4000 }],
		});
	});
});

describe("export: faults of comparable tools", () => {
	it("evcc integrates trapezoids: power at a start is the mean of both sides", () => {
		const made = rows(NOON, [0, 1000, 2000, 0]);
		assert.deepEqual(
			payload("evcc", made, NOON).map(({ value }: Loose) => value),
			[0, 500, 1500, 1000],
		);
		// What lies before the first row is unknown, and is not made up.
		assert.equal(payload("evcc", rows(NOON, [800, 900]), NOON).length, 1);
	});

	it("evcc starts at the site's midnight", () => {
		const slots = payload("evcc", makeForecast(DAY), "2026-07-02T09:00:00Z");
		assert.equal(slots[0].start, "2026-07-01T22:00:00Z");
	});

	it("Predbat's ratio of rows and state is 2 for half hours, 4 for quarters", () => {
		const made = makeForecast(DAY);
		for (const [step, ratio] of [
			[30, 2],
			[15, 4],
		]) {
			const messages = send("solcast", made, NOON, { step });
			assert.deepEqual(
				messages.map(({ topic }) => topic),
				[
					"solar-yield/site_a1/solcast/today",
					"solar-yield/site_a1/solcast/tomorrow",
				],
			);
			for (const [index, { payload: day }] of messages.entries()) {
				const { state, detailedForecast } = day as Loose;
				const sum = detailedForecast.reduce(
					(total: number, row: Loose) => total + row.pv_estimate,
					0,
				);
				assert.ok(Math.abs(sum / state - (ratio ?? 0)) < 1e-5);
				assert.ok(Math.abs(state - (made.days[index]?.energy ?? 0)) < 0.001);
			}
		}
	});

	it("Predbat's ratio holds on a day with a gap left out", () => {
		const made = makeForecast({
			...DAY,
			gaps: [{ at: 44, length: 8, absent: false }],
		});
		const { state, detailedForecast } = payload("solcast", made, NOON);
		assert.equal(detailedForecast.length, 44);
		const sum = detailedForecast.reduce(
			(total: number, row: Loose) => total + row.pv_estimate,
			0,
		);
		assert.ok(Math.abs(sum / state - 2) < 1e-5);
	});

	it("solcast days are named from the site's today and have 46, 48 or 50 half hours", () => {
		for (const [date, count] of [
			["2026-03-28", 46],
			["2026-10-24", 50],
		] as const) {
			const made = makeForecast({ ...DAY, date, days: 4 });
			const days = send("solcast", made, (made.days[0]?.start ?? 0) + 1);
			assert.deepEqual(
				days.map(({ topic }) => topic.split("/")[3]),
				["today", "tomorrow", "d3", "d4"],
			);
			assert.deepEqual(
				days.map(({ payload: day }) => (day as Loose).detailedForecast.length),
				[48, count, 48, 48],
			);
		}
	});

	it("a solcast row has its band where one is known, else one value thrice", () => {
		// Tomorrow until a quarter past noon.
		const made = makeForecast({ ...DAY, bandHours: 36.25 });
		const [today, tomorrow] = send("solcast", made, NOON).map(
			({ payload: day }) => (day as Loose).detailedForecast,
		);
		const lit = (row: Loose) => row.pv_estimate > 0;
		for (const row of today.filter(lit)) {
			assert.ok(row.pv_estimate10 < row.pv_estimate);
			assert.ok(row.pv_estimate90 > row.pv_estimate);
		}
		// The step in which the band ends has the mean of what each quarter has.
		const [known, unknown] = made.quarters.slice(144, 146);
		const noon = tomorrow[24];
		for (const [name, factor] of [
			["pv_estimate10", 0.8],
			["pv_estimate90", 1.2],
		] as const) {
			const wanted =
				(Number(known?.watts) * factor + Number(unknown?.watts)) / 2000;
			assert.ok(Math.abs(noon[name] - wanted) < 1e-4, name);
		}
		// Beyond it nothing is left out.
		const beyond = tomorrow.filter(lit).slice(-4);
		assert.equal(beyond.length, 4);
		for (const row of beyond) {
			assert.equal(row.pv_estimate10, row.pv_estimate);
			assert.equal(row.pv_estimate90, row.pv_estimate);
		}
	});

	it("a DST change gives emhass as many steps as there are, evenly spaced", () => {
		const made = makeForecast({ ...DAY, date: "2026-10-24", days: 7 });
		const { pv_power_forecast: list } = payload(
			"emhass",
			made,
			made.days[0]?.start ?? 0,
			{ shape: "list", step: 15 },
		);
		assert.equal(list.length, 676);
		const { pv_power_forecast: dict } = payload(
			"emhass",
			made,
			made.days[0]?.start ?? 0,
			{ step: 60 },
		);
		const stamps = Object.keys(dict).map(Date.parse);
		assert.ok(
			stamps.every(
				(stamp, index) =>
					index === 0 || stamp - (stamps[index - 1] ?? 0) === 3_600_000,
			),
		);
	});

	it("emhass plans the hours that it was told, at most what there is", () => {
		const made = makeForecast(DAY);
		const horizon = (options: Record<string, unknown>) =>
			payload("emhass", made, NOON, options).prediction_horizon;
		assert.equal(horizon({}), 48);
		assert.equal(horizon({ step: 15 }), 96);
		assert.equal(horizon({ hours: 12 }), 24);
		assert.equal(horizon({ hours: 192 }), 72);
	});

	it("negatives by night are zero, and counted", () => {
		const made = makeForecast({ ...DAY, negatives: [1, 2, 95] });
		const messages = send("emhass", made, made.days[0]?.start ?? 0, {
			shape: "list",
			step: 15,
		});
		assert.ok(
			first(messages).pv_power_forecast.every((watts: number) => watts >= 0),
		);
		assert.equal(messages[0]?.solar?.negatives_raised, 3);
	});

	it("a null by night is no phantom production", () => {
		const made = makeForecast({
			...DAY,
			gaps: [{ at: 0, length: 8, absent: false }],
		});
		const [message] = send("csv", made, NOON);
		assert.equal(message?.solar?.gaps_filled, 0);
		assert.match(message?.payload as string, /^2026-06-30T23:00:00Z,[^,]*,0,/m);
	});

	it("an hour is interpolated, five quarters are not", () => {
		const filled = send(
			"evcc",
			rows(NOON, [100, null, null, null, null, 600]),
			NOON,
			{ value: "meanPower" },
		);
		assert.deepEqual(
			first(filled).map(({ value }: Loose) => value),
			[100, 200, 300, 400, 500, 600],
		);
		assert.equal(filled[0]?.solar?.gaps_filled, 4);
		const left = send(
			"evcc",
			rows(NOON, [100, null, null, null, null, null, 700]),
			NOON,
			{ value: "meanPower" },
		);
		assert.deepEqual(
			first(left).map(({ value }: Loose) => value),
			[100, 700],
		);
		assert.equal(left[0]?.solar?.gaps_filled, 0);
	});

	it("emhass and eos refuse a longer gap with its times, and an empty plan", () => {
		const made = rows(NOON, [100, null, null, null, null, null, 700]);
		for (const format of ["emhass", "eos"] as const) {
			assert.throws(() => send(format, made, NOON), {
				code: "SOLAR_YIELD_RESPONSE",
				message: /no power from Jul 1, 12:15 to Jul 1, 13:30/,
			});
		}
		assert.throws(
			() => send("emhass", makeForecast(DAY), "2026-07-09T00:00:00Z"),
			{ code: "SOLAR_YIELD_RESPONSE", message: /no whole step from now on/ },
		);
	});

	it("forecast.solar: watts AT the stamp, energy of the period that ENDS there", () => {
		const made = makeForecast(DAY);
		const { result, message } = payload("forecast-solar", made, NOON);
		assert.deepEqual(Object.keys(result.watt_hours_day), [
			"2026-07-01",
			"2026-07-02",
		]);
		assert.ok(
			Math.abs(
				result.watt_hours_day["2026-07-01"] -
					(made.days[0]?.energy ?? 0) * 1000,
			) < 0.01,
		);
		const stamp = "2026-07-01T10:15:00+00:00";
		const quarter = made.quarters.findIndex(
			({ start }) => start === Date.parse(NOON),
		);
		const [before, after] = [
			made.quarters[quarter]?.watts ?? 0,
			made.quarters[quarter + 1]?.watts ?? 0,
		];
		assert.equal(result.watts[stamp], Math.round(50 * (before + after)) / 100);
		assert.equal(result.watt_hours_period[stamp], before / 4);
		// Cumulative by day, back at zero before the next one's first light.
		const totals = Object.entries<number>(result.watt_hours);
		const dawn = totals.findIndex(([text]) => text > "2026-07-02T00");
		assert.equal(totals[dawn]?.[1], 0);
		assert.ok(
			Math.abs(
				(totals[dawn - 1]?.[1] ?? 0) - result.watt_hours_day["2026-07-01"],
			) < 0.01,
		);
		assert.equal(message.info.timezone, "Europe/Berlin");
		assert.equal(message.ratelimit.limit, 12);
	});

	it("influxdb writes only quarters that have not begun, unless told otherwise", () => {
		const made = makeForecast({ ...DAY, strings: [6, 4], bandHours: 24 });
		const now = Date.parse("2026-07-01T10:20:00Z");
		const points = payload("influxdb", made, now) as Loose[];
		assert.equal(
			Math.min(...points.map(({ timestamp }) => timestamp.getTime())),
			Date.parse("2026-07-01T10:30:00Z"),
		);
		assert.equal(
			(payload("influxdb", made, now, { past: true }) as Loose[]).length,
			3 * 192,
		);
		const site = points.filter(({ tags }) => tags.string === undefined);
		assert.deepEqual(Object.keys(site[0].fields).sort(), [
			"ghi",
			"power_clearsky_w",
			"power_max_w",
			"power_min_w",
			"power_w",
			"temp",
			"weather_code",
		]);
		const strings = points.filter(({ tags }) => tags.string === "str_1");
		assert.equal(strings.length, site.length);
		assert.ok(
			Math.abs(strings[0].fields.power_w - site[0].fields.power_w * 0.4) <
				0.011,
		);
		assert.ok(!("string_index" in strings[0].fields));
	});

	it("chart replaces all its points, band and strings beside the power", () => {
		const made = makeForecast({ ...DAY, strings: [6, 4], bandHours: 14 });
		const [message] = send("chart", made, NOON);
		assert.equal(message?.action, "replace");
		const points = message?.payload as Loose[];
		assert.deepEqual(Object.keys(points[40]), [
			"t",
			"pv",
			"clearsky",
			"min",
			"max",
			"string_0",
			"string_1",
		]);
		// Beyond its end the band is unknown, not narrow.
		assert.ok(!("min" in points[60]));
	});

	it("apexcharts' two days stay under what Home Assistant records", () => {
		const made = makeForecast({
			...DAY,
			date: "2026-10-25",
			days: 4,
			peaks: [98_765],
		});
		const text = JSON.stringify(
			payload("apexcharts", made, "2026-10-25T10:00:00Z"),
		);
		assert.ok(Buffer.byteLength(text) < 16_384);
		assert.equal(JSON.parse(text).forecast.length, 196);
	});

	it("v1 has W per kWp where all strings' powers are known", () => {
		const made = makeForecast({ ...DAY, strings: [6, 2] });
		const row = payload("v1", made, NOON).values[50];
		assert.equal(row.spec_watts, Math.round((row.pv_watts / 8) * 100) / 100);
		assert.equal(row.temp, 11.5);
		assert.equal(row.GHI, row.pv_watts / 5);
		const unknown = makeForecast({
			...DAY,
			strings: [6],
			solar: {
				strings: [{ string_id: "x", string_index: 0, power_kw: null }],
			},
		});
		assert.ok(!("spec_watts" in payload("v1", unknown, NOON).values[50]));
	});

	it("csv quotes what needs it and leaves blank what is unknown", () => {
		const made = forecastFromInput({
			payload: {
				timezone: "UTC",
				values: [
					{ timestamp: "2026-07-01T10:15:00Z", pv_power: 1, note: 'a "b", c' },
					{ timestamp: "2026-07-01T10:30:00Z", pv_power: 2, temp: null },
				],
			},
		});
		assert.equal(
			payload("csv", made, NOON),
			[
				"start,end,pv_power,note",
				'2026-07-01T10:00:00Z,2026-07-01T10:15:00Z,1,"a ""b"", c"',
				"2026-07-01T10:15:00Z,2026-07-01T10:30:00Z,2,",
				"",
			].join("\n"),
		);
	});

	it("csv and influxdb do without power, the others ask for the group", () => {
		const made = forecastFromInput({
			payload: {
				timezone: "UTC",
				values: [{ timestamp: "2026-07-01T10:15:00Z", temp: 20 }],
			},
		});
		assert.match(payload("csv", made, NOON), /^start,end,temp\n.*,20\n$/);
		assert.equal(payload("influxdb", made, NOON)[0].fields.temp, 20);
		assert.throws(() => send("evcc", made, NOON), {
			code: "SOLAR_YIELD_INPUT",
			message: /no pv_power.*group default/,
		});
	});

	it("demo data is named in topics and tags", () => {
		const made = makeForecast({ ...DAY, solar: { demo: true } });
		assert.equal(
			send("evcc", made, NOON)[0]?.topic,
			"solar-yield/demo-site_a1/evcc",
		);
		assert.equal(payload("influxdb", made, NOON)[0].tags.site, "demo-site_a1");
	});

	it("what HTTP serves says its type", () => {
		const made = makeForecast(DAY);
		const type = (format: FormatName) =>
			send(format, made, NOON)[0]?.headers?.["content-type"];
		assert.equal(type("evcc"), "application/json");
		assert.equal(type("csv"), "text/csv; charset=utf-8");
		assert.equal(type("chart"), undefined);
	});
});

describe("export: options", () => {
	it("blank is the default, numbers may be text, foreign ones are not looked at", () => {
		assert.deepEqual(readExportOptions("emhass", {}), {
			shape: "dict",
			step: 30,
			hours: 24,
			rounding: "nearest",
		});
		assert.deepEqual(
			readExportOptions("solcast", { shape: "", step: "15", value: "?" }),
			{ shape: "attribute", step: 15, rows: "kw" },
		);
		assert.deepEqual(readExportOptions("influxdb", { past: "true" }), {
			measurement: "pv_forecast",
			past: true,
		});
	});

	it("are refused by name and value", () => {
		const refused = (
			format: FormatName,
			config: Record<string, unknown>,
			message: RegExp,
		) =>
			assert.throws(() => readExportOptions(format, config), {
				code: "SOLAR_YIELD_INPUT",
				message,
			});
		refused(
			"emhass",
			{ step: 7 },
			/step is 7 for format emhass; give one of 1,/,
		);
		refused("emhass", { hours: 1.5 }, /hours is 1\.5 .* from 1 to 192/);
		refused("solcast", { step: 60 }, /step is 60 .*one of 15, 30/);
		refused("evcc", { value: "kW" }, /value is "kW".*powerAtStart/);
		refused("influxdb", { measurement: "a b" }, /measurement is "a b"/);
		refused("home-assistant", { prefix: "a/#" }, /prefix is "a\/#"/);
		assert.throws(() => readFormat("xml"), {
			code: "SOLAR_YIELD_INPUT",
			message: /format is "xml"; choose one of home-assistant, evcc/,
		});
		assert.equal(readFormat("evcc"), "evcc");
	});
});

describe("steps", () => {
	it("begin with the site's clock, also in zones of :45, and at a clock change", () => {
		const at = (zone: string, text: string, minutes: number) =>
			new Date(
				stepStart(Zone.of(zone) as Zone, Date.parse(text), minutes * 60_000),
			).toISOString();
		assert.equal(
			at("Asia/Kathmandu", "2026-07-01T10:29:00+05:45", 30),
			"2026-07-01T04:15:00.000Z",
		);
		assert.equal(
			at("Asia/Kathmandu", "2026-07-01T10:29:00+05:45", 60),
			"2026-07-01T04:15:00.000Z",
		);
		// 2:00 becomes 1:30: half an hour of the clock comes twice.
		assert.equal(
			at("Australia/Lord_Howe", "2026-04-04T15:10:00Z", 60),
			"2026-04-04T15:00:00.000Z",
		);
	});

	it("hold the exact mean of the quarters they touch", () => {
		const made = rows(NOON, [100, 400, 700, 1000]);
		const curve = new Curve(made.forecast.values);
		assert.deepEqual(
			curve
				.steps(curve.from, curve.to, 20 * 60_000)
				.map(({ watts }) => Math.round(watts)),
			[175, 550, 925],
		);
		// What does not fill a step at the end is left out.
		assert.equal(
			curve.steps(curve.from + QUARTER, curve.to, 30 * 60_000).length,
			1,
		);
	});
});
