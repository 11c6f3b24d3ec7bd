import { readChoice, reading } from "../messages/value-readers";
import {
	inputError,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isBlank } from "../util/guards";
import { MINUTE_MS } from "../util/time";

export const PIECES = ["one", "any"] as const;
/** Whether the hours run in one piece, or in any quarters of the day. */
type Pieces = (typeof PIECES)[number];

export const RANKS = ["sun", "cost"] as const;
/** What makes one time better than another: most solar energy for the appliance, or least cost. */
export type Rank = (typeof RANKS)[number];

/** When an appliance may run and what it needs; checked by `readWindowSettings`. */
export interface WindowSettings {
	/** Hours of running a day, 0.25 to 24. */
	readonly hours: number;
	readonly pieces: Pieces;
	/** Earliest start, minutes after the site's midnight; null = midnight. */
	readonly from: number | null;
	/** Latest end, minutes after the site's midnight, of the next day where it is not after `from`; null = the day's end. */
	readonly to: number | null;
	/** Solar power that must be left over after the base load, W; null = any. */
	readonly minPowerW: number | null;
	/** Power of the appliance, W; null = not known. */
	readonly loadW: number | null;
	/** Power of the house without the appliance, W. */
	readonly baseLoadW: number;
	readonly rank: Rank;
}

/** The settings that a message may override, by the names that dialog and message share. */
export type WindowSetting = keyof WindowSettings;

/** Values of messages that hold until a message takes them back, as they were given. */
export type Overrides = Readonly<
	Partial<Record<WindowSetting, string | number | undefined>>
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
) {
	return (field: string, value: unknown): number | Blank => {
		if (isBlank(value)) return blank;
		const number = typeof value === "string" ? Number(value) : value;
		if (
			typeof number !== "number" ||
			!Number.isFinite(number) ||
			!isAllowed(number)
		) {
			throw inputError(key, { field, value: show(value) });
		}
		return number;
	};
}

/** Minutes after midnight of `HH:MM`; null where nothing is given. */
function readClock(field: string, value: unknown): number | null {
	if (isBlank(value)) return null;
	const [, hour, minute] =
		(typeof value === "string" && /^(\d\d?):(\d\d)$/.exec(value.trim())) || [];
	const minutes = Number(hour) * 60 + Number(minute);
	const last = field === "to" ? 24 * 60 : 24 * 60 - 1;
	if (!(Number(minute) < 60 && minutes <= last)) {
		throw inputError("window.clock", { field, value: show(value) });
	}
	return minutes;
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
	pieces: (field, value) => readChoice(field, value, PIECES),
	from: readClock,
	to: readClock,
	minPowerW: numberReader("window.least_power", (power) => power >= 0, null),
	loadW: numberReader("window.power", (power) => power > 0, null),
	baseLoadW: numberReader("window.base_load", (power) => power >= 0, 0),
	rank: (field, value) => readChoice(field, value, RANKS),
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
	return Object.fromEntries(
		WINDOW_SETTINGS.map((name) => [
			name,
			READERS[name](name, overrides[name] ?? properties[name]),
		]),
	) as unknown as WindowSettings;
}

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
		if (wrong.length === 0) overrides[name] = value as string | number;
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
