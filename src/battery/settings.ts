import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { type Bounds, readNumber } from "./read";

export const STRATEGIES = [
	"self-consumption",
	"peak-shaving",
	"price",
] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const SAFETIES = ["expected", "cautious"] as const;
export type Safety = (typeof SAFETIES)[number];

/** What is known of a battery and its house; checked by `readSettings`. */
export interface BatterySettings {
	/** Usable capacity at 100 %, kWh. */
	readonly capacityKwh: number;
	/** The battery is not discharged below, percent. */
	readonly minSoc: number;
	/** The battery is not charged above, percent. */
	readonly maxSoc: number;
	/** Most that the battery takes, W on the side of the house. */
	readonly maxChargeW: number;
	/** Most that the battery gives, W on the side of the house. */
	readonly maxDischargeW: number;
	/** Round trip, 0 to 1. */
	readonly efficiency: number;
	/** Consumption of an average day where no load is given, kWh. */
	readonly loadKwhPerDay: number;
	/** Most that may be fed into the grid, W; null = no limit. */
	readonly feedInLimitW: number | null;
	/** Paid for each kWh fed into the grid, in the currency of the prices. */
	readonly feedInPrice: number;
	readonly safety: Safety;
	readonly strategy: Strategy;
	/** Older forecasts do not drive the battery, hours since `computed_at`. */
	readonly maxAgeHours: number;
	/** Older states of charge do not drive the battery, minutes. */
	readonly maxSocAgeMinutes: number;
}

type NumberSetting = {
	[Name in keyof BatterySettings]: BatterySettings[Name] extends number | null
		? Name
		: never;
}[keyof BatterySettings];

/** Bounds, and what a blank stands for; without `blank` the setting is needed. */
export const NUMBERS: Readonly<
	Record<NumberSetting, Bounds & { readonly blank?: number | null }>
> = {
	capacityKwh: { unit: "kWh", above: 0 },
	minSoc: { unit: "percent", least: 0, most: 100, blank: 10 },
	maxSoc: { unit: "percent", least: 0, most: 100, blank: 100 },
	maxChargeW: { unit: "W", above: 0 },
	maxDischargeW: { unit: "W", above: 0 },
	// Blank: the service's own defaults, spec V1 `battery_efficiency` and
	// `yearly_energy_consumption` (4 MWh).
	efficiency: {
		unit: "round trip, 0.9 = 90 %",
		above: 0,
		most: 1,
		blank: 0.94,
	},
	loadKwhPerDay: { unit: "kWh per day", least: 0, blank: 11 },
	feedInLimitW: { unit: "W, or blank for none", least: 0, blank: null },
	feedInPrice: { unit: "per kWh", least: 0, blank: 0 },
	maxAgeHours: { unit: "hours", above: 0, blank: 30 },
	maxSocAgeMinutes: { unit: "minutes", above: 0, blank: 30 },
};

const isBlank = (value: unknown) =>
	value === undefined ||
	value === null ||
	(typeof value === "string" && value.trim() === "");

function readChoice<Choice extends string>(
	field: string,
	value: unknown,
	choices: readonly [Choice, ...Choice[]],
): Choice {
	if (isBlank(value)) return choices[0];
	const choice = choices.find((known) => known === value);
	if (choice === undefined) {
		throw inputError(
			`${field} is ${show(value)}; give one of ${choices.join(", ")}`,
		);
	}
	return choice;
}

/**
 * Checks a battery's settings as they come from a dialog or a message: numbers
 * may be text, a blank takes its default.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readSettings(
	given: Readonly<Record<string, unknown>>,
): BatterySettings {
	const numbers = Object.fromEntries(
		Object.entries(NUMBERS).map(([field, { blank, ...bounds }]) => [
			field,
			isBlank(given[field]) && blank !== undefined
				? blank
				: readNumber(field, given[field], bounds),
		]),
	) as Pick<BatterySettings, NumberSetting>;
	if (numbers.minSoc >= numbers.maxSoc) {
		throw inputError(
			`minSoc is ${numbers.minSoc} and maxSoc ${numbers.maxSoc} (percent); give a minSoc below maxSoc`,
		);
	}
	return {
		...numbers,
		safety: readChoice("safety", given.safety, SAFETIES),
		strategy: readChoice("strategy", given.strategy, STRATEGIES),
	};
}
