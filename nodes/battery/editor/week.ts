import type { LearnedWeek } from "../../../src/battery/house/learned-load";
import { DAY_MS } from "../../../src/util/time";
import { drawingIn } from "../../shared/editor/drawing";
import type { EditorNode } from "../../shared/editor/editor-api";
import { number } from "../../shared/editor/words";

/** 2024-01-01 was a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

/** Name of a weekday in the editor's language, 0 = Monday. */
const weekday = (day: number) =>
	new Date(MONDAY + day * DAY_MS).toLocaleDateString(RED.i18n.lang(), {
		weekday: "short",
		timeZone: "UTC",
	});

interface Cell {
	readonly day: number;
	readonly hour: number;
	/** W. */
	readonly power: number;
}

const cellsOf = ({ hours_w }: LearnedWeek): Cell[] =>
	hours_w.flatMap((hours, day) =>
		hours.flatMap((power, hour) =>
			power === null ? [] : [{ day, hour, power }],
		),
	);

/** The hour of the highest consumption. */
const highest = (cells: readonly Cell[]) =>
	cells.reduce<Cell | undefined>(
		(most, cell) => (most && most.power >= cell.power ? most : cell),
		undefined,
	);

/** What the house has taught, in words. */
export function learnedText(
	week: LearnedWeek | null,
	node: EditorNode,
): string {
	const cells = week ? cellsOf(week) : [];
	const most = highest(cells);
	if (!week || !most) return node._("solar-yield-battery.learned.none");
	const mean = cells.reduce((sum, { power }) => sum + power, 0) / cells.length;
	const summary = node._("solar-yield-battery.learned.summary", {
		mean: number(mean),
		most: number(most.power),
		when: `${weekday(most.day)} ${most.hour}:00`,
	});
	const progress = week.is_known
		? node._("solar-yield-battery.learned.known")
		: node._("solar-yield-battery.learned.part", {
				days: number(week.days, 1),
			});
	return `${summary}. ${progress}`;
}

/** Draws the week, a row per day and a column per hour: the denser, the more is consumed. */
export function drawWeek(svg: Element, week: LearnedWeek, text: string): void {
	const [left, top, width, height] = [34, 16, 15, 17];
	const add = drawingIn(svg);
	const cells = cellsOf(week);
	const most = Math.max(1, highest(cells)?.power ?? 0);
	for (let hour = 0; hour <= 24; hour += 6) {
		const x = left + hour * width;
		add("text", { x, y: 11, "text-anchor": "middle" }, String(hour));
	}
	for (let day = 0; day < 7; day += 1) {
		add("text", { x: 0, y: top + day * height + 12 }, weekday(day));
	}
	for (const { day, hour, power } of cells) {
		add("rect", {
			x: left + hour * width,
			y: top + day * height,
			width: width - 1,
			height: height - 1,
			"fill-opacity": (0.08 + 0.92 * (power / most)).toFixed(2),
		});
	}
	svg.setAttribute("aria-label", text);
}
