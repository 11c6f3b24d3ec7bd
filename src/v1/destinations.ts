import type { Text } from "../texts/texts";
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
			note: (value: V1Value, nowMs: number) => Text;
	  }
	/** No counterpart; `note` says what takes its place. */
	| { to: "none"; note: Text | ((value: V1Value) => Text) };

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

function includeNote(columns: V1Value): Text {
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
	return {
		key: unknown.length > 0 ? "v1.columns_unknown" : "v1.columns",
		values: {
			use:
				groups.length > 0
					? { key: "v1.use_groups", values: { groups } }
					: { key: "v1.no_groups" },
			unknown,
		},
	};
}

const HOUSEHOLD: Destination = {
	to: "none",
	note: { key: "v1.household" },
};
const SOILING: Destination = { to: "none", note: { key: "v1.soiling" } };
const NEAR_FIELD: Destination = {
	to: "none",
	note: { key: "v1.near_field" },
};
const PERIOD: Destination = {
	to: "none",
	note: { key: "v1.dates" },
};

/** A leaf that holds the V1 value unchanged. */
function leaf(group: ConfigGroup, field: string, key = "v1.leaf"): Destination {
	return {
		to: "config",
		group,
		leaves: (value) => (value === "" ? {} : { [field]: value }),
		note: () => ({ key, values: { group, field } }),
	};
}

const TRACKER_TYPES = ["fixed", "single_axis", "dual_axis"] as const;

/** Where every V1 parameter goes; complete by its type. */
export const DESTINATIONS: Record<V1ParameterName, Destination> = {
	latitude: { to: "site" },
	longitude: { to: "site" },
	elevation: {
		to: "none",
		note: { key: "v1.elevation" },
	},

	slope: { to: "string", array: 1, field: "slope" },
	orientation: { to: "string", array: 1, field: "orientation" },
	pv_power_kw: { to: "string", array: 1, field: "power_kw" },
	pv_technology_type: leaf("modules", "technology"),
	temperature_coefficient_power: leaf(
		"modules",
		"temperature_coefficient",
		"v1.leaf_coefficient",
	),
	panel_age_years: {
		to: "config",
		group: "modules",
		leaves: (age, nowMs) => ({
			installation_year: installationYear(age, nowMs),
		}),
		note: (age, nowMs) => ({
			key: "v1.installation_year",
			values: { year: installationYear(age, nowMs), age: String(age) },
		}),
	},
	mounting_type: leaf("mounting", "type"),
	installation_height: leaf(
		"mounting",
		"height_above_ground",
		"v1.leaf_metres",
	),

	cable_loss_rate: leaf("losses", "cable", "v1.leaf_fraction"),
	conversion_loss_rate: leaf("losses", "conversion", "v1.leaf_fraction"),
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
		"v1.leaf_notation",
	),
	terrain_based_horizon_coverage: leaf("shading", "use_terrain_horizon"),
	shading_config: NEAR_FIELD,

	tracker_system_type: {
		to: "config",
		group: "tracking",
		leaves: (type) => ({ type: TRACKER_TYPES[Number(type)] ?? "fixed" }),
		note: (type) => ({
			key: "v1.tracking",
			values: { type: String(TRACKER_TYPES[Number(type)]) },
		}),
	},
	single_axis_tracker_config: {
		to: "config",
		group: "tracking",
		leaves: (text) => ({ ...readTracker(text) }),
		note: () => ({ key: "v1.tracker" }),
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
		note: { key: "v1.forecast_days" },
	},
	past_days: {
		to: "none",
		note: { key: "v1.past_days" },
	},
	required_data: {
		to: "none",
		note: includeNote,
	},
	timezone: {
		to: "none",
		note: (zone) => ({
			key:
				String(zone).toLowerCase() === "utc"
					? "v1.timezone_utc"
					: "v1.timezone_local",
		}),
	},
	pv_only: { to: "none", note: { key: "v1.pv_only" } },
	detailed_losses: { to: "none", note: { key: "v1.losses" } },
	use_only_satellite_data: {
		to: "none",
		note: { key: "v1.satellite" },
	},
	clearsky_data: {
		to: "none",
		note: { key: "v1.clearsky" },
	},
	nowcast: { to: "none", note: { key: "v1.nowcast" } },
};
