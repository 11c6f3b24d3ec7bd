import type { Forecast } from "../../forecast/forecast";
import { Zone } from "../../forecast/zone";
import { HOUR_MS, QUARTER_MS } from "../../util/time";

const QUARTER_HOURS = QUARTER_MS / HOUR_MS;
/** The weight of a day begins this many quarters before the first power of a day: 2 h. */
const DAWN_QUARTERS = 8;
/** Quarters that are planned for: 62 days. */
const HORIZON_QUARTERS = 62 * 96;
/**
 * Weight of hours without expected power, as a share of the mean power by day:
 * little beside the power, enough for an order among those hours. Between first
 * and last power of a day they count more than by night.
 */
const FLOOR = { day: 3e-3, night: 1e-4 } as const;

/**
 * The power expected at a site, as the weight w that a fresh forecast has over
 * time, in W: with a floor for the hours without power. Beyond its last row a
 * forecast repeats itself.
 */
export class ExpectedPower {
	readonly zone: Zone;
	/** Epoch ms of the first quarter. */
	readonly start: number;
	/** Mean power by day in W; 0 when no power is expected at all. */
	readonly mean: number;
	readonly #weights: Float64Array;
	/** ∫ w dt up to each quarter, Wh. */
	readonly #cumulative: Float64Array;

	/**
	 * @param start epoch ms of the first quarter
	 * @param watts expected power of each quarter; at least one
	 */
	constructor(zone: Zone, start: number, watts: Float64Array) {
		this.zone = zone;
		this.start = start;
		const days = daySpans(zone, start, watts);
		this.mean = meanByDay(watts, days);
		const { length } = watts;
		const night = this.mean > 0 ? this.mean * FLOOR.night : 1;
		const day = this.mean * FLOOR.day;
		const weights = new Float64Array(length).fill(night);
		const cumulative = new Float64Array(length + 1);
		for (const [from, to] of days) {
			for (let index = from; index < to; index += 1) {
				weights[index] = Math.max(watts[index] as number, day);
			}
		}
		for (let index = 0; index < length; index += 1) {
			cumulative[index + 1] =
				(cumulative[index] as number) +
				(weights[index] as number) * QUARTER_HOURS;
		}
		this.#weights = weights;
		this.#cumulative = cumulative;
	}

	/** Where nothing is known: every hour has the same weight, 1 W. */
	static readonly unknown = new ExpectedPower(
		Zone.utc,
		0,
		new Float64Array(96),
	);

	static readonly #known = new WeakMap<Forecast, ExpectedPower>();

	/**
	 * The expected power of a forecast, from the site's local date on which it was
	 * computed; read off once for each forecast.
	 *
	 * @param computedAt epoch ms
	 */
	static of(forecast: Forecast, computedAt: number): ExpectedPower {
		let power = ExpectedPower.#known.get(forecast);
		if (!power) {
			power = ExpectedPower.#read(forecast, computedAt);
			ExpectedPower.#known.set(forecast, power);
		}
		return power;
	}

	static #read({ zone, values }: Forecast, computedAt: number): ExpectedPower {
		const { starts } = values;
		const last = starts.at(-1);
		if (last === undefined) return ExpectedPower.unknown;
		const start = Math.max(
			starts[0] as number,
			zone.dayStart(zone.dayOf(Math.min(computedAt, last))),
		);
		const watts = new Float64Array(
			Math.min((last - start) / QUARTER_MS + 1, HORIZON_QUARTERS),
		);
		let known = 0;
		for (let index = 0; index < watts.length; index += 1) {
			// A cloudy quarter that is missing is taken to be like the one before.
			known = values.valueAt(start + index * QUARTER_MS, "pv_power") ?? known;
			watts[index] = known;
		}
		return new ExpectedPower(zone, start, watts);
	}

	/**
	 * ∫ w dt in Wh from one instant to each of others at even distances; 0 to those
	 * before it.
	 *
	 * @param first the first of the others
	 * @param count how many there are
	 */
	weightsFrom(
		from: number,
		first: number,
		stepMs: number,
		count: number,
	): Float64Array {
		const out = new Float64Array(count);
		const cumulative = this.#cumulative;
		const weights = this.#weights;
		const { length } = weights;
		const lap = cumulative[length] as number;
		const step = stepMs / QUARTER_MS;
		const before = this.#weightUntil(from);
		const time = (first - this.start) / QUARTER_MS;
		let laps = Math.floor(time / length);
		let rest = time - laps * length;
		for (let index = 0; index < count; index += 1) {
			while (rest >= length) {
				rest -= length;
				laps += 1;
			}
			const quarter = Math.floor(rest);
			const value =
				laps * lap +
				(cumulative[quarter] as number) +
				(weights[quarter] as number) * (rest - quarter) * QUARTER_HOURS -
				before;
			out[index] = Math.max(value, 0);
			rest += step;
		}
		return out;
	}

	/** ∫ w dt in Wh from one instant to another. */
	weightBetween(from: number, to: number): number {
		return this.#weightUntil(to) - this.#weightUntil(from);
	}

	#weightUntil(instant: number): number {
		const { length } = this.#weights;
		const time = (instant - this.start) / QUARTER_MS;
		const laps = Math.floor(time / length);
		const rest = time - laps * length;
		const quarter = Math.min(Math.floor(rest), length - 1);
		return (
			laps * (this.#cumulative[length] as number) +
			(this.#cumulative[quarter] as number) +
			(this.#weights[quarter] as number) * (rest - quarter) * QUARTER_HOURS
		);
	}

	/** Whether power is expected between two instants. */
	hasPower(from: number, to: number): boolean {
		if (to <= from || this.mean === 0) return false;
		return (
			this.weightBetween(from, to) >
			((to - from) / HOUR_MS) * this.mean * FLOOR.day * 1.001
		);
	}
}

/** Quarters of each local date from 2 h before its first power to the last, end excluded. */
function daySpans(
	zone: Zone,
	start: number,
	watts: Float64Array,
): [number, number][] {
	const spans: [number, number][] = [];
	for (let from = 0; from < watts.length; ) {
		const midnight = zone.dayStart(zone.dayOf(start + from * QUARTER_MS) + 1);
		const to = Math.min(
			watts.length,
			Math.max(from + 1, Math.ceil((midnight - start) / QUARTER_MS)),
		);
		let first = -1;
		let last = -1;
		for (let index = from; index < to; index += 1) {
			if ((watts[index] as number) <= 0) continue;
			if (first < 0) first = index;
			last = index;
		}
		if (first >= 0) spans.push([Math.max(0, first - DAWN_QUARTERS), last + 1]);
		from = to;
	}
	return spans;
}

function meanByDay(watts: Float64Array, days: [number, number][]): number {
	let sum = 0;
	let quarters = 0;
	for (const [from, to] of days) {
		for (let index = from; index < to; index += 1) {
			sum += watts[index] as number;
		}
		quarters += to - from;
	}
	return quarters > 0 ? sum / quarters : 0;
}
