import { DAY_MS, HOUR_MS } from "../../util/time";
import { noise, noise2 } from "./noise";
import { QuarterMemo } from "./quarters";

/** The air over a place during a quarter hour. */
export interface Weather {
	/** Cloud cover, 0 to 1. */
	readonly cloud: number;
	/** Air temperature, degC. */
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

/** Up to this long after a quarter its archived forecast is still refined. */
const SETTLING_MS = 6 * HOUR_MS;

/** What happens in a quarter hour, and what makes rain, damp and wind of it. */
interface Air {
	readonly cloud: number;
	readonly temp: number;
	readonly wind: number;
	readonly snow: number;
	/** Rain that a full cover of cloud would bring, mm. */
	readonly shower: number;
	/** Relative humidity under a half covered sky, %. */
	readonly damp: number;
}

/**
 * The weather of one place: a smooth, endless course that depends on nothing
 * but the place and the instant. A forecast adds an error that grows with the
 * time ahead and changes smoothly from one computation to the next.
 */
export class WeatherCourse {
	readonly #meanTemp: number;
	readonly #seasonTemp: number;
	readonly #snow = new Map<number, number>();
	readonly #quarters: QuarterMemo<Air>;

	constructor(
		private readonly latitude: number,
		private readonly longitude: number,
		elevation: number,
		private readonly seed: number,
	) {
		this.#meanTemp = 27 - 0.0066 * latitude ** 2 - 0.0065 * elevation;
		this.#seasonTemp = 0.2 * latitude;
		this.#quarters = new QuarterMemo((middle) => this.#air(middle));
	}

	/**
	 * The weather of the quarter hour that begins at `start` (epoch ms, on the
	 * quarter). With `issued` it is what a forecast computed at that time says,
	 * for the past too: an archived forecast keeps a small error. With null it is
	 * what happened.
	 */
	at(start: number, issued: number | null): Weather {
		const air = this.#quarters.at(start);
		let { cloud, temp } = air;
		if (issued !== null) {
			const lead = Math.max(0, start - issued) + HOUR_MS;
			const doubt = 1 - Math.exp(-lead / (40 * HOUR_MS));
			const basis = Math.min(issued, start + SETTLING_MS);
			cloud = clamp(cloud + 0.55 * doubt * this.#shift(31, start, basis), 0, 1);
			temp += 4 * doubt * this.#shift(32, start, basis);
		}
		const precipitation =
			cloud > 0.75 ? (air.shower * (cloud - 0.75)) / 0.25 : 0;
		const humidity = clamp(
			air.damp + 28 * (cloud - 0.5) + 25 * precipitation,
			18,
			100,
		);
		return {
			cloud,
			temp,
			wind: air.wind,
			humidity,
			precipitation,
			snow: air.snow,
			code: weatherCode(cloud, temp, humidity, air.wind, precipitation),
		};
	}

	/** Error of a forecast as a share of what it may be, -1 to 1. */
	#shift(seed: number, at: number, basis: number): number {
		return (
			2 * noise2(this.seed + seed, at / (5 * HOUR_MS), basis / (9 * HOUR_MS)) -
			1
		);
	}

	#air(at: number): Air {
		const hours = at / HOUR_MS;
		return {
			cloud: this.#cloud(at),
			temp: this.#temp(at),
			wind:
				0.6 +
				6 * noise(this.seed + 8, hours / 26) ** 1.6 +
				1.8 * noise(this.seed + 9, hours / 2),
			snow: this.#snowCover(at),
			shower:
				0.55 *
				Math.max(0, noise(this.seed + 6, hours / 3) - 0.45) *
				(0.4 + 1.2 * noise(this.seed + 7, hours / 0.8)),
			damp: 62 - 4.4 * this.#dailySwing(at),
		};
	}

	#cloud(at: number): number {
		const hours = at / HOUR_MS;
		const front =
			0.62 * noise(this.seed + 1, hours / 62) +
			0.38 * noise(this.seed + 2, hours / 21);
		const winter = Math.cos(yearAngle(at)) * Math.sign(this.latitude);
		const base = 0.58 + 0.1 * winter + 2.6 * (front - 0.5);
		const slow = 0.5 * (noise(this.seed + 3, hours / 4) - 0.5);
		const broken = 4 * clamp(base, 0, 1) * (1 - clamp(base, 0, 1));
		const passing = 0.8 * broken * (noise(this.seed + 4, hours / 0.7) - 0.5);
		return clamp(base + slow * (0.3 + 0.7 * broken) + passing, 0, 1);
	}

	#temp(at: number): number {
		return (
			this.#meanTemp -
			this.#seasonTemp * Math.cos(yearAngle(at) - 0.35) +
			this.#dailySwing(at) * 4.5 +
			12 * (noise(this.seed + 5, at / (70 * HOUR_MS)) - 0.5)
		);
	}

	/** Warmest at about 15:00 solar time. */
	#dailySwing(at: number): number {
		const solarHour = at / HOUR_MS + this.longitude / 15;
		return Math.cos((2 * Math.PI * (solarHour - 15)) / 24);
	}

	#snowCover(at: number): number {
		const day = Math.floor(at / DAY_MS);
		const f = at / DAY_MS - day;
		return this.#snowAt(day) * (1 - f) + this.#snowAt(day + 1) * f;
	}

	/** Snow on the ground at the start of a UTC day: what fell in the nine days before and has not melted. */
	#snowAt(day: number): number {
		let snow = this.#snow.get(day);
		if (snow === undefined) {
			if (this.#snow.size > 4000) this.#snow.clear();
			snow = 0;
			for (let k = 9; k > 0; k--) {
				const noon = (day - k + 0.5) * DAY_MS;
				const temp = this.#temp(noon) - 2;
				const fall = temp < 0.5 ? 14 * Math.max(0, this.#cloud(noon) - 0.8) : 0;
				snow = Math.max(0, snow * 0.9 + fall - Math.max(0, temp) * 1.5);
			}
			this.#snow.set(day, snow);
		}
		return snow;
	}
}

/** WMO code 4677 as forecast services use it. */
function weatherCode(
	cloud: number,
	temp: number,
	humidity: number,
	wind: number,
	precipitation: number,
): number {
	if (precipitation >= 0.02) {
		const strength = precipitation < 0.15 ? 0 : precipitation < 0.5 ? 1 : 2;
		if (temp < 0.5) return [71, 73, 75][strength] as number;
		if (temp > 22 && strength === 2) return 95;
		return [61, 63, 65][strength] as number;
	}
	if (humidity > 92 && wind < 1.8) return 45;
	return cloud < 0.12 ? 0 : cloud < 0.35 ? 1 : cloud < 0.75 ? 2 : 3;
}

function yearAngle(at: number): number {
	return (2 * Math.PI * (at / DAY_MS - 10)) / 365.25;
}

function clamp(value: number, low: number, high: number): number {
	return Math.max(low, Math.min(high, value));
}
