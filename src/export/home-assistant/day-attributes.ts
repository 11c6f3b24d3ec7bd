import type { NowDay } from "../../forecast/now";
import { dateText } from "../../util/timestamp";
import { stringSeries } from "../chart/chart-series";
import { CHART_WORDS } from "../chart/chart-words";
import type { Document, Source } from "../format";
import { curvePoints } from "../formats/apexcharts";
import { quarters, wholeDays } from "../source/units";
import type { NameLanguage } from "./names";
import { checkAttributes, isRecordable } from "./rules";

/** Days that a picture shows in detail: today and tomorrow. */
const DETAILED_DAYS = 2;

/** Lists beside the curve, by their attribute, and the field that each is of. */
const LISTS = {
	watts_min: "pv_power_min",
	watts_max: "pv_power_max",
	watts_clearsky: "pv_power_clearsky",
} as const;

/** W of each quarter to the watt, null where it is unknown. */
const valuesOf = (starts: readonly number[], at: (start: number) => number) =>
	starts.map((start) => {
		const value = at(start);
		return Number.isNaN(value) ? null : Math.round(value);
	});

/** Range, clear sky and strings of a day, as lists that stand beside its curve, those that it has. */
function details(
	source: Source,
	starts: readonly number[],
	language: NameLanguage,
) {
	const lists = Object.entries(LISTS).flatMap(([name, field]) => {
		const curve = source.curves.get(field);
		const values = valuesOf(starts, (start) => curve?.at(start) ?? Number.NaN);
		return values.some((value) => value !== null) ? [[name, values]] : [];
	});
	const strings = stringSeries(source, CHART_WORDS[language]).map(
		({ name, at }) => ({
			name,
			watts: valuesOf(starts, (start) => at(start) * 1000),
		}),
	);
	return {
		...Object.fromEntries(lists),
		...(strings.length > 0 && { strings }),
	};
}

/**
 * One message per day with a curve, as attributes of that day's energy: weather
 * and range of the day, `forecast`, and for today and tomorrow lists that have a
 * value for each of its entries. Strings are left out where there are so many that
 * the recorder would keep none of it.
 *
 * @param days most days, today included
 * @param energies of today and the days after it
 */
export function dayAttributes(
	source: Source,
	days: number,
	energies: readonly NowDay[],
	language: NameLanguage,
): (Document & { index: number })[] {
	if (source.curve.isEmpty) return [];
	return wholeDays(source, source.today)
		.map(({ day, from, to }) => ({ index: day - source.today, day, from, to }))
		.filter(({ index }) => index < days)
		.map(({ index, day, from, to }) => {
			const date = dateText(day);
			const energy = energies.find((each) => each.date === date);
			const starts = [...quarters(source, from)].filter((start) => start < to);
			const all = {
				date,
				weather_code: energy?.weather_code ?? null,
				energy_min_kwh: energy?.pv_energy_kwh_min ?? null,
				energy_max_kwh: energy?.pv_energy_kwh_max ?? null,
				forecast: curvePoints(source, from, to),
				...(index < DETAILED_DAYS && details(source, starts, language)),
			};
			const payload = isRecordable(all) ? all : { ...all, strings: undefined };
			checkAttributes(payload);
			return { index, payload, span: { from, to } };
		});
}
