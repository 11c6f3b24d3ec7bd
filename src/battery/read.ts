import { inputError } from "../service/errors/solar-yield-error";
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

/**
 * Rows of `{start, end, …}` in ascending order, none overlapping another; holes
 * between them are allowed.
 *
 * @param rest reads the other fields of a row, given the row's name for errors
 * @throws SolarYieldError `INPUT` naming row, field and value
 */
export function readSpans<Rest>(
	name: string,
	rows: readonly unknown[],
	rest: (row: Readonly<Record<string, unknown>>, name: string) => Rest,
): (Span & Rest)[] {
	let before = Number.NEGATIVE_INFINITY;
	return rows.map((given, index) => {
		const at = `${name}[${index}]`;
		if (typeof given !== "object" || given === null) {
			throw inputError(
				`${at} is ${show(given)}; give an object with start and end`,
			);
		}
		const row = given as Readonly<Record<string, unknown>>;
		const start = readMoment(`${at}.start`, row.start);
		const end = readMoment(`${at}.end`, row.end);
		if (end <= start) {
			throw inputError(
				`${at}.end is ${show(row.end)}, which is not after its start ${show(row.start)}; give the end of the span`,
			);
		}
		if (start < before) {
			throw inputError(
				`${at}.start is ${show(row.start)}, before the end of ${name}[${index - 1}]; sort the rows by start and let none overlap`,
			);
		}
		before = end;
		return { start, end, ...rest(row, at) };
	});
}
