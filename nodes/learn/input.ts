import type { Learner } from "../../src/learn/learner";
import type { Reading } from "../../src/learn/tally";
import { readPayload } from "../../src/messages/input/forecast-input";
import { isNoReading, readFlag } from "../../src/messages/value-readers";
import {
	inputError,
	type SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { isObject } from "../../src/util/guards";
import { MINUTE_MS, readTime } from "../../src/util/time";
import { DEFAULT_UNIT, UNITS, type Unit } from "./units";

/** @throws SolarYieldError `INPUT` when a node's setting is none of them */
export function readUnit(value: unknown): Unit {
	const unit = UNITS.find((name) => name === (value || DEFAULT_UNIT));
	if (unit) return unit;
	throw inputError("learn.unit", { value: show(value), choices: UNITS });
}

/** Clocks of two machines may differ by this much. */
const AHEAD_MS = 5 * MINUTE_MS;

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

/**
 * Hands the readings of a list on to a learner.
 *
 * @throws SolarYieldError `INPUT` naming the first row that is wrong, after the right ones
 */
export function takeRows(
	{ takeList }: Pick<Learner, "takeList">,
	rows: readonly unknown[],
	now: number,
): void {
	const faults: SolarYieldError[] = [];
	const readings = rows.flatMap((row, index) => {
		const name = `payload[${index}]`;
		try {
			if (
				isObject(row) &&
				(row.time ?? null) !== null &&
				("power_w" in row || "energy_kwh" in row)
			) {
				return readingFromMessage(row, now, name) ?? [];
			}
			throw inputError("learn.row", { name, value: show(row) });
		} catch (error) {
			faults.push(error as SolarYieldError);
			return [];
		}
	});
	faults.push(...takeList(readings, now));
	const [first] = faults;
	if (!first) return;
	throw inputError("learn.some_rows", {
		fault: first.text,
		refused: faults.length,
		count: rows.length,
	});
}

/** A number in the payload as the reading that the setting says it is. */
const READ: Readonly<Record<Unit, (value: number) => Partial<Reading>>> = {
	W: (power_w) => ({ power_w }),
	kW: (kilowatts) => ({ power_w: 1000 * kilowatts }),
	kWh: (energy_kwh) => ({ energy_kwh }),
	Wh: (wattHours) => ({ energy_kwh: wattHours / 1000 }),
};

/** The number of a payload, undefined where there is none. */
function numberIn(payload: unknown): number | undefined {
	if (typeof payload === "number") return payload;
	if (typeof payload !== "string" || !/^\s*[-+]?[\d.]/.test(payload)) {
		return undefined;
	}
	const number = Number(payload);
	if (Number.isFinite(number)) return number;
	throw inputError("learn.payload", { value: show(payload) });
}

/**
 * What a message brings, each part read by itself: a reading or the lack of one,
 * a list of readings, and a payload that is a forecast or is to be refused as one.
 *
 * @param unit what a bare number in the payload is
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readInput(
	msg: Record<string, unknown>,
	unit: Unit,
	now: number,
) {
	const text =
		msg.payload instanceof Uint8Array
			? Buffer.from(msg.payload).toString("utf8")
			: msg.payload;
	let reading = readingFromMessage(msg, now);
	const isMissing =
		!reading && [msg.power_w, msg.energy_kwh, text].some(isNoReading);
	const number = reading ? undefined : numberIn(text);
	if (number !== undefined) {
		reading = readingFromMessage({ ...msg, ...READ[unit](number) }, now);
	}
	let payload: unknown;
	try {
		if (number === undefined && text !== undefined) payload = readPayload(text);
	} catch (error) {
		// What stands beside a reading, or its lack, may be anything.
		if (!reading && !isMissing) throw error;
	}
	const list = Array.isArray(payload) ? payload : undefined;
	const isForecast = isObject(payload) && "values" in payload;
	const isAlone = !list && !reading && !isMissing;
	return {
		/** Null where a sensor says that it has none. */
		reading: reading ?? (isMissing ? null : undefined),
		list,
		forecast: isForecast || isAlone ? { payload } : undefined,
	};
}
