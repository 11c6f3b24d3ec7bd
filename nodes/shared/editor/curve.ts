import type { Span } from "../../../src/prices/spans";
import { QUARTER_MS } from "../../../src/util/time";
import type { TwoDays } from "../dialog-answers";
import { drawingIn } from "./drawing";
import { along, BOTTOM, drawFrame, TOP, up } from "./frame";
import { number, say } from "./words";

/** A span of time in the drawing. */
export interface Shade extends Span {
	/** Class of its area. */
	readonly look: string;
}

const peakOf = (curve: TwoDays["curve"]) =>
	Math.max(0, ...curve.map(([, watts]) => watts ?? 0));

/** The outline of a curve: each quarter hour is its mean, a gap stays empty. */
function outline(
	curve: TwoDays["curve"],
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

/**
 * Draws today and tomorrow, with the energies that messages name, in place of
 * what was drawn before.
 *
 * @param shades areas behind the curve
 */
export function drawTwoDays(
	svg: Element,
	{ curve, days, timezone }: TwoDays,
	shades: readonly Shade[] = [],
): void {
	const [first, last] = [curve[0], curve.at(-1)];
	svg.replaceChildren();
	if (!first || !last) return;
	const begin = first[0];
	const end = last[0] + QUARTER_MS;
	const peak = Math.max(1, peakOf(curve));
	const x = along(begin, end);
	const y = (watts: number) => up(watts / peak);
	const add = drawingIn(svg);

	for (const shade of shades) {
		const left = x(shade.start);
		const width = x(shade.end) - left;
		if (width <= 0) continue;
		const height = BOTTOM - TOP;
		add("rect", { class: shade.look, x: left, width, y: TOP, height });
	}
	add("path", { d: outline(curve, x, y, BOTTOM) });
	const labelled = days.flatMap(({ start, energy_kwh }, index) => {
		const next = days[index + 1]?.start ?? end;
		const quarters = curve.filter(([at]) => at >= start && at < next);
		if (!quarters[0]) return [];
		const values = {
			kwh:
				energy_kwh === null
					? say("common.chart.unknown")
					: number(energy_kwh, 1),
			power: number(peakOf(quarters) / 1000, 1),
		};
		const label =
			index === 0
				? say("common.chart.today", values)
				: say("common.chart.tomorrow", values);
		return [{ start: quarters[0][0], label }];
	});
	drawFrame(svg, { begin, end, timezone, base: BOTTOM }, labelled);
}
