/**
 * The legacy V1 interface as data: every query parameter of its endpoints.
 *
 * Everything here is plain and JSON-serialisable. The checks (`check-parameters.ts`), the
 * editor's form, the help and the move to V2 are made from it. What a parameter
 * means stands in the catalogues of the editor, by its name.
 */

/** The five endpoints and their paths below the base URL. */
export const V1_ENDPOINTS = {
	yield: "/v1/yield/",
	system: "/v1/system/",
	history: "/v1/history/",
	forecast: "/v1/forecast/",
	recent: "/v1/recent/",
} as const;

export type V1Endpoint = keyof typeof V1_ENDPOINTS;

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
	/** A part of the editor's form. */
	readonly group: string;
	readonly type: V1Type;
	/** Absent for values without a unit. */
	readonly unit?: string;
	/** The allowed values of an `enum`. */
	readonly values?: readonly string[];
	/** The notation of a value that has parts. */
	readonly format?: string;
	/** One entry per set of endpoints with the same limits; no endpoint twice. */
	readonly limits: readonly V1Limits[];
	readonly v2: V2Place;
}

/** Where a parameter goes in V2; `note` is the key of what the move says of it. */
export type V2Place =
	/** A field of the site itself. */
	| { readonly to: "site" }
	/** A field of the first or second string that a set makes. */
	| {
			readonly to: "string";
			readonly array: 1 | 2;
			readonly field: "slope" | "orientation" | "power_kw" | "gcr";
	  }
	/** A field of the site-wide config; without one, those that the value holds. */
	| {
			readonly to: "config";
			readonly group: string;
			readonly field?: string;
			readonly note: string;
	  }
	/** No counterpart. */
	| { readonly to: "none"; readonly note: string };

/** One string of the site; angles in degrees (0 north, 90 east), power in kW. */
export interface MovedString {
	slope: number;
	orientation: number;
	power_kw: number;
	gcr?: number;
}

export type MovedConfig = Record<string, Record<string, V1Value>>;

/** What `POST /v2/sites` takes (V2 description, "POST /v2/sites"). */
interface MovedSite {
	latitude: number;
	longitude: number;
	name?: string;
	strings: MovedString[];
	/** Holds only what was set; absent when nothing was. */
	config?: MovedConfig;
}

/**
 * What became of one parameter: `carried` is in the site; `default` was not set
 * and follows V2's system default; `none` has no place in a V2 site.
 */
export interface MoveEntry {
	parameter: string;
	/** As read; for an unset one the V1 default when it is carried, else null. */
	value: V1Value | null;
	result: "carried" | "default" | "none";
	note: string;
	/** Index of the set it belongs to, when there are several. */
	set?: number;
}

export interface V1Move {
	site: MovedSite;
	report: MoveEntry[];
}

/**
 * Every parameter once, grouped as in the form; queries keep this order. Source: the
 * parameter tables of the V1 interface description; of `v2`, the V2 description.
 */
export const V1_PARAMETERS: readonly V1Parameter[] = Object.entries(
	require("./parameter-table.json") as Record<
		string,
		Omit<V1Parameter, "name">
	>,
).map(([name, parameter]) => ({ name, ...parameter }));

/** The parts of the editor's form, in its order. */
export const V1_GROUPS = [...new Set(V1_PARAMETERS.map((it) => it.group))];

/** The parameter of that name; undefined when V1 has none. */
export const v1Parameter = (name: string): V1Parameter | undefined =>
	V1_PARAMETERS.find((it) => it.name === name);

/** The limits of a parameter on one endpoint; undefined when it is not taken there. */
export const v1Limits = (
	parameter: V1Parameter | undefined,
	endpoint: V1Endpoint,
): V1Limits | undefined =>
	parameter?.limits.find((it) => it.endpoints.includes(endpoint));
