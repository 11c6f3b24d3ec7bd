import { HOUR_MS } from "../../../src/util/time";
import type { PriceDays } from "../dialog-answers";
import { drawingIn } from "./drawing";
import { number, say } from "./words";

const [WIDTH, TOP, BOTTOM] = [400, 18, 96];
const HOURS = ["06:00", "12:00", "18:00"];

/** Draws today's and tomorrow's prices as bars from 0 on; those below 0 hang down. */
export function drawPrices(
	svg: Element | undefined,
	prices: PriceDays | null,
): void {
	if (!svg || !prices) return;
	const { timezone, midnights, rows } = prices;
	const [begin, middle, end] = midnights;
	const amounts = rows.map(([, , price]) => price);
	const [least, most] = [Math.min(0, ...amounts), Math.max(0, ...amounts)];
	const x = (instant: number) =>
		+(
			Math.min(1, Math.max(0, (instant - begin) / (end - begin))) * WIDTH
		).toFixed(1);
	const y = (price: number) =>
		+(TOP + ((most - price) / (most - least || 1)) * (BOTTOM - TOP)).toFixed(1);
	const add = drawingIn(svg);
	for (const [start, until, price] of rows) {
		add("rect", {
			class: "solar-yield-chart-price",
			x: x(start),
			width: Math.max(0, x(until) - x(start) - 0.5),
			y: Math.min(y(0), y(price)),
			height: Math.abs(y(price) - y(0)),
		});
	}
	add("line", { x1: 0, x2: WIDTH, y1: y(0), y2: y(0) });
	add("line", { x1: x(middle), x2: x(middle), y1: 0, y2: BOTTOM });
	const labels = [
		[begin, middle, "common.prices.today"] as const,
		[middle, end, "common.prices.tomorrow"] as const,
	].map(([from, to, key]) => {
		const own = rows
			.filter(([start]) => start >= from && start < to)
			.map(([, , price]) => price);
		const label =
			own.length === 0
				? ""
				: say(key, {
						least: number(Math.min(...own), 4),
						most: number(Math.max(...own), 4),
					});
		add("text", { x: x(from) + 4, y: 11 }, label);
		return label;
	});
	const clock = new Intl.DateTimeFormat("sv", {
		timeStyle: "short",
		timeZone: timezone,
	});
	for (let hour = begin; hour < end; hour += HOUR_MS) {
		const time = clock.format(hour);
		if (!HOURS.includes(time)) continue;
		add("line", { x1: x(hour), x2: x(hour), y1: BOTTOM, y2: BOTTOM + 3 });
		add("text", { x: x(hour), y: 109, "text-anchor": "middle" }, time);
	}
	const now = Date.now();
	if (now >= begin && now < end) {
		const look = "solar-yield-chart-now";
		add("line", { class: look, x1: x(now), x2: x(now), y1: TOP, y2: BOTTOM });
	}
	svg.setAttribute("aria-label", labels.filter(Boolean).join("; "));
}
