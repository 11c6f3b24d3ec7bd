import {
	LANGUAGE_CODES,
	type Language,
	languageFor,
} from "../../util/language";
import { QUARTER_MS } from "../../util/time";
import type { Document, Format, Source } from "../format";
import type { Curve, CurveSpan } from "../source/curve";
import { quarters, watts } from "../source/units";
import {
	energyBars,
	powerPoints,
	type SeriesKind,
	siteSeries,
	stringSeries,
	word,
} from "./chart-series";
import { energyOptions, powerOptions } from "./chart-style";

/** What a message is made for; `points` is every value by a key, to be styled by hand. */
const CHART_VIEWS = ["points", "today", "two-days", "strings", "week"] as const;
type View = (typeof CHART_VIEWS)[number];

/** Keys of a point, by the field that they show. */
const KEYS: Readonly<Record<string, string>> = {
	pv_power_clearsky: "clearsky",
	pv_power_min: "min",
	pv_power_max: "max",
};

function keyedPoints(source: Source): Document {
	const { curve, curves, forecast, strings } = source;
	const series: [key: string, curve: Curve][] = [["pv", curve]];
	for (const [field, key] of Object.entries(KEYS)) {
		const known = curves.get(field);
		if (known) series.push([key, known]);
	}
	for (const [index, { string_index }] of (forecast.strings ?? []).entries()) {
		series.push([`string_${string_index}`, strings[index] as Curve]);
	}
	const points = [];
	for (const start of quarters(source, curve.from)) {
		const point: Record<string, number> = { t: start + QUARTER_MS / 2 };
		for (const [key, line] of series) {
			const value = line.at(start);
			if (!Number.isNaN(value)) point[key] = watts(value);
		}
		points.push(point);
	}
	return {
		payload: points,
		span: { from: curve.from, to: curve.to },
		extra: { action: "replace" },
	};
}

/** The lines of the site that there may be, whatever a forecast has of them. */
const siteLines = (language: Language) =>
	(
		[
			[word("chart.clear_sky", language), "clearsky"],
			[word("chart.lowest", language), "low"],
			[word("chart.range", language), "band"],
			[word("chart.forecast", language), "forecast"],
		] as const
	).map(([name, kind]: readonly [string, SeriesKind]) => ({ name, kind }));

function powerChart(
	source: Source,
	span: CurveSpan,
	language: Language,
	ofStrings: boolean,
): Document {
	const linesIn = ofStrings ? stringSeries : siteSeries;
	const lines = linesIn(source, language);
	// A page shows each viewer the names in their own language.
	const translated = LANGUAGE_CODES.map(
		(code) => [code, linesIn(source, languageFor(code))] as const,
	);
	const namesOf = (index: number) =>
		Object.fromEntries(
			translated.map(([code, all]) => [code, all[index]?.name]),
		);
	const payload = powerPoints(lines, span);
	const present = new Set(payload.map(({ series }) => series));
	return {
		payload,
		span,
		extra: {
			action: "replace",
			series: lines
				.map(({ kind, name }, index) => ({ name, names: namesOf(index), kind }))
				.filter(({ name }) => present.has(name)),
			ui_update: {
				chartOptions: powerOptions(
					ofStrings ? lines : siteLines(language),
					present,
					span,
					source.nowMs,
					language,
				),
			},
		},
	};
}

function weekChart(source: Source, language: Language): Document {
	const payload = energyBars(source, language);
	return {
		payload,
		span: { from: source.todayStart, to: source.curve.to },
		extra: {
			action: "replace",
			series: [{ name: word("chart.forecast", language), kind: "energy" }],
			ui_update: { chartOptions: energyOptions(language) },
		},
	};
}

/** What a view shows, for ui-chart (docs/en/nodes/widgets/ui-chart.md) in one message. */
function makeChart(source: Source, view: View, language: Language): Document {
	const { today, todayStart: from, zone } = source;
	const dayEnd = zone.dayStart(today + 1);
	const twoDays = { from, to: zone.dayStart(today + 2) };
	switch (view) {
		case "points":
			return keyedPoints(source);
		case "today":
			return powerChart(source, { from, to: dayEnd }, language, false);
		case "two-days":
			return powerChart(source, twoDays, language, false);
		case "strings":
			return powerChart(source, twoDays, language, true);
		case "week":
			return weekChart(source, language);
	}
}

/** All points of Dashboard 2's ui-chart in one message. */
export const chart: Format = {
	contentType: null,
	options: [
		{
			kind: "choice",
			name: "view",
			values: CHART_VIEWS,
			default: "points",
		},
		{
			kind: "choice",
			name: "language",
			values: LANGUAGE_CODES,
			default: "en",
		},
	],
	// Points name instants; the views begin with today.
	daily: ({ view }) => view !== "points",
	make(source, { language, view }) {
		const document = makeChart(source, view as View, languageFor(language));
		return [
			view === "points"
				? document
				: { ...document, extra: { ...document.extra, language } },
		];
	},
};
