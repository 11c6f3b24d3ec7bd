import { isNoReading, readFlag } from "../../messages/value-readers";
import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
import { isObject } from "../../util/guards";
import { readInstant } from "../../util/timestamp";

/** What a meter says. */
export interface Reading {
	/** Epoch ms. */
	readonly time: number;
	/** Null = the whole site. */
	readonly string_id: string | null;
	readonly power_w: number | null;
	/** Counter that rises. */
	readonly energy_kwh: number | null;
	/** Whether the power was held down on purpose. */
	readonly curtailed: boolean;
}

function readNumber(field: string, value: unknown): number | null {
	if (value === undefined || isNoReading(value)) return null;
	const number = typeof value === "string" ? Number(value) : value;
	if (typeof number === "number" && Math.abs(number) <= 1e9) return number;
	throw inputError("learn.number", { field, value: show(value) });
}

function readTime(field: string, value: unknown, now: number): number {
	if (value === undefined || value === null) return now;
	const time =
		value instanceof Date
			? value.getTime()
			: typeof value === "string"
				? /^\d+$/.test(value)
					? Number(value)
					: readInstant(value)
				: value;
	if (typeof time === "number" && time >= 1e11 && time <= 8.64e15) return time;
	throw inputError("value.moment", { field, value: show(value) });
}

/**
 * The reading in a message or a row, undefined when it has none.
 *
 * @param name what the message is called in an error
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readingFromMessage(
	message: Readonly<Record<string, unknown>>,
	now: number,
	name = "msg",
): Reading | undefined {
	const power_w = readNumber(`${name}.power_w`, message.power_w);
	const energy_kwh = readNumber(`${name}.energy_kwh`, message.energy_kwh);
	if (power_w === null && energy_kwh === null) return undefined;
	const string_id = message.string_id ?? null;
	if (
		string_id !== null &&
		(typeof string_id !== "string" || !/^.{1,200}$/s.test(string_id))
	) {
		throw inputError("learn.string_id", { name, id: show(string_id) });
	}
	return {
		time: readTime(`${name}.time`, message.time, now),
		string_id,
		power_w,
		energy_kwh,
		curtailed: readFlag(`${name}.curtailed`, message.curtailed),
	};
}

/** Readings of a list, the oldest first, and what is wrong with the rest. */
interface ReadingList {
	readonly readings: readonly Reading[];
	/** Rows that could not be read, and the first of their errors. */
	readonly refused: number;
	readonly fault: unknown;
}

/** Reads rows `{time, power_w | energy_kwh, string_id?, curtailed?}`; a wrong one costs itself alone. */
export function readingsFromList(
	rows: readonly unknown[],
	now: number,
): ReadingList {
	const readings: Reading[] = [];
	let refused = 0;
	let fault: unknown;
	for (const [index, row] of rows.entries()) {
		const name = `payload[${index}]`;
		try {
			if (!isObject(row)) {
				throw inputError("learn.row", { name, value: show(row) });
			}
			if ((row.time ?? null) === null) {
				throw inputError("learn.row_time", { name });
			}
			const reading = readingFromMessage(row, now, name);
			if (reading) readings.push(reading);
		} catch (error) {
			refused += 1;
			fault ??= error;
		}
	}
	const hasField = rows.some(
		(row) => isObject(row) && ("power_w" in row || "energy_kwh" in row),
	);
	if (!hasField && rows.length > refused) {
		refused = rows.length;
		fault ??= inputError("learn.no_field");
	}
	readings.sort((a, b) => a.time - b.time);
	return { readings, refused, fault };
}
