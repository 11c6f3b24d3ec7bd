import { siteDayEnergy } from "../../forecast/forecast";
import { settledStarts } from "../../forecast/settled";
import {
	LANGUAGE_CODES,
	type Language,
	languageFor,
} from "../../util/language";
import { DAY_MS, dateText, QUARTER_MS } from "../../util/time";
import { choice, type Document, type Format, languageOption } from "../format";
import { type Curve, type CurveSpan, quartersIn } from "../source/curve";
import type { Source } from "../source/source";
import { kilowatts, watts } from "../source/units";
import { namedStrings, word } from "../words";
import { energyOptions, powerOptions } from "./chart-style";

/** What a message is made for; `points` is every value by a key, to be styled by hand. */
const CHART_VIEWS = ["points", "today", "two-days", "strings", "week"] as const;

/** Most days in a week's bars. */
const WEEK = 7;

/** Keys of a point, by the field that they show. */
const KEYS: Readonly<Record<string, string>> = {
	pv_power_clearsky: "clearsky",
	pv_power_min: "min",
	pv_power_max: "max",
};

function keyedPoints(source: Source): Document {
	const { curve, curves, forecast, strings } = source;
	const lines: Record<string, Curve | undefined> = { pv: curve };
	for (const [field, key] of Object.entries(KEYS))
		lines[key] = curves.get(field);
	for (const [index, { string_index }] of (forecast.strings ?? []).entries())
		lines[`string_${string_index}`] = strings[index];
	const payload = curve.quarters().map((start) => {
		const point: Record<string, number> = { t: start + QUARTER_MS / 2 };
		for (const [key, line] of Object.entries(lines)) {
			if (line?.knows(start)) point[key] = watts(line.at(start));
		}
		return point;
	});
	return {
		payload,
		span: { from: curve.from, to: curve.to },
		extra: { action: "replace" },
	};
}

/** One line or area: `low` and `band` lie on each other, `band` is the difference. */
interface ChartLine {
	readonly name: string;
	readonly kind: "clearsky" | "low" | "band" | "forecast" | "string";
	/** kW in the quarter that begins at an instant, NaN where it is unknown. */
	kwAt(start: number): number;
}

/** Clear sky, range and forecast of the site, the forecast last and so on top; unknown throughout where it has none. */
function siteLines({ curve, curves }: Source, language: Language): ChartLine[] {
	const at = (field: string, start: number) =>
		curves.get(`pv_power_${field}`)?.at(start) ?? Number.NaN;
	const lines: [string, ChartLine["kind"], (start: number) => number][] = [
		["clear_sky", "clearsky", (start) => at("clearsky", start)],
		// The edges of the range are known together or not at all.
		["lowest", "low", (start) => at("min", start) + 0 * at("max", start)],
		[
			"range",
			"band",
			(start) => Math.max(0, at("max", start) - at("min", start)),
		],
		["forecast", "forecast", (start) => curve.at(start)],
	];
	return lines.map(([name, kind, wattsAt]) => ({
		name: word(name, language),
		kind,
		kwAt: (start) => kilowatts(wattsAt(start)),
	}));
}

/** The strings, to be stacked. */
const stringLines = (source: Source, language: Language): ChartLine[] =>
	namedStrings(source, language).map(({ name, curve }) => ({
		name,
		kind: "string",
		kwAt: (start) => kilowatts(curve.at(start)),
	}));

/**
 * The points of all lines, a line after the other: ui-chart's series is `series`, x is
 * `t` (epoch ms, the middle of a quarter), y is `kw`. Of hours in which all is zero
 * only the first and the last point stay: a chart node keeps a message for each.
 */
function powerPoints(lines: readonly ChartLine[], span: CurveSpan) {
	const isLit = (start: number) => lines.some(({ kwAt }) => kwAt(start) > 0);
	const kept = quartersIn(span).filter((start) =>
		[start - QUARTER_MS, start, start + QUARTER_MS].some(
			(at) => at < span.from || at >= span.to || isLit(at),
		),
	);
	return lines.flatMap(({ name, kwAt }) =>
		kept
			.map((start) => ({
				series: name,
				t: start + QUARTER_MS / 2,
				kw: kwAt(start),
			}))
			.filter(({ kw }) => !Number.isNaN(kw)),
	);
}

function powerChart(
	source: Source,
	span: CurveSpan,
	language: Language,
	linesIn: typeof siteLines,
): Document {
	const lines = linesIn(source, language);
	// A page shows each viewer the names in their own language.
	const translated = LANGUAGE_CODES.map(
		(code) => [code, linesIn(source, languageFor(code))] as const,
	);
	const payload = powerPoints(lines, span);
	const present = new Set(payload.map(({ series }) => series));
	return {
		payload,
		span,
		extra: {
			action: "replace",
			series: lines
				.map(({ kind, name }, index) => ({
					name,
					names: Object.fromEntries(
						translated.map(([code, all]) => [code, all[index]?.name]),
					),
					kind,
				}))
				.filter(({ name }) => present.has(name)),
			ui_update: {
				chartOptions: powerOptions(
					lines,
					present,
					span,
					source.nowMs,
					word("now", language),
				),
			},
		},
	};
}

/** A bar of energy for today and each day after it, as far as whole days are known. */
function weekChart(source: Source, language: Language): Document {
	const { forecast, facts, today, todayStart, curve } = source;
	const settled = settledStarts(facts.settled);
	const weekdays = word("weekdays", language).split(", ");
	const series = word("forecast", language);
	const payload = Array.from({ length: WEEK }, (_, index) => today + index)
		.map((day) => ({
			day,
			kwh: siteDayEnergy(forecast, day, "pv_power", settled),
		}))
		.flatMap(({ day, kwh }) => {
			if (kwh === null) return [];
			const date = new Date(day * DAY_MS);
			return {
				series,
				/** Weekday and day of the month, as people read it. */
				day: `${weekdays[date.getUTCDay()]} ${date.getUTCDate()}`,
				date: dateText(day),
				kwh: Math.round(kwh * 100) / 100,
			};
		});
	return {
		payload,
		span: { from: todayStart, to: curve.to },
		extra: {
			action: "replace",
			series: [{ name: series, kind: "energy" }],
			ui_update: { chartOptions: energyOptions(series) },
		},
	};
}

/** All points of Dashboard 2's ui-chart (docs/en/nodes/widgets/ui-chart.md) in one message. */
export const chart: Format = {
	contentType: null,
	options: [choice("view", CHART_VIEWS), languageOption],
	// Points name instants; the views begin with today.
	daily: ({ view }) => view !== "points",
	make(source, { language: code, view }) {
		if (view === "points") return [keyedPoints(source)];
		const { today, todayStart: from, zone } = source;
		const to = zone.dayStart(today + (view === "today" ? 1 : 2));
		const language = languageFor(code);
		const document =
			view === "week"
				? weekChart(source, language)
				: powerChart(
						source,
						{ from, to },
						language,
						view === "strings" ? stringLines : siteLines,
					);
		return [{ ...document, extra: { ...document.extra, language: code } }];
	},
};
