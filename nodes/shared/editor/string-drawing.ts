import type { DialogString } from "../dialog-answers";
import { drawingIn } from "./drawing";
import { isNumber } from "./rules";
import { number, say } from "./words";

const WINDS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

/**
 * Draws a string beside its numbers: from above an arrow to where it faces, north
 * on top; from the side its tilt over the ground.
 */
export function drawString(
	svg: Element,
	{ slope, orientation }: DialogString,
): void {
	svg.replaceChildren();
	const add = drawingIn(svg);
	const hasDirection = isNumber(orientation, 0, 360);
	const hasTilt = isNumber(slope, 0, 90);
	add("circle", { cx: 26, cy: 29, r: 18 });
	add("text", { x: 26, y: 9 }, say("common.strings.wind.n"));
	if (hasDirection) {
		add("path", {
			d: "M26 13l5 12h-3v16h-4v-16h-3z",
			transform: `rotate(${orientation} 26 29)`,
		});
	}
	add("line", { x1: 60, y1: 47, x2: 102, y2: 47 });
	if (hasTilt) {
		const angle = (slope * Math.PI) / 180;
		add("line", {
			class: "solar-yield-module",
			x1: 63,
			y1: 45,
			x2: (63 + 36 * Math.cos(angle)).toFixed(1),
			y2: (45 - 36 * Math.sin(angle)).toFixed(1),
		});
	}
	let label = "";
	if (hasDirection && hasTilt) {
		const wind = WINDS[Math.round(orientation / 45) % 8];
		label = say("common.strings.drawing", {
			slope: number(slope, 1),
			wind: say(`common.strings.wind.${wind}`),
		});
	}
	// A picture of nothing yet is none.
	svg.setAttribute("role", label ? "img" : "presentation");
	svg.setAttribute("aria-label", label);
}
