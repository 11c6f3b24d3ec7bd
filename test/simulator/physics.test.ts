import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SiteSeed } from "../../src/simulator/simulator";
import { PLACES, World } from "./support";

type Row = Record<string, number>;

const SOUTH = { slope: 30, orientation: 180, power_kw: 1 };

/** Days of one month as they happened, for one kWp facing south at 30 degrees unless told. */
function month(name: string, seed: Partial<SiteSeed> = {}) {
	const last = new Date(`${name}-01T00:00:00Z`);
	last.setUTCMonth(last.getUTCMonth() + 1, 0);
	const world = new World("2026-12-31T12:00:00Z");
	world.addSite({ ...PLACES.berlin, strings: [SOUTH], ...seed });
	const { json } = world.get(
		"/v2/historical/site_a",
		`start_date=${name}-01&end_date=${last.toISOString().slice(0, 10)}&include=all&timezone=utc`,
	);
	return json as {
		daily: (Row & { date: string })[];
		values: Row[];
		strings: Row[];
	};
}

/** kWh of the first ten days of July. */
function energy(seed: Partial<SiteSeed>): number {
	const world = new World("2026-12-31T12:00:00Z");
	world.addSite({ ...PLACES.berlin, strings: [SOUTH], ...seed });
	return world
		.get("/v2/historical/site_a", "start_date=2026-07-01&end_date=2026-07-10")
		.json.daily.reduce(
			(t: number, d: Row) => t + (d.pv_energy_kwh as number),
			0,
		);
}

describe("simulator: power from the sun", () => {
	it("gives Berlin 5 to 8.5 kWh per kWp on a clear day of June, and below 2 on a day of December", () => {
		for (const day of month("2026-06").daily) {
			assert.ok((day.pv_energy_kwh_clearsky as number) > 5, day.date);
			assert.ok((day.pv_energy_kwh_clearsky as number) < 8.5, day.date);
			assert.ok(
				(day.pv_energy_kwh as number) <=
					(day.pv_energy_kwh_clearsky as number) + 0.1,
			);
			assert.ok((day.pv_energy_kwh as number) > 0.3);
		}
		const december = month("2026-12").daily.map(
			(d) => d.pv_energy_kwh as number,
		);
		const mean = december.reduce((a, b) => a + b, 0) / december.length;
		assert.ok(mean > 0.3 && mean < 2, String(mean));
	});

	it("gives a year of about 1100 kWh per kWp in Berlin", () => {
		const world = new World("2026-01-01T12:00:00Z");
		world.addSite({ strings: [SOUTH] });
		const { daily } = world.get(
			"/v2/historical/site_a",
			"start_date=2025-01-01&end_date=2025-12-31",
		).json;
		const year = daily.reduce(
			(t: number, d: Row) => t + (d.pv_energy_kwh as number),
			0,
		);
		assert.ok(year > 900 && year < 1350, String(year));
	});

	it("peaks east in the morning, west in the afternoon, south at noon", () => {
		const peak = (orientation: number): number => {
			const { values } = month("2026-06", {
				strings: [{ slope: 35, orientation, power_kw: 1 }],
			});
			const day = Array.from({ length: 96 }, (_, q) =>
				values.reduce(
					(t, row, k) =>
						t + (k % 96 === q ? (row.pv_power_clearsky as number) : 0),
					0,
				),
			);
			// UTC hour of the middle of the best quarter; rows begin at local midnight, 22:00 UTC.
			return ((day.indexOf(Math.max(...day)) - 0.5) / 4 + 22) % 24;
		};
		const [east, south, west] = [peak(90), peak(180), peak(270)];
		assert.ok(east > 6.5 && east < 10, String(east));
		assert.ok(Math.abs(south - 11.1) < 0.6, String(south));
		assert.ok(west > 12.5 && west < 16, String(west));
	});

	it("is exactly 0 at night and never negative, and dark all day in polar night", () => {
		const { values, strings } = month("2026-06");
		for (const row of values) {
			assert.ok((row.pv_power as number) >= 0);
			assert.ok((row.dhi as number) >= 0 && (row.bni as number) >= 0);
			assert.ok((row.ghi as number) >= (row.dhi as number));
			if (row.ghi === 0) assert.equal(row.pv_power, 0);
		}
		const nights = values.filter((row) => row.pv_power === 0);
		assert.ok(nights.length > 20 * 30 && nights.length < 40 * 30);
		for (const row of strings)
			assert.ok((row.gti_shaded as number) <= (row.gti as number));
		const polar = month("2026-12", PLACES.tromso).daily;
		assert.ok(polar.every((day) => day.pv_energy_kwh === 0));
		const midnightSun = month("2026-06", PLACES.tromso).values;
		assert.ok(midnightSun.every((row) => (row.ghi as number) > 0));
	});

	it("follows tilt, albedo, heat, mounting, losses, age and technology the right way", () => {
		const with_ = (config: object, string: object = SOUTH) =>
			energy({
				strings: [string as typeof SOUTH],
				config: config as Record<string, unknown>,
			});
		const plain = with_({});
		const vertical = { slope: 90, orientation: 0, power_kw: 1 };
		assert.ok(with_({}, vertical) < plain / 2);
		assert.ok(
			with_({ losses: { albedo: 0.8 } }, vertical) > with_({}, vertical),
		);
		assert.ok(with_({ modules: { temperature_coefficient: 0 } }) > plain);
		assert.ok(
			with_({ mounting: { type: "isol" } }) <
				with_({ mounting: { type: "mix" } }),
		);
		assert.ok(with_({ mounting: { type: "mix" } }) < plain);
		assert.ok(with_({ losses: { cable: 0.1, conversion: 0.1 } }) < plain * 0.9);
		const old = with_({ modules: { installation_year: 2006 } });
		assert.ok(old < plain * 0.95 && old > plain * 0.85);
		assert.ok(
			with_({ modules: { technology: "cdte" } }) >
				with_({ modules: { technology: "multisi" } }),
		);
		assert.ok(with_({ losses: { diffuse_model: "haydavies" } }) < plain);
	});

	it("tracks the sun and shades rows and obstructions", () => {
		const with_ = (config: object, gcr = 0) =>
			energy({
				strings: [{ ...SOUTH, gcr }],
				config: config as Record<string, unknown>,
			});
		const fixed = with_({});
		const single = with_({ tracking: { type: "single_axis" } });
		const dual = with_({ tracking: { type: "dual_axis" } });
		assert.ok(fixed * 1.1 < single && single * 1.05 < dual);
		assert.ok(
			with_({ tracking: { type: "single_axis", max_angle: 20 } }) < single,
		);
		const dense = with_(
			{ tracking: { type: "single_axis", backtracking: false } },
			0.6,
		);
		assert.ok(dense < single);
		assert.ok(with_({}, 0.9) < fixed);
		const open = with_({ shading: { use_terrain_horizon: false } });
		assert.ok(open >= fixed);
		const wall = "90:270:45";
		for (const sky_obstruction of [
			wall,
			`0:10:1_${wall}`,
			[[90, 270, 45]],
			[wall],
		])
			assert.ok(with_({ shading: { sky_obstruction } }) < fixed * 0.9);
		assert.equal(with_({ shading: { sky_obstruction: { odd: [] } } }), fixed);
	});

	it("clips at the inverter's limits", () => {
		const { values } = month("2026-06", {
			strings: [{ ...SOUTH, power_kw: 10 }],
			config: { inverter: { clip_max_percent: 60, clip_min_percent: 5 } },
		});
		const powers = values.map((row) => row.pv_power as number);
		assert.equal(Math.max(...powers), 6000);
		assert.ok(powers.every((power) => power === 0 || power >= 500));
	});

	it("is proportional to the peak power", () => {
		const one = energy({ strings: [SOUTH] });
		const ten = energy({ strings: [{ ...SOUTH, power_kw: 10 }] });
		assert.ok(Math.abs(ten / one - 10) < 0.05);
	});

	it("has weather with clear, mixed and dull days, seasons and clouds that pass", () => {
		const june = month("2026-06");
		const shares = june.daily.map(
			(day) =>
				(day.pv_energy_kwh as number) / (day.pv_energy_kwh_clearsky as number),
		);
		assert.ok(Math.max(...shares) > 0.9);
		assert.ok(Math.min(...shares) < 0.5);
		const steps = june.values
			.slice(1)
			.map((row, k) =>
				Math.abs(
					(row.pv_power as number) - (june.values[k]?.pv_power as number),
				),
			);
		assert.ok(Math.max(...steps) > 50 && Math.max(...steps) < 700);
		const temp = (name: string, field: "temp_min" | "temp_max") => {
			const days = month(name).daily;
			return days.reduce((t, d) => t + (d[field] as number), 0) / days.length;
		};
		assert.ok(temp("2026-07", "temp_max") > temp("2026-01", "temp_max") + 12);
		assert.ok(temp("2026-07", "temp_max") > temp("2026-07", "temp_min") + 5);
		const codes = new Set(june.values.map((row) => row.weather_code));
		assert.ok(codes.size >= 4);
		for (const row of june.values) {
			assert.ok(
				(row.relative_humidity as number) > 0 &&
					(row.relative_humidity as number) <= 100,
			);
			assert.ok(
				(row.wind_speed as number) >= 0 && (row.wind_speed as number) < 20,
			);
		}
	});

	it("lets snow cover modules in a cold winter", () => {
		const finland = { latitude: 62.2, longitude: 25.7 };
		const january = month("2026-02", finland);
		const snow = january.values.map(
			(row) => row.snow_water_equivalent as number,
		);
		assert.ok(Math.max(...snow) > 1);
		const summer = month("2026-07", finland);
		assert.ok(summer.values.every((row) => row.snow_water_equivalent === 0));
	});
});
