import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
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
	if (value === undefined || value === null) return null;
	const number =
		typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	if (typeof number === "number" && Math.abs(number) <= 1e9) return number;
	throw inputError(
		`${field} is ${show(value)}; give a number, with a point for decimals and without its unit`,
	);
}

function readTime(value: unknown, now: number): number {
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
	throw inputError(
		`msg.time is ${show(value)}; give a time with its offset, like "2026-07-01T12:00:00+02:00", or epoch milliseconds`,
	);
}

/**
 * The reading in a message, undefined when it has none.
 *
 * @throws SolarYieldError `INPUT` naming field and value
 */
export function readingFromMessage(
	message: Readonly<Record<string, unknown>>,
	now: number,
): Reading | undefined {
	const power_w = readNumber("msg.power_w", message.power_w);
	const energy_kwh = readNumber("msg.energy_kwh", message.energy_kwh);
	if (power_w === null && energy_kwh === null) return undefined;
	const string_id = message.string_id ?? null;
	if (
		string_id !== null &&
		(typeof string_id !== "string" || !/^.{1,200}$/s.test(string_id))
	) {
		throw inputError(
			`msg.string_id is ${show(string_id)}; give the id of a string of the site, or leave it out for the whole site`,
		);
	}
	const curtailed = message.curtailed ?? false;
	if (typeof curtailed !== "boolean") {
		throw inputError(
			`msg.curtailed is ${show(curtailed)}; give true while the power is held down, else false`,
		);
	}
	return {
		time: readTime(message.time, now),
		string_id,
		power_w,
		energy_kwh,
		curtailed,
	};
}
