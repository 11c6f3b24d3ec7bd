import { QUARTER_MS } from "../../../src/util/time";
import { drawingIn } from "../../shared/editor/drawing";
import type { EditorNode } from "../../shared/editor/editor-api";
import { number } from "../../shared/editor/words";
import type { ForecastPreview } from "../dialog-answers";

interface Quarter {
	/** Epoch ms. */
	readonly start: number;
	readonly watts: number | null;
	/** HH:MM of the site. */
	readonly time: string;
}

/** Splits a curve into the site's days, by date. */
function quartersByDate(
	curve: ForecastPreview["curve"],
	timeZone: string | null,
): Map<string, Quarter[]> {
	const format = new Intl.DateTimeFormat("sv", {
		dateStyle: "short",
		timeStyle: "short",
		...(timeZone !== null && { timeZone }),
	});
	const quarters = new Map<string, Quarter[]>();
	for (const [start, watts] of curve) {
		const [date = "", time = ""] = format.format(start).split(" ");
		const day = quarters.get(date) ?? [];
		quarters.set(date, day);
		day.push({ start, watts, time });
	}
	return quarters;
}

const peakOf = (quarters: readonly Quarter[]) =>
	Math.max(0, ...quarters.map(({ watts }) => watts ?? 0));

/** The outline of a curve: each quarter hour is its mean, a gap stays empty. */
function outline(
	curve: ForecastPreview["curve"],
	x: (instant: number) => number,
	y: (watts: number) => number,
	bottom: number,
): string {
	let path = "";
	curve.forEach(([start, watts], index) => {
		if (watts === null) return;
		const before = curve[index - 1];
		const after = curve[index + 1];
		const end = start + QUARTER_MS;
		const isJoined =
			before && before[1] !== null && before[0] + QUARTER_MS === start;
		const goesOn = after && after[1] !== null && after[0] === end;
		path += `${isJoined ? "" : `M${x(start)} ${bottom}`}V${y(watts)}H${x(end)}`;
		if (!goesOn) path += `V${bottom}Z`;
	});
	return path;
}

/** Draws today and tomorrow, with the energies that messages name. */
export function drawCurve(
	svg: Element,
	{ curve, days, timezone }: ForecastPreview,
	node: EditorNode,
): void {
	const [first, last] = [curve[0], curve.at(-1)];
	if (!first || !last) return;
	const [width, top, bottom] = [400, 18, 96];
	const begin = first[0];
	const span = last[0] + QUARTER_MS - begin;
	const quartersOf = quartersByDate(curve, timezone);
	const peak = Math.max(1, ...[...quartersOf.values()].map(peakOf));
	const x = (instant: number) =>
		+(((instant - begin) / span) * width).toFixed(1);
	const y = (watts: number) =>
		+(bottom - (watts / peak) * (bottom - top)).toFixed(1);
	const add = drawingIn(svg);

	add("path", { d: outline(curve, x, y, bottom) });
	add("line", { x1: 0, x2: width, y1: bottom, y2: bottom });

	const labels: string[] = [];
	days.forEach(({ date, energy_kwh }, index) => {
		const quarters = quartersOf.get(date);
		if (!quarters?.[0]) return;
		const values = {
			kwh:
				energy_kwh === null
					? node._("solar-yield-forecast.chart.unknown")
					: number(energy_kwh, 1),
			power: number(peakOf(quarters) / 1000, 1),
		};
		const label =
			index === 0
				? node._("solar-yield-forecast.chart.today", values)
				: node._("solar-yield-forecast.chart.tomorrow", values);
		labels.push(label);
		const left = x(quarters[0].start);
		if (left > 0) add("line", { x1: left, x2: left, y1: 0, y2: bottom });
		add("text", { x: left + 4, y: 11 }, label);
		for (const { start, time } of quarters) {
			if (!["06:00", "12:00", "18:00"].includes(time)) continue;
			add("line", { x1: x(start), x2: x(start), y1: bottom, y2: bottom + 3 });
			add("text", { x: x(start), y: 109, "text-anchor": "middle" }, time);
		}
	});
	const now = Date.now();
	if (now >= begin && now < begin + span) {
		add("line", {
			class: "solar-yield-chart-now",
			x1: x(now),
			x2: x(now),
			y1: top,
			y2: bottom,
		});
	}
	svg.setAttribute("aria-label", labels.join("; "));
}
