import type { Zone } from "../../forecast/zone";
import { meanOver } from "../../util/spans";
import { isKnown, type LearnedLoad, learnedPower } from "../house/learned-load";
import { type LocalTime, profilePower } from "../house/standard-profile";
import type { BatterySettings } from "../settings";
import type { FeedIn } from ".";
import type { Load } from "./load";

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
