import type { Forecast } from "../../forecast/forecast";
import { HOUR_MS, QUARTER_MS } from "../../util/time";
import { Zone } from "../../util/zone";

const QUARTER_HOURS = QUARTER_MS / HOUR_MS;
/** What an hour without power counts, as a share of the mean by day: enough to share out what daylight does not need. */
const NIGHT_SHARE = 1e-4;

/**
 * The power that a forecast expects, as what a fresh forecast is worth over time, in
 * W. Beyond its last row it repeats itself.
 */
export class ExpectedPower {
	readonly zone: Zone;
	readonly #start: number;
	readonly #weights: Float64Array;
	/** Wh from the start to each quarter. */
	readonly #sums: Float64Array;
	/** What a quarter without power counts, W. */
	readonly #night: number;

	/**
	 * @param start epoch ms of the first quarter
	 * @param watts expected power of each quarter; at least one
	 */
	constructor(zone: Zone, start: number, watts: Float64Array) {
		const lit = watts.filter((value) => value > 0);
		const mean = lit.reduce((sum, value) => sum + value, 0) / lit.length;
		this.zone = zone;
		this.#start = start;
		this.#night = lit.length > 0 ? mean * NIGHT_SHARE : 1;
		this.#weights = watts.map((value) => Math.max(value, this.#night));
		this.#sums = new Float64Array(watts.length + 1);
		for (const [index, value] of this.#weights.entries()) {
			this.#sums[index + 1] =
				(this.#sums[index] as number) + value * QUARTER_HOURS;
		}
	}

	/** Where nothing is known: every hour counts alike. */
	static readonly unknown = new ExpectedPower(Zone.utc, 0, new Float64Array(1));

	/**
	 * Reads it off a forecast, from the site's date on which it was computed.
	 *
	 * @param computedAt epoch ms
	 */
	static of({ zone, values }: Forecast, computedAt: number): ExpectedPower {
		const first = values.starts[0] as number;
		const last = values.starts.at(-1) as number;
		const today = zone.dayStart(zone.dayOf(Math.min(computedAt, last)));
		const start = Math.max(first, today);
		const length = (last - start) / QUARTER_MS + 1;
		let known = 0;
		const watts = Float64Array.from({ length }, (_, index) => {
			// A cloudy quarter that is missing is taken to be like the one before.
			known = values.valueAt(start + index * QUARTER_MS, "pv_power") ?? known;
			return known;
		});
		return new ExpectedPower(zone, start, watts);
	}

	/** What a fresh forecast is worth from the start to an instant (epoch ms), Wh. */
	until(instant: number): number {
		const { length } = this.#weights;
		const time = (instant - this.#start) / QUARTER_MS;
		const laps = Math.floor(time / length);
		const rest = time - laps * length;
		const quarter = Math.floor(rest);
		return (
			laps * (this.#sums[length] as number) +
			(this.#sums[quarter] as number) +
			(this.#weights[quarter] as number) * (rest - quarter) * QUARTER_HOURS
		);
	}

	/** Whether power is expected between two instants, epoch ms. */
	hasPower(from: number, to: number): boolean {
		const dark = ((to - from) / HOUR_MS) * this.#night;
		return this.until(to) - this.until(from) > dark * 1.001;
	}
}
