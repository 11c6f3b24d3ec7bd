/**
 * Where the spec says "not shown", real servers differ. Each switch picks one
 * of the forms that a client has to understand.
 */
export interface Variants {
	/** Shape of the site list: a bare array, or an object with the array under this name. */
	readonly listShape: "array" | "sites" | "items" | "results" | "data";
	/** Name of the site identifier in a site record. */
	readonly idField: "id" | "site_id";
	/** Local timestamps with a UTC offset, or bare local time. UTC ones always end in `Z`. */
	readonly timestamps: "offset" | "naive";
	/** With `timezone=utc` the answer's `timezone` reads "UTC" and days are UTC days. */
	readonly utcZoneName: boolean;
	/** Where an error's text stands. `detail` carries `{loc, msg}` entries for bad parameters, `loc-msg` always does. */
	readonly errorBody:
		| "detail"
		| "message"
		| "error"
		| "error.message"
		| "loc-msg"
		| "html";
	/** Path prefix under which `/{id}/restore` is served. */
	readonly restorePrefix: "/sites" | "/v2/sites";
	/** Create, update, delete and restore answer without a body. */
	readonly emptyWriteBodies: boolean;
	/** Rows of `values` and `strings` come in no order (the same on every answer). */
	readonly shuffledRows: boolean;
	/** Powers are null instead of 0.0 while the sun is down. */
	readonly nullAtNight: boolean;
	/** The default string is added on create even when strings are given. */
	readonly defaultStringAlways: boolean;
	/** Site reads carry `string_index`. */
	readonly siteStringIndex: boolean;
	/** Forecasts of stored sites carry `next_poll_at`. */
	readonly nextPollAt: boolean;
	/** A PATCH with `config` merges leaf by leaf, or replaces what was set before. */
	readonly configPatch: "merge" | "replace";
	/**
	 * First stamp of the first day: `00:00` sends the stamps of each date (so the
	 * first row's quarter belongs to the day before and the last quarter of the
	 * last day is missing), `00:15` sends the quarters of each date.
	 */
	readonly firstRow: "00:00" | "00:15";
	/** Paths that begin so answer 410, as those of an interface that was shut down. */
	readonly gonePaths: readonly string[];
}

export const DEFAULT_VARIANTS: Variants = {
	listShape: "array",
	idField: "id",
	timestamps: "offset",
	utcZoneName: false,
	errorBody: "detail",
	restorePrefix: "/sites",
	emptyWriteBodies: false,
	shuffledRows: false,
	nullAtNight: false,
	defaultStringAlways: false,
	siteStringIndex: true,
	nextPollAt: true,
	configPatch: "merge",
	firstRow: "00:00",
	gonePaths: [],
};
