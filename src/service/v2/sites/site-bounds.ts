/** Bounds of a site's place, degrees north and east (spec V2, "Resources and their fields"). */
export const SITE_BOUNDS = {
	latitude: { least: -90, most: 90 },
	longitude: { least: -180, most: 180 },
} as const;

/** Bounds of a string: angles in degrees, `gcr` as a ratio; `power_kw` is above 0. */
export const STRING_BOUNDS = {
	slope: { least: 0, most: 90 },
	orientation: { least: 0, most: 360 },
	gcr: { least: 0, most: 1 },
} as const;
