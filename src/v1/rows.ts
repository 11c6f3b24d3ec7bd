/** The rows of a V1 answer, with instants instead of wall-clock texts. */

import { SolarYieldError } from "../service/errors/solar-yield-error";
import { isObject } from "../util/guards";
import { readStamp } from "../util/time";
import { readV1Number, shown } from "./parameter-values";

/** One row: `dtm` as instant, and the answer's other columns, text numbers as numbers. */
interface V1Row {
	/** Epoch milliseconds, UTC. */
	time: number;
	/** ISO 8601 in UTC, ending in `Z`. */
	timestamp: string;
	[column: string]: unknown;
}

/**
 * The instants of a wall-clock time: none (skipped in spring), one, or two in
 * order (repeated in autumn).
 *
 * @param wallClock the wall-clock time read as if it were UTC, epoch milliseconds
 */
type LocalResolver = (wallClock: number) => readonly number[];

/** The resolver of UTC, the zone of V1 answers unless `timezone` names another. */
const UTC_RESOLVER: LocalResolver = (wallClock) => [wallClock];

/** The instants a `dtm` can mean; undefined when it is no timestamp. */
function instantsOf(
	dtm: unknown,
	resolve: LocalResolver,
): readonly number[] | undefined {
	if (typeof dtm !== "string") return undefined;
	const { ms, offset } = readStamp(dtm.trim());
	if (Number.isNaN(ms)) return undefined;
	return Number.isNaN(offset) ? resolve(ms) : [ms];
}

function badRow(path: string, value: unknown, why: string): SolarYieldError {
	return new SolarYieldError("RESPONSE", "v1.unreadable", {
		path,
		value: shown(value),
		why: { key: why },
	});
}

/**
 * The rows of a V1 answer, in its order.
 *
 * Rows are the elements of `values`, or of a bare array, as soon as one of them
 * has a `dtm`: `YYYY-MM-DD HH:MM[:SS]` with a blank or `T`. A stamp with `Z` or
 * an offset is taken as it says; one without is put to `resolve`. Of the two
 * instants of a repeated hour the earliest after the row before is meant, so
 * rows have to ascend there, as V1 sends them.
 *
 * @param body the answer as parsed JSON
 * @param resolve instants of a wall-clock time in the zone that `data_timezone` or `timezone` named
 * @returns rows without `dtm`; undefined when the body holds none
 * @throws SolarYieldError RESPONSE naming the field, as `values[5].dtm` (`[5].dtm` in a bare array)
 */
export function normaliseV1Rows(
	body: unknown,
	resolve: LocalResolver = UTC_RESOLVER,
): V1Row[] | undefined {
	const list = isObject(body) ? body.values : body;
	if (!Array.isArray(list)) return undefined;
	if (!list.some((it) => isObject(it) && it.dtm !== undefined))
		return undefined;

	const place = isObject(body) ? "values" : "";
	let before = Number.NEGATIVE_INFINITY;
	return list.map((row: unknown, index) => {
		if (!isObject(row)) throw badRow(`${place}[${index}]`, row, "v1.no_row");
		const { dtm, ...columns } = row;
		const path = `${place}[${index}].dtm`;
		const instants = instantsOf(dtm, resolve);
		if (instants === undefined) throw badRow(path, dtm, "v1.no_timestamp");
		const earliest = before;
		const time = instants.find((it) => it > earliest) ?? instants[0];
		if (time === undefined) throw badRow(path, dtm, "v1.no_such_time");
		before = time;
		const result: V1Row = { time, timestamp: "" };
		for (const [column, value] of Object.entries(columns))
			result[column] =
				typeof value === "string" ? (readV1Number(value) ?? value) : value;
		// Last, so that no column of the answer can stand in for them.
		result.time = time;
		result.timestamp = new Date(time).toISOString();
		return result;
	});
}
