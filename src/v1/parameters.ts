/**
 * The legacy V1 interface as data: every query parameter of its endpoints.
 *
 * Everything here is plain and JSON-serialisable. The checks (`check-parameters.ts`), the
 * editor's form, the help and the move to V2 are made from it. What a parameter
 * means stands in the catalogues of the editor, by its name.
 */
import type { V1Endpoint } from "./endpoints";

export { V1_ENDPOINTS, type V1Endpoint } from "./endpoints";

/** What a parameter can hold once it is read. */
export type V1Value = number | boolean | string;

/** How a value is written and checked; one reader per type in `parameter-values.ts`. */
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

type V1Group = (typeof V1_GROUPS)[number];

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
	},
	{
		name: "elevation",
		group: "location",
		type: "number",
		unit: "m",
		limits: [{ endpoints: ALL, min: -999, max: 4500, default: -999 }],
	},
	{
		name: "slope",
		group: "modules",
		type: "number",
		unit: "degrees",
		limits: [{ endpoints: ALL, required: true, min: 0, max: 90 }],
	},
	{
		name: "orientation",
		group: "modules",
		type: "azimuth",
		unit: "degrees",
		limits: [{ endpoints: ALL, required: true, min: 0, max: 360 }],
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
	},
	{
		name: "pv_technology_type",
		group: "modules",
		type: "enum",
		values: ["monosi", "multisi", "cdte", "perc", "topcon"],
		limits: [{ endpoints: ALL, default: "perc" }],
	},
	{
		name: "temperature_coefficient_power",
		group: "modules",
		type: "number",
		unit: "%/°C",
		limits: [{ endpoints: ALL, min: -0.5, max: -0.2, default: -0.35 }],
	},
	{
		name: "panel_age_years",
		group: "modules",
		type: "number",
		unit: "years",
		limits: [{ endpoints: ALL, min: 0, max: 50, default: 0 }],
	},
	{
		name: "mounting_type",
		group: "modules",
		type: "enum",
		values: ["open", "mix", "isol"],
		limits: [{ endpoints: ALL, default: "open" }],
	},
	{
		name: "installation_height",
		group: "modules",
		type: "number",
		unit: "m",
		limits: [{ endpoints: ALL, min: 0, max: 200, default: 0 }],
	},
	{
		name: "cable_loss_rate",
		group: "losses",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 0.1, default: 0.015 }],
	},
	{
		name: "conversion_loss_rate",
		group: "losses",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 0.1, default: 0.025 }],
	},
	{
		name: "inverter_clip_max_threshold_percent",
		group: "losses",
		type: "number",
		unit: "%",
		limits: [{ endpoints: ALL, min: 10, max: 200, default: 120 }],
	},
	{
		name: "inverter_clip_min_threshold_percent",
		group: "losses",
		type: "number",
		unit: "%",
		limits: [{ endpoints: ALL, min: 0, max: 25, default: 0.1 }],
	},
	{
		name: "ground_albedo",
		group: "losses",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 1, default: 0.15 }],
	},
	{
		name: "snow_slide_coefficient",
		group: "losses",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 1, default: 0.3 }],
	},
	{
		name: "diffuse_radiation_model",
		group: "losses",
		type: "enum",
		values: ["haydavies", "perez"],
		limits: [{ endpoints: ALL, default: "perez" }],
	},
	{
		name: "enable_soiling_model",
		group: "losses",
		type: "boolean",
		limits: [{ endpoints: ["yield"], default: false }],
	},
	{
		name: "soiling_model_config",
		group: "losses",
		type: "soiling",
		format: "cleaning_threshold_hours:cleaning_threshold:v_25:v_10",
		limits: [{ endpoints: ["yield"], default: "2:2:0.11:0.5" }],
	},
	{
		name: "ground_coverage_ratio",
		group: "shading",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 1, default: 0 }],
	},
	{
		name: "sky_obstruction_config",
		group: "shading",
		type: "obstructions",
		format: "azimuth_start:azimuth_end:elevation",
		limits: [{ endpoints: ALL, default: "" }],
	},
	{
		name: "terrain_based_horizon_coverage",
		group: "shading",
		type: "boolean",
		limits: [{ endpoints: ALL, default: false }],
	},
	{
		name: "shading_config",
		group: "shading",
		type: "text",
		limits: [{ endpoints: ALL, default: "" }],
	},
	{
		name: "tracker_system_type",
		group: "tracking",
		type: "integer",
		limits: [{ endpoints: ALL, min: 0, max: 2, default: 0 }],
	},
	{
		name: "single_axis_tracker_config",
		group: "tracking",
		type: "tracker",
		format: "axis_azimuth:axis_tilt:max_angle:backtracking",
		limits: [{ endpoints: ALL, default: "" }],
	},
	{
		name: "second_array_slope",
		group: "second_array",
		type: "number",
		unit: "degrees",
		limits: [{ endpoints: ALL, min: 0, max: 90, default: 0 }],
	},
	{
		name: "second_array_orientation",
		group: "second_array",
		type: "azimuth",
		unit: "degrees",
		limits: [{ endpoints: ALL, min: 0, max: 360, default: 0 }],
	},
	{
		name: "second_array_power_kw",
		group: "second_array",
		type: "number",
		unit: "kW",
		limits: [{ endpoints: ALL, min: 0, default: 0 }],
	},
	{
		name: "second_array_ground_coverage_ratio",
		group: "second_array",
		type: "number",
		limits: [{ endpoints: ALL, min: 0, max: 1, default: 0 }],
	},
	{
		name: "second_array_shading_config",
		group: "second_array",
		type: "text",
		limits: [{ endpoints: ALL, default: "" }],
	},
	{
		name: "yearly_energy_consumption",
		group: "household",
		type: "number",
		unit: "MWh",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 4 }],
	},
	{
		name: "yearly_heat_pump_consumption",
		group: "household",
		type: "number",
		unit: "MWh",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 5 }],
	},
	{
		name: "yearly_base_consumption",
		group: "household",
		type: "number",
		unit: "MWh",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 0 }],
	},
	{
		name: "demand_profile",
		group: "household",
		type: "enum",
		values: ["h0", "h0_dyn", "g0", "g1", "g2", "g3", "g4", "g5"],
		limits: [{ endpoints: NOT_YIELD, default: "h0_dyn" }],
	},
	{
		name: "air_cool_config",
		group: "household",
		type: "months",
		limits: [{ endpoints: NOT_YIELD, default: "" }],
	},
	{
		name: "air_cool_temperature_threshold",
		group: "household",
		type: "number",
		unit: "°C",
		limits: [{ endpoints: NOT_YIELD, min: 16, max: 30, default: 21 }],
	},
	{
		name: "air_cool_peak_power",
		group: "household",
		type: "number",
		unit: "kW",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 1 }],
	},
	{
		name: "battery_capacity",
		group: "household",
		type: "number",
		unit: "kWh",
		limits: [{ endpoints: NOT_YIELD, min: 0, default: 10 }],
	},
	{
		name: "charge_power_ratio",
		group: "household",
		type: "number",
		unit: "C-rate",
		limits: [{ endpoints: NOT_YIELD, min: 0, max: 2, default: 0.5 }],
	},
	{
		name: "discharge_power_ratio",
		group: "household",
		type: "number",
		unit: "C-rate",
		limits: [{ endpoints: NOT_YIELD, min: 0, max: 2, default: 0.5 }],
	},
	{
		name: "battery_efficiency",
		group: "household",
		type: "number",
		limits: [{ endpoints: NOT_YIELD, min: 0.5, max: 1, default: 0.94 }],
	},
	{
		name: "start_date",
		group: "output",
		type: "date",
		limits: [
			{ endpoints: ["history"], required: true },
			{ endpoints: ["recent"], default: "2025-01-01" },
		],
	},
	{
		name: "end_date",
		group: "output",
		type: "date",
		limits: [
			{ endpoints: ["history"], required: true },
			{ endpoints: ["recent"], default: "" },
		],
	},
	{
		name: "forecast_days",
		group: "output",
		type: "integer",
		unit: "days",
		limits: [{ endpoints: ["forecast"], default: 7 }],
	},
	{
		name: "past_days",
		group: "output",
		type: "integer",
		unit: "days",
		limits: [{ endpoints: ["forecast"], default: 0 }],
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
	},
	{
		name: "timezone",
		group: "output",
		type: "timezone",
		limits: [{ endpoints: SERIES, default: "utc" }],
	},
	{
		name: "pv_only",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: SERIES, default: true }],
	},
	{
		name: "detailed_losses",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: ["yield"], default: false }],
	},
	{
		name: "use_only_satellite_data",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: ["history"], default: true }],
	},
	{
		name: "clearsky_data",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: ["forecast"], default: false }],
	},
	{
		name: "nowcast",
		group: "output",
		type: "boolean",
		limits: [{ endpoints: ["forecast"], default: true }],
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
