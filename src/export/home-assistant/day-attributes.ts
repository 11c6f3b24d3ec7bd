import type { NowDay } from "../../forecast/now";
import type { Language } from "../../util/language";
import { dateText } from "../../util/time";
import type { Document } from "../format";
import type { Curve } from "../source/curve";
import { curvePoints } from "../source/rows";
import type { Source } from "../source/source";
import { wholeDays } from "../source/units";
import { namedStrings } from "../words";

/** Days that a picture shows in detail: today and tomorrow. */
const DETAILED_DAYS = 2;

/** Lists beside the curve, by their attribute, and the field that each is of. */
const LISTS = {
	watts_min: "pv_power_min",
	watts_max: "pv_power_max",
	watts_clearsky: "pv_power_clearsky",
} as const;

/** Attributes of a state that are longer than this are not recorded (bytes of compact JSON). */
const RECORDED_BYTES = 16_384;

/** W of each quarter to the watt, null where it is unknown. */
const valuesOf = (starts: readonly number[], curve: Curve) =>
	starts.map((start) => {
		const value = curve.at(start);
		return Number.isNaN(value) ? null : Math.round(value);
	});

/** Range, clear sky and strings of a day, as lists that stand beside its curve, those that it has. */
function details(
	source: Source,
	starts: readonly number[],
	language: Language,
) {
	const lists = Object.entries(LISTS).flatMap(([name, field]) => {
		const curve = source.curves.get(field);
		const values = curve ? valuesOf(starts, curve) : [];
		return values.some((value) => value !== null) ? [[name, values]] : [];
	});
	const strings = namedStrings(source, language).map(({ name, curve }) => ({
		name,
		watts: valuesOf(starts, curve),
	}));
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
	language: Language,
): (Document & { index: number })[] {
	if (source.curve.isEmpty) return [];
	return wholeDays(source, source.today)
		.map(({ day, from, to }) => ({ index: day - source.today, day, from, to }))
		.filter(({ index }) => index < days)
		.map(({ index, day, from, to }) => {
			const date = dateText(day);
			const energy = energies.find((each) => each.date === date);
			const starts = source.curve.quarters(from, to);
			const all = {
				date,
				weather_code: energy?.weather_code ?? null,
				energy_min_kwh: energy?.pv_energy_kwh_min ?? null,
				energy_max_kwh: energy?.pv_energy_kwh_max ?? null,
				forecast: curvePoints(source, from, to),
				...(index < DETAILED_DAYS && details(source, starts, language)),
			};
			const bytes = Buffer.byteLength(JSON.stringify(all));
			const payload =
				bytes < RECORDED_BYTES ? all : { ...all, strings: undefined };
			return { index, payload, span: { from, to } };
		});
}
