import assert from "node:assert/strict";
import { LANGUAGES } from "../../src/util/language";
import {
	V1_GROUPS,
	V1_PARAMETERS,
	type V1Endpoint,
	type V1Parameter,
	v1Limits,
} from "../../src/v1/parameters";

/** The tables of the V1 description: name, endpoints, type, bounds, required, default. */
const DESCRIPTION = `
latitude|YSHR|number|-56.02 to 65|required|-
latitude|F|number|-89.99 to 89.99|required|-
longitude|YSH|number|-150 to 180|required|-
longitude|R|number|-60 to 60|required|-
longitude|F|number|-179.99 to 179.99|required|-
slope|YSHFR|number|0 to 90|required|-
orientation|YSHFR|number|0 to 360|required|-
start_date|H|string|-|required|-
end_date|H|string|-|required|-
start_date|R|string|-||2025-01-01
end_date|R|string|-||empty
forecast_days|F|integer|-||7
past_days|F|integer|-||0
elevation|YSHFR|number|-999 to 4500||-999
temperature_coefficient_power|YSHFR|number|-0.5 to -0.2||-0.35
mounting_type|YSHFR|enum:open,mix,isol|-||open
panel_age_years|YSHFR|number|0 to 50||0
ground_albedo|YSHFR|number|0 to 1||0.15
cable_loss_rate|YSHFR|number|0 to 0.1||0.015
conversion_loss_rate|YSHFR|number|0 to 0.1||0.025
ground_coverage_ratio|YSHFR|number|0 to 1||0
tracker_system_type|YSHFR|integer|0 to 2||0
single_axis_tracker_config|YSHFR|string|-||empty
sky_obstruction_config|YSHFR|string|-||empty
terrain_based_horizon_coverage|YSHFR|boolean|-||false
installation_height|YSHFR|number|0 to 200||0
shading_config|YSHFR|string|-||empty
second_array_slope|YSHFR|number|0 to 90||0
second_array_orientation|YSHFR|number|0 to 360||0
second_array_ground_coverage_ratio|YSHFR|number|0 to 1||0
second_array_shading_config|YSHFR|string|-||empty
second_array_power_kw|YSHFR|number|>= 0||0
pv_technology_type|YSHFR|enum:monosi,multisi,cdte,perc,topcon|-||perc
diffuse_radiation_model|YSHFR|enum:haydavies,perez|-||perez
inverter_clip_max_threshold_percent|YSHFR|number|10 to 200||120
inverter_clip_min_threshold_percent|YSHFR|number|0 to 25||0.1
snow_slide_coefficient|YSHFR|number|0 to 1||0.3
pv_power_kw|SHFR|number|>= 0||10
yearly_energy_consumption|SHFR|number|>= 0||4
yearly_heat_pump_consumption|SHFR|number|>= 0||5
yearly_base_consumption|SHFR|number|>= 0||0
battery_capacity|SHFR|number|>= 0||10
air_cool_config|SHFR|string|-||empty
air_cool_temperature_threshold|SHFR|number|16 to 30||21
air_cool_peak_power|SHFR|number|>= 0||1
charge_power_ratio|SHFR|number|0 to 2||0.5
discharge_power_ratio|SHFR|number|0 to 2||0.5
battery_efficiency|SHFR|number|0.5 to 1||0.94
demand_profile|SHFR|enum:h0,h0_dyn,g0,g1,g2,g3,g4,g5|-||h0_dyn
required_data|HFR|string|-||GHI,DHI,BNI,spec_watts,temp,weather_code
timezone|HFR|string|-||utc
pv_only|HFR|boolean|-||true
pv_power_kw|Y|number|>= 0||0
detailed_losses|Y|boolean|-||false
enable_soiling_model|Y|boolean|-||false
soiling_model_config|Y|string|-||2:2:0.11:0.5
use_only_satellite_data|H|boolean|-||true
clearsky_data|F|boolean|-||false
nowcast|F|boolean|-||true
`;

const LETTERS: Record<string, V1Endpoint> = {
	Y: "yield",
	S: "system",
	H: "history",
	F: "forecast",
	R: "recent",
};

/** Types that the description calls strings. */
const TEXTUAL = new Set([
	"date",
	"months",
	"obstructions",
	"tracker",
	"soiling",
	"columns",
	"timezone",
	"text",
]);

function described(parameter: V1Parameter, endpoint: V1Endpoint): string {
	const { type, values } = parameter;
	const limits = v1Limits(parameter, endpoint);
	const { min, max } = limits ?? {};
	const value = limits?.default;
	const bounds =
		min === undefined
			? "-"
			: max === undefined
				? `>= ${min}`
				: `${min} to ${max}`;
	return [
		type === "enum"
			? `enum:${values?.join(",")}`
			: type === "azimuth"
				? "number"
				: TEXTUAL.has(type)
					? "string"
					: type,
		bounds,
		limits?.required ? "required" : "",
		value === undefined ? "-" : value === "" ? "empty" : String(value),
	].join("|");
}

describe("V1 parameter table", () => {
	const lines = DESCRIPTION.trim()
		.split("\n")
		.flatMap((line) => {
			const [name = "", endpoints = "", ...rest] = line.split("|");
			return [...endpoints].map((letter) => ({
				name,
				endpoint: LETTERS[letter] as V1Endpoint,
				text: rest.join("|"),
			}));
		});

	it("says of every parameter and endpoint what the description says", () => {
		for (const { name, endpoint, text } of lines) {
			const parameter = V1_PARAMETERS.find((it) => it.name === name);
			assert.ok(parameter, name);
			assert.equal(described(parameter, endpoint), text, `${name} ${endpoint}`);
		}
	});

	it("holds nothing else, and no endpoint twice", () => {
		const ours = V1_PARAMETERS.flatMap((it) =>
			it.limits.flatMap((limits) =>
				limits.endpoints.map((endpoint) => `${it.name} ${endpoint}`),
			),
		);
		assert.deepEqual(
			ours.sort(),
			lines.map((it) => `${it.name} ${it.endpoint}`).sort(),
		);
		assert.equal(
			new Set(V1_PARAMETERS.map((it) => it.name)).size,
			V1_PARAMETERS.length,
		);
	});

	it("is named in each language, groups and units too", () => {
		for (const language of LANGUAGES) {
			const { parameter, group, unit } = require(
				`../../nodes/v1/locales/${language}.json`,
			)["solar-yield-v1"];
			assert.deepEqual(
				Object.keys(parameter),
				V1_PARAMETERS.map(({ name }) => name),
			);
			assert.deepEqual(Object.keys(group), [...V1_GROUPS]);
			for (const { unit: its = "" } of V1_PARAMETERS)
				if (/^[a-z]{3,}$/.test(its)) assert.ok(unit[its], its);
		}
	});

	it("puts every parameter in one group", () => {
		assert.deepEqual(
			V1_GROUPS.flatMap((group) =>
				V1_PARAMETERS.filter((it) => it.group === group),
			),
			V1_PARAMETERS,
		);
	});
});
