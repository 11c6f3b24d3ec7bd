import type { Zone } from "../../forecast/zone";
import type { Span } from "../../messages/value-readers";
import { isKnown, type LearnedLoad, learnedPower } from "../house/learned-load";
import { type LocalTime, profilePower } from "../house/standard-profile";
import type { BatterySettings } from "../settings";
import type { FeedIn } from ".";
import type { Load } from "./load";

/**
 * Means of a value over spans, for windows asked for in ascending order.
 *
 * @returns the mean over the covered part of a window, and that part as a share from 0 to 1
 */
export function meanOver<Row extends Span>(
	rows: readonly Row[],
	value: (row: Row) => number,
): (from: number, to: number) => { mean: number; covered: number } {
	let first = 0;
	return (from, to) => {
		while (first < rows.length && (rows[first] as Row).end <= from) first += 1;
		let ms = 0;
		let total = 0;
		let rowsHere = 0;
		let mean = 0;
		for (let index = first; index < rows.length; index += 1) {
			const row = rows[index] as Row;
			if (row.start >= to) break;
			const overlap = Math.min(to, row.end) - Math.max(from, row.start);
			ms += overlap;
			total += overlap * value(row);
			// One row's own value, to the last bit: equal prices must stay equal.
			rowsHere += 1;
			mean = rowsHere === 1 ? value(row) : total / ms;
		}
		return { mean, covered: ms / (to - from) };
	};
}

/** What the load of a plan is made of. */
interface LoadSource {
	readonly load: Load | null;
	readonly learnedLoad?: LearnedLoad | null;
	readonly zone: Zone;
}

/** The load in W of each quarter, by what is given and else by what the house has taught or the standard profile. */
export function loadReader(
	{ load, learnedLoad, zone }: LoadSource,
	settings: BatterySettings,
): (local: LocalTime, from: number, to: number) => number {
	const learned =
		settings.load === "learned" && learnedLoad && isKnown(learnedLoad)
			? learnedLoad
			: null;
	const usual = (local: LocalTime, from: number) =>
		(learned && learnedPower(learned, from, zone)) ??
		profilePower(local, settings.loadKwhPerDay);
	switch (load?.kind) {
		case undefined:
			return usual;
		case "constant":
			return () => load.power_w;
		case "hourly":
			return ({ hour }) => load.power_w[hour] as number;
		case "spans": {
			const given = meanOver(load.rows, (row) => row.power_w);
			return (local, from, to) => {
				const { mean, covered } = given(from, to);
				return mean * covered + usual(local, from) * (1 - covered);
			};
		}
	}
}

/** Feed-in price of each quarter: rows as far as they reach, else the setting. */
export function feedInReader(
	feedIn: FeedIn | null | undefined,
	settings: BatterySettings,
): (from: number, to: number) => number {
	if (typeof feedIn === "number") return () => feedIn;
	const given = meanOver(feedIn ?? [], (row) => row.price);
	return (from, to) => {
		const { mean, covered } = given(from, to);
		return covered === 1 ? mean : settings.feedInPrice;
	};
}
