import { arrangeRows, looseRows } from "../../messages/span-rows";
import {
	type ReadResult,
	reading,
	readNumber,
	rowErrors,
} from "../../messages/value-readers";
import type { Span } from "../../prices/spans";
import { inputError } from "../../service/errors/solar-yield-error";
import { show } from "../../service/v2/schema-errors";
import { isBlank, isObject } from "../../util/guards";
import type { Zone } from "../../util/zone";

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

function readRows(
	items: readonly unknown[],
	zone: Zone | undefined,
): ReadResult<Load> {
	const list = { name: "load", key: "battery.load_row", zone };
	const read = looseRows(items, list, ({ power_w }, at) =>
		readNumber(`${at}.power_w`, power_w, POWER),
	);
	const { spans, errors } = arrangeRows(read.rows);
	const rows = spans.map(({ value, ...span }) => ({ ...span, power_w: value }));
	return {
		...(rows.length > 0 && { value: { kind: "spans", rows } }),
		errors: rowErrors([...read.errors, ...errors], rows.length > 0),
	};
}

/**
 * `msg.load`: a number, 24 hourly values, or rows of `{start, end, power_w}`.
 *
 * @param zone the site's; undefined before its forecast
 * @returns null where nothing is given: the usual load holds
 */
export function readLoad(value: unknown, zone?: Zone): ReadResult<Load | null> {
	if (isBlank(value)) return { value: null, errors: [] };
	if (Array.isArray(value) && value.some(isObject))
		return readRows(value, zone);
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
