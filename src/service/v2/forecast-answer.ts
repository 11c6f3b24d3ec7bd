import { z } from "zod";
import { isObject } from "../../util/guards";
import { dateDay, isPossible, QUARTER_MS, readStamp } from "../../util/time";

import { responseError, schemaError, show, zodText } from "./schema-errors";
import { LONGEST_ID } from "./sites/site-id";

/** A row as received; unknown fields pass through untouched. */
export type Row = Readonly<Record<string, unknown>>;

/** Largest number accepted: beyond any real quantity, and far below where sums become infinite. */
const MOST = 1e15;

const quantity = z.number().min(-MOST).max(MOST);
const power = quantity.nullable().optional();

/** A stamp on the grid of quarters; without an offset, of its own clock. */
const stamp = z.string().refine((text) => {
	const { ms } = readStamp(text);
	return ms % QUARTER_MS === 0 && isPossible(ms);
}, zodText("expected.quarter"));

const powers = {
	pv_power: power,
	pv_power_min: power,
	pv_power_max: power,
};

/** Row of `values` (spec V2, "Value row"). Powers in W. */
export const ValueRow = z.looseObject({
	timestamp: stamp,
	...powers,
	pv_power_clearsky: power,
	temp: power,
});

/** Row of `strings` (spec V2, "String row"). Powers in W. */
export const StringRow = z.looseObject({
	timestamp: stamp,
	string_index: z.int().nonnegative(),
	string_id: z
		.string()
		.min(1)
		.max(LONGEST_ID, zodText("expected.characters", { count: LONGEST_ID }))
		.nullable()
		.optional(),
	...powers,
});

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
		(text) => !Number.isNaN(readStamp(text).ms),
		zodText("expected.time"),
	);

/** The response besides its rows (spec V2, "Forecast response"). */
const Envelope = z.looseObject({
	site_id: z
		.union([z.string().max(LONGEST_ID), z.number()])
		.nullable()
		.optional(),
	timezone: z.string().max(LONGEST_ID).nullable().optional(),
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

/** Compiled, a row is looked at without a copy; the loose one tells what is wrong. */
const CHECKS = {
	daily: [DailyRow, z.compile(DailyRow)],
	values: [ValueRow, z.compile(ValueRow)],
	strings: [StringRow, z.compile(StringRow)],
} as const;

/** A forecast or historical response, checked but not yet placed in time. */
export interface ForecastAnswer {
	/** The response's fields besides `daily`, `values` and `strings`. */
	readonly envelope: z.infer<typeof Envelope>;
	readonly daily: readonly DailyRow[];
	readonly values: readonly Row[];
	/** The rows of each string by themselves, in the order in which strings first appear. */
	readonly strings: readonly (readonly Row[])[] | undefined;
}

/** Each row as it came, checked. */
function checkRows(
	block: keyof typeof CHECKS,
	rows: readonly unknown[],
): readonly Row[] {
	const [schema, compiled] = CHECKS[block];
	for (const [index, row] of rows.entries()) {
		if (compiled.validate(row)) continue;
		const { error } = schema.safeParse(row);
		throw error
			? schemaError(error, row, [block, index])
			: responseError("value.row", { block, index, row: show(row) });
	}
	return rows as readonly Row[];
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
	if (values.length === 0) {
		throw responseError("value.no_rows", { block: "values" });
	}
	return {
		envelope,
		daily: checkRows("daily", daily ?? []) as readonly DailyRow[],
		values: checkRows("values", values),
		strings: strings ? byString(checkRows("strings", strings)) : undefined,
	};
}

/** Splits the long format by string: by `string_id`, by index only where there is no id. */
function byString(rows: readonly Row[]): Row[][] {
	const strings = new Map<unknown, Row[]>();
	for (const row of rows) {
		const key = row.string_id ?? row.string_index;
		const own = strings.get(key) ?? [];
		strings.set(key, own);
		own.push(row);
	}
	return [...strings.values()];
}
