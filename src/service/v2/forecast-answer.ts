import { z } from "zod";
import { isObject } from "../../util/guards";
import { MINUTE_MS, QUARTER_MS } from "../../util/time";
import {
	dateDay,
	isPossible,
	readInstant,
	readWallClock,
} from "../../util/timestamp";
import type { SolarYieldError } from "../errors/solar-yield-error";
import { responseError, schemaError, show, zodText } from "./schema-errors";

/** A row as received; unknown fields pass through untouched. */
export type Row = Readonly<Record<string, unknown>>;

/** Largest number accepted: beyond any real quantity, and far below where sums become infinite. */
const MOST = 1e15;
/** Longest name accepted, characters: ids are repeated in each row and sent in paths. */
const LONGEST = 200;

const isShort = (text: string) => text.length <= LONGEST;

const quantity = z.number().min(-MOST).max(MOST);
const power = quantity.nullable().optional();

const isStamp = (text: string) => instantOf(text) !== undefined;
const stamp = z.string().refine(isStamp, zodText("expected.quarter"));
const stringId = z.string().min(1);

/** Row of `values`, with the schemas of its stamp and of its powers and temperature. */
const valueRow = <T extends z.ZodType, P extends z.ZodType>(
	timestamp: T,
	power: P,
) =>
	z.looseObject({
		timestamp,
		pv_power: power,
		pv_power_min: power,
		pv_power_max: power,
		pv_power_clearsky: power,
		temp: power,
	});

/** Row of `strings`, with the schemas of its stamp, of its id and of its powers. */
const stringRow = <
	T extends z.ZodType,
	I extends z.ZodType,
	P extends z.ZodType,
>(
	timestamp: T,
	string_id: I,
	power: P,
) =>
	z.looseObject({
		timestamp,
		string_index: z.int().nonnegative(),
		string_id,
		pv_power: power,
		pv_power_min: power,
		pv_power_max: power,
	});

const optionalId = stringId
	// Not max(), which counts a pair of surrogates once.
	.refine(isShort, zodText("expected.characters", { count: LONGEST }))
	.nullable()
	.optional();

/** Row of `values` (spec V2, "Value row"). Powers in W. */
export const ValueRow = valueRow(stamp, power);
/** Row of `strings` (spec V2, "String row"). Powers in W. */
export const StringRow = stringRow(stamp, optionalId, power);

/** Row of `daily` (spec V2, "Daily row"). Energies in kWh. */
export const DailyRow = z.looseObject({
	date: z
		.string()
		.refine((text) => !Number.isNaN(dateDay(text)), zodText("expected.date")),
	pv_energy_kwh: power,
	pv_energy_kwh_min: power,
	pv_energy_kwh_max: power,
});
export type DailyRow = z.infer<typeof DailyRow>;

const moment = z
	.string()
	.refine(
		(text) =>
			!Number.isNaN(readInstant(text)) || !Number.isNaN(readWallClock(text)),
		zodText("expected.time"),
	);

/** The response besides its rows (spec V2, "Forecast response"). */
const Envelope = z.looseObject({
	site_id: z
		.union([z.string().max(LONGEST), z.number()])
		.nullable()
		.optional(),
	timezone: z.string().max(LONGEST).nullable().optional(),
	computed_at: moment.nullable().optional(),
	next_poll_at: z.unknown().optional(),
	included: z.array(z.string()).nullable().optional(),
	available: z.array(z.string()).nullable().optional(),
});

/** An array that zod neither visits nor copies: its rows are checked one by one. */
const rows = z.custom<readonly unknown[]>(
	Array.isArray,
	zodText("expected.array"),
);

/** Most days accepted: a request of history covers a year, and each day becomes a message. */
const MOST_DAYS = 1000;
const days = rows.refine(
	({ length }) => length <= MOST_DAYS,
	zodText("expected.days", { count: MOST_DAYS }),
);

const Response = Envelope.extend({
	daily: days.nullable().optional(),
	values: rows,
	strings: rows.nullable().optional(),
});

/** Whether a body has any of the fields that make a forecast. */
export const isForecastLike = (body: unknown): boolean =>
	isObject(body) && Object.keys(Response.shape).some((name) => name in body);

/**
 * The same, compiled, so that a row is looked at without a copy; the loop over the
 * rows reads the stamp's text, since it needs the instant. Most rows of the largest
 * answers have a number in each field, and those are checked in half of the time:
 * only the others take the second check.
 */
const text = z.string();
const FullValue = z.compile(valueRow(text, quantity));
const AnyValue = z.compile(valueRow(text, power));
// Half of the length, for max() counts a pair of surrogates once.
const FullString = z.compile(
	stringRow(text, stringId.max(LONGEST / 2), quantity),
);
const AnyString = z.compile(stringRow(text, optionalId, power));

const isValue = (row: unknown): row is z.infer<typeof AnyValue> =>
	FullValue.validate(row) || AnyValue.validate(row);
const isString = (row: unknown): row is z.infer<typeof AnyString> =>
	FullString.validate(row) || AnyString.validate(row);

/** Rows with what their `timestamp` says, in the order received: two parallel arrays. */
export interface CheckedRows {
	readonly rows: readonly Row[];
	/** Epoch ms, or NaN where the text says no offset. */
	readonly instants: readonly number[];
}

/** A forecast or historical response, checked but not yet placed in time. */
export interface ForecastAnswer {
	/** The response's fields besides `daily`, `values` and `strings`. */
	readonly envelope: z.infer<typeof Envelope>;
	readonly daily: readonly DailyRow[];
	readonly values: CheckedRows;
	/**
	 * The rows of each string by themselves, in the order in which strings first
	 * appear. Where the stamps are those of `values`, so is the array of `instants`.
	 */
	readonly strings: readonly CheckedRows[] | undefined;
}

/** Epoch ms of a row's stamp, NaN where it has no offset, undefined where it is not valid. */
function instantOf(text: string): number | undefined {
	const instant = readInstant(text);
	const ms = Number.isNaN(instant) ? readWallClock(text) : instant;
	return ms % QUARTER_MS === 0 && isPossible(ms) ? instant : undefined;
}

/** The error for rows that are no quarters of an hour (behaviour: Failures). */
export const stepError = (block: string, stepMs: number): SolarYieldError =>
	responseError("value.rows_apart", { block, minutes: stepMs / MINUTE_MS });

/** Step of rows that all have a readable stamp, in equal steps shorter than a quarter; else undefined. */
function shortStep(rows: readonly unknown[]): number | undefined {
	const times = rows.map((row) => {
		const stamp = isValue(row) ? row.timestamp : "";
		const instant = readInstant(stamp);
		return Number.isNaN(instant) ? readWallClock(stamp) : instant;
	});
	const step = (times[1] as number) - (times[0] as number);
	const isUniform = times.every(
		(time, index) =>
			index === 0 || time - (times[index - 1] as number) === step,
	);
	return step > 0 && step < QUARTER_MS && isUniform ? step : undefined;
}

function checkValues(rows: readonly unknown[]): CheckedRows {
	const instants = new Array<number>(rows.length);
	for (let index = 0; index < rows.length; index += 1) {
		const row = rows[index];
		const instant = isValue(row) ? instantOf(row.timestamp) : undefined;
		if (instant === undefined) {
			const step = shortStep(rows);
			throw step ? stepError("values", step) : rowError("values", index, row);
		}
		instants[index] = instant;
	}
	return { rows: rows as readonly Row[], instants };
}

interface StringRows {
	readonly key: unknown;
	readonly rows: Row[];
	/** Undefined as long as the stamps are those of `values`. */
	instants: number[] | undefined;
}

const newString = (key: unknown): StringRows => ({
	key,
	rows: [],
	instants: undefined,
});

/**
 * Splits the long format by string: by `string_id`, by index only where there is
 * no id. A stamp is compared with that of `values` before it is read: that is quicker.
 */
function checkStrings(
	rows: readonly unknown[],
	values: CheckedRows,
): CheckedRows[] {
	const strings = new Map<unknown, StringRows>();
	let string = newString(undefined);
	for (let index = 0; index < rows.length; index += 1) {
		const row = rows[index];
		if (!isString(row)) throw rowError("strings", index, row);
		const key = row.string_id ?? row.string_index;
		if (string.key !== key) {
			string = strings.get(key) ?? newString(key);
			strings.set(key, string);
		}
		const step = string.rows.length;
		string.rows.push(row);
		if (!string.instants) {
			if (values.rows[step]?.timestamp === row.timestamp) continue;
			string.instants = values.instants.slice(0, step);
		}
		const instant = instantOf(row.timestamp);
		if (instant === undefined) throw rowError("strings", index, row);
		string.instants.push(instant);
	}
	return Array.from(strings.values(), ({ rows, instants }) => ({
		rows,
		instants:
			instants ??
			(rows.length === values.rows.length
				? values.instants
				: values.instants.slice(0, rows.length)),
	}));
}

/** The error for a row that is not valid, in the words of its schema. */
function rowError(
	block: "values" | "strings",
	index: number,
	row: unknown,
): SolarYieldError {
	const schema = block === "values" ? ValueRow : StringRow;
	const result = schema.safeParse(row);
	return result.success
		? responseError("value.row", { block, index, row: show(row) })
		: schemaError(result.error, row, [block, index]);
}

/**
 * Checks every row of a forecast or historical response once.
 *
 * @param body the parsed JSON
 * @throws SolarYieldError `RESPONSE` with the path of the bad field; also when
 * there are no rows at all (behaviour: Failures)
 */
export function readForecast(body: unknown): ForecastAnswer {
	const result = Response.safeParse(body);
	if (!result.success) throw schemaError(result.error, body);
	const { daily, values, strings, ...envelope } = result.data;
	if (values.length === 0)
		throw responseError("value.no_rows", { block: "values" });
	const checkedDays = (daily ?? []).map((row, index) => {
		const checked = DailyRow.safeParse(row);
		if (!checked.success) {
			throw schemaError(checked.error, row, ["daily", index]);
		}
		return row as DailyRow;
	});
	const checkedValues = checkValues(values);
	return {
		envelope,
		daily: checkedDays,
		values: checkedValues,
		strings: strings ? checkStrings(strings, checkedValues) : undefined,
	};
}
