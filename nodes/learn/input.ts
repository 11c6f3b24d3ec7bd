import { type Reading, readingFromMessage } from "../../src/learn/reading";
import { readPayload } from "../../src/messages/input/forecast-input";
import { isNoReading } from "../../src/messages/value-readers";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { isObject } from "../../src/util/guards";
import { DEFAULT_UNIT, UNITS, type Unit } from "./units";

/** @throws SolarYieldError `INPUT` when a node's setting is none of them */
export function readUnit(value: unknown): Unit {
	const unit = UNITS.find((name) => name === (value || DEFAULT_UNIT));
	if (unit) return unit;
	throw inputError("learn.unit", { value: show(value), choices: UNITS });
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
		reading,
		/** Whether a sensor says that it has no value. */
		isMissing,
		list,
		forecast: isForecast || isAlone ? { payload } : undefined,
	};
}
