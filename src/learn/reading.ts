import { isNoReading, readFlag } from "../messages/value-readers";
import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isObject } from "../util/guards";
import { MINUTE_MS, readTime } from "../util/time";

/** Clocks of two machines may differ by this much. */
const AHEAD_MS = 5 * MINUTE_MS;

/** What a meter says. */
export interface Reading {
	/** Epoch ms. */
	time: number;
	/** Null = the whole site. */
	string_id: string | null;
	power_w: number | null;
	/** Counter that rises. */
	energy_kwh: number | null;
	/** Whether the power was held down on purpose. */
	curtailed: boolean;
}

function readNumber(field: string, value: unknown) {
	if (value === undefined || isNoReading(value)) return null;
	const number = typeof value === "string" ? Number(value) : value;
	if (typeof number === "number" && Math.abs(number) <= 1e9) return number;
	throw inputError("learn.number", { field, value: show(value) });
}

function readPast(field: string, value: unknown, now: number) {
	const time = readTime(value ?? now);
	if (time <= now + AHEAD_MS) return time;
	throw inputError("learn.time", { field, value: show(value) });
}

/**
 * The reading in a message or a row, undefined when it has none.
 *
 * @param name what the message is called in an error
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readingFromMessage(
	message: Record<string, unknown>,
	now: number,
	name = "msg",
): Reading | undefined {
	const power_w = readNumber(`${name}.power_w`, message.power_w);
	const energy_kwh = readNumber(`${name}.energy_kwh`, message.energy_kwh);
	if (power_w === null && energy_kwh === null) return undefined;
	const string_id = message.string_id ?? null;
	if (string_id !== null && typeof string_id !== "string") {
		throw inputError("learn.string_id", { name, id: show(string_id) });
	}
	return {
		time: readPast(`${name}.time`, message.time, now),
		string_id,
		power_w,
		energy_kwh,
		curtailed: readFlag(`${name}.curtailed`, message.curtailed),
	};
}

/** A row of a list as a reading, undefined when its sensor had none. */
export function readingFromRow(row: unknown, index: number, now: number) {
	const name = `payload[${index}]`;
	if (
		!isObject(row) ||
		(row.time ?? null) === null ||
		(row.power_w === undefined && row.energy_kwh === undefined)
	) {
		throw inputError("learn.row", { name, value: show(row) });
	}
	return readingFromMessage(row, now, name);
}
