import type { Forecast, StringSeries } from "../forecast/forecast";
import { dayEnergy, instantText, type Series } from "../forecast/series";
import type { DailyRow, Row } from "../service/v2/forecast-answer";
import {
	type Block,
	GROUP_NAMES,
	GROUPS,
	type Group,
} from "../service/v2/groups";
import type { StringMeta } from "../service/v2/sites/site";
import { dateDay, dateText, QUARTER_MS, utcText } from "../util/time";
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

/** Tells fields of groups that are not shown; whatever no group knows passes through. */
function hiddenFields(include: readonly Group[], block: Block) {
	const isOf = (field: string, groups: readonly Group[]) =>
		groups.some((group) => GROUPS[group][block].some((it) => it === field));
	return (field: string): boolean =>
		// An own field of this name would set an object's prototype.
		field === "__proto__" ||
		(isOf(field, GROUP_NAMES) && !isOf(field, include));
}

/** Copies of the rows of a range without the hidden fields. */
function copyRows(
	{ interval }: Forecast,
	series: Series,
	isHidden: (field: string) => boolean,
	{ first, last }: DayRange,
	timezone: Selection["timezone"],
): Row[] {
	const { zone, starts, rows, fields, nested } = series;
	const shift = interval === "end" ? QUARTER_MS : 0;
	const stamps =
		timezone === "local"
			? series.stamps(shift)
			: starts.map((start) => utcText(start + shift));
	const from = series.indexFrom(zone.dayStart(first));
	const to = Number.isFinite(last)
		? series.indexFrom(zone.dayStart(last + 1))
		: rows.length;
	const gone = [...fields].filter(isHidden);
	return rows.slice(from, to).map((row, index) => {
		const copy: Record<string, unknown> = { ...row };
		for (const field of gone) delete copy[field];
		for (const field of nested) {
			if (Object.hasOwn(copy, field)) {
				copy[field] = structuredClone(copy[field]);
			}
		}
		copy.timestamp = stamps[from + index];
		return copy;
	});
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
	const view: ForecastView = {
		...structuredClone(forecast.extra),
		site_id: forecast.site_id ?? siteId,
		timezone: zone.name,
		computed_at: instantText(forecast.computed_at, zone, timezone),
		next_poll_at: instantText(forecast.next_poll_at, zone, timezone),
		included: include.filter((group) => forecast.included.includes(group)),
		available: [...(forecast.available ?? [])],
		daily: showDays(forecast, selection, now),
		values: copyRows(
			forecast,
			forecast.values,
			hiddenFields(include, "values"),
			range,
			timezone,
		),
	};
	if (include.includes("strings") && forecast.strings) {
		const hidden = hiddenFields(include, "strings");
		view.strings = forecast.strings.flatMap(({ series }) =>
			copyRows(forecast, series, hidden, range, timezone),
		);
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
	const isHidden = hiddenFields(selection.include, "daily");
	return forecast.daily
		.filter((row) => {
			const day = dateDay(row.date);
			return day >= first && day <= last;
		})
		.map((row) => {
			const copy = structuredClone(row);
			for (const field of Object.keys(copy).filter(isHidden)) {
				delete copy[field];
			}
			return copy;
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
	const hidden = hiddenFields(include, "strings");
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
