/** Where the service's description is silent, real servers differ: the forms that a client has to understand, and that a test can choose. */
export interface Variants {
	/** The list of sites: a bare array, or an object with the array under this name. */
	readonly listShape: "array" | "sites" | "items" | "results" | "data";
	/** Name of the identifier in a site's record. */
	readonly idField: "id" | "site_id";
	/** Whether string records of a site carry `string_index`. */
	readonly siteStringIndex: boolean;
	/** Path before `/{id}/restore`. */
	readonly restorePrefix: "/sites" | "/v2/sites";
	/** Create, update, delete and restore answer without a body. */
	readonly emptyWriteBodies: boolean;
	/** The default string is added on create even when strings are given. */
	readonly defaultStringAlways: boolean;
	/** A PATCH with `config` merges leaf by leaf, or replaces what was set before. */
	readonly configPatch: "merge" | "replace";
	/** Where an error's text stands. `detail` carries `{loc, msg}` entries for bad parameters, `loc-msg` always. */
	readonly errorBody:
		| "detail"
		| "message"
		| "error"
		| "error.message"
		| "loc-msg"
		| "html";
	/** Local timestamps with a UTC offset, or bare local time. */
	readonly timestamps: "offset" | "naive";
	/** Rows of `values` and `strings` come in no order, the same on every answer. */
	readonly shuffledRows: boolean;
	/** Powers are null instead of 0 while the sun is down. */
	readonly nullAtNight: boolean;
	/** `00:00` sends the stamps of each date (the first row's quarter is of the day before), `00:15` its quarters. */
	readonly firstRow: "00:00" | "00:15";
}

export const DEFAULT_VARIANTS: Variants = {
	listShape: "array",
	idField: "id",
	siteStringIndex: true,
	restorePrefix: "/sites",
	emptyWriteBodies: false,
	defaultStringAlways: false,
	configPatch: "merge",
	errorBody: "detail",
	timestamps: "offset",
	shuffledRows: false,
	nullAtNight: false,
	firstRow: "00:00",
};
