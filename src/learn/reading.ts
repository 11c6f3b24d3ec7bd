import { isNoReading, readFlag } from "../messages/value-readers";
import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isObject } from "../util/guards";
import { MINUTE_MS } from "../util/time";
import { readInstant } from "../util/timestamp";

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
	throw inputError(
		`${field} is ${show(value)}; give a number, with a point for decimals and without its unit`,
	);
}

function readTime(field: string, value: unknown, now: number) {
	let time = value ?? now;
	if (time instanceof Date) time = time.getTime();
	if (typeof time === "string") {
		time = /^\d+$/.test(time) ? Number(time) : readInstant(time);
	}
	if (typeof time === "number" && time >= 1e11 && time <= now + AHEAD_MS) {
		return time;
	}
	throw inputError(
		`${field} is ${show(value)}; give a time that is not ahead of now, with its offset, like "2026-07-01T12:00:00+02:00", or in epoch milliseconds, and check the clocks of both machines`,
	);
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
		throw inputError(
			`${name}.string_id is ${show(string_id)}; give the id of a string of the site, or leave it out for the whole site`,
		);
	}
	return {
		time: readTime(`${name}.time`, message.time, now),
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
		throw inputError(
			`${name} is ${show(row)}; give rows {time, power_w} or {time, energy_kwh}, each time with an offset or in epoch milliseconds`,
		);
	}
	return readingFromMessage(row, now, name);
}
