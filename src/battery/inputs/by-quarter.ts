import type { Zone } from "../../forecast/zone";
import type { PriceRow } from "../../messages/price-rows";
import { SpanMeans } from "../../util/spans";
import { isKnown, type LearnedLoad, learnedPower } from "../house/learned-load";
import { type LocalTime, profilePower } from "../house/standard-profile";
import type { BatterySettings } from "../settings";
import type { FeedIn } from ".";
import type { Load, LoadRow } from "./load";

/** What the load of a plan is made of. */
interface LoadSource {
	readonly load: Load | null;
	readonly learnedLoad?: LearnedLoad | null;
	readonly zone: Zone;
}

/** The load in W of each quarter, by what is given and else by what the house has taught or the standard profile. */
export class LoadReader {
	readonly #load: Load | null;
	readonly #rows: SpanMeans<LoadRow>;
	readonly #learned: LearnedLoad | null;
	readonly #zone: Zone;
	readonly #loadKwhPerDay: number;

	constructor(source: LoadSource, settings: BatterySettings) {
		const { load, learnedLoad, zone } = source;
		this.#load = load;
		this.#rows = new SpanMeans(
			load?.kind === "spans" ? load.rows : [],
			wattsOf,
		);
		this.#learned =
			settings.load === "learned" && learnedLoad && isKnown(learnedLoad)
				? learnedLoad
				: null;
		this.#zone = zone;
		this.#loadKwhPerDay = settings.loadKwhPerDay;
	}

	/** W from one instant to another, for spans asked for in ascending order. */
	at(local: LocalTime, from: number, to: number): number {
		const load = this.#load;
		switch (load?.kind) {
			case undefined:
				return this.#usual(local, from);
			case "constant":
				return load.power_w;
			case "hourly":
				return load.power_w[local.hour] as number;
			case "spans": {
				const { mean, covered } = this.#rows.over(from, to);
				return mean * covered + this.#usual(local, from) * (1 - covered);
			}
		}
	}

	#usual(local: LocalTime, from: number): number {
		const learned = this.#learned;
		return (
			(learned && learnedPower(learned, from, this.#zone)) ??
			profilePower(local, this.#loadKwhPerDay)
		);
	}
}

/** Feed-in price of each quarter: rows as far as they reach, else the setting. */
export class FeedInReader {
	/** The one price where all quarters have the same. */
	readonly #fixed: number | null;
	readonly #rows: SpanMeans<PriceRow>;
	readonly #setting: number;

	constructor(feedIn: FeedIn | null | undefined, settings: BatterySettings) {
		const isFixed = typeof feedIn === "number";
		this.#fixed = isFixed ? feedIn : null;
		this.#rows = new SpanMeans(isFixed ? [] : (feedIn ?? []), priceOf);
		this.#setting = settings.feedInPrice;
	}

	/** Price per kWh from one instant to another, for spans asked for in ascending order. */
	at(from: number, to: number): number {
		if (this.#fixed !== null) return this.#fixed;
		const price = this.#rows.whole(from, to);
		return Number.isNaN(price) ? this.#setting : price;
	}
}

const wattsOf = ({ power_w }: LoadRow) => power_w;
export const priceOf = ({ price }: PriceRow) => price;
