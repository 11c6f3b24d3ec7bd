import { QUARTER_MS } from "../../../src/util/time";
import { drawingIn } from "../../shared/editor/drawing";
import type { EditorNode } from "../../shared/editor/editor-api";
import { number } from "../../shared/editor/words";
import type { LearnView } from "../dialog-answers";

type Curve = LearnView["meters"][number]["curve"];
type Field = "raw_w" | "corrected_w" | "measured_w";

/** Draws today as it was foreseen, as it is corrected, and as it was measured so far. */
export function drawCurve(
	svg: Element,
	curve: Curve,
	timeZone: string | null,
	node: EditorNode,
): void {
	svg.replaceChildren();
	const [first, last] = [curve[0], curve.at(-1)];
	if (!first || !last) return;
	const [left, right, top, bottom] = [4, 396, 18, 108];
	const begin = first.start;
	const span = last.start + QUARTER_MS - begin;
	const peak = Math.max(
		1,
		...curve.flatMap(({ raw_w, corrected_w, measured_w }) => [
			raw_w ?? 0,
			corrected_w ?? 0,
			measured_w ?? 0,
		]),
	);
	const x = (instant: number) =>
		+(left + ((instant - begin) / span) * (right - left)).toFixed(1);
	const y = (watts: number) =>
		+(bottom - (watts / peak) * (bottom - top)).toFixed(1);
	const add = drawingIn(svg);

	/** Steps of quarter hours; where a power is unknown the line ends. */
	const path = (field: Field, closes: boolean) => {
		let line = "";
		curve.forEach((point, index) => {
			const watts = point[field];
			if (watts === null) return;
			const isJoined = (curve[index - 1]?.[field] ?? null) !== null;
			const goesOn = (curve[index + 1]?.[field] ?? null) !== null;
			if (!isJoined) line += `M${x(point.start)} ${closes ? bottom : y(watts)}`;
			line += `V${y(watts)}H${x(point.start + QUARTER_MS)}`;
			if (!goesOn && closes) line += `V${bottom}Z`;
		});
		return line;
	};
	add("path", { class: "solar-yield-measured", d: path("measured_w", true) });
	add("path", { class: "solar-yield-raw", d: path("raw_w", false) });
	add("path", { d: path("corrected_w", false) });
	add("line", { x1: left, x2: right, y1: bottom, y2: bottom });

	const format = new Intl.DateTimeFormat("sv", {
		timeStyle: "short",
		...(timeZone !== null && { timeZone }),
	});
	for (const { start } of curve) {
		const time = format.format(start);
		if (!["06:00", "12:00", "18:00"].includes(time)) continue;
		add("line", { x1: x(start), x2: x(start), y1: bottom, y2: bottom + 3 });
		add("text", { x: x(start), y: 121, "text-anchor": "middle" }, time);
	}
	const energy = (field: Field) =>
		number(
			curve.reduce((sum, point) => sum + (point[field] ?? 0), 0) / 4000,
			1,
		);
	const label = node._("solar-yield-learn.curve.energies", {
		raw: energy("raw_w"),
		corrected: energy("corrected_w"),
		measured: energy("measured_w"),
	});
	add("text", { x: left, y: 11 }, label);
	svg.setAttribute("aria-label", label);
}
