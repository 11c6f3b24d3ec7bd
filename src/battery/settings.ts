import {
	type NumberBounds,
	type ReadResult,
	readChoice,
	readFlag,
	reading,
	readNumber,
} from "../messages/value-readers";
import {
	inputError,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isBlank, isObject } from "../util/guards";

export const STRATEGIES = [
	"self-consumption",
	"peak-shaving",
	"price",
] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const SAFETIES = ["expected", "cautious"] as const;
type Safety = (typeof SAFETIES)[number];

/** Where the load comes from while no message brings one. */
export const LOADS = ["profile", "learned"] as const;

/** Sides of the inverter on which a battery hangs. */
export const COUPLINGS = ["ac", "dc"] as const;

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
	/** Paid for each kWh fed into the grid, in the currency of the prices; negative where it costs. */
	readonly feedInPrice: number;
	/** Power that the inverter passes on the side of the house, W; null = no limit. */
	readonly acLimitW: number | null;
	/** Where the battery hangs: beside the inverter of the PV, or on its DC side, where it stores what is above `acLimitW`. */
	readonly coupling: (typeof COUPLINGS)[number];
	/** What storing a kWh costs the battery's life, in the currency of the prices; counts with strategy `price`. */
	readonly wearPrice: number;
	/** Import that charging from the grid must not exceed, the house's own counted, W; null = no limit. */
	readonly importLimitW: number | null;
	/** Most to charge from the grid, W; null = `maxChargeW`. */
	readonly gridChargeW: number | null;
	/** Whether PV may be stopped while importing pays; strategy `price`. */
	readonly mayCurtail: boolean;
	/** Percent of the remaining energy that may fail to come, where there is no band; null = learned, or 20. */
	readonly margin: number | null;
	/** Whether the battery may be charged from the grid; null = with strategy `price` alone. */
	readonly gridCharge: boolean | null;
	/** Whether strategy `price` may give from the battery to the grid. */
	readonly sell: boolean;
	/** The standard profile, or what `msg.house_w` has taught once a week is known. */
	readonly load: (typeof LOADS)[number];
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
	Record<NumberSetting, NumberBounds & { readonly blank?: number | null }>
> = {
	capacityKwh: { unit: "kWh", above: 0 },
	minSoc: { unit: { key: "unit.percent" }, least: 0, most: 100, blank: 10 },
	maxSoc: { unit: { key: "unit.percent" }, least: 0, most: 100, blank: 100 },
	maxChargeW: { unit: "W", above: 0 },
	maxDischargeW: { unit: "W", above: 0 },
	// Blank: the service's own defaults, spec V1 `battery_efficiency` and
	// `yearly_energy_consumption` (4 MWh).
	efficiency: {
		unit: { key: "unit.round_trip" },
		above: 0,
		most: 1,
		blank: 0.94,
	},
	loadKwhPerDay: { unit: { key: "unit.kwh_per_day" }, least: 0, blank: 11 },
	feedInLimitW: { unit: { key: "unit.w_or_blank" }, least: 0, blank: null },
	feedInPrice: { unit: { key: "unit.per_kwh" }, blank: 0 },
	acLimitW: { unit: { key: "unit.w_or_blank" }, above: 0, blank: null },
	wearPrice: { unit: { key: "unit.per_kwh" }, least: 0, blank: 0 },
	importLimitW: { unit: { key: "unit.w_or_blank" }, least: 0, blank: null },
	gridChargeW: { unit: { key: "unit.w_or_blank" }, least: 0, blank: null },
	margin: {
		unit: { key: "unit.percent_or_blank" },
		least: 0,
		most: 100,
		blank: null,
	},
	maxAgeHours: { unit: { key: "unit.hours" }, above: 0, blank: 30 },
	maxSocAgeMinutes: { unit: { key: "unit.minutes" }, above: 0, blank: 30 },
};

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
		throw inputError("battery.socs", {
			least: numbers.minSoc,
			most: numbers.maxSoc,
		});
	}
	return {
		...numbers,
		gridCharge: isBlank(given.gridCharge)
			? null
			: readFlag("gridCharge", given.gridCharge),
		sell: readFlag("sell", given.sell),
		coupling: readChoice("coupling", given.coupling, COUPLINGS),
		mayCurtail: readFlag("mayCurtail", given.mayCurtail),
		load: readChoice("load", given.load, LOADS),
		safety: readChoice("safety", given.safety, SAFETIES),
		strategy: readChoice("strategy", given.strategy, STRATEGIES),
	};
}

/** What `msg.settings` may change. */
export const SETTING_NAMES = [
	...Object.keys(NUMBERS),
	"safety",
	"strategy",
	"gridCharge",
	"sell",
	"coupling",
	"mayCurtail",
	"load",
] as readonly (keyof BatterySettings)[];

/** Settings that messages have given, by name: they win over the node's own. */
export type SettingChanges = Readonly<
	Partial<Record<keyof BatterySettings, unknown>>
>;

const ofSettings = ({ text }: SolarYieldError) =>
	inputError("battery.of_settings", { error: text });

/**
 * `msg.settings`: settings by name; null takes a setting back, and null instead
 * of the object takes back all. Each is read by itself.
 *
 * @param configured the node's own settings, as `readSettings` takes them
 * @param changes what messages have given before
 * @returns all changes afterwards, those that cannot be read as they were; no value where none can be read
 */
export function readSettingChanges(
	value: unknown,
	configured: Readonly<Record<string, unknown>>,
	changes: SettingChanges,
): ReadResult<SettingChanges> {
	if (isBlank(value)) return { value: {}, errors: [] };
	if (!isObject(value)) {
		return {
			errors: [inputError("battery.settings", { value: show(value) })],
		};
	}
	const errors: SolarYieldError[] = [];
	const after: Record<string, unknown> = { ...changes };
	const all = { ...configured, ...changes };
	for (const [name, given] of Object.entries(value)) {
		const known = SETTING_NAMES.find((it) => it === name);
		if (!known) {
			errors.push(
				inputError("value.unknown_key", {
					name: "settings",
					key: name,
					names: SETTING_NAMES,
				}),
			);
			continue;
		}
		if (given === null) {
			delete after[known];
			continue;
		}
		// minSoc and maxSoc bound each other: together they are checked below.
		const free = { minSoc: 0, maxSoc: 100 };
		const { errors: wrong } = reading(() =>
			readSettings({ ...all, ...free, [known]: given }),
		);
		if (wrong.length === 0) after[known] = given;
		errors.push(...wrong.map(ofSettings));
	}
	const { errors: together } = reading(() =>
		readSettings({ ...configured, ...after }),
	);
	if (together.length > 0) {
		errors.push(...together.map(ofSettings));
		for (const name of ["minSoc", "maxSoc"] as const) {
			if (name in changes) after[name] = changes[name];
			else delete after[name];
		}
	}
	const isRefused =
		errors.length > 0 && errors.length >= Object.keys(value).length;
	return { ...(!isRefused && { value: after }), errors };
}
