import type { CurveSpan } from "../source/curve";

type Style = Readonly<Record<string, unknown>>;

const AMBER = "#e08a00";
const BLUE = "#4a90c2";
/** Fills that can be told apart by people who see no red or no green. */
const STACK = [AMBER, BLUE, "#8a6fb0", "#5a9e6f", "#b5651d", "#7f7f7f"];

/**
 * A style with all that some kind sets: ui-chart merges what it is sent place by
 * place with what it was sent before, and keeps what is left out.
 */
const style = (
	z: number,
	width: number,
	fill: number,
	more: Style = {},
): Style => ({
	lineStyle: { width },
	areaStyle: { opacity: fill },
	itemStyle: { color: AMBER },
	tooltip: { show: true },
	stack: null,
	z,
	...more,
});
const EDGE = { stack: "range", tooltip: { show: false } };

const STYLES: Readonly<Record<string, Style>> = {
	clearsky: style(2, 1, 0, { itemStyle: { color: BLUE } }),
	low: style(1, 0, 0, EDGE),
	band: style(1, 0, 0.25, EDGE),
	forecast: style(4, 3, 0.2),
	string: style(2, 1, 0.7, { stack: "strings" }),
};

/** Entries of the legend: lists never get shorter, and an entry that is there twice is drawn once. */
const LEGEND_PLACES = 24;

/** Room for the words at the axes. */
const GRID = { left: 12, right: 24, top: 56, bottom: 12, containLabel: true };

/**
 * What ui-chart cannot know of lines (Apache ECharts' options, as `ui_update.chartOptions`
 * takes them): axes in kW and time, colours, areas, the line of now.
 *
 * @param all every line that there may be, in an order that does not change
 * @param present names of those that have points
 * @param now the word at the line of now
 */
export function powerOptions(
	all: readonly { readonly name: string; readonly kind: string }[],
	present: ReadonlySet<string>,
	{ from, to }: CurveSpan,
	nowMs: number,
	now: string,
): Style {
	const names = all
		.filter(({ kind, name }) => kind !== "low" && present.has(name))
		.map(({ name }) => name)
		.reverse();
	return {
		legend: {
			type: "scroll",
			top: 0,
			data: Array.from(
				{ length: Math.max(LEGEND_PLACES, names.length) },
				(_, place) => names[place] ?? names[0] ?? "",
			),
		},
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
			...(index === all.length - 1 && {
				markLine: {
					silent: true,
					symbol: "none",
					animation: false,
					label: { formatter: now, position: "insideEndTop" },
					lineStyle: { color: "#c0392b", width: 2, type: "solid" },
					data: [{ xAxis: nowMs }],
				},
			}),
		})),
	};
}

/** Options of the week's bars: energy in kWh, written on each. */
export const energyOptions = (name: string): Style => ({
	legend: { show: false },
	grid: GRID,
	xAxis: { type: "category" },
	yAxis: { name: "kWh", nameLocation: "end", min: 0 },
	series: [
		{
			type: "bar",
			name,
			itemStyle: { color: AMBER },
			label: { show: true, position: "top", formatter: "{@[1]}" },
		},
	],
});
