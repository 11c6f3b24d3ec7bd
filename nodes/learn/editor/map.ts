import { AZIMUTH_STEP, ELEVATION_STEP } from "../../../src/learn/grid";
import { drawingIn } from "../../shared/editor/drawing";
import type { EditorNode } from "../../shared/editor/editor-api";
import { number } from "../../shared/editor/words";
import type { LearnView } from "../dialog-answers";

type Points = LearnView["meters"][number]["points"];

/** A deviation of this much has the full colour. */
const FULL = 0.5;

/** Whether the sun is north when it stands highest. */
function looksNorth(points: Points): boolean {
	const [highest] = [...points].sort((a, b) => b.elevation - a.elevation);
	return !!highest && (highest.azimuth < 90 || highest.azimuth > 270);
}

/** Draws factors over the sun's place in the sky: azimuth to the right, elevation upwards. */
export function drawMap(svg: Element, points: Points, node: EditorNode): void {
	svg.replaceChildren();
	if (points.length === 0) return;
	const [left, right, top, bottom] = [28, 396, 6, 128];
	// As one looks towards the sun at noon: south of the equator that is north.
	const noon = looksNorth(points) ? 0 : 180;
	const placed = points.map((point) => ({
		...point,
		azimuth:
			noon === 0 && point.azimuth > 180 ? point.azimuth - 360 : point.azimuth,
	}));
	const azimuths = placed.map(({ azimuth }) => azimuth);
	const from = Math.min(noon - 90, ...azimuths) - AZIMUTH_STEP / 2;
	const to = Math.max(noon + 90, ...azimuths) + AZIMUTH_STEP / 2;
	const highest =
		Math.max(30, ...points.map(({ elevation }) => elevation)) +
		ELEVATION_STEP / 2;
	const x = (azimuth: number) =>
		+(left + ((azimuth - from) / (to - from)) * (right - left)).toFixed(1);
	const y = (elevation: number) =>
		+(bottom - (Math.max(0, elevation) / highest) * (bottom - top)).toFixed(1);
	const add = drawingIn(svg);
	const percent = (factor: number) => number(100 * factor);
	for (const { azimuth, elevation, factor, days } of placed) {
		const [x1, x2] = [
			x(azimuth - AZIMUTH_STEP / 2),
			x(azimuth + AZIMUTH_STEP / 2),
		];
		const [y1, y2] = [
			y(elevation + ELEVATION_STEP / 2),
			y(elevation - ELEVATION_STEP / 2),
		];
		const cell = add("rect", {
			class: factor < 1 ? "solar-yield-less" : "solar-yield-more",
			"fill-opacity": Math.min(1, Math.abs(factor - 1) / FULL).toFixed(2),
			x: x1,
			y: y1,
			width: +(x2 - x1).toFixed(1),
			height: +(y2 - y1).toFixed(1),
		});
		const values = {
			azimuth: number((azimuth + 360) % 360),
			elevation: number(elevation),
			percent: percent(factor),
			days: number(days, 1),
		};
		drawingIn(cell)("title", {}, node._("solar-yield-learn.map.cell", values));
	}
	add("line", { x1: left, x2: right, y1: bottom, y2: bottom });
	for (const [azimuth, direction] of [
		[90, "east"],
		[180, "south"],
		[270, "west"],
		[0, "north"],
		[-90, "west"],
	] as const) {
		if (azimuth < from || azimuth > to) continue;
		add("line", { x1: x(azimuth), x2: x(azimuth), y1: top, y2: bottom });
		add(
			"text",
			{ x: x(azimuth), y: bottom + 14, "text-anchor": "middle" },
			node._(`solar-yield-learn.map.${direction}`),
		);
	}
	for (let elevation = 0; elevation <= highest; elevation += 15) {
		add(
			"text",
			{ x: left - 4, y: y(elevation) + 4, "text-anchor": "end" },
			`${elevation}°`,
		);
	}
	const factors = points.map(({ factor }) => factor);
	svg.setAttribute(
		"aria-label",
		node._("solar-yield-learn.map.spoken", {
			least: percent(Math.min(...factors)),
			most: percent(Math.max(...factors)),
		}),
	);
}
