import tzLookup from "@photostructure/tz-lookup";
import { hash, noise2 } from "./noise";
import { SunOverPlace } from "./sun";
import { WeatherCourse } from "./weather";

/** One point on the ground with its sun and weather. */
export class Place {
	readonly sun: SunOverPlace;
	readonly weather: WeatherCourse;
	/** Metres above sea level. */
	readonly elevation: number;
	readonly seed: number;

	constructor(
		readonly latitude: number,
		readonly longitude: number,
		elevation?: number,
	) {
		this.seed = seedOf(latitude, longitude);
		this.elevation = elevation ?? terrainElevation(latitude, longitude);
		this.sun = new SunOverPlace(latitude, longitude, this.elevation, this.seed);
		this.weather = new WeatherCourse(
			latitude,
			longitude,
			this.elevation,
			this.seed,
		);
	}
}

/** Places by coordinates, so that sites and inline calls at one point share what was computed. */
export class Places {
	readonly #places = new Map<string, Place>();

	at(latitude: number, longitude: number, elevation?: number): Place {
		const key = `${latitude},${longitude},${elevation ?? ""}`;
		let place = this.#places.get(key);
		if (place === undefined) {
			if (this.#places.size >= 64) this.#places.clear();
			place = new Place(latitude, longitude, elevation);
			this.#places.set(key, place);
		}
		return place;
	}
}

/** IANA zone of a point. */
export function timezoneOf(latitude: number, longitude: number): string {
	return tzLookup(latitude, longitude);
}

/** A made-up, smooth terrain: metres above sea level to one decimal. */
function terrainElevation(latitude: number, longitude: number): number {
	const hills = noise2(7, latitude * 2, longitude * 2);
	const land = noise2(8, latitude / 6, longitude / 6);
	return Math.round((20 + 380 * land ** 2 + 260 * hills ** 2 * land) * 10) / 10;
}

function seedOf(latitude: number, longitude: number): number {
	return hash(
		hash(1, Math.round(latitude * 10_000)),
		Math.round(longitude * 10_000),
	);
}
