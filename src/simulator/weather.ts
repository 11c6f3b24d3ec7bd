import { DAY_MS, HOUR_MS } from "../util/time";
import { hash, noise, noise2 } from "./chance";

/** The air over a place during a quarter hour. */
export interface Weather {
	/** Cloud cover, 0 to 1. */
	readonly cloud: number;
	/** Air temperature, °C. */
	readonly temp: number;
	/** m/s at 10 m. */
	readonly wind: number;
	/** Relative humidity, %. */
	readonly humidity: number;
	/** mm in the quarter hour, rain and snow together. */
	readonly precipitation: number;
	/** Water in the snow on the ground, mm. */
	readonly snow: number;
	/** WMO weather code. */
	readonly code: number;
}

/** A point on the ground, degrees. */
export interface Point {
	readonly latitude: number;
	readonly longitude: number;
}

/** Until so long after a quarter hour its archived forecast is still refined. */
const SETTLING_MS = 6 * HOUR_MS;
/** After so many hours, 63 % of the largest error of a forecast is reached. */
const DOUBT_HOURS = 40;

/**
 * The weather of one place: a smooth, endless course that depends on nothing but
 * the place and the instant. Fronts take days, clouds within them hours, single
 * clouds minutes.
 */
export class WeatherCourse {
	readonly #seed: number;

	constructor(private readonly point: Point) {
		this.#seed = hash(
			hash(1, Math.round(point.latitude * 10_000)),
			Math.round(point.longitude * 10_000),
		);
	}

	/**
	 * The weather at an instant (epoch ms). With `issued` it is what a forecast of
	 * that time says: its error grows with the time ahead and changes smoothly from
	 * one forecast to the next; an archived one keeps a small error. With null it is
	 * what happened.
	 */
	at(at: number, issued: number | null): Weather {
		const hours = at / HOUR_MS;
		let cloud = this.#cloud(at);
		let temp = this.#temp(at);
		if (issued !== null) {
			const ahead = Math.max(0, at - issued) / HOUR_MS + 1;
			const doubt = 1 - Math.exp(-ahead / DOUBT_HOURS);
			const basis = Math.min(issued, at + SETTLING_MS) / HOUR_MS;
			const error = (n: number) =>
				doubt * (2 * noise2(this.#seed + n, hours / 5, basis / 9) - 1);
			cloud = share(cloud + 0.55 * error(31));
			temp += 4 * error(32);
		}
		const wind =
			0.6 +
			6 * this.#noise(8, hours / 26) ** 1.6 +
			1.8 * this.#noise(9, hours / 2);
		const shower =
			0.55 *
			Math.max(0, this.#noise(6, hours / 3) - 0.45) *
			(0.4 + 1.2 * this.#noise(7, hours / 0.8));
		const precipitation = (shower * Math.max(0, cloud - 0.75)) / 0.25;
		const damp =
			62 - 4.4 * this.#warmth(at) + 28 * (cloud - 0.5) + 25 * precipitation;
		const humidity = Math.max(18, Math.min(100, damp));
		return {
			cloud,
			temp,
			wind,
			humidity,
			precipitation,
			snow: this.#snow(at),
			code: codeOf(cloud, temp, humidity, precipitation),
		};
	}

	#noise(n: number, x: number): number {
		return noise(this.#seed + n, x);
	}

	#cloud(at: number): number {
		const hours = at / HOUR_MS;
		const front =
			0.62 * this.#noise(1, hours / 62) + 0.38 * this.#noise(2, hours / 21);
		const winter = Math.cos(season(at)) * Math.sign(this.point.latitude);
		const base = 0.58 + 0.1 * winter + 2.6 * (front - 0.5);
		const broken = 4 * share(base) * (1 - share(base));
		const slow = 0.5 * (this.#noise(3, hours / 4) - 0.5) * (0.3 + 0.7 * broken);
		const passing = 0.8 * broken * (this.#noise(4, hours / 0.7) - 0.5);
		return share(base + slow + passing);
	}

	#temp(at: number): number {
		const { latitude } = this.point;
		return (
			26.5 -
			0.0066 * latitude ** 2 -
			0.2 * latitude * Math.cos(season(at) - 0.35) +
			4.5 * this.#warmth(at) +
			12 * (this.#noise(5, at / (70 * HOUR_MS)) - 0.5)
		);
	}

	/** The day's course, -1 to 1: warmest at about 15:00 solar time. */
	#warmth(at: number): number {
		const solarHour = at / HOUR_MS + this.point.longitude / 15;
		return Math.cos((2 * Math.PI * (solarHour - 15)) / 24);
	}

	/** What fell in the nine days before and has not melted, mm. */
	#snow(at: number): number {
		let snow = 0;
		for (let noon = at - 9 * DAY_MS; noon < at; noon += DAY_MS) {
			const temp = this.#temp(noon) + 2 - 4.5 * this.#warmth(noon);
			const fall = temp < 0.5 ? 14 * Math.max(0, this.#cloud(noon) - 0.8) : 0;
			snow = Math.max(0, snow * 0.9 + fall - Math.max(0, temp) * 1.5);
		}
		return snow;
	}
}

/** WMO code 4677 as forecast services use it. */
function codeOf(
	cloud: number,
	temp: number,
	humidity: number,
	precipitation: number,
): number {
	if (precipitation >= 0.02) {
		const strength = precipitation < 0.15 ? 0 : precipitation < 0.5 ? 2 : 4;
		return (temp < 0.5 ? 71 : 61) + strength;
	}
	if (humidity > 92) return 45;
	return cloud < 0.12 ? 0 : cloud < 0.35 ? 1 : cloud < 0.75 ? 2 : 3;
}

/** Where in the year an instant is, radians from the shortest day of the north. */
function season(at: number): number {
	return (2 * Math.PI * (at / DAY_MS - 10)) / 365.25;
}

function share(value: number): number {
	return Math.max(0, Math.min(1, value));
}
