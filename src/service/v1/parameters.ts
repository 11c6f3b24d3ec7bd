/**
 * The legacy V1 interface as data: every query parameter of its endpoints.
 *
 * Everything here is plain and JSON-serialisable. The checks (`check.ts`), the
 * editor's form, the help and the move to V2 are made from it; texts in other
 * languages are joined by parameter name.
 */
import type { V1Endpoint } from "./endpoints";

export { V1_ENDPOINTS, type V1Endpoint } from "./endpoints";

/** What a parameter can hold once it is read. */
export type V1Value = number | boolean | string;

/** How a value is written and checked; one reader per type in `values.ts`. */
export type V1Type =
	| "number"
	/** Degrees clockwise from north. */
	| "azimuth"
	| "integer"
	| "boolean"
	| "enum"
	/** Calendar date `YYYY-MM-DD`. */
	| "date"
	/** Twelve digits, one per month, each 0 or 1. */
	| "months"
	/** `azimuth_start:azimuth_end:elevation`, several joined by `_`. */
	| "obstructions"
	/** `axis_azimuth:axis_tilt:max_angle:backtracking`. */
	| "tracker"
	/** `cleaning_threshold_hours:cleaning_threshold:v_25:v_10`. */
	| "soiling"
	/** Comma-separated column names. */
	| "columns"
	/** `utc` or an IANA name. */
	| "timezone"
	/** Sent as given. */
	| "text";

/** The parts of the editor's form, in its order. */
export const V1_GROUPS = [
	"location",
	"modules",
	"losses",
	"shading",
	"tracking",
	"second_array",
	"household",
	"output",
] as const;

export type V1Group = (typeof V1_GROUPS)[number];

/** What holds for a parameter on some endpoints. */
export interface V1Limits {
	readonly endpoints: readonly V1Endpoint[];
	readonly required?: true;
	/** Inclusive. */
	readonly min?: number;
	/** Inclusive. */
	readonly max?: number;
	/** What the service uses when nothing is sent; absent when it has none. */
	readonly default?: V1Value;
}

export interface V1Parameter {
	readonly name: string;
	readonly group: V1Group;
	readonly type: V1Type;
	/** Absent for values without a unit. */
	readonly unit?: string;
	/** The allowed values of an `enum`. */
	readonly values?: readonly string[];
	/** The notation of a value that has parts. */
	readonly format?: string;
	/** One entry per set of endpoints with the same limits; no endpoint twice. */
	readonly limits: readonly V1Limits[];
	readonly meaning: string;
}

const ALL = ["yield", "system", "history", "forecast", "recent"] as const;
const NOT_YIELD = ["system", "history", "forecast", "recent"] as const;
const SERIES = ["history", "forecast", "recent"] as const;

const TABLE = [
	{
		name: "latitude",
		group: "location",
		type: "number",
		unit: "degrees",
		limits: [
			{
				endpoints: ["yield", "system", "history", "recent"],
				required: true,
				min: -56.02,
				max: 65,
			},
			{ endpoints: ["forecast"], required: true, min: -89.99, max: 89.99 },
		],
		meaning: "Latitude, north positive",
	},
	{
		name: "longitude",
		group: "location",
		type: "number",
		unit: "degrees",
		limits: [
			{
				endpoints: ["yield", "system", "history"],
				required: true,
				min: -150,
				max: 180,
			},
			{ endpoints: ["recent"], required: true, min: -60, max: 60 },
			{ endpoints: ["forecast"], required: true, min: -179.99, max: 179.99 },
		],
		meaning: "Longitude, east positive",
	},
	{
		name: "elevation",
		group: "location",
		type: "number",
		unit: "m",
		limits: [{ endpoints: ALL, min: -999, max: 4500, default: -999 }],
		meaning: "Height above sea level; -999 takes it from the terrain model",
	},
	{
		name: "slope",
		group: "modules",
		type: "number",
		unit: "degrees",
		limits: [{ endpoints: ALL, required: true, min: 0, max: 90 }],
		meaning: "Tilt of the modules: 0 horizontal, 90 vertical",
	},
	{
		name: "orientation",
		group: "modules",
		type: "azimuth",
		unit: "degrees",
		limits: [{ endpoints: ALL, required: true, min: 0, max: 360 }],
		meaning: "Azimuth of the modules: 0 north, 90 east, 180 south, 270 west",
	},
	{
		name: "pv_power_kw",
		group: "modules",
		type: "number",
		unit: "kW",
		limits: [
			{ endpoints: ["yield"], min: 0, default: 0 },
			{ endpoints: NOT_YIELD, min: 0, default: 10 },
		],
		meaning: "Peak power of the modules",
	},
	{
		name: "pv_technology_type",
		group: "modules",
		type: "enum",
		values: ["monosi", "multisi", "cdte", "perc", "topcon"],
		limits: [{ endpoints: ALL, default: "perc" }],
		meaning: "Cell technology",
	},
	{
		name: "temperature_coefficient_power",
		group: "modules",
		type: "number",
		unit: "%/°C",
		limits: [{ endpoints: ALL, min: -0.5, max: -0.2, default: -0.35 }],
		meaning: "Change of power with cell temperature",
	},
	{
		name: "panel_age_years",
		group: "modules",
		type: "number",
		unit: "years",
		limits: [{ endpoints: ALL, min: 0, max: 50, default: 0 }],
		meaning: "Age of the modules",
	},
	{
		name: "mounting_type",
		group: "modules",
		type: "enum",
		values: ["open", "mix", "isol"],
		limits: [{ endpoints: ALL, default: "open" }],
		meaning:
			"Ventilation: open free-standing, mix partly ventilated, isol integrated in the building",
	},
	{
		name: "installation_height",
		group: "modules",
		type: "number",
		unit: "m",
		limits: [{ endpoints: ALL, min: 0, max: 200, default: 0 }],
		meaning: "Height of the modules above ground",
	},
	{
		name: "cable_loss_rate",
		group: "losses",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 0.1, default: 0.015 }],
		meaning: "Loss in the DC cables, as a fraction",
	},
	{
		name: "conversion_loss_rate",
		group: "losses",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 0.1, default: 0.025 }],
		meaning: "Loss in the inverter, as a fraction",
	},
	{
		name: "inverter_clip_max_threshold_percent",
		group: "losses",
		type: "number",
		unit: "%",
		limits: [{ endpoints: ALL, min: 10, max: 200, default: 120 }],
		meaning: "Highest inverter power, in % of nominal power",
	},
	{
		name: "inverter_clip_min_threshold_percent",
		group: "losses",
		type: "number",
		unit: "%",
		limits: [{ endpoints: ALL, min: 0, max: 25, default: 0.1 }],
		meaning: "Lowest inverter power, in % of nominal power",
	},
	{
		name: "ground_albedo",
		group: "losses",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 1, default: 0.15 }],
		meaning: "Fraction of light that the ground reflects",
	},
	{
		name: "snow_slide_coefficient",
		group: "losses",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 1, default: 0.3 }],
		meaning: "How fast snow slides off: 0 never, 1 at once",
	},
	{
		name: "diffuse_radiation_model",
		group: "losses",
		type: "enum",
		values: ["haydavies", "perez"],
		limits: [{ endpoints: ALL, default: "perez" }],
		meaning: "Model that brings diffuse light onto the module plane",
	},
	{
		name: "enable_soiling_model",
		group: "losses",
		type: "boolean",
		limits: [{ endpoints: ["yield"], default: false }],
		meaning: "Reckon with loss through dirt",
	},
	{
		name: "soiling_model_config",
		group: "losses",
		type: "soiling",
		format: "cleaning_threshold_hours:cleaning_threshold:v_25:v_10",
		limits: [{ endpoints: ["yield"], default: "2:2:0.11:0.5" }],
		meaning: "Settings of the dirt model",
	},
	{
		name: "ground_coverage_ratio",
		group: "shading",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 1, default: 0 }],
		meaning:
			"Module area per ground area, for rows that shade each other; 0 no rows",
	},
	{
		name: "sky_obstruction_config",
		group: "shading",
		type: "obstructions",
		format: "azimuth_start:azimuth_end:elevation",
		limits: [{ endpoints: ALL, default: "" }],
		meaning: "Obstacles on the horizon, in degrees; several joined by _",
	},
	{
		name: "terrain_based_horizon_coverage",
		group: "shading",
		type: "boolean",
		limits: [{ endpoints: ALL, default: false }],
		meaning: "Reckon with the horizon of the terrain model",
	},
	{
		name: "shading_config",
		group: "shading",
		type: "text",
		limits: [{ endpoints: ALL, default: "" }],
		meaning: "Near-field shading matrix, sent as given",
	},
	{
		name: "tracker_system_type",
		group: "tracking",
		type: "integer",
		limits: [{ endpoints: ALL, min: 0, max: 2, default: 0 }],
		meaning: "0 fixed, 1 single-axis tracker, 2 dual-axis tracker",
	},
	{
		name: "single_axis_tracker_config",
		group: "tracking",
		type: "tracker",
		format: "axis_azimuth:axis_tilt:max_angle:backtracking",
		limits: [{ endpoints: ALL, default: "" }],
		meaning: "Axis of a single-axis tracker, in degrees; backtracking T or F",
	},
	{
		name: "second_array_slope",
		group: "second_array",
		type: "number",
		unit: "degrees",
		limits: [{ endpoints: ALL, min: 0, max: 90, default: 0 }],
		meaning: "Tilt of the second array: 0 horizontal, 90 vertical",
	},
	{
		name: "second_array_orientation",
		group: "second_array",
		type: "azimuth",
		unit: "degrees",
		limits: [{ endpoints: ALL, min: 0, max: 360, default: 0 }],
		meaning:
			"Azimuth of the second array: 0 north, 90 east, 180 south, 270 west",
	},
	{
		name: "second_array_power_kw",
		group: "second_array",
		type: "number",
		unit: "kW",
		limits: [{ endpoints: ALL, min: 0, default: 0 }],
		meaning: "Peak power of the second array; 0 no second array",
	},
	{
		name: "second_array_ground_coverage_ratio",
		group: "second_array",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 1, default: 0 }],
		meaning: "Module area per ground area of the second array; 0 no rows",
	},
	{
		name: "second_array_shading_config",
		group: "second_array",
		type: "text",
		limits: [{ endpoints: ALL, default: "" }],
		meaning: "Near-field shading matrix of the second array, sent as given",
	},
	{
		name: "yearly_energy_consumption",
		group: "household",
		type: "number",
		unit: "MWh",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 4 }],
		meaning: "Household consumption per year",
	},
	{
		name: "yearly_heat_pump_consumption",
		group: "household",
		type: "number",
		unit: "MWh",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 5 }],
		meaning: "Heat pump consumption per year",
	},
	{
		name: "yearly_base_consumption",
		group: "household",
		type: "number",
		unit: "MWh",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 0 }],
		meaning: "Constant base load per year",
	},
	{
		name: "demand_profile",
		group: "household",
		type: "enum",
		values: ["h0", "h0_dyn", "g0", "g1", "g2", "g3", "g4", "g5"],
		limits: [{ endpoints: NOT_YIELD, default: "h0_dyn" }],
		meaning: "Load profile of the consumption",
	},
	{
		name: "air_cool_config",
		group: "household",
		type: "months",
		limits: [{ endpoints: NOT_YIELD, default: "" }],
		meaning: "Months with air cooling, January first",
	},
	{
		name: "air_cool_temperature_threshold",
		group: "household",
		type: "number",
		unit: "°C",
		limits: [{ endpoints: NOT_YIELD, min: 16, max: 30, default: 21 }],
		meaning: "Temperature at which air cooling starts",
	},
	{
		name: "air_cool_peak_power",
		group: "household",
		type: "number",
		unit: "kW",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 1 }],
		meaning: "Peak power of the air cooling",
	},
	{
		name: "battery_capacity",
		group: "household",
		type: "number",
		unit: "kWh",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 10 }],
		meaning: "Capacity of the battery",
	},
	{
		name: "charge_power_ratio",
		group: "household",
		type: "number",
		unit: "C-rate",
		limits: [{ endpoints: NOT_YIELD, min: 0, max: 2, default: 0.5 }],
		meaning: "Highest charge power, per capacity",
	},
	{
		name: "discharge_power_ratio",
		group: "household",
		type: "number",
		unit: "C-rate",
		limits: [{ endpoints: NOT_YIELD, min: 0, max: 2, default: 0.5 }],
		meaning: "Highest discharge power, per capacity",
	},
	{
		name: "battery_efficiency",
		group: "household",
		type: "number",
		limits: [{ endpoints: NOT_YIELD, min: 0.5, max: 1, default: 0.94 }],
		meaning: "Round-trip efficiency of the battery, as a fraction",
	},
	{
		name: "start_date",
		group: "output",
		type: "date",
		limits: [
			{ endpoints: ["history"], required: true },
			{ endpoints: ["recent"], default: "2025-01-01" },
		],
		meaning: "First day",
	},
	{
		name: "end_date",
		group: "output",
		type: "date",
		limits: [
			{ endpoints: ["history"], required: true },
			{ endpoints: ["recent"], default: "" },
		],
		meaning: "Last day",
	},
	{
		name: "forecast_days",
		group: "output",
		type: "integer",
		unit: "days",
		limits: [{ endpoints: ["forecast"], default: 7 }],
		meaning: "Days of forecast",
	},
	{
		name: "past_days",
		group: "output",
		type: "integer",
		unit: "days",
		limits: [{ endpoints: ["forecast"], default: 0 }],
		meaning: "Days before today",
	},
	{
		name: "required_data",
		group: "output",
		type: "columns",
		limits: [
			{
				endpoints: SERIES,
				default: "GHI,DHI,BNI,spec_watts,temp,weather_code",
			},
		],
		meaning: "Columns of the answer, comma-separated",
	},
	{
		name: "timezone",
		group: "output",
		type: "timezone",
		limits: [{ endpoints: SERIES, default: "utc" }],
		meaning: "Time zone of the answer's timestamps",
	},
	{
		name: "pv_only",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: SERIES, default: true }],
		meaning: "Only PV data, without battery and consumption",
	},
	{
		name: "detailed_losses",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: ["yield"], default: false }],
		meaning: "Break the losses down",
	},
	{
		name: "use_only_satellite_data",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: ["history"], default: true }],
		meaning: "Only irradiance seen by satellite",
	},
	{
		name: "clearsky_data",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: ["forecast"], default: false }],
		meaning: "Add the values of a cloudless sky",
	},
	{
		name: "nowcast",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: ["forecast"], default: true }],
		meaning: "Improve the next hours by nowcast",
	},
] as const satisfies readonly V1Parameter[];

export type V1ParameterName = (typeof TABLE)[number]["name"];

export type NamedV1Parameter = V1Parameter & { readonly name: V1ParameterName };

/**
 * Every V1 parameter once, grouped as in the form; queries keep this order.
 * Source: the parameter tables of the V1 interface description.
 */
export const V1_PARAMETERS: readonly NamedV1Parameter[] = TABLE;

const BY_NAME: ReadonlyMap<string, NamedV1Parameter> = new Map(
	V1_PARAMETERS.map((it) => [it.name, it]),
);

/** The parameter of that name; undefined when V1 has none. */
export function v1Parameter(name: V1ParameterName): NamedV1Parameter;
export function v1Parameter(name: string): NamedV1Parameter | undefined;
export function v1Parameter(name: string): NamedV1Parameter | undefined {
	return BY_NAME.get(name);
}

/** The limits of a parameter on one endpoint; undefined when it is not taken there. */
export function v1Limits(
	parameter: V1Parameter,
	endpoint: V1Endpoint,
): V1Limits | undefined {
	return parameter.limits.find((it) => it.endpoints.includes(endpoint));
}
