/**
 * Field groups of `include` (spec V2, "GET /v2/forecast/{site_id}", Groups):
 * the fields that each adds to a row of `values`, `strings` and `daily`.
 */
export const GROUPS = {
	default: { values: ["pv_power"], strings: [], daily: [] },
	weather: {
		values: [
			"temp",
			"weather_code",
			"wind_speed",
			"relative_humidity",
			"precipitation_mm",
			"snow_water_equivalent",
		],
		strings: [],
		daily: [],
	},
	irradiance: {
		values: ["ghi", "dhi", "bni"],
		strings: [],
		daily: [],
	},
	clearsky: { values: ["pv_power_clearsky"], strings: [], daily: [] },
	strings: {
		values: [],
		strings: ["pv_power", "gti", "gti_shaded"],
		daily: [],
	},
	variability: {
		values: ["pv_power_min", "pv_power_max"],
		strings: ["pv_power_min", "pv_power_max"],
		daily: ["pv_energy_kwh_min", "pv_energy_kwh_max"],
	},
} as const satisfies Record<
	string,
	Record<"values" | "strings" | "daily", readonly string[]>
>;

export type Group = keyof typeof GROUPS;
export type Block = "values" | "strings" | "daily";

export const GROUP_NAMES = Object.keys(GROUPS) as Group[];
/** What `include=all` stands for: everything but the paid band (spec, Rules 1 to 3). */
export const ALL_GROUPS: readonly Group[] = GROUP_NAMES.filter(
	(name) => name !== "variability",
);

/** Turns a selection with `all` into the groups it stands for, in the table's order. */
export function resolveGroups(include: readonly string[]): Group[] {
	return GROUP_NAMES.filter(
		(name) =>
			include.includes(name) ||
			(include.includes("all") && ALL_GROUPS.includes(name)),
	);
}
