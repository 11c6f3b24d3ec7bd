import { QUARTER_MS } from "../util/time";
import type { DayRecord } from "./learn-state";
import {
	type DayFault,
	type DayQuality,
	GOOD,
	LEAST_QUARTERS,
	qualityOf,
	WEAK_SHARE,
} from "./quality";
import { type Position, SunTrack } from "./sun";

/** Bounds of any factor. */
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 2;

/** Distance of the grid's points, degrees: the sun moves 4° in a quarter hour. */
export const AZIMUTH_STEP = 10;
export const ELEVATION_STEP = 3;
const AZIMUTHS = 360 / AZIMUTH_STEP;
const ELEVATIONS = 90 / ELEVATION_STEP + 1;
const POINTS = AZIMUTHS * ELEVATIONS;
/** Sums kept per point of the grid: of residuals and forecasts by day, and of their products. */
const SUMS = 5;
/** Days after which what was seen counts half. */
const HALF_LIFE_DAYS = 60;
/** Fewer days, by weight, say nothing about a point. */
const LEAST_POINT_DAYS = 1.5;
/** Doubt in a point's deviation that n days have left, times n. */
const POINT_DOUBT = 0.3;

/** Standard deviations: of the overall factor before the first day, and of its drift in a day. */
const FIRST_DOUBT = 0.05;
const DAILY_DRIFT = 0.015;
/** Error of the ratio of a cloudless day, the least that is believed. */
const LEAST_NOISE = 0.02;
/** What clouds add to it on a day of half a sunny day's energy: taken for the first days, and the least. */
const FIRST_CLOUD_NOISE = 0.1;
const LEAST_CLOUD_NOISE = 0.03;
/** Days over which that is averaged. */
const NOISE_DAYS = 20;
/** A sunny day has more than this many times a dim one's energy, and this share of the clouds of one of half its energy. */
const MOST_DIMNESS = 4;
const LEAST_CLOUDS = 0.1;
/** Deviations beyond this many standard deviations count no more than this many, and raise the doubt. */
const OUTLIER = 2;
/** The factor may have moved this much in a day, as when soiling is washed off. */
const JUMP = 0.1;
/** Evidence for an overall factor begins at this many times its variance (Akaike 1974). */
const OVERALL_DOUBT = 2;
/** A day's ratio beyond these, of the overall factor, is snow or a fault and teaches nothing. */
const LEAST_RATIO = 0.3;
const MOST_RATIO = 3;

/** Days on which, within the span, a plateau at the top must show to be a limit. */
const LIMIT_DAYS = 3;
const LIMIT_SPAN_DAYS = 60;
/** A plateau this near to the highest power is at the limit, W by W. */
const LIMIT_NEARNESS = 0.985;

/** What became of a day. */
export type Verdict = "taught" | "unknown" | "low_day" | "high_day" | DayFault;

/**
 * How one meter differs from its forecast: an overall factor that drifts, times
 * a factor by the sun's place in the sky, and a limit.
 *
 * Overall: the ratio of each day's energies is a noisy look at a factor that
 * drifts as a random walk (local level model, Durbin and Koopman, "Time Series
 * Analysis by State Space Methods", chapter 2; Kalman 1960), outliers bounded
 * (Huber 1964) and raising the doubt. By the sun: a grid over azimuth and elevation, bilinear, each
 * point with the ratio of what remained to what was foreseen, days weighted by
 * energy and forgotten exponentially; its variance is that of the days, since
 * the quarters of one day share their weather (clustered errors, Liang and Zeger
 * 1986). Both are shrunk towards no correction by what their variance leaves of
 * their square (positive-part James-Stein, Efron and Morris 1973): without
 * evidence beyond chance a factor is exactly 1.
 */
export class Model {
	/** Dates that taught, their quarters, and the start of the first. */
	days = 0;
	quarters = 0;
	since: number | null = null;
	/** Power that the inverter, or the grid, does not let pass, W. */
	limit: number | null = null;

	/** Overall factor, its variance and what clouds add to that of a day's ratio. */
	#level = 1;
	#variance = FIRST_DOUBT ** 2;
	#noise = FIRST_CLOUD_NOISE ** 2;
	/** Energy of a sunny day as foreseen. */
	#sunny = 0;
	#lastDay: number | null = null;
	#tops: { day: number; top: number; plateau: number | null }[] = [];
	readonly #sums = new Float64Array(SUMS * POINTS);
	/** Deviation of each point after shrinking; made anew when asked for after a day. */
	readonly #deviations = new Float32Array(POINTS);
	#isOutdated = false;

	constructor(readonly position: Position | null) {}

	/** The overall factor, shrunk to 1 by its variance. */
	get overall(): number {
		const deviation = this.#level - 1;
		return 1 + shrink(deviation, OVERALL_DOUBT * this.#variance);
	}

	/** Factor for a sun at azimuth and elevation, degrees. */
	factor(azimuth: number, elevation: number): number {
		return clamp(this.overall * (1 + this.#deviation(azimuth, elevation)));
	}

	/** The factor where the sun's place is not known. */
	get plainFactor(): number {
		return clamp(this.overall);
	}

	/** Days, by weight, that have taught about a place in the sky. */
	weight(azimuth: number, elevation: number): number {
		let days = 0;
		this.#around(azimuth, elevation, (point, share) => {
			days += share * this.#pointDays(point);
		});
		return days;
	}

	/** Another of the same knowledge, which goes on by itself. */
	copy(): Model {
		const copy = new Model(this.position);
		copy.days = this.days;
		copy.quarters = this.quarters;
		copy.since = this.since;
		copy.limit = this.limit;
		copy.#level = this.#level;
		copy.#variance = this.#variance;
		copy.#noise = this.#noise;
		copy.#sunny = this.#sunny;
		copy.#lastDay = this.#lastDay;
		copy.#tops = this.#tops;
		copy.#sums.set(this.#sums);
		copy.#isOutdated = true;
		return copy;
	}

	/**
	 * Learns from a date that is over.
	 *
	 * @param peak most power ever foreseen, W
	 */
	learn(record: DayRecord, peak: number): Verdict {
		const quality = qualityOf(record, peak);
		this.#noteLimit(record.day, quality);
		const used = this.#teachable(record, quality, WEAK_SHARE * peak);
		if (used.length < LEAST_QUARTERS) return quality.fault ?? "unknown";
		const { metered, foreseen } = record;
		let sum = 0;
		let expected = 0;
		for (const index of used) {
			sum += metered[index] as number;
			expected += foreseen[index] as number;
		}
		const ratio = sum / expected / this.#level;
		if (ratio < LEAST_RATIO) return quality.fault ?? "low_day";
		if (ratio > MOST_RATIO) return quality.fault ?? "high_day";

		this.#forget(record.day);
		const weight = this.#learnLevel(record, used, sum);
		if (this.position) this.#learnPoints(record, used, weight);
		this.days += 1;
		this.quarters += used.length;
		this.since ??= record.start;
		this.#isOutdated = true;
		return quality.fault ?? "taught";
	}

	#teachable(
		{ foreseen, metered }: DayRecord,
		{ quarters }: DayQuality,
		weak: number,
	): number[] {
		const used: number[] = [];
		const most =
			this.limit === null
				? Number.POSITIVE_INFINITY
				: LIMIT_NEARNESS * this.limit;
		for (let index = 0; index < quarters.length; index += 1) {
			if (
				quarters[index] === GOOD &&
				(foreseen[index] as number) > weak &&
				(metered[index] as number) < most
			) {
				used.push(index);
			}
		}
		return used;
	}

	#noteLimit(day: number, { top, plateau }: DayQuality): void {
		this.#tops = [
			...this.#tops.filter((known) => known.day > day - LIMIT_SPAN_DAYS),
			{ day, top, plateau },
		];
		const highest = Math.max(...this.#tops.map((known) => known.top));
		const atTop = this.#tops.flatMap(({ plateau }) =>
			plateau !== null && plateau >= LIMIT_NEARNESS * highest ? plateau : [],
		);
		this.limit = atTop.length >= LIMIT_DAYS ? Math.max(...atTop) : null;
	}

	/** Days that have passed make everything less sure. */
	#forget(day: number): void {
		const passed =
			this.#lastDay === null ? 1 : Math.max(1, day - this.#lastDay);
		this.#lastDay = day;
		this.#variance += passed * DAILY_DRIFT ** 2;
		const kept = 2 ** (-passed / HALF_LIFE_DAYS);
		for (let at = 0; at < this.#sums.length; at += 1) {
			// The last three sums are of squares.
			this.#sums[at] =
				(this.#sums[at] as number) * (at < 2 * POINTS ? kept : kept * kept);
		}
	}

	/** @returns how much of the day may count, less than 1 for an outlier */
	#learnLevel(record: DayRecord, used: readonly number[], sum: number): number {
		let expected = 0;
		this.#walk(record, used, (index, azimuth, elevation) => {
			const deviation = this.position ? this.#deviation(azimuth, elevation) : 0;
			expected += (record.foreseen[index] as number) * (1 + deviation);
		});
		this.#sunny = Math.max(0.99 * this.#sunny, expected);
		// A cloudless day tells almost exactly; the more is missing to it, the less a day says.
		const clouds =
			Math.min(MOST_DIMNESS, this.#sunny / expected) - 1 + LEAST_CLOUDS;
		const noise = LEAST_NOISE ** 2 + this.#noise * clouds;
		const error = sum / expected - this.#level;
		const spread = Math.sqrt(this.#variance + noise);
		const excess = Math.max(0, Math.abs(error) - OUTLIER * spread);
		const gain = this.#variance / (this.#variance + noise);
		this.#level += gain * Math.sign(error) * (Math.abs(error) - excess);
		this.#variance *= 1 - gain;
		// Either the day was odd or the factor has moved: the next one will tell,
		// and until then the doubt takes the factor nearer to 1.
		this.#variance += Math.min(excess, JUMP) ** 2;
		const seen = Math.max(0, error ** 2 - LEAST_NOISE ** 2) / clouds;
		this.#noise = Math.max(
			LEAST_CLOUD_NOISE ** 2,
			this.#noise +
				(Math.min(seen, 9 * this.#noise) - this.#noise) /
					Math.min(NOISE_DAYS, this.days + 4),
		);
		return Math.min(1, (OUTLIER * spread) / Math.abs(error));
	}

	#learnPoints(
		record: DayRecord,
		used: readonly number[],
		weight: number,
	): void {
		const sums = this.#sums;
		const day = new Map<number, { remained: number; foreseen: number }>();
		this.#walk(record, used, (index, azimuth, elevation) => {
			const foreseen = (record.foreseen[index] as number) * this.#level;
			const remained = (record.metered[index] as number) - foreseen;
			this.#around(azimuth, elevation, (point, share) => {
				if (share === 0) return;
				let of = day.get(point);
				if (!of) {
					of = { remained: 0, foreseen: 0 };
					day.set(point, of);
				}
				of.remained += weight * share * remained;
				of.foreseen += weight * share * foreseen;
			});
		});
		const add = (at: number, value: number) => {
			sums[at] = (sums[at] as number) + value;
		};
		for (const [point, { remained, foreseen }] of day) {
			add(point, remained);
			add(POINTS + point, foreseen);
			add(2 * POINTS + point, remained * remained);
			add(3 * POINTS + point, remained * foreseen);
			add(4 * POINTS + point, foreseen * foreseen);
		}
	}

	#walk(
		record: DayRecord,
		used: readonly number[],
		visit: (index: number, azimuth: number, elevation: number) => void,
	): void {
		const sun = this.position ? new SunTrack(this.position) : null;
		for (const index of used) {
			sun?.moveTo(record.start + index * QUARTER_MS);
			visit(index, sun?.azimuth ?? 0, sun?.elevation ?? 0);
		}
	}

	/** Weight of the days behind a point, in days: Kish's effective number. */
	#pointDays(point: number): number {
		const foreseen = this.#sums[POINTS + point] as number;
		return foreseen > 0
			? foreseen ** 2 / (this.#sums[4 * POINTS + point] as number)
			: 0;
	}

	#pointDeviation(point: number): number {
		const days = this.#pointDays(point);
		if (days < LEAST_POINT_DAYS) return 0;
		const sum = (index: number) => this.#sums[index * POINTS + point] as number;
		const [remained, foreseen] = [sum(0), sum(1)];
		const deviation = remained / foreseen;
		const scatter = Math.max(
			0,
			sum(2) - 2 * deviation * sum(3) + deviation ** 2 * sum(4),
		);
		const variance =
			((scatter / foreseen ** 2) * days) / (days - 1) +
			(POINT_DOUBT / days) ** 2;
		return shrink(deviation, variance);
	}

	#deviation(azimuth: number, elevation: number): number {
		const deviations = this.#deviations;
		if (this.#isOutdated) {
			for (let point = 0; point < POINTS; point += 1) {
				deviations[point] = this.#pointDeviation(point);
			}
			this.#isOutdated = false;
		}
		let deviation = 0;
		this.#around(azimuth, elevation, (point, share) => {
			deviation += share * (deviations[point] as number);
		});
		return deviation;
	}

	/** The four points around a place in the sky, each with its share. */
	#around(
		azimuth: number,
		elevation: number,
		visit: (point: number, share: number) => void,
	): void {
		const x = azimuth / AZIMUTH_STEP;
		const y = Math.max(0, elevation) / ELEVATION_STEP;
		const left = Math.floor(x);
		const below = Math.min(ELEVATIONS - 2, Math.floor(y));
		const right = x - left;
		const above = Math.min(1, y - below);
		const here = (left % AZIMUTHS) * ELEVATIONS + below;
		const next = ((left + 1) % AZIMUTHS) * ELEVATIONS + below;
		visit(here, (1 - right) * (1 - above));
		visit(next, right * (1 - above));
		visit(here + 1, (1 - right) * above);
		visit(next + 1, right * above);
	}
}

/** What the variance of an estimate leaves of it: the positive-part James-Stein rule. */
function shrink(deviation: number, variance: number): number {
	const square = deviation ** 2;
	return square > variance ? deviation * (1 - variance / square) : 0;
}

const clamp = (factor: number) =>
	Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor));
