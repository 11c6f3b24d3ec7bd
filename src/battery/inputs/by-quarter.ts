import { SpanMeans } from "../../prices/spans";
import type { Zone } from "../../util/zone";
import { isKnown, type LearnedLoad, learnedPower } from "../house/learned-load";
import { type LocalTime, profilePower } from "../house/standard-profile";
import type { BatterySettings } from "../settings";
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

const wattsOf = ({ power_w }: LoadRow) => power_w;
