import { QUARTER_MS } from "../../../src/util/time";
import { drawingIn } from "./drawing";

/** Where drawings of two days begin and end, in their own units. */
export const [WIDTH, TOP, BOTTOM] = [400, 18, 96];
const HOURS = ["06:00", "12:00", "18:00"];

/** Where an instant lies from left to right; what is outside lies at the edge. */
export const along = (begin: number, end: number) => (instant: number) =>
	+(
		Math.min(1, Math.max(0, (instant - begin) / (end - begin))) * WIDTH
	).toFixed(1);

/** How high a share of the whole lies. */
export const up = (share: number): number =>
	+(BOTTOM - share * (BOTTOM - TOP)).toFixed(1);

/**
 * Draws what stands around: names of days, hours of the site, the base line, now.
 *
 * @param base where 0 is, from top to bottom
 */
export function drawFrame(
	svg: Element,
	span: {
		readonly begin: number;
		readonly end: number;
		readonly timezone: string | null;
		readonly base: number;
	},
	days: readonly { readonly start: number; readonly label: string }[],
): void {
	const { begin, end, timezone, base } = span;
	const x = along(begin, end);
	const add = drawingIn(svg);
	const upright = (at: number, y1: number, y2: number, look = "") =>
		add("line", { class: look, x1: x(at), x2: x(at), y1, y2 });
	add("line", { x1: 0, x2: WIDTH, y1: base, y2: base });
	for (const { start, label } of days) {
		if (x(start) > 0) upright(start, 0, BOTTOM);
		add("text", { x: x(start) + 4, y: 11 }, label);
	}
	const clock = new Intl.DateTimeFormat("sv", {
		timeStyle: "short",
		...(timezone !== null && { timeZone: timezone }),
	});
	for (let at = begin; at < end; at += QUARTER_MS) {
		const time = clock.format(at);
		if (!HOURS.includes(time)) continue;
		upright(at, BOTTOM, BOTTOM + 3);
		add("text", { x: x(at), y: 109, "text-anchor": "middle" }, time);
	}
	const now = Date.now();
	if (now >= begin && now < end) {
		upright(now, TOP, BOTTOM, "solar-yield-chart-now");
	}
	const labels = days.map(({ label }) => label).filter(Boolean);
	svg.setAttribute("aria-label", labels.join("; "));
}
