import { dateDay } from "../../util/timestamp";
import { isZoneName } from "../../util/zone-name";
import { type InvalidField, unprocessable } from "../answers/http-error";

export type EndpointName =
	| "yield"
	| "system"
	| "history"
	| "forecast"
	| "recent";

type Value = number | boolean | string;

/** Reads text into a value, or says what it should have been. */
type Reader = (text: string) => Value | Complaint;

class Complaint {
	constructor(readonly msg: string) {}
}

/** One line of the spec's tables. */
interface Rule {
	readonly name: string;
	/** Initials of the endpoints that take it. */
	readonly on: string;
	readonly read: Reader;
	/** Absent = required. */
	readonly preset?: Value;
}

const INITIALS: Readonly<Record<EndpointName, string>> = {
	yield: "Y",
	system: "S",
	history: "H",
	forecast: "F",
	recent: "R",
};

const number =
	(min: number, max = Number.POSITIVE_INFINITY): Reader =>
	(text) => {
		const value = text.trim() === "" ? Number.NaN : Number(text);
		if (!Number.isFinite(value))
			return new Complaint("Input should be a valid number");
		return value >= min && value <= max
			? value
			: new Complaint(
					max === Number.POSITIVE_INFINITY
						? `Input should be at least ${min}`
						: `Input should be between ${min} and ${max}`,
				);
	};

const integer =
	(min: number, max: number): Reader =>
	(text) =>
		/^-?\d+$/.test(text)
			? number(min, max)(text)
			: new Complaint("Input should be a valid integer");

const boolean: Reader = (text) => {
	const value = text.toLowerCase();
	if (["true", "1", "yes", "on"].includes(value)) return true;
	if (["false", "0", "no", "off"].includes(value)) return false;
	return new Complaint("Input should be a valid boolean");
};

const oneOf =
	(...names: readonly string[]): Reader =>
	(text) =>
		names.includes(text)
			? text
			: new Complaint(`Input should be one of ${names.join(", ")}`);

const text: Reader = (value) => value;

/** Empty, or of a form. */
const form =
	(pattern: RegExp, name: string): Reader =>
	(value) =>
		value === "" || pattern.test(value)
			? value
			: new Complaint(`Input should have the form ${name}`);

const date: Reader = (value) =>
	Number.isNaN(dateDay(value))
		? new Complaint("Input should be a date, YYYY-MM-DD")
		: value;

const optionalDate: Reader = (value) => (value === "" ? value : date(value));

const zone: Reader = (value) =>
	value.toLowerCase() === "utc" || isZoneName(value)
		? value
		: new Complaint("Input should be utc or an IANA time zone");

const ALL = "YSHFR";
const SYSTEM = "SHFR";
const SERIES = "HFR";
const NUMBER = String.raw`-?\d+(\.\d+)?`;

const RULES: readonly Rule[] = [
	{ name: "latitude", on: "YSHR", read: number(-56.02, 65) },
	{ name: "latitude", on: "F", read: number(-89.99, 89.99) },
	{ name: "longitude", on: "YSH", read: number(-150, 180) },
	{ name: "longitude", on: "R", read: number(-60, 60) },
	{ name: "longitude", on: "F", read: number(-179.99, 179.99) },
	{ name: "slope", on: ALL, read: number(0, 90) },
	{ name: "orientation", on: ALL, read: number(0, 360) },
	{ name: "start_date", on: "H", read: date },
	{ name: "end_date", on: "H", read: date },
	{ name: "start_date", on: "R", read: date, preset: "2025-01-01" },
	{ name: "end_date", on: "R", read: optionalDate, preset: "" },
	{ name: "forecast_days", on: "F", read: integer(0, 1e6), preset: 7 },
	{ name: "past_days", on: "F", read: integer(0, 1e6), preset: 0 },

	{ name: "elevation", on: ALL, read: number(-999, 4500), preset: -999 },
	{
		name: "temperature_coefficient_power",
		on: ALL,
		read: number(-0.5, -0.2),
		preset: -0.35,
	},
	{
		name: "mounting_type",
		on: ALL,
		read: oneOf("open", "mix", "isol"),
		preset: "open",
	},
	{ name: "panel_age_years", on: ALL, read: number(0, 50), preset: 0 },
	{ name: "ground_albedo", on: ALL, read: number(0, 1), preset: 0.15 },
	{ name: "cable_loss_rate", on: ALL, read: number(0, 0.1), preset: 0.015 },
	{
		name: "conversion_loss_rate",
		on: ALL,
		read: number(0, 0.1),
		preset: 0.025,
	},
	{ name: "ground_coverage_ratio", on: ALL, read: number(0, 1), preset: 0 },
	{ name: "tracker_system_type", on: ALL, read: integer(0, 2), preset: 0 },
	{
		name: "single_axis_tracker_config",
		on: ALL,
		read: form(
			new RegExp(`^(${NUMBER}:){3}(true|false|t|f|1|0)$`, "i"),
			"axis_azimuth:axis_tilt:max_angle:backtracking",
		),
		preset: "",
	},
	{
		name: "sky_obstruction_config",
		on: ALL,
		read: form(
			new RegExp(`^${NUMBER}:${NUMBER}:${NUMBER}`),
			"azimuth_start:azimuth_end:elevation",
		),
		preset: "",
	},
	{
		name: "terrain_based_horizon_coverage",
		on: ALL,
		read: boolean,
		preset: false,
	},
	{ name: "installation_height", on: ALL, read: number(0, 200), preset: 0 },
	{ name: "shading_config", on: ALL, read: text, preset: "" },
	{ name: "second_array_slope", on: ALL, read: number(0, 90), preset: 0 },
	{
		name: "second_array_orientation",
		on: ALL,
		read: number(0, 360),
		preset: 0,
	},
	{
		name: "second_array_ground_coverage_ratio",
		on: ALL,
		read: number(0, 1),
		preset: 0,
	},
	{ name: "second_array_shading_config", on: ALL, read: text, preset: "" },
	{ name: "second_array_power_kw", on: ALL, read: number(0), preset: 0 },
	{
		name: "pv_technology_type",
		on: ALL,
		read: oneOf("monosi", "multisi", "cdte", "perc", "topcon"),
		preset: "perc",
	},
	{
		name: "diffuse_radiation_model",
		on: ALL,
		read: oneOf("haydavies", "perez"),
		preset: "perez",
	},
	{
		name: "inverter_clip_max_threshold_percent",
		on: ALL,
		read: number(10, 200),
		preset: 120,
	},
	{
		name: "inverter_clip_min_threshold_percent",
		on: ALL,
		read: number(0, 25),
		preset: 0.1,
	},
	{ name: "snow_slide_coefficient", on: ALL, read: number(0, 1), preset: 0.3 },

	{ name: "pv_power_kw", on: SYSTEM, read: number(0), preset: 10 },
	{ name: "pv_power_kw", on: "Y", read: number(0), preset: 0 },
	{ name: "yearly_energy_consumption", on: SYSTEM, read: number(0), preset: 4 },
	{
		name: "yearly_heat_pump_consumption",
		on: SYSTEM,
		read: number(0),
		preset: 5,
	},
	{ name: "yearly_base_consumption", on: SYSTEM, read: number(0), preset: 0 },
	{ name: "battery_capacity", on: SYSTEM, read: number(0), preset: 10 },
	{
		name: "air_cool_config",
		on: SYSTEM,
		read: form(/^[01]{12}$/, "of 12 digits, each 0 or 1"),
		preset: "",
	},
	{
		name: "air_cool_temperature_threshold",
		on: SYSTEM,
		read: number(16, 30),
		preset: 21,
	},
	{ name: "air_cool_peak_power", on: SYSTEM, read: number(0), preset: 1 },
	{ name: "charge_power_ratio", on: SYSTEM, read: number(0, 2), preset: 0.5 },
	{
		name: "discharge_power_ratio",
		on: SYSTEM,
		read: number(0, 2),
		preset: 0.5,
	},
	{
		name: "battery_efficiency",
		on: SYSTEM,
		read: number(0.5, 1),
		preset: 0.94,
	},
	{
		name: "demand_profile",
		on: SYSTEM,
		read: oneOf("h0", "h0_dyn", "g0", "g1", "g2", "g3", "g4", "g5"),
		preset: "h0_dyn",
	},

	{
		name: "required_data",
		on: SERIES,
		read: text,
		preset: "GHI,DHI,BNI,spec_watts,temp,weather_code",
	},
	{ name: "timezone", on: SERIES, read: zone, preset: "utc" },
	{ name: "pv_only", on: SERIES, read: boolean, preset: true },

	{ name: "detailed_losses", on: "Y", read: boolean, preset: false },
	{ name: "enable_soiling_model", on: "Y", read: boolean, preset: false },
	{
		name: "soiling_model_config",
		on: "Y",
		read: form(
			new RegExp(`^(${NUMBER}:){3}${NUMBER}$`),
			"cleaning_threshold_hours:cleaning_threshold:v_25:v_10",
		),
		preset: "2:2:0.11:0.5",
	},
	{ name: "use_only_satellite_data", on: "H", read: boolean, preset: true },
	{ name: "clearsky_data", on: "F", read: boolean, preset: false },
	{ name: "nowcast", on: "F", read: boolean, preset: true },
];

/** The parameters of one V1 request, checked and with defaults filled in. */
export class V1Parameters {
	private constructor(private readonly values: ReadonlyMap<string, Value>) {}

	/**
	 * Checks a query against the spec's tables; 422 names every bad parameter.
	 * Parameters that the endpoint does not take are ignored.
	 */
	static read(endpoint: EndpointName, query: URLSearchParams): V1Parameters {
		const values = new Map<string, Value>();
		const problems: InvalidField[] = [];
		for (const { name, on, read, preset } of RULES) {
			if (!on.includes(INITIALS[endpoint])) continue;
			const given = query.get(name);
			const value =
				given === null
					? (preset ?? new Complaint("Field required"))
					: read(given);
			if (value instanceof Complaint)
				problems.push({ loc: ["query", name], msg: value.msg });
			else values.set(name, value);
		}
		if (problems.length > 0) throw unprocessable(problems);
		return new V1Parameters(values);
	}

	number(name: string): number {
		return this.values.get(name) as number;
	}

	text(name: string): string {
		return this.values.get(name) as string;
	}

	/** False for what the endpoint does not take. */
	flag(name: string): boolean {
		return this.values.get(name) === true;
	}
}
