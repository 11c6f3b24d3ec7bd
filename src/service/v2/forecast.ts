import { z } from "zod";
import { dateDay, readInstant, readWallClock } from "../stamp";
import { QUARTER_MS } from "../wire";
import { responseError, schemaError, show } from "./read";

/** A row as received; unknown fields pass through untouched. */
export type Row = Readonly<Record<string, unknown>>;

const power = z.number().nullable().optional();

/** Row of `values` (spec V2, "Value row"). Powers in W. */
const ValueShape = z.looseObject({
	timestamp: z.string(),
	pv_power: power,
	pv_power_min: power,
	pv_power_max: power,
	pv_power_clearsky: power,
	temp: power,
});

/** Row of `strings` (spec V2, "String row"). Powers in W. */
const StringShape = z.looseObject({
	timestamp: z.string(),
	string_index: z.int().nonnegative(),
	string_id: z.string().min(1).nullable().optional(),
	pv_power: power,
	pv_power_min: power,
	pv_power_max: power,
});

/** Row of `daily` (spec V2, "Daily row"). Energies in kWh. */
export const DailyRow = z.looseObject({
	date: z
		.string()
		.refine((text) => !Number.isNaN(dateDay(text)), "expected YYYY-MM-DD"),
	pv_energy_kwh: power,
	pv_energy_kwh_min: power,
	pv_energy_kwh_max: power,
});
export type DailyRow = z.infer<typeof DailyRow>;

const isStamp = (text: string) => !Number.isNaN(readStamp(text));
const stamp = z
	.string()
	.refine(isStamp, "expected an ISO 8601 time on a quarter hour");

/** The whole truth about a row of `values`; the shape alone is the fast path. */
export const ValueRow = ValueShape.extend({ timestamp: stamp });
/** The whole truth about a row of `strings`. */
export const StringRow = StringShape.extend({ timestamp: stamp });

const moment = z
	.string()
	.refine(
		(text) =>
			!Number.isNaN(readInstant(text)) || !Number.isNaN(readWallClock(text)),
		"expected an ISO 8601 time",
	);

/** The response besides its rows (spec V2, "Forecast response"). */
const Envelope = z.looseObject({
	site_id: z.union([z.string(), z.number()]).nullable().optional(),
	timezone: z.string().nullable().optional(),
	computed_at: moment.nullable().optional(),
	next_poll_at: z.unknown().optional(),
	included: z.array(z.string()).nullable().optional(),
	available: z.array(z.string()).nullable().optional(),
});

const Response = Envelope.extend({
	daily: z.array(z.unknown()).nullable().optional(),
	values: z.array(z.unknown()),
	strings: z.array(z.unknown()).nullable().optional(),
});

const validValue = z.compile(ValueShape);
const validString = z.compile(StringShape);

/**
 * Rows with what their `timestamp` says, in the order received.
 * Both arrays are parallel to `rows`.
 */
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
	readonly strings: CheckedRows | undefined;
}

/** Epoch ms of a row's stamp; wall-clock ms where it has no offset; NaN when it is none. */
function readStamp(text: string): number {
	const instant = readInstant(text);
	const ms = Number.isNaN(instant) ? readWallClock(text) : instant;
	return ms % QUARTER_MS === 0 ? ms : Number.NaN;
}

function checkRows(
	block: "values" | "strings",
	rows: readonly unknown[],
): CheckedRows {
	const fast = block === "values" ? validValue : validString;
	const schema = block === "values" ? ValueRow : StringRow;
	const instants = new Array<number>(rows.length);
	// A step's stamp stands in each string's row; most answers list them side by side.
	let text: string | undefined;
	let instant = Number.NaN;
	for (let index = 0; index < rows.length; index += 1) {
		const row = rows[index];
		let good = fast.validate(row);
		if (good) {
			const stampText = (row as { timestamp: string }).timestamp;
			if (stampText !== text) {
				text = stampText;
				instant = readInstant(text);
				good = instant % QUARTER_MS === 0 || !Number.isNaN(readStamp(text));
			}
		}
		if (!good) {
			const result = schema.safeParse(row);
			throw result.success
				? responseError(`${block}[${index}] is ${show(row)}`)
				: schemaError(result.error, row, [block, index]);
		}
		instants[index] = instant;
	}
	return { rows: rows as readonly Row[], instants };
}

/**
 * Checks every row of a forecast or historical response once.
 *
 * @param body the parsed JSON
 * @throws SolarYieldError `RESPONSE` with the path of the bad field; also when
 * there are no rows at all (CONTRACT 3.5)
 */
export function readForecast(body: unknown): ForecastAnswer {
	const result = Response.safeParse(body);
	if (!result.success) throw schemaError(result.error, body);
	const { daily, values, strings, ...envelope } = result.data;
	if (values.length === 0) throw responseError("values holds no rows");
	return {
		envelope,
		daily: (daily ?? []).map((row, index) => {
			const checked = DailyRow.safeParse(row);
			if (!checked.success) {
				throw schemaError(checked.error, row, ["daily", index]);
			}
			return row as DailyRow;
		}),
		values: checkRows("values", values),
		strings: strings ? checkRows("strings", strings) : undefined,
	};
}
