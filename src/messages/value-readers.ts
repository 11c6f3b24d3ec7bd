import {
	inputError,
	SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { readInstant } from "../util/timestamp";

/** Epoch ms below this are seconds, or a number that is no time at all: 1973. */
const LEAST_MS = 1e11;
const MOST_MS = 8.64e15;

/** What a number must be. `above` excludes the bound itself, `least` includes it. */
export interface Bounds {
	readonly unit: string;
	readonly least?: number;
	readonly above?: number;
	readonly most?: number;
}

function wanted({ unit, least, above, most }: Bounds): string {
	const low =
		above !== undefined
			? `above ${above}`
			: least !== undefined
				? `from ${least}`
				: "";
	const high = most !== undefined ? `to ${most}` : "";
	return ["a number", low, high, `(${unit})`].filter(Boolean).join(" ");
}

/**
 * A number given as such or as text.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readNumber(
	field: string,
	value: unknown,
	bounds: Bounds,
): number {
	const number =
		typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	if (
		typeof number !== "number" ||
		!Number.isFinite(number) ||
		number < (bounds.least ?? Number.NEGATIVE_INFINITY) ||
		number <= (bounds.above ?? Number.NEGATIVE_INFINITY) ||
		number > (bounds.most ?? Number.POSITIVE_INFINITY)
	) {
		throw inputError(
			`${field} is ${show(value)}; give ${wanted(bounds)}, with a point for decimals`,
		);
	}
	return number;
}

/**
 * Epoch ms of an instant: ISO 8601 with its offset, a `Date`, or epoch ms.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readMoment(field: string, value: unknown): number {
	const ms =
		value instanceof Date
			? value.getTime()
			: typeof value === "string"
				? /^\d+$/.test(value)
					? Number(value)
					: readInstant(value)
				: value;
	if (typeof ms !== "number" || !(ms >= LEAST_MS && ms <= MOST_MS)) {
		throw inputError(
			`${field} is ${show(value)}; give a time with its offset, like "2026-07-01T12:00:00+02:00", or epoch milliseconds`,
		);
	}
	return ms;
}

/** A span of time, from `start` to before `end`, in epoch ms. */
export interface Span {
	readonly start: number;
	readonly end: number;
}

/** Whether a value stands for "nothing": it takes back what was given before. */
export const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === "string" && value.trim() === "");

/** What was read of an input: its value, if there is any, and what could not be read. */
export interface Reading<Value> {
	/** Absent when nothing could be read. */
	readonly value?: Value;
	readonly errors: readonly SolarYieldError[];
}

/** Runs a reader that throws. */
export function reading<Value>(read: () => Value): Reading<Value> {
	try {
		return { value: read(), errors: [] };
	} catch (error) {
		if (error instanceof SolarYieldError) return { errors: [error] };
		throw error;
	}
}

/** One error for all rows that are wrong in the same list: the first, and how many more there are. */
export function rowErrors(
	errors: readonly SolarYieldError[],
): readonly SolarYieldError[] {
	const [first, ...more] = errors;
	if (!first || more.length === 0) return errors;
	return [
		inputError(
			`${first.message} (${more.length} more ${more.length === 1 ? "row is" : "rows are"} wrong too; the other rows are used)`,
		),
	];
}
