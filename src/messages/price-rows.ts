import {
	inputError,
	type SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isBlank, isObject } from "../util/guards";
import type { Span } from "../util/spans";
import { HOUR_MS } from "../util/time";
import {
	type ReadResult,
	reading,
	readMoment,
	readNumber,
	rowErrors,
} from "./value-readers";

/** Price per kWh over a span, in epoch ms; may be negative. */
export interface PriceRow extends Span {
	readonly price: number;
}

/** Paid per kWh fed in: one price, or one by the time. */
export type FeedIn = number | readonly PriceRow[];

/** What a list of prices was found to be. */
export interface PriceRows {
	/** Ascending, none overlapping another; there may be holes. */
	readonly rows: readonly PriceRow[];
	/** Whether the rows say their unit, or come from a source whose unit is known. */
	readonly hasUnit: boolean;
}

const STARTS = [
	"start",
	"startsAt",
	"start_timestamp",
	"start_time",
	"time",
	"hour",
	"from",
	"valid_from",
] as const;
const ENDS = [
	"end",
	"endsAt",
	"end_timestamp",
	"end_time",
	"to",
	"valid_to",
] as const;
/** Fields with a price, and by what their number is divided to be per kWh in the currency's main unit. */
const PRICES: Readonly<Record<string, number | null>> = {
	price: null,
	total: null,
	value: null,
	// aWATTar and EPEX: per MWh.
	marketprice: 1000,
	// Octopus: pence. In Home Assistant, where its rows have a `start`, pounds.
	value_inc_vat: 100,
};
/** Objects and lists in which sources put their rows; several in one object are joined. */
const WRAPPERS = [
	"viewer",
	"home",
	"homes",
	"currentSubscription",
	"priceInfo",
	"new_state",
	"attributes",
	"priceData",
	"prices",
	"data",
	"rates",
	"results",
	"result",
	"raw_today",
	"raw_tomorrow",
	"prices_today",
	"prices_tomorrow",
	"today",
	"tomorrow",
] as const;

/** Bounds of a price in any currency and unit. */
export const PRICE_BOUNDS = {
	unit: { key: "unit.per_kwh" },
	least: -1e6,
	most: 1e6,
};

/**
 * By what numbers in a unit are divided to be per kWh, in euro and not in cent.
 *
 * @returns undefined for a unit that is not known
 */
function divisorOf(unit: string): number | undefined {
	const text = unit.toLowerCase().replaceAll(/\s+/g, "");
	const perMwh = /mwh/.test(text);
	const perWh = /(^|\/|per)wh$/.test(text);
	const isMinor =
		/^(eur|euro)?(ct|c|cts|cent|cents|¢)([/p]|$)/.test(text) ||
		/^(p|pence|penny|gbx|øre|öre|ore|rappen|rp|haléř|haler)([/p]|$)/.test(text);
	if (perWh) return undefined;
	if (!perMwh && !isMinor && !/kwh|^[a-z]{3}$|[€£$]/.test(text)) {
		return undefined;
	}
	return (perMwh ? 1000 : 1) * (isMinor ? 100 : 1);
}

interface Found {
	readonly row: unknown;
	readonly name: string;
	readonly unit: unknown;
}

/** Deepest that a source puts its rows: Tibber's `viewer.homes[0].currentSubscription.priceInfo.today`. */
const DEEPEST = 6;

/** Whether a list has bare numbers, as Home Assistant's sensors have beside their rows. */
const isBare = (list: unknown) =>
	Array.isArray(list) && list.length > 0 && !list.some(isObject);

/** All rows of a value, however deep they lie in the objects that sources send. */
function collect(
	value: unknown,
	name: string,
	unit: unknown,
	depth = 0,
): Found[] | undefined {
	if (Array.isArray(value)) {
		return value.map((row, index) => ({
			row,
			name: `${name}[${index}]`,
			unit,
		}));
	}
	if (!isObject(value) || depth > DEEPEST) return undefined;
	const inside = (key: string) => {
		const at = `${name}.${key}`;
		// Home Assistant says the unit of energy in `unit`, and that of the price there.
		const said = value.unit_of_measurement ?? value.unit ?? unit;
		const given = value[key];
		if (key !== "homes" || !Array.isArray(given)) {
			return collect(given, at, said, depth + 1);
		}
		// Of several homes the first that has prices.
		for (const [index, home] of given.entries()) {
			const rows = collect(home, `${at}[${index}]`, said, depth + 1);
			if (rows) return rows;
		}
		return undefined;
	};
	const gather = (keys: readonly string[]) => {
		const lists = keys.map(inside).filter((list) => list !== undefined);
		return lists.length > 0 ? lists.flat() : undefined;
	};
	return (
		gather(WRAPPERS.filter((key) => !isBare(value[key]))) ?? gather(WRAPPERS)
	);
}

interface Loose {
	readonly start: number;
	readonly end: number | null;
	/** Null: a hole, which still ends the row before it. */
	readonly price: number | null;
	readonly name: string;
}

const fieldOf = (
	row: Readonly<Record<string, unknown>>,
	names: readonly string[],
) => names.find((name) => !isBlank(row[name]));

/** Number and unit of a row's price; null where the row has none yet. */
function readPrice({ row, name, unit }: Found): {
	price: number;
	hasUnit: boolean;
} | null {
	if (!isObject(row)) return null;
	const names = Object.keys(PRICES);
	const field = fieldOf(row, names);
	if (field === undefined) {
		if (names.some((known) => known in row)) return null;
		throw inputError("prices.no_price", { name, row: show(row) });
	}
	const number = readNumber(`${name}.${field}`, row[field], PRICE_BOUNDS);
	const said = row.unit ?? unit;
	let divisor =
		field === "value_inc_vat" && isBlank(row.valid_from)
			? 1
			: (PRICES[field] ?? null);
	if (!isBlank(said) && field !== "value_inc_vat") {
		const known = divisorOf(String(said));
		if (known === undefined) {
			throw inputError("prices.unit", { name, unit: show(said) });
		}
		divisor = known;
	}
	return { price: number / (divisor ?? 1), hasUnit: divisor !== null };
}

/** Start and, where it is given, end of a row. */
function readTimes({ row, name }: Found): {
	start: number;
	end: number | null;
} {
	if (!isObject(row))
		throw inputError("prices.rows", { name, value: show(row) });
	const from = fieldOf(row, STARTS) ?? "start";
	const to = fieldOf(row, ENDS);
	const start = readMoment(`${name}.${from}`, row[from]);
	const end = to === undefined ? null : readMoment(`${name}.${to}`, row[to]);
	if (to !== undefined && end !== null && end <= start) {
		throw inputError("prices.end", {
			name,
			to,
			end: show(row[to]),
			start: show(row[from]),
		});
	}
	return { start, end };
}

/** Rows in order, each with its end: its own, else the next start, and the last as long as the one before. */
function arrange(
	loose: readonly Loose[],
	errors: SolarYieldError[],
): PriceRow[] {
	const byStart = new Map<number, Loose>();
	for (const row of loose) {
		// Of rows with the same start the last one that has a price holds.
		if (row.price !== null || !byStart.has(row.start)) {
			byStart.set(row.start, row);
		}
	}
	const sorted = [...byStart.values()].sort((a, b) => a.start - b.start);
	const rows: PriceRow[] = [];
	let covered = Number.NEGATIVE_INFINITY;
	let length = HOUR_MS;
	let before = "";
	for (const [index, { start, end, price, name }] of sorted.entries()) {
		if (price === null) continue;
		if (start < covered) {
			errors.push(inputError("prices.overlap", { name, before }));
			continue;
		}
		const until = end ?? sorted[index + 1]?.start ?? start + length;
		rows.push({ start, end: until, price });
		length = until - start;
		covered = until;
		before = name;
	}
	return rows;
}

/**
 * Rows of prices as price nodes and services send them: a start, a price, and
 * often an end, in any order; also inside `{priceData}`, `{prices}`, `{data}`,
 * `{rates}`, `{results}`, `{result}`, `{raw_today, raw_tomorrow}`, in the state of a
 * sensor of Home Assistant, in Tibber's answer, or as JSON text.
 *
 * Shapes: Tibber `{total, startsAt}`, Nord Pool and ENTSO-E `{start, end, value}`,
 * aWATTar `{start_timestamp, end_timestamp, marketprice, unit}` (per MWh), Octopus
 * `{valid_from, valid_to, value_inc_vat}` (pence), evcc `{start, end, value}`,
 * Energi Data Service `{hour, price}`.
 * A `unit` of a row, or beside the rows, decides: `EUR/MWh`, `ct/kWh`, `pence`.
 * A price of null is a hole; a row that cannot be read is one too, and is told.
 *
 * @param name of the input, for errors
 * @returns no value where no row could be read
 */
export function readPriceRows(
	name: string,
	value: unknown,
): ReadResult<PriceRows> {
	let given = value;
	if (typeof value === "string") {
		try {
			given = JSON.parse(value);
		} catch {
			return {
				errors: [inputError("prices.rows", { name, value: show(value) })],
			};
		}
	}
	const found = collect(given, name, isObject(given) ? given.unit : undefined);
	if (!found) {
		return {
			errors: [inputError("prices.rows", { name, value: show(value) })],
		};
	}
	const errors: SolarYieldError[] = [];
	const loose: Loose[] = [];
	let hasUnit = found.length > 0;
	for (const each of found) {
		const times = reading(() => readTimes(each));
		const price = reading(() => readPrice(each));
		errors.push(...times.errors, ...price.errors);
		if (!times.value) continue;
		loose.push({
			...times.value,
			price: price.value?.price ?? null,
			name: each.name,
		});
		if (price.value && !price.value.hasUnit) hasUnit = false;
	}
	const rows = arrange(loose, errors);
	if (found.length > 0 && rows.length === 0) {
		return {
			errors:
				errors.length > 0
					? rowErrors(errors, false)
					: [inputError("prices.none", { name, count: found.length })],
		};
	}
	return { value: { rows, hasUnit }, errors: rowErrors(errors, true) };
}

/** Whether an input takes back what was given before: a blank, or a list without rows. */
const isNothing = (value: unknown) =>
	isBlank(value) || (Array.isArray(value) && value.length === 0);

/** `msg.prices`; null where nothing is given: no price is known any more. */
export function readPrices(value: unknown): ReadResult<PriceRows | null> {
	if (isNothing(value)) return { value: null, errors: [] };
	return readPriceRows("prices", value);
}

/** `msg.feedIn`: a number or rows; null where nothing is given. */
export function readFeedIn(value: unknown): ReadResult<FeedIn | null> {
	if (isNothing(value)) return { value: null, errors: [] };
	if (
		typeof value === "number" ||
		(typeof value === "string" && /^[\s\d.,+-]/.test(value))
	) {
		return reading(() => readNumber("feedIn", value, PRICE_BOUNDS));
	}
	const { value: read, errors } = readPriceRows("feedIn", value);
	return { ...(read && { value: read.rows }), errors };
}
