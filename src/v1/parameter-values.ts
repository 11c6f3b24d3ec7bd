/**
 * Reads one V1 value as people give it (typed, as text, from a payload) and
 * says what is wrong with it. One reader per type of the parameter table.
 */

import { inspect } from "node:util";
import { dateDay } from "../util/timestamp";
import { isZoneName } from "../util/zone-name";
import type { V1Limits, V1Parameter, V1Type, V1Value } from "./parameters";

/** A value that was read, perhaps with a warning; or the reason against it. */
type ValueReading =
	| { readonly value: V1Value; readonly warning?: string }
	| { readonly problem: string };

type Reader = (
	given: unknown,
	parameter: V1Parameter,
	limits: V1Limits,
) => ValueReading;

/** A value as an error shows it, at most 80 characters. */
export function shown(value: unknown): string {
	const text =
		typeof value === "string"
			? JSON.stringify(value)
			: inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY });
	return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Null, undefined, blank text and empty lists all mean "not set". */
export function isUnset(value: unknown): boolean {
	return (
		value == null ||
		(typeof value === "string" && value.trim() === "") ||
		(Array.isArray(value) && value.length === 0)
	);
}

/** What a parameter takes, in words: "a number from 0 to 90 degrees". */
export function expectedV1Value(
	parameter: V1Parameter,
	limits: V1Limits,
): string {
	return EXPECTED[parameter.type](parameter, limits);
}

function range({ unit }: V1Parameter, { min, max }: V1Limits): string {
	if (min === undefined) return unit === undefined ? "" : ` of ${unit}`;
	const bounds =
		max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
	return ` ${bounds}${unit === undefined ? "" : ` ${unit}`}`;
}

const EXPECTED: Record<
	V1Type,
	(parameter: V1Parameter, limits: V1Limits) => string
> = {
	number: (parameter, limits) => `a number${range(parameter, limits)}`,
	azimuth: (parameter, limits) =>
		`a number${range(parameter, limits)} (0 north, 90 east, 180 south, 270 west)`,
	integer: (parameter, limits) => `a whole number${range(parameter, limits)}`,
	boolean: () => "true or false",
	enum: ({ values }) => `one of ${values?.join(", ")}`,
	date: () => "a calendar date YYYY-MM-DD",
	months: () => "text of 12 digits, each 0 or 1, January first",
	obstructions: ({ format }) => `numbers ${format}, several joined by _`,
	tracker: ({ format }) =>
		`${format} (three numbers, then T or F, true or false, 1 or 0)`,
	soiling: ({ format }) => `four numbers ${format}`,
	columns: () => "column names separated by commas",
	timezone: () => "utc or an IANA name such as Europe/Berlin",
	text: () => "text",
};

function refuse(
	what: string,
	parameter: V1Parameter,
	limits: V1Limits,
): ValueReading {
	return {
		problem: `${what}; give ${expectedV1Value(parameter, limits)}`,
	};
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A finite number, also from decimal text; undefined for anything else. */
export function readV1Number(given: unknown): number | undefined {
	if (typeof given === "string") {
		const text = given.trim();
		return DECIMAL.test(text) ? readV1Number(Number(text)) : undefined;
	}
	return typeof given === "number" && Number.isFinite(given)
		? given
		: undefined;
}

const number: Reader = (given, parameter, limits) => {
	const value = readV1Number(given);
	if (value === undefined) {
		const hint =
			typeof given === "string" && /^\s*[+-]?\d+,\d+\s*$/.test(given)
				? " (decimals are written with a point)"
				: "";
		return refuse(`is not a number${hint}`, parameter, limits);
	}
	const { min = -Infinity, max = Infinity } = limits;
	return value < min || value > max
		? refuse("is out of bounds", parameter, limits)
		: { value };
};

/**
 * Why an azimuth under 0 is refused: the same direction counted from north, and
 * what it is when it was counted from south, as other services do.
 */
function belowNorth(degrees: number): string {
	const turn = (by: number) =>
		Number(((((degrees + by) % 360) + 360) % 360).toPrecision(12));
	return `below 0, but azimuths run from 0 to 360 degrees (0 north, 90 east, 180 south, 270 west); write ${turn(360)} for the same direction, or ${turn(180)} if it was counted from south`;
}

/** The parts of a value that `:` separates, without blanks around them. */
function parts(given: unknown): string[] {
	return typeof given === "string"
		? given.split(":").map((it) => it.trim())
		: [];
}

/** A decimal number inside `sky_obstruction_config`; a minus after a digit separates. */
const OBSTRUCTION_NUMBER = /(?<!\d)-?\d+(?:\.\d+)?/g;

/**
 * The numbers of `sky_obstruction_config` and whether `_` alone joins its
 * triples; undefined when it is not made of whole triples.
 */
function readTriples(
	text: string,
): { numbers: number[]; joinedAsKnown: boolean } | undefined {
	const found = [...text.matchAll(OBSTRUCTION_NUMBER)];
	let end = 0;
	let joinedAsKnown = true;
	for (const [index, match] of found.entries()) {
		const between = text.slice(end, match.index);
		end = match.index + match[0].length;
		if (index === 0 ? between !== "" : between === "") return undefined;
		if (index % 3 !== 0 && between !== ":") return undefined;
		if (index > 0 && index % 3 === 0) joinedAsKnown &&= between === "_";
	}
	const whole =
		found.length > 0 && found.length % 3 === 0 && end === text.length;
	return whole
		? { numbers: found.map((it) => Number(it[0])), joinedAsKnown }
		: undefined;
}

/** The backtracking part of a tracker, in lower case. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
	["t", true],
	["f", false],
	["true", true],
	["false", false],
	["1", true],
	["0", false],
]);

/** A `single_axis_tracker_config` in its parts; undefined when it is not one. */
export function readTracker(given: unknown):
	| {
			axis_azimuth: number;
			axis_tilt: number;
			max_angle: number;
			backtracking: boolean;
	  }
	| undefined {
	const texts = parts(given);
	if (texts.length !== 4) return undefined;
	const [axis_azimuth, axis_tilt, max_angle] = texts
		.slice(0, 3)
		.map(readV1Number);
	const backtracking = FLAGS.get((texts[3] as string).toLowerCase());
	return axis_azimuth === undefined ||
		axis_tilt === undefined ||
		max_angle === undefined ||
		backtracking === undefined
		? undefined
		: { axis_azimuth, axis_tilt, max_angle, backtracking };
}

const READERS: Record<V1Type, Reader> = {
	number,

	azimuth(given, parameter, limits) {
		const value = readV1Number(given);
		return value !== undefined && value < 0
			? {
					problem: `is ${belowNorth(value)}`,
				}
			: number(given, parameter, limits);
	},

	integer(given, parameter, limits) {
		const reading = number(given, parameter, limits);
		return "value" in reading && !Number.isSafeInteger(reading.value)
			? refuse("is not a whole number", parameter, limits)
			: reading;
	},

	boolean(given, parameter, limits) {
		const text = typeof given === "string" ? given.trim().toLowerCase() : given;
		if (text === true || text === 1 || text === "true" || text === "1")
			return { value: true };
		if (text === false || text === 0 || text === "false" || text === "0")
			return { value: false };
		return refuse("is neither true nor false", parameter, limits);
	},

	enum(given, parameter, limits) {
		const value = typeof given === "string" ? given.trim() : "";
		return parameter.values?.includes(value)
			? { value }
			: refuse("is not allowed", parameter, limits);
	},

	date(given, parameter, limits) {
		const value = typeof given === "string" ? given.trim() : "";
		return Number.isNaN(dateDay(value))
			? refuse("is not a calendar date", parameter, limits)
			: { value };
	},

	months(given, parameter, limits) {
		const value = typeof given === "string" ? given.trim() : "";
		return /^[01]{12}$/.test(value)
			? { value }
			: refuse("does not say yes or no for 12 months", parameter, limits);
	},

	obstructions(given, parameter, limits) {
		const value = typeof given === "string" ? given.trim() : "";
		const triples = readTriples(value);
		if (triples === undefined)
			return refuse("does not consist of triples", parameter, limits);
		const { numbers, joinedAsKnown } = triples;
		const below = numbers.find((it, index) => index % 3 !== 2 && it < 0);
		if (below !== undefined)
			return {
				problem: `holds the azimuth ${below}, which is ${belowNorth(below)}`,
			};
		return joinedAsKnown
			? { value }
			: {
					value,
					warning: `${parameter.name} ${shown(value)} is sent as given, but only _ is known to join several triples; use _ if the service refuses it`,
				};
	},

	tracker(given, parameter, limits) {
		const tracker = readTracker(given);
		if (tracker === undefined)
			return refuse("does not have these four parts", parameter, limits);
		return tracker.axis_azimuth < 0
			? {
					problem: `holds the azimuth ${tracker.axis_azimuth}, which is ${belowNorth(tracker.axis_azimuth)}`,
				}
			: { value: parts(given).join(":") };
	},

	soiling(given, parameter, limits) {
		const texts = parts(given);
		return texts.length === 4 &&
			texts.every((it) => readV1Number(it) !== undefined)
			? { value: texts.join(":") }
			: refuse("does not have four numbers", parameter, limits);
	},

	columns(given, parameter, limits) {
		const list = typeof given === "string" ? given.split(",") : given;
		const names = Array.isArray(list)
			? list.map((it) => (typeof it === "string" ? it.trim() : ""))
			: [""];
		return names.includes("")
			? refuse("is not a list of names", parameter, limits)
			: { value: names.join(",") };
	},

	timezone(given, parameter, limits) {
		const value = typeof given === "string" ? given.trim() : "";
		return isZoneName(value)
			? { value }
			: refuse("is no known time zone", parameter, limits);
	},

	text(given, parameter, limits) {
		return typeof given === "string"
			? { value: given }
			: refuse("is not text", parameter, limits);
	},
};

/** Reads a value that is set, by the parameter's type and an endpoint's limits. */
export function readV1Value(
	given: unknown,
	parameter: V1Parameter,
	limits: V1Limits,
): ValueReading {
	return READERS[parameter.type](given, parameter, limits);
}
