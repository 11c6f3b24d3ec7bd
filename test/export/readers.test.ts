import assert from "node:assert/strict";
import {
	Documents,
	type FormatName,
	readExportOptions,
} from "../../src/export";
import { exportForecast } from "../support/export-forecast";
import { MINUTE } from "../support/time";
import { type MadeForecast, makeForecast, type Plan } from "./forecasts";

/** What programs do with a document, in our own words, so that it holds where they cannot be run. */

/** Payloads are read as their readers do, unchecked. */
type Loose = any;

const HALF_HOUR = 30 * MINUTE;
const DAYS: Plan = {
	zone: "Europe/London",
	date: "2026-07-01",
	days: 4,
	peaks: [4000, 2500, 5000, 3000],
};

const payloads = (
	format: FormatName,
	made: MadeForecast,
	nowMs: number,
	options: Record<string, unknown>,
): Loose[] =>
	exportForecast(format, readExportOptions(format, options), {
		forecast: made.forecast,
		facts: made.solar,
		nowMs,
	}).map(({ payload }) => payload);

/** kWh of each day by the estimate's name. */
type Days = Record<"pv_estimate" | "pv_estimate10" | "pv_estimate90", number>[];

/**
 * Predbat's reading of the sensors of four days (apps/predbat/solcast.py): one
 * factor, today's rows over today's state, to a tenth; rows of half an hour are
 * spread over their minutes; a row without an estimate adds nothing to it.
 */
function predbat(sensors: Loose[], made: MadeForecast): Days {
	const round = (value: number) => Math.round(value * 100) / 100;
	const [today] = sensors;
	const rows = round(
		today.detailedForecast.reduce(
			(sum: number, row: Loose) => sum + row.pv_estimate,
			0,
		),
	);
	const state = round(today.state);
	const factor =
		rows > 0 && state > 0 ? Math.round((rows / state) * 10) / 10 : 1;
	assert.ok(factor === 1 || factor === 2, `Predbat warns of factor ${factor}`);
	return made.days.map(({ start, end }) => {
		const sum = (name: keyof Days[number]) =>
			sensors
				.flatMap(({ detailedForecast }) => detailedForecast)
				.filter(({ period_start }: Loose) => {
					const at = Date.parse(period_start);
					return at >= start && at < end;
				})
				.reduce(
					(total: number, row: Loose) => total + (row[name] ?? 0) / factor,
					0,
				);
		return {
			pv_estimate: sum("pv_estimate"),
			pv_estimate10: sum("pv_estimate10"),
			pv_estimate90: sum("pv_estimate90"),
		};
	});
}

/** What has to hold of a plan's days. */
function checkDays(days: Days, made: MadeForecast): void {
	assert.equal(days.length, made.days.length);
	for (const [index, { energy, date }] of made.days.entries()) {
		const { pv_estimate, pv_estimate10, pv_estimate90 } = days[
			index
		] as Days[number];
		assert.ok(
			Math.abs(pv_estimate - energy) < 0.02,
			`${date}: ${pv_estimate} instead of ${energy} kWh`,
		);
		if (energy > 0) assert.ok(pv_estimate10 > 0, `${date}: P10 is 0`);
		assert.ok(pv_estimate10 <= pv_estimate + 1e-9);
		assert.ok(pv_estimate <= pv_estimate90 + 1e-9);
	}
}

const noon = (made: MadeForecast) =>
	(made.days[0]?.start ?? 0) + 24 * HALF_HOUR;

describe("readers: Predbat", () => {
	for (const [what, plan] of [
		["four days without a band", DAYS],
		["a band of 48 hours", { ...DAYS, bandHours: 48 }],
		["a day without sun", { ...DAYS, peaks: [0, 2500, 5000, 3000] }],
		[
			"a day without sun and a band",
			{ ...DAYS, peaks: [0, 2500, 5000, 3000], bandHours: 40 },
		],
		["the end of summer time", { ...DAYS, date: "2026-10-24" }],
	] as const) {
		it(`reads the sensors right: ${what}`, () => {
			const made = makeForecast(plan);
			checkDays(
				predbat(payloads("solcast", made, noon(made), { rows: "kwh" }), made),
				made,
			);
		});

		it(`reads the API right without Home Assistant: ${what}`, () => {
			const made = makeForecast(plan);
			const [{ forecasts }] = payloads(
				"solcast",
				made,
				made.days[0]?.start ?? 0,
				{ shape: "api" },
			);
			const sum = (name: keyof Days[number], start: number, end: number) =>
				forecasts.reduce((total: number, row: Loose) => {
					const minutes = Number(/^PT(\d+)M$/.exec(row.period)?.[1]);
					const at = Date.parse(row.period_end) - minutes * MINUTE;
					const isIn = at >= start && at < end;
					return total + (isIn ? (row[name] / 60) * minutes : 0);
				}, 0);
			checkDays(
				made.days.map(({ start, end }) => ({
					pv_estimate: sum("pv_estimate", start, end),
					pv_estimate10: sum("pv_estimate10", start, end),
					pv_estimate90: sum("pv_estimate90", start, end),
				})),
				made,
			);
		});
	}
});

/**
 * What solcast_solar (custom_components/solcast_solar/fetcher.py) makes of rows:
 * half hours that end at `period_end`, by their start.
 */
const halfHours = (rows: Loose[], names: readonly string[]) =>
	new Map<number, number>(
		rows.map((row) => {
			for (const name of names) {
				assert.equal(typeof row[name], "number", `${name} is asked for`);
			}
			return [Date.parse(row.period_end) - HALF_HOUR, row.pv_estimate];
		}),
	);

describe("readers: the integration solcast_solar", () => {
	for (const zone of ["Europe/Berlin", "Australia/Adelaide"]) {
		it(`has today whole of past and forecast, in ${zone}`, () => {
			const made = makeForecast({ ...DAYS, zone, bandHours: 30 });
			const now = (made.days[0]?.start ?? 0) + 12.6 * 60 * MINUTE;
			const [{ estimated_actuals }] = payloads("solcast", made, now, {
				shape: "actuals",
			});
			const [{ forecasts }] = payloads("solcast", made, now, { shape: "api" });
			const past = halfHours(estimated_actuals, ["pv_estimate"]);
			const coming = halfHours(forecasts, [
				"pv_estimate",
				"pv_estimate10",
				"pv_estimate90",
			]);
			// The running half hour is of the forecast, and none is missing or twice.
			assert.equal(
				Math.max(...past.keys()) + HALF_HOUR,
				Math.min(...coming.keys()),
			);
			assert.ok(Math.min(...coming.keys()) <= now);
			const { start, end, energy } = made.days[0] ?? {
				start: 0,
				end: 0,
				energy: 0,
			};
			const today = [...past, ...coming].filter(
				([at]) => at >= start && at < end,
			);
			assert.equal(today.length, (end - start) / HALF_HOUR);
			const kwh = today.reduce((sum, [, kw]) => sum + kw / 2, 0);
			assert.ok(Math.abs(kwh - energy) < 0.01);
		});
	}

	it("finds the site, with what is known of it", () => {
		const made = makeForecast({
			...DAYS,
			solar: {
				strings: [
					{
						string_id: "e",
						string_index: 0,
						slope: 30,
						orientation: 90,
						power_kw: 6,
					},
					{
						string_id: "s",
						string_index: 1,
						slope: 15,
						orientation: 180,
						power_kw: 3,
					},
				],
			},
		});
		const [answer] = payloads("solcast", made, noon(made), { shape: "sites" });
		assert.deepEqual(answer, {
			sites: [
				{
					name: "Barn",
					resource_id: "site_a1",
					capacity: 9,
					capacity_dc: 9,
					tilt: 25,
					// Between east, -90, and south, 180, and nearer to the larger one.
					azimuth: -117,
				},
			],
			total_records: 1,
		});
	});

	for (const [orientations, azimuth] of [
		[[0], 0],
		[[90], -90],
		[[180], 180],
		[[270], 90],
		[[350, 10], 0],
		[[90, 270], 180],
		[[170, 190], 180],
	] as const) {
		it(`${orientations.join(" and ")} degrees are ${azimuth} in Solcast's count`, () => {
			const made = makeForecast({
				...DAYS,
				solar: {
					strings: orientations.map((orientation, string_index) => ({
						string_id: `s${string_index}`,
						string_index,
						slope: 20,
						orientation,
						power_kw: 5,
					})),
				},
			});
			const [{ sites }] = payloads("solcast", made, noon(made), {
				shape: "sites",
			});
			assert.equal(sites[0].azimuth, azimuth);
		});
	}

	it("is told nothing of a site that nobody knows", () => {
		const made = makeForecast(DAYS);
		const [{ sites }] = payloads("solcast", made, noon(made), {
			shape: "sites",
		});
		assert.deepEqual(sites, [{ name: "Barn", resource_id: "site_a1" }]);
	});
});

describe("readers: evcc", () => {
	/** core/solar.go: energy by trapezoids between the starts, and whether a slot begins at the day's end. */
	const solar = (slots: Loose[], from: number, to: number) => {
		let wh = 0;
		for (const [index, slot] of slots.entries()) {
			const next = slots[index + 1];
			const start = Date.parse(slot.start);
			if (!next || start < from || start >= to) continue;
			const hours = (Date.parse(next.start) - start) / 3_600_000;
			wh += ((slot.value + next.value) / 2) * hours;
		}
		return {
			kwh: wh / 1000,
			complete: slots.some(({ start }) => Date.parse(start) >= to),
		};
	};

	for (const plan of [
		DAYS,
		{ ...DAYS, zone: "Asia/Kathmandu" },
		{ ...DAYS, zone: "Europe/Berlin", date: "2026-10-23" },
		{ ...DAYS, zone: "Europe/Berlin", date: "2026-12-29" },
	]) {
		it(`takes every day for complete, the last one too, in ${plan.zone} from ${plan.date}`, () => {
			const made = makeForecast(plan);
			const [slots] = payloads("evcc", made, noon(made), {});
			for (const { start, end, energy } of made.days) {
				const { kwh, complete } = solar(slots, start, end);
				assert.equal(complete, true);
				assert.ok(Math.abs(kwh - energy) < 0.002);
			}
			for (const { start, end } of slots) {
				assert.equal(Date.parse(end) - Date.parse(start), 15 * MINUTE);
			}
		});
	}

	it("as evcc's own API answers them, each slot's mean power times its length is its energy", () => {
		const made = makeForecast(DAYS);
		const options = { shape: "rates", value: "meanPower" };
		const [{ rates }] = payloads("evcc", made, noon(made), options);
		for (const { start, end, energy } of made.days) {
			// batcontrol, forecastsolar/evcc_solar.py: a quarter of the value.
			const kwh = rates
				.filter(({ start: at }: Loose) => Date.parse(at) >= start)
				.filter(({ start: at }: Loose) => Date.parse(at) < end)
				.reduce((sum: number, { value }: Loose) => sum + value / 4000, 0);
			assert.ok(Math.abs(kwh - energy) < 0.002);
		}
	});

	it("a day of which the end is not known is not complete", () => {
		// Rows end in the afternoon.
		const made = makeForecast({
			...DAYS,
			days: 1,
			gaps: [{ at: 60, length: 36, absent: true }],
		});
		const [slots] = payloads("evcc", made, noon(made), {});
		const { end } = made.days[0] ?? { end: 0 };
		assert.ok(slots.every(({ start }: Loose) => Date.parse(start) < end));
	});
});

describe("readers: forecast.solar", () => {
	const made = makeForecast({ ...DAYS, zone: "Europe/Berlin" });
	const answer = (
		query: Record<string, string> = {},
		path = "/estimate",
		options: Record<string, unknown> = {},
	) =>
		exportForecast(
			"forecast-solar",
			readExportOptions("forecast-solar", options),
			{
				forecast: made.forecast,
				facts: made.solar,
				nowMs: noon(made),
				request: { path, query },
			},
		)[0]?.payload as Loose;

	it("writes times as it is asked, and as it is set where nobody asks", () => {
		for (const [time, stamp] of [
			["utc", "2026-07-01T10:15:00+00:00"],
			["local", "2026-07-01 12:15:00"],
			["iso8601", "2026-07-01T12:15:00+02:00"],
			["seconds", "1782900900"],
			["milliseconds", "1782900900000"],
		] as const) {
			const asked = answer({ time });
			assert.ok(stamp in asked.result.watts, time);
			assert.deepEqual(asked, answer({}, "/estimate", { time }));
			assert.deepEqual(asked, answer({ time }, "/estimate", { time: "local" }));
			assert.deepEqual(
				Object.keys(asked.result.watt_hours_day),
				made.days.map(({ date }) => date),
			);
		}
		assert.throws(() => answer({ time: "gmt" }), {
			code: "SOLAR_YIELD_INPUT",
			message: /msg\.req\.query\.time is "gmt"; ask for one of utc, local/,
		});
	});

	it("local times have the offset of now beside them, by which readers place them", () => {
		const { result, message } = answer({ time: "local" });
		const offset = /[+-]\d\d:\d\d$/.exec(message.info.time)?.[0];
		assert.equal(offset, "+02:00");
		for (const [stamp, wh] of Object.entries(result.watt_hours_period)) {
			const end = Date.parse(stamp.replace(" ", "T") + offset);
			const quarter = made.quarters.find(
				({ start }) => start + 15 * MINUTE === end,
			);
			assert.equal(wh, Math.round((quarter?.watts ?? -1) * 2500) / 10_000);
		}
	});

	it("loses nothing to the hour that autumn repeats", () => {
		const night = makeForecast({
			...DAYS,
			zone: "Europe/Berlin",
			date: "2026-10-24",
		});
		const [{ result }] = payloads(
			"forecast-solar",
			night,
			night.days[0]?.start ?? 0,
			{ time: "local" },
		) as [Loose];
		const sum = Object.values<number>(result.watt_hours_period).reduce(
			(total, wh) => total + wh,
			0,
		);
		const all = night.days.reduce((total, { energy }) => total + energy, 0);
		assert.ok(Math.abs(sum - all * 1000) < 1);
	});

	it("answers a route with its part alone", () => {
		const { result } = answer();
		for (const [route, part] of [
			["/estimate/watts", result.watts],
			["/estimate/watthours", result.watt_hours],
			["/estimate/watthours/period", result.watt_hours_period],
			["/estimate/watthours/day", result.watt_hours_day],
			["/estimate/watts/52.5/13.4/30/0/10", result.watts],
			["/key/estimate/watthours/day/52.5/13.4/30/0/10", result.watt_hours_day],
			["/estimate/52.5/13.4/30/0/10", result],
		]) {
			assert.deepEqual(answer({}, route).result, part, route);
		}
	});
});

describe("readers: spreadsheets", () => {
	const made = makeForecast({ ...DAYS, zone: "Europe/Berlin" });
	const csv = (options: Record<string, unknown>) =>
		payloads("csv", made, noon(made), options)[0] as string;

	it("in German have columns, numbers and times of their own", () => {
		const lines = csv({
			separator: "semicolon",
			decimal: "comma",
			times: "local",
		}).split("\n");
		assert.match(lines[0] ?? "", /^start;end;pv_power;/);
		const quarter = made.quarters[48];
		const text = String(quarter?.watts).replace(".", ",");
		assert.ok(
			lines[49]?.startsWith(`2026-07-01 12:00:00;2026-07-01 12:15:00;${text};`),
		);
	});

	it("quote what their separator would cut", () => {
		// A comma in numbers needs no quotes beside semicolons, but beside commas.
		assert.match(csv({ decimal: "comma" }), /,"\d+,\d",/);
		assert.doesNotMatch(csv({ decimal: "comma", separator: "tab" }), /"/);
	});
});

describe("readers: of one site", () => {
	const a = makeForecast(DAYS);
	const b = makeForecast({ ...DAYS, solar: { site_id: "b" } });
	const message = ({ forecast, solar }: MadeForecast, siteId?: string) => ({
		forecast,
		facts: solar,
		nowMs: noon(a),
		siteId,
	});

	for (const format of [
		"evcc",
		"emhass",
		"eos",
		"forecast-solar",
		"open-meteo",
	] as const) {
		it(`${format} follows the first site, and answers for another that is named`, () => {
			const node = new Documents(format, readExportOptions(format, {}));
			const topicOf = (made: MadeForecast, siteId?: string) =>
				node.update(message(made, siteId))[0]?.topic;
			const mine = `solar-yield/site_a1/${format}`;
			assert.equal(topicOf(a), mine);
			assert.throws(() => topicOf(b), {
				code: "SOLAR_YIELD_INPUT",
				message:
					/of site "b".*holds site "site_a1".*solar-yield-sum.*msg\.siteId/,
			});
			assert.equal(topicOf(b, "b"), `solar-yield/b/${format}`);
			// That was one answer: the first site is still followed.
			assert.throws(() => topicOf(b), { code: "SOLAR_YIELD_INPUT" });
			assert.equal(topicOf(a), mine);
		});
	}

	it("a site whose first forecast cannot be used is not followed", () => {
		const node = new Documents("eos", readExportOptions("eos", {}));
		const gapped = makeForecast({
			...DAYS,
			gaps: [{ at: 60, length: 8, absent: true }],
		});
		assert.throws(() => node.update(message(gapped)), {
			code: "SOLAR_YIELD_RESPONSE",
		});
		assert.equal(node.update(message(b)).length, 1);
	});

	it("a site that was removed is no longer followed", () => {
		const node = new Documents("evcc", readExportOptions("evcc", {}));
		node.update(message(a));
		node.remove("b");
		assert.throws(() => node.update(message(b)), { code: "SOLAR_YIELD_INPUT" });
		node.remove("site_a1");
		assert.equal(node.update(message(b)).length, 1);
	});

	it("others take every site", () => {
		const node = new Documents("csv", readExportOptions("csv", {}));
		node.update(message(a));
		assert.equal(node.update(message(b)).length, 1);
	});
});
