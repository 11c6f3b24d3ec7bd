import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { World } from "../simulator/support";

const NOW = "2026-11-27T08:12:33Z";
const PLACE = "latitude=50.9&longitude=6.4&slope=30&orientation=180";
const DATES = "&start_date=2026-06-01&end_date=2026-06-02";
/** Endpoints by the spec's initials, with what each needs. */
const ENDPOINTS: Readonly<Record<string, readonly [string, string]>> = {
	Y: ["yield", ""],
	S: ["system", ""],
	H: ["history", DATES],
	F: ["forecast", "&forecast_days=1"],
	R: ["recent", DATES],
};

type Row = Record<string, number | string>;

/** One simulator for all: V1 keeps no state. */
const world = new World(NOW, "free");

function ask(initial: string, extra = "", place = PLACE) {
	const [name, needed] = ENDPOINTS[initial] as readonly [string, string];
	return world.get(`/v1/${name}/`, `${place}${needed}${extra}`);
}

describe("simulator: V1", () => {
	it("forecasts seven days from today in UTC, like the service's recorded answer", () => {
		const { status, json, headers } = world.get("/v1/forecast/", PLACE);
		assert.equal(status, 200);
		assert.equal(headers["requestlimit-used"], undefined);
		assert.deepEqual(Object.keys(json), [
			"data",
			"latitude",
			"longitude",
			"elevation",
			"slope",
			"orientation",
			"data_timezone",
			"values",
		]);
		assert.equal(json.values.length, 672);
		assert.equal(json.values[0].dtm, "2026-11-27 00:00:00");
		assert.equal(json.values.at(-1).dtm, "2026-12-03 23:45:00");
		assert.deepEqual(Object.keys(json.values[0]), [
			"dtm",
			"GHI",
			"DHI",
			"BNI",
			"spec_watts",
			"temp",
			"weather_code",
		]);
	});

	it("gives the columns asked for, ignores unknown ones, adds clear sky and past days", () => {
		const { json } = ask(
			"F",
			"&required_data=pv_watts, spec_watts,nonsense&clearsky_data=true&past_days=2&pv_power_kw=4",
		);
		assert.equal(json.values.length, 3 * 96);
		assert.deepEqual(Object.keys(json.values[0]), [
			"dtm",
			"pv_watts",
			"spec_watts",
			"spec_watts_clearsky",
			"pv_watts_clearsky",
		]);
		for (const row of json.values as Record<string, number>[]) {
			const { pv_watts, spec_watts } = row as {
				pv_watts: number;
				spec_watts: number;
			};
			assert.ok(Math.abs(pv_watts - 4 * spec_watts) < 0.1);
		}
	});

	it("writes dtm in a named zone, with days of that zone", () => {
		const { json } = world.get(
			"/v1/history/",
			`${PLACE}&start_date=2026-10-25&end_date=2026-10-25&timezone=Europe/Berlin`,
		);
		assert.equal(json.data_timezone, "Europe/Berlin");
		assert.equal(json.values.length, 100);
		assert.equal(json.values[0].dtm, "2026-10-25 00:00:00");
		assert.equal(json.values[8].dtm, json.values[12].dtm);
	});

	it("ends recent data at the last quarter hour", () => {
		const { json } = world.get(
			"/v1/recent",
			`${PLACE}&start_date=2026-11-26&required_data=GHI`,
		);
		assert.equal(json.values[0].dtm, "2026-11-26 00:00:00");
		assert.equal(json.values.at(-1).dtm, "2026-11-27 08:00:00");
		const { status, json: refused } = ask("R", "", PLACE.replace("6.4", "99"));
		assert.equal(status, 422);
		assert.deepEqual(refused.detail[0].loc, ["query", "longitude"]);
	});

	it("adds the second array's power", () => {
		const watts = (extra: string): number[] =>
			ask("H", `&required_data=pv_watts${extra}`).json.values.map(
				(row: Row) => row.pv_watts,
			);
		const one = watts("&pv_power_kw=5");
		const second =
			"second_array_power_kw=3&second_array_slope=20&second_array_orientation=90";
		const both = watts(`&pv_power_kw=5&${second}`);
		const other = world
			.get(
				"/v1/history/",
				`latitude=50.9&longitude=6.4&slope=20&orientation=90&pv_power_kw=3${DATES}&required_data=pv_watts`,
			)
			.json.values.map((row: Row) => row.pv_watts);
		both.forEach((power, k) => {
			assert.ok(
				Math.abs(power - (one[k] as number) - (other[k] as number)) < 0.2,
			);
		});
	});

	it("simulates the house beside the series, energy in balance", () => {
		const { json } = ask(
			"F",
			"&pv_only=false&required_data=pv_watts&battery_capacity=8",
		);
		let charged = 0;
		for (const row of json.values as Record<string, number>[]) {
			const balance =
				(row.pv_watts as number) +
				(row.grid_watts as number) -
				(row.battery_watts as number) -
				(row.consumption_watts as number) -
				(row.heat_pump_watts as number) -
				(row.air_cool_watts as number);
			assert.ok(Math.abs(balance) < 0.5, String(balance));
			assert.ok(
				(row.battery_soc as number) >= 0 && (row.battery_soc as number) <= 100,
			);
			assert.ok(Math.abs(row.battery_watts as number) <= 4000.05);
			charged += row.battery_watts as number;
		}
		assert.ok(charged !== 0);
	});

	it("gives a yield by year and month, with losses when asked", () => {
		const { json } = ask("Y", "&pv_power_kw=5");
		assert.equal(json.values.length, 12);
		assert.equal("losses_percent" in json, false);
		const sum = json.values.reduce(
			(t: number, m: { pv_energy_kwh: number }) => t + m.pv_energy_kwh,
			0,
		);
		assert.ok(Math.abs(sum - json.yearly.pv_energy_kwh) < 0.1);
		assert.ok(
			json.yearly.spec_energy_kwh > 800 && json.yearly.spec_energy_kwh < 1400,
		);
		assert.ok(
			Math.abs(json.yearly.pv_energy_kwh / json.yearly.spec_energy_kwh - 5) <
				0.01,
		);
		const detailed = ask(
			"Y",
			"&detailed_losses=true&enable_soiling_model=1",
		).json;
		assert.equal(detailed.yearly.pv_energy_kwh, 0);
		assert.ok(detailed.yearly.spec_energy_kwh < json.yearly.spec_energy_kwh);
		const losses = Object.values(detailed.losses_percent) as number[];
		assert.equal(losses.length, 8);
		assert.ok(losses.every((loss) => loss >= 0 && loss < 20));
		assert.equal(detailed.losses_percent.soiling, 3);
	});

	it("simulates a system hour by hour over a year", () => {
		const { json } = ask(
			"S",
			"&yearly_energy_consumption=4&yearly_heat_pump_consumption=5&air_cool_config=000001111000",
		);
		assert.equal(json.values.length, 8760);
		assert.equal(json.values[0].dtm, "2025-01-01 01:00:00");
		assert.ok(
			json.yearly.consumption_kwh > 8500 && json.yearly.consumption_kwh < 9600,
		);
		assert.ok(json.yearly.grid_import_kwh > 1000);
		assert.ok(json.yearly.grid_export_kwh > 1000);
		assert.ok(
			json.values.some(
				(row: Record<string, number>) => (row.air_cool_watts as number) > 0,
			),
		);
		const alone = ask(
			"S",
			"&battery_capacity=0&yearly_heat_pump_consumption=0&yearly_energy_consumption=0&demand_profile=g4",
		).json;
		assert.equal(alone.yearly.grid_import_kwh, 0);
		assert.equal(alone.yearly.consumption_kwh, 0);
		assert.ok(
			Math.abs(alone.yearly.grid_export_kwh - alone.yearly.pv_energy_kwh) < 1,
		);
	});

	/** name, endpoints, values that pass, values that do not. */
	const bounds: readonly [
		string,
		string,
		readonly string[],
		readonly string[],
	][] = [
		["latitude", "YSHR", ["-56.02", "65"], ["-56.03", "65.01", "x", ""]],
		["latitude", "F", ["-89.99", "89.99"], ["-90", "90"]],
		["longitude", "YSH", ["-150", "180"], ["-150.1", "180.1"]],
		["longitude", "R", ["-60", "60"], ["-60.1", "60.1"]],
		["longitude", "F", ["-179.99", "179.99"], ["-180", "180"]],
		["slope", "YSHFR", ["0", "90"], ["-0.1", "90.1"]],
		["orientation", "YSHFR", ["0", "360"], ["-90", "360.1"]],
		["elevation", "YSHFR", ["-999", "4500"], ["-1000", "4501"]],
		["panel_age_years", "F", ["0", "50"], ["-1", "51"]],
		["temperature_coefficient_power", "F", ["-0.5", "-0.2"], ["-0.51", "-0.1"]],
		["mounting_type", "F", ["open", "mix", "isol"], ["roof"]],
		["pv_technology_type", "F", ["monosi", "topcon"], ["silicon"]],
		["diffuse_radiation_model", "F", ["haydavies", "perez"], ["isotropic"]],
		["ground_albedo", "F", ["0", "1"], ["-0.1", "1.1"]],
		["cable_loss_rate", "F", ["0", "0.1"], ["0.11"]],
		["conversion_loss_rate", "F", ["0", "0.1"], ["0.11"]],
		["ground_coverage_ratio", "F", ["0", "1"], ["1.1"]],
		["tracker_system_type", "F", ["0", "1", "2"], ["3", "0.5"]],
		[
			"single_axis_tracker_config",
			"F",
			["180:0:60:true", "90:5:45:F"],
			["180:0:60"],
		],
		["sky_obstruction_config", "F", ["90:180:10", "1:2:3_4:5:6"], ["90:180"]],
		["terrain_based_horizon_coverage", "F", ["true", "0"], ["maybe"]],
		["installation_height", "F", ["0", "200"], ["201"]],
		["second_array_slope", "F", ["0", "90"], ["91"]],
		["second_array_orientation", "F", ["0", "360"], ["361"]],
		["second_array_ground_coverage_ratio", "F", ["0", "1"], ["2"]],
		["second_array_power_kw", "F", ["0", "99"], ["-1"]],
		["inverter_clip_max_threshold_percent", "F", ["10", "200"], ["9", "201"]],
		["inverter_clip_min_threshold_percent", "F", ["0", "25"], ["26"]],
		["snow_slide_coefficient", "F", ["0", "1"], ["1.1"]],
		["pv_power_kw", "YF", ["0", "1000"], ["-1"]],
		["yearly_energy_consumption", "F", ["0"], ["-1"]],
		["yearly_heat_pump_consumption", "F", ["0"], ["-1"]],
		["yearly_base_consumption", "F", ["0"], ["-1"]],
		["battery_capacity", "F", ["0"], ["-1"]],
		["air_cool_config", "F", ["", "000011110000"], ["0000", "000011110002"]],
		["air_cool_temperature_threshold", "F", ["16", "30"], ["15", "31"]],
		["air_cool_peak_power", "F", ["0"], ["-1"]],
		["charge_power_ratio", "F", ["0", "2"], ["2.1"]],
		["discharge_power_ratio", "F", ["0", "2"], ["2.1"]],
		["battery_efficiency", "F", ["0.5", "1"], ["0.4", "1.1"]],
		["demand_profile", "F", ["h0", "g5"], ["g6"]],
		["timezone", "HFR", ["utc", "UTC", "Asia/Kathmandu"], ["Mars/Base"]],
		["pv_only", "HFR", ["true", "false"], ["2"]],
		["detailed_losses", "Y", ["true"], ["2"]],
		["enable_soiling_model", "Y", ["false"], ["2"]],
		["soiling_model_config", "Y", ["2:2:0.11:0.5"], ["2:2:0.11"]],
		["use_only_satellite_data", "H", ["true"], ["x"]],
		["clearsky_data", "F", ["true"], ["x"]],
		["nowcast", "F", ["false"], ["x"]],
		["forecast_days", "F", ["0", "14"], ["1.5", "-1"]],
		["past_days", "F", ["0", "99"], ["x"]],
		["start_date", "HR", ["2026-05-31"], ["2026-02-29", "01.06.2026"]],
		["end_date", "H", ["2026-06-03"], ["", "2026-05-01"]],
	];
	const replaced = (query: string, name: string, value: string): string => {
		const parameters = new URLSearchParams(query);
		parameters.set(name, value);
		return parameters.toString();
	};
	for (const [name, initials, good, bad] of bounds)
		it(`checks ${name} on ${initials}`, () => {
			for (const initial of initials) {
				const [endpoint, needed] = ENDPOINTS[initial] as readonly [
					string,
					string,
				];
				const get = (value: string) =>
					world.get(
						`/v1/${endpoint}`,
						replaced(`${PLACE}${needed}`, name, value),
					);
				// A year of rows for each value would add nothing.
				if (!"YS".includes(initial) || initials.length === 1)
					for (const value of good)
						assert.equal(get(value).status, 200, `${endpoint} ${value}`);
				for (const value of bad) {
					const { status, json } = get(value);
					assert.equal(status, 422, `${endpoint} ${value}`);
					assert.ok(
						json.detail.some((p: { loc: string[] }) => p.loc[1] === name),
						`${endpoint} ${value}`,
					);
				}
			}
		});

	it("names every missing parameter, and needs the key", () => {
		const { status, json } = world.get("/v1/history", "slope=91");
		assert.equal(status, 422);
		assert.deepEqual(
			json.detail.map((p: { loc: string[] }) => p.loc[1]),
			[
				"latitude",
				"longitude",
				"slope",
				"orientation",
				"start_date",
				"end_date",
			],
		);
		assert.equal(
			world.send("GET", "/v1/yield/", PLACE, undefined, "no").status,
			401,
		);
		assert.equal(world.send("POST", "/v1/yield/", PLACE).status, 405);
		assert.equal(world.get("/v1/other/", PLACE).status, 404);
	});

	it("ends V1", () => {
		const early = new World(NOW, "free", { gonePaths: ["/v1/"] });
		const late = new World("2027-01-01T00:00:00Z", "free");
		for (const ended of [early, late]) {
			const { status, json } = ended.get("/v1/forecast/", PLACE);
			assert.equal(status, 410);
			assert.match(json.detail, /V2/);
		}
		const last = new World("2026-12-31T23:59:59Z", "free");
		assert.equal(last.get("/v1/forecast/", PLACE).status, 200);
	});
});
