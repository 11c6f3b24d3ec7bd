import { siteDayEnergy } from "../../forecast/forecast";
import { settledStarts } from "../../forecast/settled";
import type { StringMeta } from "../../service/v2/sites/site";
import { textIn, type Values } from "../../texts/texts";
import type { Language } from "../../util/language";
import { DAY_MS, QUARTER_MS } from "../../util/time";
import type { Source } from "../format";
import type { Curve, CurveSpan } from "../source/curve";
import { kilowatts } from "../source/units";

/** What a line of a chart is; `low` and `band` lie on each other, `band` is the difference. */
export type SeriesKind = "clearsky" | "low" | "band" | "forecast" | "string";

/** One line or area of a chart. */
export interface ChartSeries {
	readonly name: string;
	readonly kind: SeriesKind;
	readonly curve: Curve;
	/** The other edge of an area that has two: they are known together or not at all. */
	readonly edge?: Curve;
}

/** A point of a line: ui-chart's series is `series`, x is `t` (epoch ms, the middle of a quarter), y is `kw`. */
interface PowerPoint {
	readonly series: string;
	readonly t: number;
	readonly kw: number;
}

/** A bar of the week. */
interface EnergyBar {
	readonly series: string;
	/** Weekday and day of the month, as people read it. */
	readonly day: string;
	/** `YYYY-MM-DD` of the site. */
	readonly date: string;
	readonly kwh: number;
}

/** A word or a name of charts. */
export const word = (key: string, language: Language, values?: Values) =>
	textIn({ key, values }, language);

/** Flatter than this, degrees, a field faces the sky rather than a direction. */
const FLAT = 5;
/** From this slope on, degrees, it hangs on a wall. */
const STEEP = 75;

function place(string: StringMeta, language: Language): string {
	const { orientation, slope, string_index } = string;
	if (slope !== null && slope < FLAT) return word("chart.flat", language);
	if (slope === null || orientation === null) {
		return word("chart.string", language, { number: string_index + 1 });
	}
	const index = Math.round(orientation / 45) & 7;
	const direction = word("chart.directions", language).split(", ")[
		index
	] as string;
	return word(slope < STEEP ? "chart.roof" : "chart.wall", language, {
		direction,
	});
}

/**
 * Names of strings for people, "East roof 4.2 kW", each once: those that would be
 * alike have their id behind.
 *
 * @returns by `string_index`
 */
export function stringCaptions(
	strings: readonly StringMeta[],
	language: Language,
): ReadonlyMap<number, string> {
	const names = strings.map((string) => {
		const name = place(string, language);
		if (string.power_kw === null) return name;
		const kw = String(Math.round(string.power_kw * 100) / 100);
		return `${name} ${kw.replace(".", word("chart.decimal", language))} kW`;
	});
	return new Map(
		strings.map(({ string_id, string_index }, index) => {
			const name = names[index] as string;
			const isTwice = names.indexOf(name) !== names.lastIndexOf(name);
			return [
				string_index,
				isTwice ? `${name} (${string_id ?? string_index + 1})` : name,
			];
		}),
	);
}

/** Most days in a week's bars. */
const WEEK = 7;

/** kW of a line in the quarter that begins at an instant, NaN where it is unknown. */
function kilowattsAt({ kind, curve, edge }: ChartSeries, start: number) {
	const watts = curve.at(start);
	if (!edge) return kilowatts(watts);
	const other = edge.at(start);
	return kilowatts(
		kind === "band" ? Math.max(0, watts - other) : watts + 0 * other,
	);
}

/** Forecast, clear sky and range of the site, those that it has, the forecast last and so on top. */
export function siteSeries(
	{ curve, curves }: Source,
	language: Language,
): ChartSeries[] {
	const found: ChartSeries[] = [];
	const clearSky = curves.get("pv_power_clearsky");
	const least = curves.get("pv_power_min");
	const most = curves.get("pv_power_max");
	if (clearSky) {
		found.push({
			name: word("chart.clear_sky", language),
			kind: "clearsky",
			curve: clearSky,
		});
	}
	if (least && most) {
		found.push(
			{
				name: word("chart.lowest", language),
				kind: "low",
				curve: least,
				edge: most,
			},
			{
				name: word("chart.range", language),
				kind: "band",
				curve: most,
				edge: least,
			},
		);
	}
	found.push({
		name: word("chart.forecast", language),
		kind: "forecast",
		curve,
	});
	return found;
}

/** The strings, named as people know them, to be stacked. */
export function stringSeries(
	{ facts, forecast, strings }: Source,
	language: Language,
): ChartSeries[] {
	const names = stringCaptions(facts.strings, language);
	return (forecast.strings ?? []).map(({ string_index }, index) => ({
		name:
			names.get(string_index) ??
			word("chart.string", language, { number: string_index + 1 }),
		kind: "string",
		curve: strings[index] as Curve,
	}));
}

/** Whether no line shows any power in a quarter. */
function isDark(lines: readonly ChartSeries[], start: number): boolean {
	for (const line of lines) if (kilowattsAt(line, start) > 0) return false;
	return true;
}

/**
 * The points of all lines, a line after the other. Of hours in which all is zero
 * only the first and the last point stay: a chart node keeps a message for each.
 */
export function powerPoints(
	lines: readonly ChartSeries[],
	{ from, to }: CurveSpan,
): PowerPoint[] {
	// A chart is made of each forecast: nothing here is worth a function a line.
	const kept: number[] = [];
	for (let start = from; start < to; start += QUARTER_MS) {
		const isWithin = start > from && start < to - QUARTER_MS;
		const isLeftOut =
			isWithin &&
			isDark(lines, start - QUARTER_MS) &&
			isDark(lines, start) &&
			isDark(lines, start + QUARTER_MS);
		if (!isLeftOut) kept.push(start);
	}
	const points: PowerPoint[] = [];
	for (const line of lines) {
		for (const start of kept) {
			const kw = kilowattsAt(line, start);
			if (Number.isNaN(kw)) continue;
			points.push({ series: line.name, t: start + QUARTER_MS / 2, kw });
		}
	}
	return points;
}

/** Energy of today and the days after it, as far as whole days are known. */
export function energyBars(
	{ forecast, facts, today }: Source,
	language: Language,
): EnergyBar[] {
	const settled = settledStarts(facts.settled);
	const weekdays = word("chart.weekdays", language).split(", ");
	const bars: EnergyBar[] = [];
	for (let day = today; day < today + WEEK; day += 1) {
		const kwh = siteDayEnergy(forecast, day, "pv_power", settled);
		if (kwh === null) continue;
		const date = new Date(day * DAY_MS);
		const weekday = weekdays[date.getUTCDay()];
		bars.push({
			series: word("chart.forecast", language),
			day: `${weekday} ${date.getUTCDate()}`,
			date: date.toISOString().slice(0, 10),
			kwh: Math.round(kwh * 100) / 100,
		});
	}
	return bars;
}
