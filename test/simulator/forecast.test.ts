import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PLANS } from "../../src/simulator/plans";
import { DAY } from "../support/time";
import { PLACES, World } from "./support";

type Row = Record<string, number | string>;

const START = "2026-06-10T08:07:11.500Z";

function sum(rows: readonly Row[], field: string): number {
	return rows.reduce((total, row) => total + (row[field] as number), 0);
}

describe("simulator: forecast", () => {
	it("has the shape of the spec, in its order", () => {
		const world = new World(START);
		world.addSite();
		const { status, headers, json } = world.forecast(
			"include=all&include=variability&forecast_days=1",
		);
		assert.equal(status, 200);
		assert.equal(headers["content-type"], "application/json");
		assert.deepEqual(Object.keys(json), [
			"site_id",
			"timezone",
			"computed_at",
			"next_poll_at",
			"included",
			"available",
			"daily",
			"values",
			"strings",
		]);
		assert.equal(json.site_id, "site_a");
		assert.equal(json.timezone, "Europe/Berlin");
		assert.equal(json.computed_at, "2026-06-10T10:07:11+02:00");
		assert.deepEqual(Object.keys(json.daily[0]), [
			"date",
			"pv_energy_kwh",
			"temp_min",
			"temp_max",
			"weather_code",
			"pv_energy_kwh_clearsky",
			"pv_energy_kwh_min",
			"pv_energy_kwh_max",
		]);
		assert.deepEqual(Object.keys(json.values[0]), [
			"timestamp",
			"pv_power",
			"temp",
			"weather_code",
			"wind_speed",
			"relative_humidity",
			"precipitation_mm",
			"snow_water_equivalent",
			"ghi",
			"dhi",
			"bni",
			"pv_power_clearsky",
			"pv_power_min",
			"pv_power_max",
		]);
		assert.deepEqual(Object.keys(json.strings[0]), [
			"timestamp",
			"string_index",
			"string_id",
			"pv_power",
			"gti",
			"gti_shaded",
			"pv_power_min",
			"pv_power_max",
		]);
		assert.equal(json.values.length, 2 * 96);
		assert.deepEqual(
			json.strings.map((row: Row) => row.string_id),
			[...Array(192).fill("str_east"), ...Array(192).fill("str_west")],
		);
		for (const row of [...json.values, ...json.strings])
			for (const value of Object.values(row))
				assert.ok(typeof value === "string" || Number.isFinite(value));
	});

	const selections: readonly [string, string[], string[]][] = [
		["", ["default"], ["timestamp", "pv_power"]],
		["include=irradiance", ["irradiance"], ["timestamp", "ghi", "dhi", "bni"]],
		["include=clearsky", ["clearsky"], ["timestamp", "pv_power_clearsky"]],
		["include=strings", ["strings"], ["timestamp"]],
		[
			"include=variability",
			["variability"],
			["timestamp", "pv_power_min", "pv_power_max"],
		],
		[
			"include=strings&include=default&include=default",
			["default", "strings"],
			["timestamp", "pv_power"],
		],
	];
	for (const [query, included, fields] of selections)
		it(`resolves "${query}" to ${included}`, () => {
			const world = new World(START);
			world.addSite();
			const { json } = world.forecast(query);
			assert.deepEqual(json.included, included);
			assert.deepEqual(Object.keys(json.values[0]), fields);
			assert.equal("strings" in json, included.includes("strings"));
		});

	it("takes all as every group but variability, and lists what the plan has", () => {
		const world = new World(START);
		world.addSite();
		const all = world.forecast("include=all").json;
		assert.deepEqual(all.included, [
			"clearsky",
			"default",
			"irradiance",
			"strings",
			"weather",
		]);
		const free = ["default", "weather", "irradiance", "clearsky", "strings"];
		assert.deepEqual(all.available, [...free, "variability"]);
		world.simulator.setPlan("test-key-1234567890", "light");
		assert.deepEqual(world.forecast().json.available, free);
	});

	it("caps days by the plan and by 7 and 30, without refusing", () => {
		const count = (plan: "free" | "plus", query: string): number => {
			const world = new World(START, plan);
			world.addSite();
			return world.forecast(query).json.daily.length;
		};
		assert.equal(count("free", ""), 2);
		assert.equal(count("free", "forecast_days=7&past_days=30"), 2);
		assert.equal(count("free", "forecast_days=0"), 1);
		assert.equal(count("plus", ""), 8);
		assert.equal(count("plus", "forecast_days=99&past_days=99"), 38);
		assert.equal(count("plus", "forecast_days=2&past_days=3"), 6);
	});

	it("sums the strings exactly and the rows into days", () => {
		const world = new World(START);
		world.addSite();
		const { json } = world.forecast("include=all&include=variability");
		for (const [k, row] of json.values.entries())
			for (const field of ["pv_power", "pv_power_min", "pv_power_max"]) {
				const [east, west] = [json.strings[k], json.strings[k + 8 * 96]];
				assert.equal(east.timestamp, row.timestamp);
				assert.equal(
					Math.round(row[field] * 100),
					Math.round(east[field] * 100) + Math.round(west[field] * 100),
				);
			}
		for (const [k, day] of json.daily.entries()) {
			// Quarters that end after the day's midnight, up to the next one.
			const rows = json.values.slice(k * 96 + 1, k * 96 + 97);
			const near = (field: string, daily: string) =>
				assert.ok(
					Math.abs(sum(rows, field) / 4000 - day[daily]) < 0.0051,
					`${day.date} ${field}`,
				);
			near("pv_power", "pv_energy_kwh");
			near("pv_power_min", "pv_energy_kwh_min");
			near("pv_power_max", "pv_energy_kwh_max");
			near("pv_power_clearsky", "pv_energy_kwh_clearsky");
		}
	});

	it("opens a band for 48 hours and keeps it flat elsewhere", () => {
		const world = new World(START);
		world.addSite();
		const { json } = world.forecast(
			"include=default&include=variability&past_days=1",
		);
		let wide = 0;
		for (const {
			timestamp,
			pv_power,
			pv_power_min,
			pv_power_max,
		} of json.values) {
			assert.ok(pv_power_min <= pv_power && pv_power <= pv_power_max);
			const ahead = Date.parse(timestamp) - Date.parse(START);
			const inside = ahead > 0 && ahead <= 48 * 3_600_000;
			if (pv_power > 50 && inside) {
				assert.ok(
					pv_power_min < pv_power && pv_power < pv_power_max,
					timestamp,
				);
				wide++;
			} else if (!inside || pv_power === 0) {
				assert.equal(pv_power_min, pv_power);
				assert.equal(pv_power_max, pv_power);
			}
		}
		assert.ok(wide > 60);
		const north = new World(START);
		north.addSite(PLACES.tromso);
		for (const row of north.forecast("include=default&include=variability").json
			.values)
			assert.equal(row.pv_power_min, row.pv_power_max);
	});

	const days: readonly [keyof typeof PLACES, string, string, string, number][] =
		[
			[
				"berlin",
				"2026-03-29T10:00:00Z",
				"2026-03-29T00:00:00+01:00",
				"2026-03-29T23:45:00+02:00",
				92,
			],
			[
				"berlin",
				"2026-10-25T10:00:00Z",
				"2026-10-25T00:00:00+02:00",
				"2026-10-25T23:45:00+01:00",
				100,
			],
			[
				"kathmandu",
				"2026-05-01T23:00:00Z",
				"2026-05-02T00:00:00+05:45",
				"2026-05-02T23:45:00+05:45",
				96,
			],
			[
				"stJohns",
				"2026-11-01T10:00:00Z",
				"2026-11-01T00:00:00-02:30",
				"2026-11-01T23:45:00-03:30",
				100,
			],
			[
				"apia",
				"2026-12-31T23:00:00Z",
				"2027-01-01T00:00:00+13:00",
				"2027-01-01T23:45:00+13:00",
				96,
			],
		];
	for (const [place, at, first, last, rows] of days)
		it(`covers the local day of ${at} in ${place} with ${rows} rows`, () => {
			const world = new World(at);
			world.addSite(PLACES[place]);
			const { json } = world.forecast("forecast_days=0&include=all");
			assert.equal(json.values.length, rows);
			assert.equal(json.strings.length, 2 * rows);
			assert.equal(json.values[0].timestamp, first);
			assert.equal(json.values.at(-1).timestamp, last);
			assert.equal(json.daily[0].date, first.slice(0, 10));
			json.values.forEach((row: Row, k: number) => {
				assert.equal(
					Date.parse(row.timestamp as string),
					Date.parse(first) + k * 900_000,
				);
			});
			const utc = world.forecast("forecast_days=0&timezone=utc").json;
			assert.equal(utc.timezone, json.timezone);
			assert.match(utc.next_poll_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
			assert.deepEqual(
				utc.values.map((row: Row) => row.timestamp),
				json.values.map((row: Row) =>
					new Date(row.timestamp as string).toISOString().replace(".000Z", "Z"),
				),
			);
		});

	it("writes the repeated hour twice in naive stamps", () => {
		const world = new World("2026-10-25T10:00:00Z", "plus", {
			timestamps: "naive",
		});
		world.addSite();
		const { json } = world.forecast("forecast_days=0");
		const stamps = json.values.map((row: Row) => row.timestamp);
		assert.equal(json.computed_at, "2026-10-25T11:00:00");
		assert.deepEqual(stamps.slice(8, 16), [
			"2026-10-25T02:00:00",
			"2026-10-25T02:15:00",
			"2026-10-25T02:30:00",
			"2026-10-25T02:45:00",
			"2026-10-25T02:00:00",
			"2026-10-25T02:15:00",
			"2026-10-25T02:30:00",
			"2026-10-25T02:45:00",
		]);
		assert.match(world.forecast("timezone=utc").json.computed_at, /Z$/);
	});

	it("differs a little from one computation to the next, less the nearer it is", () => {
		const world = new World("2026-06-10T00:00:00Z");
		world.addSite();
		const powers = (): number[] =>
			world
				.forecast("timezone=utc&forecast_days=4")
				.json.values.slice(-4 * 96 + 8)
				.map((row: Row) => row.pv_power);
		const first = powers();
		world.now += 600_000;
		const second = powers();
		world.now += 6 * 3_600_000;
		const third = powers();
		const gap = (a: number[], b: number[]) =>
			a.reduce((total, p, k) => total + Math.abs(p - (b[k] as number)), 0);
		assert.ok(gap(first, second) > 0);
		assert.ok(gap(first, second) < gap(first, third));

		// Against what happened, over many days: the day itself, and five days ahead.
		const error = [0, 0] as [number, number];
		for (let k = 0; k < 40; k++) {
			const issued = Date.parse("2026-05-01T03:00:00Z") + k * DAY;
			for (const [which, ahead] of [0, 5].entries()) {
				const date = new Date(issued + ahead * DAY).toISOString().slice(0, 10);
				const energy = (at: number, path: string, query: string): number => {
					world.now = at;
					const { daily } = world.get(path, query).json;
					return daily.find((day: Row) => day.date === date).pv_energy_kwh;
				};
				const forecast = energy(issued, "/v2/forecast/site_a", "");
				const actual = energy(
					issued + 8 * DAY,
					"/v2/historical/site_a",
					`start_date=${date}&end_date=${date}`,
				);
				error[which as 0 | 1] += Math.abs(forecast - actual);
			}
		}
		assert.ok(error[0] > 0 && error[0] * 1.5 < error[1], error.join());
	});

	it("is the same on every run", () => {
		const bodies = [1, 2].map(() => {
			const world = new World(START);
			world.addSite();
			return world.forecast("include=all&past_days=3").text;
		});
		assert.equal(bodies[0], bodies[1]);
	});

	it("answers inline calls fresh, without next_poll_at, with ids only where supplied", () => {
		const world = new World(START, { ...PLANS.plus, updatesPerDay: 1 });
		const body = {
			...PLACES.kathmandu,
			strings: [
				{ id: "mine", slope: 10, orientation: 180, power_kw: 2 },
				{ slope: 10, orientation: 90, power_kw: 1 },
			],
			config: { losses: { albedo: 0.3 } },
		};
		const inline = (query = "") =>
			world.send("POST", "/v2/forecast/inline", query, body);
		const { status, json } = inline("include=all&forecast_days=1");
		assert.equal(status, 200);
		assert.equal("next_poll_at" in json, false);
		assert.equal("site_id" in json, false);
		assert.equal(json.timezone, "Asia/Kathmandu");
		assert.equal(json.computed_at, "2026-06-10T13:52:11+05:45");
		assert.equal(json.strings[0].string_id, "mine");
		assert.equal("string_id" in json.strings.at(-1), false);
		assert.equal(json.strings.at(-1).string_index, 1);
		world.now += 5000;
		const later = inline();
		assert.equal(later.json.computed_at, "2026-06-10T13:52:16+05:45");
		assert.equal(later.headers["requestlimit-used"], "2");
	});

	it("checks inline bodies", () => {
		const world = new World(START, "free");
		const status = (body: object, query = "") =>
			world.send("POST", "/v2/forecast/inline", query, body).status;
		const string = { slope: 10, orientation: 180, power_kw: 2 };
		assert.equal(status({ latitude: 1 }), 422);
		assert.equal(status({ ...PLACES.berlin, strings: [] }), 422);
		assert.equal(
			status({ ...PLACES.berlin, strings: [string, string, string] }),
			422,
		);
		assert.equal(status(PLACES.berlin, "include=variability"), 403);
		assert.equal(status(PLACES.berlin), 200);
		assert.equal(world.send("GET", "/v2/forecast/inline").status, 404);
	});

	it("handles the ends of the earth", () => {
		for (const [latitude, longitude] of [
			[90, 0],
			[-90, 180],
			[0, -180],
			[69.65, 18.96],
		] as const) {
			const world = new World(START);
			world.addSite({ latitude, longitude });
			const { status, json } = world.forecast("include=all");
			assert.equal(status, 200);
			assert.equal(json.daily.length, 8);
		}
	});
});
