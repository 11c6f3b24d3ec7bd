import {
	type ReadResult,
	reading,
	readMoment,
	readNumber,
	rowErrors,
} from "../../messages/value-readers";
import {
	inputError,
	type SolarYieldError,
} from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
import { isBlank, isObject } from "../../util/guards";
import type { Span } from "../../util/spans";

/** Consumption of the house: one power, one per hour of the site's day, or spans of time. */
export type Load =
	| { readonly kind: "constant"; readonly power_w: number }
	/** 24 powers in W; index 0 is the hour that begins at site-local midnight. */
	| { readonly kind: "hourly"; readonly power_w: readonly number[] }
	/** Powers over spans in ascending order; outside of them the usual load holds. */
	| { readonly kind: "spans"; readonly rows: readonly LoadRow[] };

export interface LoadRow extends Span {
	readonly power_w: number;
}

const POWER = { unit: "W", least: 0, most: 1e9 };

function readRow(row: unknown, at: string): LoadRow {
	if (!isObject(row)) {
		throw inputError("battery.load_row", { name: at, value: show(row) });
	}
	const start = readMoment(`${at}.start`, row.start);
	const end = readMoment(`${at}.end`, row.end);
	if (end <= start) {
		throw inputError("battery.load_end", {
			at,
			end: show(row.end),
			start: show(row.start),
		});
	}
	return {
		start,
		end,
		power_w: readNumber(`${at}.power_w`, row.power_w, POWER),
	};
}

function readRows(value: readonly unknown[]): ReadResult<Load> {
	const errors: SolarYieldError[] = [];
	const read: (LoadRow & { name: string })[] = [];
	for (const [index, row] of value.entries()) {
		const name = `load[${index}]`;
		const { value: span, errors: wrong } = reading(() => readRow(row, name));
		errors.push(...wrong);
		if (span) read.push({ ...span, name });
	}
	const rows: LoadRow[] = [];
	let before: (typeof read)[number] | undefined;
	for (const row of read.sort((a, b) => a.start - b.start)) {
		if (before && row.start < before.end) {
			errors.push(
				inputError("battery.load_overlap", {
					name: row.name,
					before: before.name,
				}),
			);
			continue;
		}
		const { name: _, ...span } = row;
		rows.push(span);
		before = row;
	}
	return {
		...(rows.length > 0 && { value: { kind: "spans", rows } }),
		errors: rowErrors(errors, rows.length > 0),
	};
}

/**
 * `msg.load`: a number, 24 hourly values, or rows of `{start, end, power_w}`.
 *
 * @returns null where nothing is given: the usual load holds
 */
export function readLoad(value: unknown): ReadResult<Load | null> {
	if (isBlank(value)) return { value: null, errors: [] };
	if (Array.isArray(value) && value.some(isObject)) return readRows(value);
	return reading(() => {
		if (!Array.isArray(value)) {
			if (typeof value === "object") {
				throw inputError("battery.load", { value: show(value) });
			}
			return { kind: "constant", power_w: readNumber("load", value, POWER) };
		}
		if (value.length !== 24) {
			throw inputError("battery.load_hours", { count: value.length });
		}
		return {
			kind: "hourly",
			power_w: value.map((power, hour) =>
				readNumber(`load[${hour}]`, power, POWER),
			),
		};
	});
}
