import { z } from "zod";
import {
	arrangeRows,
	type Fields,
	fieldsOf,
	looseRows,
	rowsOfColumns,
	TIMES,
} from "../messages/span-rows";
import {
	isNoReading,
	plainJson,
	type ReadResult,
	reading,
	readNumber,
	rowErrors,
} from "../messages/value-readers";
import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isBlank, isObject } from "../util/guards";
import type { Zone } from "../util/zone";
import type { Span } from "./spans";

/** Price per kWh over a span, in epoch ms; may be negative. */
export interface PriceRow extends Span {
	readonly price: number;
}
/** Paid per kWh fed in: one price, or one by the time. */
export type FeedIn = number | readonly PriceRow[];
/** Prices, ascending and without overlaps, and their unit like `EUR/kWh`; null where no currency is said. */
export interface PriceList {
	readonly rows: readonly PriceRow[];
	readonly unit: string | null;
}

const Text = z.string();
const Price = z.union([z.number(), Text]).nullable();
const rowOf = (start: string, end: string) =>
	z.strictObject({ [start]: Text, [end]: Text, price: Price });
const Octopus = z.object({ valid_from: Text, value_inc_vat: Price });
const Frank = z.object({ marketPrice: Price, till: Text });
const FRANK = "marketPriceTax|sourcingMarkupPrice";
/** Sources that leave the unit out: it, the fields that add up to a price, a row, how the name of the list ends. */
const SOURCES: readonly (readonly [string, string, z.ZodType, RegExp?])[] = [
	["p/kWh", "value_inc_vat", Octopus], // in Home Assistant `start`, and pounds
	["EUR/MWh", "marketprice", z.object({ marketprice: Price })], // aWATTar
	// Energi Data Service, now and until 2025.
	["DKK/MWh", "DayAheadPriceDKK", z.object({ DayAheadPriceDKK: Price })],
	["DKK/MWh", "SpotPriceDKK", z.object({ SpotPriceDKK: Price })],
	["ct/kWh", "price", rowOf("startDate", "endDate")], // pörssisähkö.net
	["EUR/kWh", `marketPrice|${FRANK}|energyTaxPrice`, Frank], // Frank Energie
	// The actions of Nord Pool in Home Assistant: a list for each area.
	["MWh", "price", rowOf("start", "end"), /\.[A-Z]{2,4}\d?$/],
];
/** What others call a price, the surest first; a name like `price_ct_per_kwh` says its unit. */
const PRICES = "total|price|value|valueincvat|pricewithtax";
const NAMED =
	/(?:^|_)(?!price|total|value|spot|market)([^_]*?)_?(per_?[km]wh)$/i;
const CURRENCY = `${Intl.supportedValuesOf("currency").join("|")}|€|euros?|£|\\$|kr|zł|zl|kč|kc|ft`;
const MINOR =
	"ct?s?|cents?|centimes?|¢|snt|sentti|öre|øre|oe?re|gr|gros[zy]+|p|pence|penny|gbx|rp|rappen|hal|hal[eé][rř]ů?|bani";
const UNIT = new RegExp(
	`^(${CURRENCY})?(${MINOR})?(${CURRENCY})?((/|per|pro)?(k|(m))wh)?$`,
	"i",
);
/** What a unit is called, the surest first. */
const UNITS = "unitofmeasurement|priceunit|unit|units|perunit";
/** Lists beside those of prices that look the same. */
const OTHERS = /^(co2|feed_?in|gas|marketPricesGas)$/i;
/** How high the median per kWh of prices that are not 0 can be; the first also where no currency is said. */
const MOST: readonly (readonly [RegExp, number])[] = [
	[/^(€|EUR|EUROS?|£|GBP|CHF|\$|USD|CAD|)$/i, 2],
	[/^(AUD|NZD)$/i, 5],
	[/^(PLN|zł|zl|DKK|SEK|NOK|kr|RON)$/i, 20],
	[/^(CZK|kč|kc)$/i, 50],
	[/^(HUF|ft)$/i, 1000],
];
/** How low it can be, and in a minor unit; one price can be so many times as high. */
const [LEAST, LEAST_MINOR, PEAK] = [0.002, 0.01, 5];
const PRICE_BOUNDS = { unit: { key: "unit.per_kwh" }, least: -1e6, most: 1e6 };

/** A unit by rule: a minor unit is a hundredth, per MWh a thousandth. */
function readUnit(field: string, given: unknown) {
	const text = String(given ?? "").replaceAll(/[\s._-]/g, "");
	const found = UNIT.exec(text.replace("GBp", "p"));
	if (!found) throw inputError("prices.unit", { field, unit: show(given) });
	const [, before, minor, currency = before, , , , mega] = found;
	const money = currency ?? (minor ? "kr" : "");
	return {
		divisor: (minor ? 100 : 1) * (mega ? 1000 : 1),
		text: currency ? `${currency.toUpperCase()}/kWh` : null,
		least: minor ? LEAST_MINOR : LEAST,
		most: MOST.find(([names]) => names.test(money))?.[1] ?? 1e6,
	};
}

/** The unit that an object says; one like "kWh" leaves the currency to its own field. */
function unitOf(row: Fields): unknown {
	const names = fieldsOf(Object.keys(row), UNITS);
	const unit = names.map((name) => row[name]).find((text) => !isBlank(text));
	const isBare = /^\W*(per\s*)?[km]wh$/i.test(String(unit));
	return isBare && row.currency ? `${row.currency} ${unit}` : unit;
}

/** A list that may be one of prices: by their name or a source (rank 2), by the only number of its rows (1), or not (0). */
function readList(items: unknown[], name: string, outer: unknown, zone?: Zone) {
	const sample: Fields[] = items.slice(0, 5).map(Object);
	const [usual, parts] =
		SOURCES.find(
			([, , row, below = /$/]) =>
				below.test(name) && sample.some((one) => row.safeParse(one).success),
		) ?? [];
	const fields = [...new Set(sample.flatMap(Object.keys))];
	const named = fields.filter((field) => NAMED.test(field));
	const known = [...named, ...fieldsOf(fields, PRICES)];
	const times = fieldsOf(fields, TIMES);
	const [only, another] = fields.filter(
		(one) =>
			!times.includes(one) &&
			sample.some((row) => typeof row[one] === "number"),
	);
	const field = parts ?? known[0] ?? (another ? undefined : only);
	const [, money, energy] = NAMED.exec(field ?? "") ?? [];
	// A name like `price_per_kwh` leaves the currency to what is around.
	const around = String(outer ?? "").replace(/[\s/]*([km]wh)$/i, "");
	const said = energy ? `${money || around}${energy}` : (outer ?? usual);
	let unit: ReturnType<typeof readUnit> | undefined;
	const list = { name, key: "prices.no_start", zone };
	const read = looseRows(items, list, (row, at) => {
		let price = 0;
		let its = unitOf(row);
		for (const part of parts?.split("|") ?? [field ?? ""]) {
			const given = row[part];
			const inner: Fields = isObject(given) ? given : { value: given };
			const value = inner.total ?? inner.value;
			its ??= unitOf(inner);
			if (value === undefined)
				throw inputError("prices.no_price", { name: at, value: show(row) });
			const isSlip = /^\s*nan\s*$/i.test(String(value)); // Of a sum, no hole.
			if (isNoReading(value) && !isSlip) return null;
			price += readNumber(`${at}.${part}`, value, PRICE_BOUNDS);
		}
		const own = readUnit(`${at}.unit`, its ?? said ?? row.currency);
		unit ??= own;
		return Number((price / own.divisor).toPrecision(12));
	});
	const rank = known[0] || parts ? 2 : 1;
	return { ...read, unit, rank: times[0] && field ? rank : 0 };
}

type List = ReturnType<typeof readList>;
/** All lists in a value; Tibber's lie 6 deep. */
function* listsIn(
	value: unknown,
	name: string,
	zone: Zone | undefined,
	outer?: unknown,
	depth = 0,
): Generator<List> {
	if (!(value instanceof Object) || depth > 8) return;
	const { new_state: after } = value as Fields;
	const row = isObject(after) ? after : (value as Fields);
	const unit = unitOf(row) ?? outer ?? row.currency;
	if (Array.isArray(value) && value.some(isObject)) {
		yield readList(value, name, unit, zone);
	}
	const rows = rowsOfColumns(row);
	if (rows) yield readList(rows, name, unit, zone);
	for (const [key, inner] of Object.entries(row)) {
		if (OTHERS.test(key) && name !== "feedIn") continue;
		const at = Array.isArray(value) ? `${name}[${key}]` : `${name}.${key}`;
		yield* listsIn(inner, at, zone, unit, depth + 1);
	}
}

/** The surest list, of those the longest, with what lies before or after it. */
function join(lists: List[]): List {
	const priced = ({ rows }: List) =>
		rows.filter(({ value }) => value !== null).length;
	lists.sort((a, b) => b.rank - a.rank || priced(b) - priced(a));
	return lists.reduce((whole, { rows, errors, rank, unit }) => {
		const starts = whole.rows.map(({ start }) => start);
		const [from, to] = [Math.min(...starts), Math.max(...starts)];
		const isApart = rows.every(({ start }) => start < from || start > to);
		if (!isApart || rank === 0 || rank < whole.rank) return whole;
		whole.rows.push(...rows);
		whole.errors.push(...errors);
		whole.unit ??= unit;
		return whole;
	});
}

/** Why prices can be no tariff's, or what is to be asked of those that hardly are. */
function judge(name: string, prices: number[], unit = readUnit("", "")) {
	const sorted = Float64Array.from(prices, Math.abs).filter(Boolean).sort();
	const [median = 1, peak = 1] = [sorted[sorted.length >> 1], sorted.at(-1)];
	const said = (key: string, price: number) =>
		inputError(key, { name, price: Number(price.toPrecision(3)) });
	const { most, least } = unit;
	if (median > most) return { refused: [said("prices.too_high", median)] };
	if (peak > PEAK * most) return { refused: [said("prices.peak", peak)] };
	const isDoubted = median < least && peak < PEAK * least;
	return isDoubted ? { question: said("prices.too_low", median) } : {};
}

/**
 * Rows of prices as price nodes, services and Home Assistant send them (docs: Prices):
 * a list, or any object or JSON with one. What cannot be read is told, the rest used.
 *
 * @param zone the site's; undefined before its forecast
 * @returns no value where none can be read or believed; null for null, which takes prices back
 */
export function readPrices(
	name: string,
	value: unknown,
	zone?: Zone,
): ReadResult<PriceList | null> {
	if (value === null) return { value, errors: [] };
	const lists = [...listsIn(plainJson(value), name, zone)];
	const no = inputError("prices.rows", { name, value: show(value) });
	if (lists.length === 0) return { errors: [no] };
	const list = join(lists);
	const { spans, errors: clashes } = arrangeRows(list.rows);
	const errors = [...list.errors, ...clashes];
	const none = inputError("prices.none", { name, count: list.rows.length });
	if (spans.length === 0)
		return { errors: rowErrors(errors[0] ? errors : [none], false) };
	const prices = spans.map(({ value }) => value);
	const rows = spans.map(({ value: price, ...span }) => ({ ...span, price }));
	const { refused, ...asked } = judge(name, prices, list.unit);
	if (refused) return { errors: [...refused, ...rowErrors(errors, false)] };
	const read = { rows, unit: list.unit?.text ?? null };
	return { value: read, ...asked, errors: rowErrors(errors, true) };
}

/** `msg.feedIn`: a number, or rows as those of prices. */
export function readFeedIn(
	value: unknown,
	zone?: Zone,
): ReadResult<FeedIn | null> {
	if (typeof value !== "object" && /^\s*[\d.,+-]/.test(String(value))) {
		const read = reading(() => readNumber("feedIn", value, PRICE_BOUNDS));
		const { refused, ...asked } = judge("feedIn", [read.value ?? 0]);
		return refused ? { errors: refused } : { ...read, ...asked };
	}
	const { value: read, ...rest } = readPrices("feedIn", value, zone);
	return { ...rest, ...(read !== undefined && { value: read?.rows ?? null }) };
}
