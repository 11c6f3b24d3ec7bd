import assert from "node:assert/strict";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import {
	type MoveEntry,
	V1_PARAMETERS,
	v1Limits,
} from "../../src/v1/parameters";
import { moveToV2, type V1Set } from "../../src/v1/to-v2";
import { ENDPOINTS, everythingFor, requiredFor } from "./samples";

const NOW = { nowMs: Date.UTC(2026, 10, 27, 12) };
const ROOF = requiredFor("forecast");

function move(params: Record<string, unknown>, endpoint?: V1Set["endpoint"]) {
	return moveToV2(
		[endpoint === undefined ? { params } : { endpoint, params }],
		NOW,
	);
}

function entry(
	report: MoveEntry[],
	parameter: string,
	set?: number,
): MoveEntry {
	const found = report.filter(
		(it) => it.parameter === parameter && it.set === set,
	);
	assert.equal(found.length, 1, parameter);
	return found[0] as MoveEntry;
}

function refused(sets: V1Set[], ...words: string[]): void {
	assert.throws(
		() => moveToV2(sets, NOW),
		(error) => {
			assert.ok(error instanceof SolarYieldError);
			assert.equal(error.kind, "INPUT");
			for (const word of words)
				assert.ok(error.message.includes(word), `${error.message} / ${word}`);
			return true;
		},
	);
}

const NAMES = V1_PARAMETERS.map((it) => it.name);

describe("move from V1 to V2", () => {
	it("reports every parameter once and loses no value that was set", () => {
		for (const endpoint of ENDPOINTS) {
			const params = everythingFor(endpoint);
			const { report } = move(params, endpoint);
			for (const { report: one } of [
				{ report },
				move(requiredFor(endpoint), endpoint),
			])
				assert.deepEqual(
					one.map((it) => it.parameter),
					NAMES,
				);
			for (const parameter of V1_PARAMETERS) {
				const { value, result, note } = entry(report, parameter.name);
				if (v1Limits(parameter, endpoint) === undefined)
					assert.deepEqual([value, result], [null, "none"]);
				else {
					assert.equal(value, params[parameter.name]);
					assert.notEqual(result, "default");
					assert.doesNotMatch(note, /not set/);
				}
			}
		}
	});

	it("makes the whole site of a whole set", () => {
		const { site } = moveToV2(
			[
				{
					endpoint: "system",
					params: {
						...everythingFor("system"),
						latitude: "48.5",
						longitude: 9.25,
						slope: 30,
						orientation: 135,
						pv_power_kw: 8.2,
						ground_coverage_ratio: 0.4,
						second_array_slope: 15,
						second_array_orientation: 270,
						second_array_power_kw: "3.5",
						second_array_ground_coverage_ratio: 0,
						pv_technology_type: "topcon",
						temperature_coefficient_power: -0.29,
						panel_age_years: 6,
						mounting_type: "mix",
						installation_height: 7,
						inverter_clip_max_threshold_percent: 95,
						inverter_clip_min_threshold_percent: 0.5,
						cable_loss_rate: 0.01,
						conversion_loss_rate: 0.03,
						ground_albedo: 0.2,
						snow_slide_coefficient: 0.8,
						diffuse_radiation_model: "haydavies",
						terrain_based_horizon_coverage: "true",
						sky_obstruction_config: "90:120:12_200:210:5",
						tracker_system_type: 1,
						single_axis_tracker_config: "180:0:55:F",
						shading_config: "near",
						second_array_shading_config: "near too",
					},
				},
			],
			{ ...NOW, name: "Barn" },
		);
		assert.deepEqual(site, {
			latitude: 48.5,
			longitude: 9.25,
			name: "Barn",
			strings: [
				{ slope: 30, orientation: 135, power_kw: 8.2, gcr: 0.4 },
				{ slope: 15, orientation: 270, power_kw: 3.5, gcr: 0 },
			],
			config: {
				modules: {
					technology: "topcon",
					temperature_coefficient: -0.29,
					installation_year: 2020,
				},
				mounting: { type: "mix", height_above_ground: 7 },
				losses: {
					cable: 0.01,
					conversion: 0.03,
					albedo: 0.2,
					snow_slide: 0.8,
					diffuse_model: "haydavies",
				},
				inverter: { clip_max_percent: 95, clip_min_percent: 0.5 },
				shading: {
					sky_obstruction: "90:120:12_200:210:5",
					use_terrain_horizon: true,
				},
				tracking: {
					type: "single_axis",
					axis_azimuth: 180,
					axis_tilt: 0,
					max_angle: 55,
					backtracking: false,
				},
			},
		});
	});

	it("sets nothing that was not set, except what a string needs", () => {
		const { site, report } = move(ROOF);
		assert.deepEqual(site, {
			latitude: 48.5,
			longitude: 9.25,
			strings: [{ slope: 30, orientation: 180, power_kw: 10 }],
		});
		const power = entry(report, "pv_power_kw");
		assert.deepEqual([power.value, power.result], [10, "carried"]);
		assert.match(power.note, /V1's default/);
	});

	it("says of an unset counterpart which default V1 had", () => {
		const { report } = move(ROOF);
		const words: Record<string, string> = {
			terrain_based_horizon_coverage: "off",
			installation_height: "0 m",
			sky_obstruction_config: "empty",
		};
		for (const [name, word] of Object.entries(words))
			assert.deepEqual(entry(report, name), {
				parameter: name,
				value: null,
				result: "default",
				note: `V1 default ${word}; V2 uses its system default, which may differ`,
			});
		// Sixteen settings of the config and the first string's gcr.
		assert.equal(report.filter((it) => it.result === "default").length, 17);
	});

	it("never carries near-field shading, household or battery", () => {
		const params = everythingFor("forecast");
		const { site, report } = move(params);
		for (const name of [
			"shading_config",
			"second_array_shading_config",
			"battery_capacity",
			"yearly_heat_pump_consumption",
			"elevation",
		])
			assert.equal(entry(report, name).result, "none", name);
		assert.match(entry(report, "shading_config").note, /web app/);
		assert.ok(!JSON.stringify(site).includes(String(params.shading_config)));
	});

	it("writes V1's angles out for a second array that has power, and leaves one without out", () => {
		const { site, report } = move({ ...ROOF, second_array_power_kw: 2 });
		assert.deepEqual(site.strings[1], {
			slope: 0,
			orientation: 0,
			power_kw: 2,
		});
		const slope = entry(report, "second_array_slope");
		assert.equal(slope.result, "carried");
		assert.match(slope.note, /strings\[1\]\.slope/);
		const without = move({ ...ROOF, second_array_slope: 20 });
		assert.equal(without.site.strings.length, 1);
		const left = entry(without.report, "second_array_slope");
		assert.deepEqual([left.value, left.result], [20, "none"]);
		assert.match(left.note, /second_array_power_kw is 0/);
	});

	it("warns of a site without peak power, the default of yield", () => {
		const { site, report } = move(ROOF, "yield");
		assert.equal(site.strings[0]?.power_kw, 0);
		assert.match(entry(report, "pv_power_kw").note, /without peak power/);
	});

	it("counts the installation year back from now, fractions too", () => {
		const year = (age: number, nowMs = NOW.nowMs) =>
			moveToV2([{ params: { ...ROOF, panel_age_years: age } }], { nowMs }).site
				.config?.modules?.installation_year;
		for (const [age, expected] of [
			[0, 2026],
			[0.5, 2026],
			[0.95, 2025],
			[50, 1976],
		] as const)
			assert.equal(year(age), expected);
		assert.equal(year(4, Date.UTC(2026, 0, 1)), 2022);
		assert.match(
			entry(move({ ...ROOF, panel_age_years: 3 }).report, "panel_age_years")
				.note,
			/installation_year 2023.*3 years before/,
		);
	});

	it("suggests where the output settings go", () => {
		const { report } = move({
			...ROOF,
			required_data: "pv_watts,GHI,temp,gti,odd_one",
			timezone: "Europe/Berlin",
			past_days: 3,
		});
		const { note } = entry(report, "required_data");
		assert.match(note, /default, irradiance, weather, strings/);
		assert.match(note, /odd_one/);
		assert.match(entry(report, "timezone").note, /timezone.*local/);
		assert.match(entry(report, "past_days").note, /pastDays/);
		assert.match(
			entry(move(ROOF).report, "required_data").note,
			/not set.*irradiance, default, weather/,
		);
	});

	it("makes several sets on one location the strings of one site", () => {
		const params = { ...ROOF, ground_albedo: 0.15 };
		const { site, report } = moveToV2(
			[
				{ params: { ...params, second_array_power_kw: 1 } },
				{
					params: {
						...ROOF,
						latitude: "48.50",
						orientation: 90,
						pv_power_kw: 4,
					},
				},
			],
			NOW,
		);
		assert.deepEqual(
			site.strings.map((it) => [it.orientation, it.power_kw]),
			[
				[180, 10],
				[0, 1],
				[90, 4],
			],
		);
		for (const set of [0, 1])
			assert.deepEqual(
				report.filter((it) => it.set === set).map((it) => it.parameter),
				NAMES,
			);
		assert.match(entry(report, "pv_power_kw", 1).note, /strings\[2\]/);
		// Set by one only, to what the other had by default.
		assert.equal(site.config?.losses?.albedo, 0.15);
		const other = entry(report, "ground_albedo", 1);
		assert.deepEqual([other.value, other.result], [0.15, "carried"]);
		assert.match(other.note, /sets\[0\]/);
	});

	it("refuses sets of different places or site-wide settings by name", () => {
		refused(
			[
				{ params: ROOF },
				{ params: { ...ROOF, longitude: 9.3, mounting_type: "isol" } },
			],
			"longitude",
			"9.25",
			"9.3",
			"mounting_type",
			"isol",
			'"open" (V1 default)',
			"sets[1]",
		);
		refused(
			[
				{ params: { ...ROOF, single_axis_tracker_config: "180:0:55:F" } },
				{ params: { ...ROOF, single_axis_tracker_config: "180:0:55:T" } },
			],
			"single_axis_tracker_config",
		);
		assert.doesNotThrow(() =>
			moveToV2(
				[
					{ params: { ...ROOF, single_axis_tracker_config: "180:0:55:F" } },
					{ params: { ...ROOF, single_axis_tracker_config: "180:0:55.0:0" } },
				],
				NOW,
			),
		);
	});

	it("checks each set against its endpoint", () => {
		refused(
			[
				{ params: { ...ROOF, slope: 91 } },
				{ endpoint: "recent", params: { ...ROOF, longitude: 100 } },
				{ params: {} },
			],
			"sets[0] slope 91",
			"sets[1] longitude 100",
			"-60 to 60",
			"sets[2] latitude, longitude, slope and orientation are missing",
		);
		refused([], "at least one");
		refused([null as unknown as V1Set], "object");
	});
});
