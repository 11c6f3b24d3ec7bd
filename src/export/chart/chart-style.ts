import type { Language } from "../../util/language";
import type { CurveSpan } from "../source/curve";
import { type ChartSeries, type SeriesKind, word } from "./chart-series";

type Style = Readonly<Record<string, unknown>>;

const AMBER = "#e08a00";
const BLUE = "#4a90c2";
/** Fills that can be told apart by people who see no red or no green. */
const STACK = [
	"#e08a00",
	"#4a90c2",
	"#8a6fb0",
	"#5a9e6f",
	"#b5651d",
	"#7f7f7f",
];

/**
 * A style with all that some kind sets: ui-chart merges what it is sent place by
 * place with what it was sent before, and keeps what is left out.
 */
const style = (z: number, width: number, fill: number, more: Style = {}) => ({
	lineStyle: { width, opacity: width > 0 ? 1 : 0 },
	areaStyle: { opacity: fill },
	itemStyle: { color: AMBER },
	tooltip: { show: true },
	stack: null,
	z,
	...more,
});
const EDGE = { stack: "range", tooltip: { show: false } };

const STYLES: Readonly<Record<SeriesKind, Style>> = {
	clearsky: style(2, 1, 0, { itemStyle: { color: BLUE } }),
	low: style(1, 0, 0, EDGE),
	band: style(1, 0, 0.25, EDGE),
	forecast: style(4, 3, 0.2),
	string: style(2, 1, 0.7, { stack: "strings" }),
};

/**
 * Entries of the legend. ui-chart merges lists place by place with what it was
 * sent before, so a list never gets shorter: an entry that is there twice is
 * drawn once.
 */
const LEGEND_PLACES = 24;
const legend = (names: readonly string[]) => ({
	type: "scroll",
	top: 0,
	data: Array.from(
		{ length: Math.max(LEGEND_PLACES, names.length) },
		(_, place) => names[place] ?? names[0] ?? "",
	),
});

/** Room for the words at the axes. */
const GRID = { left: 12, right: 24, top: 56, bottom: 12, containLabel: true };

const nowLine = (nowMs: number, language: Language): Style => ({
	silent: true,
	symbol: "none",
	animation: false,
	label: { formatter: word("chart.now", language), position: "insideEndTop" },
	lineStyle: { color: "#c0392b", width: 2, type: "solid" },
	data: [{ xAxis: nowMs }],
});

/**
 * What ui-chart cannot know of lines (Apache ECharts' options, as `ui_update.chartOptions`
 * takes them): axes in kW and time, colours, areas, the line of now.
 *
 * @param all every line that there may be, in an order that does not change
 * @param present names of those that have points
 */
export function powerOptions(
	all: readonly Pick<ChartSeries, "name" | "kind">[],
	present: ReadonlySet<string>,
	{ from, to }: CurveSpan,
	nowMs: number,
	language: Language,
): Style {
	const top = all.length - 1;
	return {
		legend: legend(
			all
				.filter(({ kind, name }) => kind !== "low" && present.has(name))
				.map(({ name }) => name)
				.reverse(),
		),
		grid: GRID,
		xAxis: { type: "time", min: from, max: to },
		yAxis: { name: "kW", nameLocation: "end", min: 0 },
		series: all.map(({ kind, name }, index) => ({
			type: "line",
			name,
			symbol: "none",
			...STYLES[kind],
			...(kind === "string" && {
				itemStyle: { color: STACK[index % STACK.length] },
			}),
			...(index === top && { markLine: nowLine(nowMs, language) }),
		})),
	};
}

/** Options of the week's bars: energy in kWh, written on each. */
export const energyOptions = (language: Language): Style => ({
	legend: { show: false },
	grid: GRID,
	xAxis: { type: "category" },
	yAxis: { name: "kWh", nameLocation: "end", min: 0 },
	series: [
		{
			type: "bar",
			name: word("chart.forecast", language),
			itemStyle: { color: AMBER },
			label: { show: true, position: "top", formatter: "{@[1]}" },
		},
	],
});
