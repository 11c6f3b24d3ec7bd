import type { Forecast, StringSeries } from "../forecast/forecast";
import { dayEnergy, type Series } from "../forecast/series";
import { instantText, stampsOf } from "../forecast/stamps";
import type { DailyRow, Row } from "../service/v2/forecast-answer";
import {
	type Block,
	GROUP_NAMES,
	GROUPS,
	type Group,
} from "../service/v2/groups";
import type { StringMeta } from "../service/v2/sites/site";
import { QUARTER_MS } from "../util/time";
import { dateDay, dateText } from "../util/timestamp";
import type { Selection } from "./selection";

/** The shape of the V2 forecast response, cut to a selection. */
export interface ForecastView {
	site_id: string;
	timezone: string;
	computed_at: string | null;
	next_poll_at: string | null;
	included: string[];
	available: string[];
	daily: DailyRow[];
	values: Row[];
	strings?: Row[];
	[extra: string]: unknown;
}

/** One string's part of a forecast (behaviour: Messages, output 3). */
interface StringView extends StringMeta {
	daily: { date: string; pv_energy_kwh: number | null }[];
	values: Row[];
}

/** The local dates a selection shows, as days since 1970-01-01. */
interface DayRange {
	readonly first: number;
	/** Infinity for all there is. */
	readonly last: number;
}

function dayRange(
	forecast: Forecast,
	{ forecastDays, pastDays }: Selection,
	now: number,
): DayRange {
	const today = forecast.zone.dayOf(now);
	return {
		first: today - pastDays,
		last:
			forecastDays === null ? Number.POSITIVE_INFINITY : today + forecastDays,
	};
}

/** Groups that a selection shows and an answer lacks. */
export function missingGroups(
	forecast: Forecast,
	include: readonly Group[],
): Group[] {
	return include.filter((group) => !forecast.included.includes(group));
}

type HiddenFields = Readonly<Record<Block, ReadonlySet<string>>>;
/** By the list of groups itself: a node's is the same at each forecast. */
const hiddenFields = new WeakMap<readonly Group[], HiddenFields>();

/** Fields of groups that are not shown; whatever no group knows passes through. */
function hiddenBy(include: readonly Group[]): HiddenFields {
	let hidden = hiddenFields.get(include);
	if (!hidden) {
		const of = (block: Block) => {
			const shown = new Set<string>(
				include.flatMap((group) => GROUPS[group][block]),
			);
			return new Set<string>(
				GROUP_NAMES.flatMap<string>((group) => GROUPS[group][block])
					.filter((field) => !shown.has(field))
					// An own field of this name would set an object's prototype.
					.concat("__proto__"),
			);
		};
		hidden = {
			values: of("values"),
			strings: of("strings"),
			daily: of("daily"),
		};
		hiddenFields.set(include, hidden);
	}
	return hidden;
}

/** A value of its own: fields that no group knows may hold objects. */
const fresh = <T>(value: T): T =>
	typeof value === "object" && value !== null ? structuredClone(value) : value;

/** Copies of the rows of a range without the hidden fields. */
function copyRows(
	{ interval }: Forecast,
	series: Series,
	hidden: ReadonlySet<string>,
	range: DayRange,
	stampZone: Selection["timezone"],
): Row[] {
	const { zone, rows } = series;
	const from = series.indexFrom(zone.dayStart(range.first));
	const to = Number.isFinite(range.last)
		? series.indexFrom(zone.dayStart(range.last + 1))
		: rows.length;
	const stamps = stampsOf(
		series,
		interval === "end" ? QUARTER_MS : 0,
		stampZone,
	);
	const { fields, isFlat } = series.shape;
	const shown = fields.filter((field) => !hidden.has(field));
	// To spread a row costs a tenth of copying it field by field.
	const isWhole = isFlat && shown.length === fields.length;
	const copies = new Array<Row>(Math.max(0, to - from));
	for (let index = from; index < to; index += 1) {
		const row = rows[index] as Row;
		const copy: Record<string, unknown> = isWhole
			? { ...row }
			: pickFields(row, shown, isFlat);
		copy.timestamp = stamps[index];
		copies[index - from] = copy;
	}
	return copies;
}

function pickFields(
	row: Row,
	shown: readonly string[],
	isFlat: boolean,
): Record<string, unknown> {
	const copy: Record<string, unknown> = {};
	for (const field of shown) {
		const value = row[field];
		if (value !== undefined) copy[field] = isFlat ? value : fresh(value);
	}
	return copy;
}

/**
 * A forecast as one node shows it: fresh objects in the shape of the V2
 * response, with the node's groups, days and way to write times.
 *
 * @param siteId stands where the answer names no site (inline)
 * @param now epoch ms; today is the site's local date at this instant
 */
export function showForecast(
	forecast: Forecast,
	selection: Selection,
	siteId: string,
	now: number,
): ForecastView {
	const { zone } = forecast;
	const { include, timezone } = selection;
	const range = dayRange(forecast, selection, now);
	const hidden = hiddenBy(include);
	const text = (instant: number | null) =>
		instant === null ? null : instantText(instant, zone, timezone);
	const view: ForecastView = {
		...fresh(forecast.extra),
		site_id: forecast.site_id ?? siteId,
		timezone: zone.name,
		computed_at: text(forecast.computed_at),
		next_poll_at: text(forecast.next_poll_at),
		included: include.filter((group) => forecast.included.includes(group)),
		available: [...(forecast.available ?? [])],
		daily: showDays(forecast, selection, now),
		values: copyRows(forecast, forecast.values, hidden.values, range, timezone),
	};
	if (include.includes("strings") && forecast.strings) {
		const { strings } = hidden;
		// Not flat(), with which all messages take half as long again, nor concat(),
		// for which each string would be an argument.
		const all: Row[] = [];
		for (const { series } of forecast.strings) {
			const rows = copyRows(forecast, series, strings, range, timezone);
			for (const row of rows) all.push(row);
		}
		view.strings = all;
	}
	return view;
}

/** The `daily` rows of a selection, as received but for the fields of groups not shown. */
export function showDays(
	forecast: Forecast,
	selection: Selection,
	now: number,
): DailyRow[] {
	const { first, last } = dayRange(forecast, selection, now);
	const hidden = hiddenBy(selection.include).daily;
	return forecast.daily
		.filter((row) => {
			const day = dateDay(row.date);
			return day >= first && day <= last;
		})
		.map((row) => {
			const shown = Object.keys(row).filter((field) => !hidden.has(field));
			return pickFields(row, shown, false) as DailyRow;
		});
}

/**
 * Metadata of a string of the forecast: joined by `string_id`, by position only
 * where the string has no id.
 */
export function stringMeta(
	string: StringSeries,
	known: readonly StringMeta[],
): StringMeta {
	const meta = known.find((candidate) =>
		string.string_id === null
			? candidate.string_index === string.string_index
			: candidate.string_id === string.string_id,
	);
	return {
		string_id: string.string_id,
		string_index: string.string_index,
		slope: meta?.slope ?? null,
		orientation: meta?.orientation ?? null,
		power_kw: meta?.power_kw ?? null,
	};
}

/**
 * Each string's part of a selection, by `string_index`, made when it is taken;
 * energies of whole local dates in kWh.
 */
export function* showStrings(
	forecast: Forecast,
	selection: Selection,
	known: readonly StringMeta[],
	now: number,
): Generator<StringView> {
	const { strings = [] } = forecast;
	const { include, timezone } = selection;
	const range = dayRange(forecast, selection, now);
	const hidden = hiddenBy(include).strings;
	// Where the service sends no days, those that the rows have.
	const days =
		forecast.daily.length > 0
			? forecast.daily.map(({ date }) => ({ date, day: dateDay(date) }))
			: forecast.values.days().map((day) => ({ date: dateText(day), day }));
	for (const string of strings) {
		yield {
			...stringMeta(string, known),
			daily: days
				.filter(({ day }) => day >= range.first && day <= range.last)
				.map(({ date, day }) => ({
					date,
					pv_energy_kwh: dayEnergy(string.series, day),
				})),
			values: copyRows(forecast, string.series, hidden, range, timezone),
		};
	}
}
