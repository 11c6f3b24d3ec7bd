/**
 * Reads one V1 value as people give it (typed, as text, from a payload) and
 * says what is wrong with it. One reader per type of the parameter table.
 */

import { inspect } from "node:util";
import type { Text, Value } from "../texts/texts";
import { isBlank } from "../util/guards";
import { dateDay } from "../util/time";
import { Zone } from "../util/zone";
import type { V1Limits, V1Parameter, V1Type, V1Value } from "./parameters";
import "./texts";

/** A value that was read, perhaps with a warning; or the reason against it. */
type ValueReading =
	| { readonly value: V1Value; readonly warning?: Text }
	| { readonly problem: Text };

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
export const isUnset = (value: unknown): boolean =>
	isBlank(value) || (Array.isArray(value) && value.length === 0);

/** What a parameter takes: "a number from 0 to 90 degrees". */
export const expectedV1Value = (
	parameter: V1Parameter,
	limits: V1Limits,
): Text => ({
	key: `v1.expected_${parameter.type}`,
	values: {
		range: range(parameter, limits),
		format: parameter.format ?? "",
		choices: parameter.values ?? [],
	},
});

/** Units that languages have words of their own for. */
const UNITS = ["degrees", "days", "years"];

/** A unit as people read it; without one, nothing. */
export function unitText(unit: string | undefined): Value | undefined {
	return unit !== undefined && UNITS.includes(unit)
		? { key: `v1.${unit}` }
		: unit;
}

function range(parameter: V1Parameter, { min, max }: V1Limits): Value {
	const name = unitText(parameter.unit);
	if (min === undefined) {
		return name === undefined
			? ""
			: { key: "v1.of_unit", values: { unit: name } };
	}
	const least = String(min);
	const bounds =
		max === undefined
			? { key: "v1.at_least", values: { least } }
			: { key: "v1.from_to", values: { least, most: max } };
	return name === undefined
		? bounds
		: { key: "v1.with_unit", values: { bounds, unit: name } };
}

const refuse = (
	key: string,
	parameter: V1Parameter,
	limits: V1Limits,
): ValueReading => ({
	problem: {
		key,
		values: {
			expected: expectedV1Value(parameter, limits),
			choices: parameter.values ?? [],
		},
	},
});

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
		const hasComma =
			typeof given === "string" && /^\s*[+-]?\d+,\d+\s*$/.test(given);
		return refuse(
			hasComma ? "v1.decimal_comma" : "v1.no_number",
			parameter,
			limits,
		);
	}
	const { min = -Infinity, max = Infinity } = limits;
	return value < min || value > max
		? refuse("v1.out_of_bounds", parameter, limits)
		: { value };
};

/**
 * Why an azimuth under 0 is refused: the same direction counted from north, and
 * what it is when it was counted from south, as other services do.
 *
 * @param key of a text that ends in this, of the azimuth itself or of a part of the value
 */
function belowNorth(degrees: number, key: string): ValueReading {
	const turn = (by: number) =>
		Number(((((degrees + by) % 360) + 360) % 360).toPrecision(12));
	return {
		problem: {
			key,
			values: { azimuth: degrees, same: turn(360), other: turn(180) },
		},
	};
}

/** The parts of a value that `:` separates, without blanks around them. */
function parts(given: unknown): string[] {
	return typeof given === "string"
		? given.split(":").map((it) => it.trim())
		: [];
}

/** A decimal number inside `sky_obstruction_config`; a minus after a digit separates. */
const OBSTRUCTION_NUMBER = /(?<!\d)-?\d+(?:\.\d+)?/g;
/** Triples joined by anything, and by `_` alone, a `¤` for each number. */
const TRIPLES = /^¤:¤:¤(?:[^¤]+¤:¤:¤)*$/;
const KNOWN_TRIPLES = /^¤:¤:¤(?:_¤:¤:¤)*$/;

/** A `single_axis_tracker_config` in its parts; undefined when it is not one. */
export function readTracker(given: unknown):
	| {
			axis_azimuth: number;
			axis_tilt: number;
			max_angle: number;
			backtracking: boolean;
	  }
	| undefined {
	const [azimuth, tilt, angle, flag = "", ...more] = parts(given);
	const [axis_azimuth, axis_tilt, max_angle] = [azimuth, tilt, angle].map(
		readV1Number,
	);
	return axis_azimuth === undefined ||
		axis_tilt === undefined ||
		max_angle === undefined ||
		more.length > 0 ||
		!/^(?:t|f|true|false|[01])$/i.test(flag)
		? undefined
		: {
				axis_azimuth,
				axis_tilt,
				max_angle,
				backtracking: /^(?:t|true|1)$/i.test(flag),
			};
}

/** Reads text that is taken as it stands if it passes. */
const text =
	(
		key: string,
		isGood: (text: string, parameter: V1Parameter) => boolean,
	): Reader =>
	(given, parameter, limits) => {
		const value = typeof given === "string" ? given.trim() : "";
		return isGood(value, parameter)
			? { value }
			: refuse(key, parameter, limits);
	};

const READERS: Record<V1Type, Reader> = {
	number,

	azimuth(given, parameter, limits) {
		const value = readV1Number(given);
		return value !== undefined && value < 0
			? belowNorth(value, "v1.below_north")
			: number(given, parameter, limits);
	},

	integer(given, parameter, limits) {
		const reading = number(given, parameter, limits);
		return "value" in reading && !Number.isSafeInteger(reading.value)
			? refuse("v1.no_whole_number", parameter, limits)
			: reading;
	},

	boolean(given, parameter, limits) {
		const value = typeof given === "object" ? "" : String(given).trim();
		return /^(?:true|false|[01])$/i.test(value)
			? { value: /^(?:true|1)$/i.test(value) }
			: refuse("v1.no_flag", parameter, limits);
	},

	enum: text(
		"v1.not_allowed",
		(value, { values }) => values?.includes(value) === true,
	),
	date: text("v1.no_date", (value) => !Number.isNaN(dateDay(value))),
	months: text("v1.no_months", (value) => /^[01]{12}$/.test(value)),
	timezone: text("v1.no_zone", (value) => Zone.of(value) !== undefined),

	obstructions(given, parameter, limits) {
		const value = typeof given === "string" ? given.trim() : "";
		const marked = value.replace(OBSTRUCTION_NUMBER, "¤");
		if (!TRIPLES.test(marked))
			return refuse("v1.no_triples", parameter, limits);
		const below = [...value.matchAll(OBSTRUCTION_NUMBER)]
			.map(([number]) => Number(number))
			.find((it, index) => index % 3 !== 2 && it < 0);
		if (below !== undefined) return belowNorth(below, "v1.part_below_north");
		if (KNOWN_TRIPLES.test(marked)) return { value };
		const values = { name: parameter.name, value: shown(value) };
		return { value, warning: { key: "v1.joined_otherwise", values } };
	},

	tracker(given, parameter, limits) {
		const tracker = readTracker(given);
		if (tracker === undefined)
			return refuse("v1.no_tracker", parameter, limits);
		return tracker.axis_azimuth < 0
			? belowNorth(tracker.axis_azimuth, "v1.part_below_north")
			: { value: parts(given).join(":") };
	},

	soiling(given, parameter, limits) {
		const texts = parts(given);
		return texts.length === 4 &&
			texts.every((it) => readV1Number(it) !== undefined)
			? { value: texts.join(":") }
			: refuse("v1.no_soiling", parameter, limits);
	},

	columns(given, parameter, limits) {
		const list = typeof given === "string" ? given.split(",") : given;
		const names = Array.isArray(list)
			? list.map((it) => (typeof it === "string" ? it.trim() : ""))
			: [""];
		return names.includes("")
			? refuse("v1.no_columns", parameter, limits)
			: { value: names.join(",") };
	},

	text(given, parameter, limits) {
		return typeof given === "string"
			? { value: given }
			: refuse("v1.no_text", parameter, limits);
	},
};

/** Reads a value that is set, by the parameter's type and an endpoint's limits. */
export const readV1Value: Reader = (given, parameter, limits) =>
	READERS[parameter.type](given, parameter, limits);
