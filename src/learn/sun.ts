import { DAY_MS, QUARTER_MS } from "../util/time";

/** Days kept, of all places together, before the memory is emptied: 24 MB, four months of 1,000 places. */
const MOST_DAYS = 30_000;
/** One day stands for so many: the sun climbs by 1.6° meanwhile at most. */
const DAYS = 4;

/** Quarters of a UTC day. */
export const QUARTERS = DAY_MS / QUARTER_MS;

const known = new Map<string, Float32Array>();

/** Where a site lies, degrees; null where nobody says. */
export interface Position {
	latitude: number | null;
	longitude: number | null;
}

/**
 * Azimuth (degrees clockwise from north) and elevation (degrees above the
 * horizon) of the sun in the middle of each quarter hour of a UTC day, in turn:
 * `[azimuth 0:00, elevation 0:00, azimuth 0:15, …]`. Where the position is not
 * known the hour of the day stands for the sun.
 */
export function sunOfDay({ latitude, longitude }: Position, utcDay: number) {
	const day = utcDay - (utcDay % DAYS);
	const key = `${latitude},${longitude},${day}`;
	let track = known.get(key);
	if (track) return track;
	// Loaded with the first position that is asked for: most flows never do.
	const { getPosition } = require("suncalc");
	track = new Float32Array(2 * QUARTERS);
	for (let at = 0; at < track.length; at += 2) {
		const middle = day * DAY_MS + ((at + 1) / 2) * QUARTER_MS;
		const { azimuth, altitude } =
			latitude === null
				? { azimuth: (360 * at) / track.length, altitude: 0 }
				: getPosition(new Date(middle), latitude, longitude);
		track[at] = azimuth;
		track[at + 1] = Math.max(0, altitude);
	}
	if (known.size >= MOST_DAYS) known.clear();
	known.set(key, track);
	return track;
}
