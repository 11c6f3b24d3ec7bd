import {
	absentInputs,
	newQuestions,
	type ReadResult,
	reading,
	readNumber,
} from "../../messages/value-readers";
import {
	type FeedIn,
	type PriceList,
	readFeedIn,
	readPrices,
} from "../../prices/reader";
import type { SolarYieldError } from "../../service/errors/solar-yield-error";
import type { Zone } from "../../util/zone";
import { readSettingChanges, type SettingChanges } from "../settings";
import { type Load, readLoad } from "./load";
import { readTargets, type Target } from "./targets";

export type { FeedIn, PriceRow } from "../../prices/reader";
export type { Load, LoadRow } from "./load";
export type { Target } from "./targets";
export { readFeedIn, readLoad, readPrices, readTargets };

/** By how much a state of charge may lie beyond 0 and 100 % and is still meant, percent. */
const SLACK = 5;

/**
 * State of charge in percent. What lies beyond 0 or 100 by 5 at most is clamped:
 * batteries round, and report beyond their own bounds while they calibrate.
 *
 * @throws SolarYieldError `INPUT`
 */
export function readSoc(value: unknown): number {
	const percent = readNumber("soc", value, {
		unit: { key: "unit.percent_0_to_100" },
		least: -SLACK,
		most: 100 + SLACK,
	});
	return Math.min(100, Math.max(0, percent));
}

/** `msg.house_w`: what the house consumes, W. Meters show a little below 0 at times. */
function readHouse(value: unknown): number {
	return Math.max(
		0,
		readNumber("house_w", value, {
			unit: "W",
			least: -100,
			most: 1e6,
		}),
	);
}

/** What a message can bring besides a forecast, as read. */
export interface Inputs {
	readonly soc: number;
	readonly house_w: number;
	readonly load: Load | null;
	readonly prices: PriceList | null;
	readonly feedIn: FeedIn | null;
	readonly targets: readonly Target[];
	readonly settings: SettingChanges;
}

/** What reading needs to know of before. */
interface Before {
	/** The node's own settings, as `readSettings` takes them. */
	readonly configured: Readonly<Record<string, unknown>>;
	/** Settings that messages have given. */
	readonly changes: SettingChanges;
	/** The site's; undefined before its forecast. */
	readonly zone?: Zone | undefined;
	/** Inputs that were asked about (`newQuestions`). */
	readonly asked?: readonly string[];
}

const READERS: {
	readonly [Name in keyof Inputs]: (
		value: unknown,
		before: Before,
	) => ReadResult<Inputs[Name]>;
} = {
	soc: (value) => reading(() => readSoc(value)),
	house_w: (value) => reading(() => readHouse(value)),
	load: (value, { zone }) => readLoad(value, zone),
	prices: (value, { zone }) => readPrices("prices", value, zone),
	feedIn: (value, { zone }) => readFeedIn(value, zone),
	targets: readTargets,
	settings: (value, { configured, changes }) =>
		readSettingChanges(value, configured, changes),
};

/** The message properties that bring something besides a forecast. */
export const INPUT_NAMES = Object.keys(READERS) as (keyof Inputs)[];
/** Those that a battery or a meter gives. */
const READINGS: readonly (keyof Inputs)[] = ["soc", "house_w"];

/**
 * Reads whatever a message brings, each by itself: what is wrong in one never
 * discards another, nor the good rows of the same.
 *
 * @returns the good values, the names of those that had no value (behaviour: Messages
 *   "Input"), an error per fault that names field
 *   and value and says what to give, and the inputs that were asked about
 */
export function readInputs(
	msg: Readonly<Record<string, unknown>>,
	before: Before,
): {
	readonly values: Partial<Inputs>;
	readonly absent: readonly (keyof Inputs)[];
	readonly errors: readonly SolarYieldError[];
	readonly asked: readonly string[];
} {
	const brought = INPUT_NAMES.filter((name) => name in msg);
	const absent = absentInputs(msg, brought, READINGS);
	const errors: SolarYieldError[] = [];
	const values: { [Name in keyof Inputs]?: Inputs[Name] } = {};
	const reads: Record<string, ReadResult<unknown>> = {};
	const take = <Name extends keyof Inputs>(name: Name) => {
		const read = READERS[name](msg[name], before);
		errors.push(...read.errors);
		reads[name] = read;
		if (read.value !== undefined) values[name] = read.value;
	};
	for (const name of brought) if (!absent.includes(name)) take(name);
	const { asked, told } = newQuestions(before.asked ?? [], reads);
	return { values, absent, errors: [...errors, ...told], asked };
}
