/** Where each V1 parameter goes in V2, as one table. */

import { DAY_MS } from "../util/time";
import { readTracker } from "./parameter-values";
import type { V1ParameterName, V1Value } from "./parameters";

/** One string of the site; angles in degrees (0 north, 90 east), power in kW. */
export interface MovedString {
	slope: number;
	orientation: number;
	power_kw: number;
	gcr?: number;
}

export type ConfigGroup =
	| "modules"
	| "mounting"
	| "inverter"
	| "losses"
	| "shading"
	| "tracking";

export type Destination =
	/** A field of the site itself. */
	| { to: "site" }
	/** A field of the first or second string that a set makes. */
	| { to: "string"; array: 1 | 2; field: keyof MovedString }
	/** Leaves of the site-wide config, none for a value that means "nothing". */
	| {
			to: "config";
			group: ConfigGroup;
			leaves: (value: V1Value, nowMs: number) => Record<string, V1Value>;
			note: (value: V1Value, nowMs: number) => string;
	  }
	/** No counterpart; `note` says what takes its place. */
	| { to: "none"; note: string | ((value: V1Value) => string) };

const YEAR_MS = 365.25 * DAY_MS;

/** The year (UTC) in which modules of that age were installed. */
function installationYear(ageYears: V1Value, nowMs: number): number {
	const age = Number(ageYears);
	// Whole years by the calendar, so that leap days cannot shift them.
	const now = new Date(nowMs);
	const whole = Math.floor(age);
	return new Date(
		Date.UTC(now.getUTCFullYear() - whole, now.getUTCMonth(), 1) +
			(now.getUTCDate() - 1) * DAY_MS -
			(age - whole) * YEAR_MS,
	).getUTCFullYear();
}

/** The `include` groups in which V2 shows what a V1 column held. */
const INCLUDE_BY_COLUMN: Readonly<Record<string, string>> = {
	dtm: "default",
	spec_watts: "default",
	pv_watts: "default",
	ghi: "irradiance",
	dhi: "irradiance",
	bni: "irradiance",
	temp: "weather",
	weather_code: "weather",
	spec_watts_clearsky: "clearsky",
	pv_watts_clearsky: "clearsky",
	gti: "strings",
	gti_shaded: "strings",
};

function includeFor(columns: V1Value): string {
	const names = String(columns).split(",");
	const groupOf = (name: string) => {
		const column = name.toLowerCase();
		return Object.hasOwn(INCLUDE_BY_COLUMN, column)
			? INCLUDE_BY_COLUMN[column]
			: undefined;
	};
	const groups = [...new Set(names.map(groupOf))].filter(
		(it) => it !== undefined,
	);
	const unknown = names.filter((it) => groupOf(it) === undefined);
	return [
		groups.length > 0
			? `use the include groups ${groups.join(", ")}`
			: "V2 has include groups instead of columns",
		...(unknown.length > 0
			? [`no V2 group is known for ${unknown.join(", ")}`]
			: []),
	].join("; ");
}

const HOUSEHOLD: Destination = {
	to: "none",
	note: "V2 does not simulate household, air cooling or battery",
};
const SOILING: Destination = { to: "none", note: "V2 has no soiling model" };
const NEAR_FIELD: Destination = {
	to: "none",
	note: "V2 keeps near-field shading per string in a form that is not published; enter it in the web app",
};
const PERIOD: Destination = {
	to: "none",
	note: "not part of a site: startDate and endDate of the history node",
};

/** A leaf that holds the V1 value unchanged. */
function leaf(group: ConfigGroup, field: string, remark?: string): Destination {
	return {
		to: "config",
		group,
		leaves: (value) => (value === "" ? {} : { [field]: value }),
		note: () =>
			`config.${group}.${field}${remark === undefined ? "" : `; ${remark}`}`,
	};
}

const TRACKER_TYPES = ["fixed", "single_axis", "dual_axis"] as const;

/** Where every V1 parameter goes; complete by its type. */
export const DESTINATIONS: Record<V1ParameterName, Destination> = {
	latitude: { to: "site" },
	longitude: { to: "site" },
	elevation: {
		to: "none",
		note: "V2 finds the elevation from the coordinates",
	},

	slope: { to: "string", array: 1, field: "slope" },
	orientation: { to: "string", array: 1, field: "orientation" },
	pv_power_kw: { to: "string", array: 1, field: "power_kw" },
	pv_technology_type: leaf("modules", "technology"),
	temperature_coefficient_power: leaf(
		"modules",
		"temperature_coefficient",
		"in %/°C as in V1",
	),
	panel_age_years: {
		to: "config",
		group: "modules",
		leaves: (age, nowMs) => ({
			installation_year: installationYear(age, nowMs),
		}),
		note: (age, nowMs) =>
			`config.modules.installation_year ${installationYear(age, nowMs)}: the year ${age} years before today; correct it if you know better`,
	},
	mounting_type: leaf("mounting", "type"),
	installation_height: leaf("mounting", "height_above_ground", "in m"),

	cable_loss_rate: leaf("losses", "cable", "a fraction as in V1"),
	conversion_loss_rate: leaf("losses", "conversion", "a fraction as in V1"),
	inverter_clip_max_threshold_percent: leaf("inverter", "clip_max_percent"),
	inverter_clip_min_threshold_percent: leaf("inverter", "clip_min_percent"),
	ground_albedo: leaf("losses", "albedo"),
	snow_slide_coefficient: leaf("losses", "snow_slide"),
	diffuse_radiation_model: leaf("losses", "diffuse_model"),
	enable_soiling_model: SOILING,
	soiling_model_config: SOILING,

	ground_coverage_ratio: { to: "string", array: 1, field: "gcr" },
	sky_obstruction_config: leaf(
		"shading",
		"sky_obstruction",
		"in V1's notation; V2's is not published, so check it in the web app",
	),
	terrain_based_horizon_coverage: leaf("shading", "use_terrain_horizon"),
	shading_config: NEAR_FIELD,

	tracker_system_type: {
		to: "config",
		group: "tracking",
		leaves: (type) => ({ type: TRACKER_TYPES[Number(type)] ?? "fixed" }),
		note: (type) => `config.tracking.type ${TRACKER_TYPES[Number(type)]}`,
	},
	single_axis_tracker_config: {
		to: "config",
		group: "tracking",
		leaves: (text) => ({ ...readTracker(text) }),
		note: () =>
			"config.tracking.axis_azimuth, axis_tilt, max_angle, backtracking",
	},

	second_array_slope: { to: "string", array: 2, field: "slope" },
	second_array_orientation: { to: "string", array: 2, field: "orientation" },
	second_array_power_kw: { to: "string", array: 2, field: "power_kw" },
	second_array_ground_coverage_ratio: { to: "string", array: 2, field: "gcr" },
	second_array_shading_config: NEAR_FIELD,

	yearly_energy_consumption: HOUSEHOLD,
	yearly_heat_pump_consumption: HOUSEHOLD,
	yearly_base_consumption: HOUSEHOLD,
	demand_profile: HOUSEHOLD,
	air_cool_config: HOUSEHOLD,
	air_cool_temperature_threshold: HOUSEHOLD,
	air_cool_peak_power: HOUSEHOLD,
	battery_capacity: HOUSEHOLD,
	charge_power_ratio: HOUSEHOLD,
	discharge_power_ratio: HOUSEHOLD,
	battery_efficiency: HOUSEHOLD,

	start_date: PERIOD,
	end_date: PERIOD,
	forecast_days: {
		to: "none",
		note: "not part of a site: forecastDays of the forecast node, which counts the days after today (0 to 7)",
	},
	past_days: {
		to: "none",
		note: "not part of a site: pastDays of the forecast node (0 to 30)",
	},
	required_data: {
		to: "none",
		note: (columns) =>
			`not part of a site: in the forecast or history node ${includeFor(columns)}`,
	},
	timezone: {
		to: "none",
		note: (zone) =>
			`not part of a site: timezone of the forecast or history node, ${String(zone).toLowerCase() === "utc" ? "utc" : "local for the site's own zone, else utc"}`,
	},
	pv_only: { to: "none", note: "V2 returns PV data only" },
	detailed_losses: { to: "none", note: "V2 does not break losses down" },
	use_only_satellite_data: {
		to: "none",
		note: "V2 does not let the source of irradiance be chosen",
	},
	clearsky_data: {
		to: "none",
		note: "not part of a site: the include group clearsky of the forecast node",
	},
	nowcast: { to: "none", note: "V2 does not let nowcast be switched" },
};
