import { siteDayEnergy } from "../../forecast/forecast";
import { settledStarts } from "../../forecast/settled";
import { DAY_MS, QUARTER_MS } from "../../util/time";
import type { Source } from "../format";
import { Curve, type CurveSpan } from "../source/curve";
import { kilowatts } from "../source/units";
import { type ChartWords, stringCaptions } from "./chart-words";

/** What a line of a chart is; `low` and `band` lie on each other, `band` is the difference. */
export type SeriesKind = "clearsky" | "low" | "band" | "forecast" | "string";

/** One line or area of a chart. */
export interface ChartSeries {
	readonly name: string;
	readonly kind: SeriesKind;
	/** kW in the quarter that begins at an instant, NaN where it is unknown. */
	readonly at: (start: number) => number;
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

/** Most days in a week's bars. */
const WEEK = 7;

const series = (
	name: string,
	kind: SeriesKind,
	at: (start: number) => number,
): ChartSeries => ({ name, kind, at: (start) => kilowatts(at(start)) });

/** Forecast, clear sky and range of the site, those that it has, the forecast last and so on top. */
export function siteSeries(
	{ curve, curves }: Source,
	words: ChartWords,
): ChartSeries[] {
	const found: ChartSeries[] = [];
	const clearSky = curves.get("pv_power_clearsky");
	const least = curves.get("pv_power_min");
	const most = curves.get("pv_power_max");
	if (clearSky) {
		found.push(
			series(words.clearSky, "clearsky", (start) => clearSky.at(start)),
		);
	}
	if (least && most) {
		found.push(
			// Known together or not at all: an area has two edges.
			series(
				words.lowest,
				"low",
				(start) => least.at(start) + 0 * most.at(start),
			),
			series(words.range, "band", (start) =>
				Math.max(0, most.at(start) - least.at(start)),
			),
		);
	}
	found.push(series(words.forecast, "forecast", (start) => curve.at(start)));
	return found;
}

/** The strings, named as people know them, to be stacked. */
export function stringSeries(
	{ facts, forecast }: Source,
	words: ChartWords,
): ChartSeries[] {
	const names = stringCaptions(facts.strings, words);
	return (forecast.strings ?? []).map((string) => {
		const curve = new Curve(string.series);
		const name =
			names.get(string.string_index) ?? words.string(string.string_index + 1);
		return series(name, "string", (start) => curve.at(start));
	});
}

/**
 * The points of all lines, a line after the other. Of hours in which all is zero
 * only the first and the last point stay: a chart node keeps a message for each.
 */
export function powerPoints(
	lines: readonly ChartSeries[],
	{ from, to }: CurveSpan,
): PowerPoint[] {
	const starts: number[] = [];
	for (let start = from; start < to; start += QUARTER_MS) starts.push(start);
	const isDark = (start: number) => lines.every(({ at }) => !(at(start) > 0));
	const kept = starts.filter(
		(start) =>
			start === from ||
			start === to - QUARTER_MS ||
			[start - QUARTER_MS, start, start + QUARTER_MS].some((it) => !isDark(it)),
	);
	return lines.flatMap(({ name, at }) =>
		kept.flatMap((start) => {
			const kw = at(start);
			return Number.isNaN(kw)
				? []
				: [{ series: name, t: start + QUARTER_MS / 2, kw }];
		}),
	);
}

/** Energy of today and the days after it, as far as whole days are known. */
export function energyBars(
	{ forecast, facts, today }: Source,
	words: ChartWords,
): EnergyBar[] {
	const settled = settledStarts(facts.settled);
	const bars: EnergyBar[] = [];
	for (let day = today; day < today + WEEK; day += 1) {
		const kwh = siteDayEnergy(forecast, day, "pv_power", settled);
		if (kwh === null) continue;
		const date = new Date(day * DAY_MS);
		const weekday = words.weekdays[date.getUTCDay()] as string;
		bars.push({
			series: words.forecast,
			day: `${weekday} ${date.getUTCDate()}`,
			date: date.toISOString().slice(0, 10),
			kwh: Math.round(kwh * 100) / 100,
		});
	}
	return bars;
}
