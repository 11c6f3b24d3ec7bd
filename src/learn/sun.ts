import { DAY_MS, QUARTER_MS } from "../util/time";

type Suncalc = typeof import("suncalc", { with: {
	"resolution-mode": "import",
}});
/**
 * Loaded with the first position that is asked for: most flows never do. (The
 * package ships CommonJS too, but its types speak of an ES module only.)
 */
const suncalc = () => require("suncalc") as Suncalc;
const QUARTERS = DAY_MS / QUARTER_MS;
/** UTC days kept, of all places together, before the memory is emptied: 16 MB. */
const MOST_DAYS = 20_000;

const known = new Map<string, Float32Array>();

/** Where a site lies, degrees. */
export interface Position {
	readonly latitude: number;
	readonly longitude: number;
}

/**
 * Azimuth (degrees clockwise from north) and elevation (degrees above the
 * horizon) of the sun in the middle of each quarter hour of a UTC day, in turn:
 * `[azimuth 0:00, elevation 0:00, azimuth 0:15, …]`, NaN before it was asked for.
 */
function sunOfDay(
	{ latitude, longitude }: Position,
	utcDay: number,
): Float32Array {
	const key = `${latitude},${longitude},${utcDay}`;
	let track = known.get(key);
	if (!track) {
		track = new Float32Array(2 * QUARTERS).fill(Number.NaN);
		if (known.size >= MOST_DAYS) known.clear();
		known.set(key, track);
	}
	return track;
}

/** A walk through the sun's positions that looks each UTC day up once. */
export class SunTrack {
	readonly #position: Position;
	#day = Number.NaN;
	#track: Float32Array = new Float32Array(0);
	azimuth = 0;
	elevation = 0;

	constructor(position: Position) {
		this.#position = position;
	}

	/** Sets `azimuth` and `elevation` to those of the quarter that begins at `start`, epoch ms. */
	moveTo(start: number): void {
		const day = Math.floor(start / DAY_MS);
		if (day !== this.#day) {
			this.#track = sunOfDay(this.#position, day);
			this.#day = day;
		}
		const quarter = Math.floor((start - day * DAY_MS) / QUARTER_MS);
		// By night nobody asks.
		if (Number.isNaN(this.#track[2 * quarter])) this.#find(quarter);
		this.azimuth = this.#track[2 * quarter] as number;
		this.elevation = this.#track[2 * quarter + 1] as number;
	}

	#find(quarter: number): void {
		const { latitude, longitude } = this.#position;
		const middle = new Date(this.#day * DAY_MS + (quarter + 0.5) * QUARTER_MS);
		const sun = suncalc().getPosition(middle, latitude, longitude);
		this.#track[2 * quarter] = sun.azimuth;
		this.#track[2 * quarter + 1] = sun.altitude;
	}
}
