import { DAY_MS, QUARTER_MS } from "../../../src/util/time";
import { Zone } from "../../../src/util/zone";

const RADIANS = Math.PI / 180;

/** Where and when a month is simulated. */
export interface Season {
	readonly name: string;
	readonly latitude: number;
	readonly longitude: number;
	readonly zone: string;
	/** First instant of the month, UTC. */
	readonly start: number;
	readonly end: number;
}

/** A number from 0 to 1 that is the same for the same arguments. */
export function chance(...seeds: number[]): number {
	let hash = 2166136261;
	for (const seed of seeds) {
		hash = Math.imul(hash ^ (seed | 0), 16777619);
		hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
	}
	hash ^= hash >>> 13;
	hash = Math.imul(hash, 3266489917);
	return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

/** Sine of the sun's height, from declination and hour angle. */
function sunHeight(season: Season, instant: number): number {
	const day = (instant - Date.UTC(2026, 0, 1)) / DAY_MS;
	const declination =
		-23.44 * RADIANS * Math.cos((2 * Math.PI * (day + 10)) / 365.25);
	const hourAngle =
		2 * Math.PI * ((instant % DAY_MS) / DAY_MS - 0.5) +
		season.longitude * RADIANS;
	const latitude = season.latitude * RADIANS;
	return (
		Math.sin(latitude) * Math.sin(declination) +
		Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle)
	);
}

/** Mean power of each quarter, W, from an instant on. */
interface SunForecast {
	readonly start: number;
	readonly watts: Float64Array;
}

/** Days for which power is known before and after the month: forecasts reach that far. */
const MARGIN_DAYS = 9;

/**
 * The power of one site over a month: a cloudless sky, times clouds that
 * differ from day to day and drift within it, and a forecast of those that
 * knows less the further ahead it looks.
 */
export class Sun {
	readonly zone: Zone;
	/** Epoch ms of the first quarter, before the month. */
	readonly first: number;
	readonly #clear: Float64Array;
	readonly #clouds: Float64Array;
	/** The last forecast computed. */
	#last:
		| { computedAt: number; days: number; forecast: SunForecast }
		| undefined;

	constructor(season: Season, seed: number, kilowatts: number) {
		this.zone = Zone.of(season.zone) as Zone;
		this.first = season.start - MARGIN_DAYS * DAY_MS;
		const quarters =
			(season.end - this.first + MARGIN_DAYS * DAY_MS) / QUARTER_MS;
		this.#clear = new Float64Array(quarters);
		this.#clouds = new Float64Array(quarters);
		for (let index = 0; index < quarters; index += 1) {
			const middle = this.first + (index + 0.5) * QUARTER_MS;
			const height = sunHeight(season, middle);
			this.#clear[index] = height > 0 ? kilowatts * 1000 * height ** 1.2 : 0;
			const day = Math.floor(index / 96);
			const hour = Math.floor(index / 4);
			const part = (index % 4) / 4;
			const drift =
				chance(seed, hour, 2) * (1 - part) + chance(seed, hour + 1, 2) * part;
			this.#clouds[index] =
				(0.2 + 0.8 * chance(seed, day, 1)) * (0.6 + 0.4 * drift);
		}
	}

	/** Mean power of the quarter that begins at an instant on the grid, W. */
	watts(start: number): number {
		const index = (start - this.first) / QUARTER_MS;
		return (this.#clear[index] as number) * (this.#clouds[index] as number);
	}

	/**
	 * The forecast computed at an instant.
	 *
	 * @param days after the local date of the instant
	 */
	forecast(computedAt: number, days: number): SunForecast {
		const last = this.#last;
		if (last?.computedAt === computedAt && last.days === days) {
			return last.forecast;
		}
		const forecast = this.#forecast(computedAt, days);
		this.#last = { computedAt, days, forecast };
		return forecast;
	}

	#forecast(computedAt: number, days: number): SunForecast {
		const today = this.zone.dayOf(computedAt);
		const start = this.zone.dayStart(today);
		const end = this.zone.dayStart(today + days + 1);
		const from = (start - this.first) / QUARTER_MS;
		const watts = new Float64Array((end - start) / QUARTER_MS);
		for (let index = 0; index < watts.length; index += 1) {
			const lead = (start + index * QUARTER_MS - computedAt) / DAY_MS;
			const skill = Math.exp(-Math.max(0, lead) / 2);
			const clouds =
				0.48 + skill * ((this.#clouds[from + index] as number) - 0.48);
			watts[index] = (this.#clear[from + index] as number) * clouds;
		}
		return { start, watts };
	}
}
