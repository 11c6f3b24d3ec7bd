import type { Series } from "../forecast/series";
import { priceReader } from "../prices/means";
import type { FeedIn, PriceRow } from "../prices/reader";
import { QUARTER_MS } from "../util/time";
import { KWH, type Slot, slotOf } from "./search";
import type { WindowSettings } from "./settings";

/** What times are judged by. */
export interface Outlook {
	/** Rows of a forecast. */
	readonly values: Series;
	/** In ascending order, none overlapping another; empty where none is known. */
	readonly prices: readonly PriceRow[];
	readonly feedIn: FeedIn;
}

/** The appliance and the house that it stands in. */
type Appliance = Pick<WindowSettings, "loadW" | "baseLoadW" | "minPowerW">;

/** The quarters of a span, those at its edges cut to it. */
export function slotsOf(
	{ values, prices, feedIn }: Outlook,
	{ loadW, baseLoadW, minPowerW }: Appliance,
	from: number,
	to: number,
): Slot[] {
	const priceOf = priceReader(prices);
	const feedInOf = priceReader(feedIn);
	const slots: Slot[] = [];
	const first = Math.floor(from / QUARTER_MS) * QUARTER_MS;
	for (let quarter = first; quarter < to; quarter += QUARTER_MS) {
		const start = Math.max(from, quarter);
		const end = Math.min(to, quarter + QUARTER_MS);
		const power = values.valueAt(quarter, "pv_power");
		// Services send small negative powers at night now and then.
		const pv = power === null ? null : Math.max(0, power);
		slots.push(
			slotOf(
				{
					start,
					end,
					pv,
					surplus: Math.max(0, (pv ?? 0) - baseLoadW),
					price: priceOf(start, end),
					feedIn: feedInOf(start, end),
					least: minPowerW,
				},
				loadW,
			),
		);
	}
	return slots;
}

/** What is foreseen for a window; null where it is not known. */
export interface Figures {
	/** Solar energy for the appliance, kWh: what is left over after the base load, at most what it takes. */
	readonly energyKwh: number | null;
	/** Mean solar power that is left over after the base load, W. */
	readonly meanW: number | null;
	/** Share of the appliance's energy that the sun gives, 0 to 1; null without its power. */
	readonly solarShare: number | null;
	/** Of the appliance's energy, in the currency of the prices; null without its power. */
	readonly cost: number | null;
}

export const UNKNOWN_FIGURES: Figures = {
	energyKwh: null,
	meanW: null,
	solarShare: null,
	cost: null,
};

/** What is foreseen between two instants. */
export function figuresOf(
	outlook: Outlook,
	appliance: Appliance,
	start: number,
	end: number,
): Figures {
	const slots = slotsOf(outlook, { ...appliance, minPowerW: null }, start, end);
	if (!slots.every(({ counts }) => counts)) return UNKNOWN_FIGURES;
	const sum = (value: (slot: Slot) => number) =>
		slots.reduce(
			(total, slot) => total + value(slot) * (slot.end - slot.start),
			0,
		);
	const { loadW } = appliance;
	const sun = sum((slot) => slot.sun);
	const isPriced = loadW !== null && slots.every(({ cost }) => cost !== null);
	return {
		energyKwh: sun / KWH,
		meanW: sum((slot) => slot.surplus) / (end - start),
		solarShare: loadW === null ? null : sun / (loadW * (end - start)),
		cost: isPriced ? sum((slot) => slot.cost as number) / KWH : null,
	};
}
