import type { PriceDays } from "../dialog-answers";
import { drawingIn } from "./drawing";
import { along, BOTTOM, drawFrame, TOP } from "./frame";
import { number, say } from "./words";

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
	const x = along(begin, end);
	const y = (price: number) =>
		+(TOP + ((most - price) / (most - least || 1)) * (BOTTOM - TOP)).toFixed(1);
	const bars = rows.map(
		([start, until, price]) =>
			`M${x(start)} ${y(0)}V${y(price)}H${x(until)}V${y(0)}Z`,
	);
	drawingIn(svg)("path", { d: bars.join("") });
	const day = (start: number, until: number, key: string) => {
		const own = rows.filter((row) => row[0] >= start && row[0] < until);
		const sorted = own.map(([, , price]) => price).sort((a, b) => a - b);
		const [low, high = low] = [sorted[0], sorted.at(-1)];
		const values = low !== undefined &&
			high !== undefined && { least: number(low, 4), most: number(high, 4) };
		return { start, label: values ? say(key, values) : "" };
	};
	drawFrame(svg, { begin, end, timezone, base: y(0) }, [
		day(begin, middle, "common.prices.today"),
		day(middle, end, "common.prices.tomorrow"),
	]);
}
