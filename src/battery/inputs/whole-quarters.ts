import { priceReader } from "../../prices/means";
import { QUARTER_MS } from "../../util/time";
import type { Zone } from "../../util/zone";
import type { LearnedLoad } from "../house/learned-load";
import { SiteClock } from "../house/standard-profile";
import { milli } from "../rounding";
import type { BatterySettings } from "../settings";
import type { FeedIn, Load, PriceRow } from ".";
import { LoadReader } from "./by-quarter";

/** PV power of one quarter hour of the forecast. */
export interface PowerQuarter {
	/** Epoch ms at which the quarter begins. */
	readonly start: number;
	/** Mean over the quarter in W; null = gap. */
	readonly pv_w: number | null;
	/** Lower edge of the band in W, null when unknown. */
	readonly pv_min_w: number | null;
}

/** What the powers and prices of a plan's quarters are made of. */
export interface QuarterInputs {
	/** In ascending order; quarters that have passed are skipped. */
	readonly quarters: readonly PowerQuarter[];
	/** Epoch ms at which the last quarter with a known band ends; null = no band. */
	readonly band_until: number | null;
	/** Null: what the house has taught, or the standard profile (`settings.load`). */
	readonly load: Load | null;
	readonly prices: readonly PriceRow[] | null;
	/** Paid per kWh fed in; null, and where rows do not reach: `settings.feedInPrice`. */
	readonly feedIn?: FeedIn | null;
	/** What the house has taught, for `settings.load` = `learned`. */
	readonly learnedLoad?: LearnedLoad | null;
	/** The site's zone. */
	readonly zone: Zone;
}

/** Load, feed-in price and price of spans of time, asked for in ascending order. */
export class QuarterReader {
	readonly #clock: SiteClock;
	readonly #loads: LoadReader;
	readonly #feedIn: ReturnType<typeof priceReader>;
	readonly #feedInPrice: number;
	readonly #price: ReturnType<typeof priceReader>;

	constructor(input: QuarterInputs, settings: BatterySettings) {
		this.#clock = new SiteClock(input.zone);
		this.#loads = new LoadReader(input, settings);
		this.#feedIn = priceReader(input.feedIn ?? []);
		this.#feedInPrice = settings.feedInPrice;
		this.#price = priceReader(input.prices ?? []);
	}

	/** W, and prices per kWh; the price is NaN where any part of it is not known. */
	read(from: number, end: number) {
		const local = this.#clock.at(from);
		return {
			day: local.day,
			load: milli(this.#loads.at(local, from, end)),
			feedIn: this.#feedIn(from, end) ?? this.#feedInPrice,
			price: this.#price(from, end) ?? Number.NaN,
		};
	}
}

/** What of a plan's quarters does not depend on the instant within the running one. */
interface WholeQuarters {
	/** Epoch ms. */
	readonly starts: readonly number[];
	/** Local day of the month. */
	readonly days: readonly number[];
	/** W. */
	readonly pvW: Float64Array;
	readonly loads: Float64Array;
	/** Per kWh. */
	readonly feedIns: Float64Array;
	/** Per kWh, NaN where any part of the quarter has no price. */
	readonly prices: Float64Array;
	readonly cautiousUntil: number | null;
}

/** What they were made of last, by the forecast's quarters. */
const lastQuarters = new WeakMap<
	readonly PowerQuarter[],
	{ readonly madeOf: readonly unknown[]; readonly whole: WholeQuarters }
>();

/**
 * What of a plan's quarters stays while only the state of charge changes, which it
 * does each minute: read once in a quarter hour, and anew when an input is another.
 *
 * @param quarters those of the input that can be planned (`quartersAhead`), not empty
 */
export function wholeQuarters(
	quarters: readonly PowerQuarter[],
	input: QuarterInputs,
	settings: BatterySettings,
): WholeQuarters {
	const { load, prices, feedIn, learnedLoad, zone, band_until } = input;
	const [{ start }] = quarters as [PowerQuarter];
	const madeOf = [
		settings,
		load,
		prices,
		feedIn,
		learnedLoad,
		zone,
		band_until,
		start,
	];
	let last = lastQuarters.get(input.quarters);
	if (!last?.madeOf.every((part, index) => part === madeOf[index])) {
		last = { madeOf, whole: readQuarters(quarters, input, settings) };
		lastQuarters.set(input.quarters, last);
	}
	return last.whole;
}

function readQuarters(
	quarters: readonly PowerQuarter[],
	input: QuarterInputs,
	settings: BatterySettings,
): WholeQuarters {
	const reader = new QuarterReader(input, settings);
	const bandUntil =
		(settings.safety === "cautious" ? input.band_until : null) ??
		Number.NEGATIVE_INFINITY;
	const series = () => new Float64Array(quarters.length);
	const [pvW, loads, feedIns, prices] = [
		series(),
		series(),
		series(),
		series(),
	];
	const starts: number[] = [];
	const days: number[] = [];
	let cautiousUntil: number | null = null;
	for (const [index, { start, pv_w, pv_min_w }] of quarters.entries()) {
		const end = start + QUARTER_MS;
		// Services send small negative powers at night now and then.
		pvW[index] = milli(Math.max(0, pv_w as number));
		if (start < bandUntil && pv_min_w !== null) {
			pvW[index] = milli(Math.max(0, pv_min_w));
			cautiousUntil = end;
		}
		const { day, load, feedIn, price } = reader.read(start, end);
		starts.push(start);
		days.push(day);
		loads[index] = load;
		feedIns[index] = feedIn;
		prices[index] = price;
	}
	return { starts, days, pvW, loads, feedIns, prices, cautiousUntil };
}
