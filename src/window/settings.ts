import {
	readChoice,
	readClock,
	readFlag,
	reading,
} from "../messages/value-readers";
import {
	inputError,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isBlank } from "../util/guards";
import { DAY_MS, MINUTE_MS } from "../util/time";

export const PIECES = ["one", "any"] as const;
/** Whether the hours run in one piece, or in any quarters of the day. */
type Pieces = (typeof PIECES)[number];

export const RANKS = ["sun", "cost"] as const;
/** What makes one time better than another: most solar energy for the appliance, or least cost. */
export type Rank = (typeof RANKS)[number];

/** When an appliance may run and what it needs; checked by `readWindowSettings`. */
export interface WindowSettings {
	/** Hours of running a day, 0.25 to 24; the most where `minHours` is the least. */
	readonly hours: number;
	/** Hours that run even where nothing is good enough, 0 to 24. */
	readonly minHours: number;
	/** kWh that the appliance takes by the end of its time, in place of hours; null = hours count. */
	readonly energyKwh: number | null;
	readonly pieces: Pieces;
	/** Earliest start, minutes after the site's midnight; null = midnight, of an energy the last `to`. */
	readonly from: number | null;
	/** Latest end, minutes after the site's midnight, of the next day where it is not after `from`; null = the day's end. */
	readonly to: number | null;
	readonly rank: Rank;
	/** Power of the appliance at most, W; null = not known. */
	readonly loadW: number | null;
	/** Power of one that can follow the sun at least, W; null = it takes `loadW` or nothing. */
	readonly minLoadW: number | null;
	/** Power of the house without the appliance, W. */
	readonly baseLoadW: number;
	/** Solar power that must be left over after the base load, W; null = any. */
	readonly minPowerW: number | null;
	/** Dearest price of a kWh from the grid; null = any. */
	readonly maxPrice: number | null;
	/** Shortest run, minutes. */
	readonly minRunMinutes: number;
	/** Most runs a day; null = any. */
	readonly maxStarts: number | null;
	/** Longest time off, hours, across days; null = any. */
	readonly maxPauseHours: number | null;
	/** Nothing from the grid. */
	readonly sunOnly: boolean;
	/** Also for the little sun that is left of a day. */
	readonly runAnyway: boolean;
}

/** The settings that a message may override, by the names that dialog and message share. */
export type WindowSetting = keyof WindowSettings;

/** Values of messages that hold until a message takes them back, as they were given. */
export type Overrides = Readonly<
	Partial<Record<WindowSetting, string | number | boolean | undefined>>
>;

/**
 * A reader of a number, given as such or as text.
 *
 * @param key of the error
 */
function numberReader<Blank>(
	key: string,
	isAllowed: (value: number) => boolean,
	blank: Blank,
	bounds: Record<string, string> = {},
) {
	return (field: string, value: unknown): number | Blank => {
		if (isBlank(value)) return blank;
		const number = typeof value === "string" ? Number(value) : value;
		if (
			typeof number !== "number" ||
			!Number.isFinite(number) ||
			!isAllowed(number)
		) {
			throw inputError(key, { field, value: show(value), ...bounds });
		}
		return number;
	};
}

const leastPower = numberReader(
	"window.least_power",
	(power) => power >= 0,
	null,
);

/** A reader of a number within bounds. */
function amount<Blank>(least: number, most: number, blank: Blank) {
	return (field: string, value: unknown): number | Blank => {
		const isWithin = (number: number) => number >= least && number <= most;
		const bounds = { least: String(least), most: String(most) };
		return numberReader("window.amount", isWithin, blank, bounds)(field, value);
	};
}

/** Minutes after midnight of `HH:MM`; null where nothing is given. */
function readTime(field: string, value: unknown): number | null {
	if (isBlank(value)) return null;
	const ms = readClock(value);
	if (Number.isNaN(ms) || (field === "from" && ms === DAY_MS)) {
		throw inputError("window.clock", { field, value: show(value) });
	}
	return ms / MINUTE_MS;
}

const READERS: {
	readonly [Name in WindowSetting]: (
		field: string,
		value: unknown,
	) => WindowSettings[Name];
} = {
	hours: numberReader(
		"window.hours",
		(hours) => hours >= 0.25 && hours <= 24,
		2,
	),
	minHours: amount(0, 24, 0),
	energyKwh: amount(0, 1000, null),
	pieces: (field, value) => readChoice(field, value, PIECES),
	from: readTime,
	to: readTime,
	rank: (field, value) => readChoice(field, value, RANKS),
	loadW: numberReader("window.power", (power) => power > 0, null),
	minLoadW: leastPower,
	baseLoadW: numberReader("window.base_load", (power) => power >= 0, 0),
	minPowerW: leastPower,
	maxPrice: amount(-1000, 1000, null),
	minRunMinutes: amount(0, 1440, 0),
	maxStarts: amount(1, 96, null),
	maxPauseHours: amount(0.25, 168, null),
	sunOnly: readFlag,
	runAnyway: readFlag,
};

export const WINDOW_SETTINGS = Object.keys(READERS) as WindowSetting[];

/**
 * Checks the settings of a window: numbers may be text, a blank takes its
 * default (2 hours in one piece, the whole day, by the sun).
 *
 * @param properties as a dialog gives them
 * @param overrides of messages; each wins over the property of its name
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readWindowSettings(
	properties: Readonly<Record<string, unknown>>,
	overrides: Overrides = {},
): WindowSettings {
	const settings = Object.fromEntries(
		WINDOW_SETTINGS.map((name) => [
			name,
			READERS[name](name, overrides[name] ?? properties[name]),
		]),
	) as unknown as WindowSettings;
	const { energyKwh, loadW, from, to } = settings;
	if (energyKwh === null) return settings;
	if (loadW === null) throw noLoad(energyKwh);
	// It may come at any time since the last deadline.
	if (from !== null || to === null) return settings;
	return { ...settings, from: to % (DAY_MS / MINUTE_MS) };
}

/** An energy takes as long as the appliance's power says. */
const noLoad = (energyKwh: number) =>
	inputError("window.no_load", { value: show(energyKwh) });

/**
 * The overrides after a message. What it does not name stays; null or a blank
 * takes an override back. Each is read by itself: a wrong one is told and
 * changes nothing, the others hold.
 */
export function mergeOverrides(
	kept: Overrides,
	message: Readonly<Record<string, unknown>>,
): { readonly overrides: Overrides; readonly errors: SolarYieldError[] } {
	const overrides: { -readonly [Name in keyof Overrides]: Overrides[Name] } = {
		...kept,
	};
	const errors: SolarYieldError[] = [];
	for (const name of WINDOW_SETTINGS) {
		const value = message[name];
		if (value === undefined) continue;
		if (isBlank(value)) {
			delete overrides[name];
			continue;
		}
		const { errors: wrong } = reading(() => READERS[name](name, value));
		if (wrong.length === 0)
			overrides[name] = value as string | number | boolean;
		errors.push(...wrong);
	}
	return { overrides, errors };
}

/**
 * `msg.run_minutes`: what the appliance really ran today, in ms.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readRunMinutes(value: unknown): number {
	const minutes = numberReader(
		"window.minutes",
		(number) => number >= 0 && number <= 1500,
		null,
	)("run_minutes", value);
	if (minutes === null) {
		throw inputError("window.run_minutes", { value: show(value) });
	}
	return Math.round(minutes * MINUTE_MS);
}

/**
 * `msg.energy_kwh`: what the appliance still lacks; null takes it back.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readLacking(value: unknown, loadW: number | null) {
	const kwh = amount(0, 1000, null)("energy_kwh", value);
	if (kwh !== null && loadW === null) throw noLoad(kwh);
	return kwh;
}
