import type { Series } from "../forecast/series";
import { priceReader } from "../prices/means";
import type { FeedIn, PriceRow } from "../prices/reader";
import type { Span } from "../prices/spans";
import { QUARTER_MS } from "../util/time";
import type { WindowSettings } from "./settings";

/** W·ms in a kWh. */
export const KWH = 3.6e9;

/** Load by which costs are compared where an appliance's own is not known, W. */
const NOMINAL_W = 1000;

/** Power can be told in so many steps. */
export const STEPS = 20;

/** No relay is switched for less, and what is missing by less is not missing. */
export const HALF_QUARTER_MS = QUARTER_MS / 2;

/** Mean W below which a quarter has no sun: services round to it. */
export const DARK_W = 0.004;

/** What times are judged by. */
export interface Outlook {
	/** Rows of a forecast; null where there is none. */
	readonly values: Series | null;
	/** In ascending order, none overlapping another; empty where none is known. */
	readonly prices: readonly PriceRow[];
	readonly feedIn: FeedIn;
}

/** A stretch of time of a quarter hour or less. */
export interface Slot extends Span {
	/** Mean PV power, W; null = not known. */
	readonly pv: number | null;
	/** What of it the house leaves over, W. */
	readonly surplus: number;
	/** Of a kWh; null = not known. */
	readonly price: number | null;
	readonly feedIn: number | null;
}

/** A stretch of running with one power. */
export interface Piece extends Span {
	/** Of the appliance's power at most, above 0 to 1. */
	readonly share: number;
}

/** What is foreseen for a time; null where it is not known. */
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

/** The quarters of a span, cut at its edges and at other instants. */
export function slotsOf(
	{ values, prices, feedIn }: Outlook,
	baseLoadW: number,
	{ start: from, end: to }: Span,
	cuts: readonly number[] = [],
): Slot[] {
	const priceOf = priceReader(prices);
	const feedInOf = priceReader(feedIn);
	const edges = new Set([from, to, ...cuts]);
	const first = Math.ceil(from / QUARTER_MS) * QUARTER_MS;
	for (let edge = first; edge < to; edge += QUARTER_MS) edges.add(edge);
	const sorted = [...edges]
		.filter((edge) => edge >= from && edge <= to)
		.sort((a, b) => a - b);
	return sorted.slice(1).map((end, index) => {
		const start = sorted[index] as number;
		const pv = values?.valueAt(start, "pv_power") ?? null;
		return {
			start,
			end,
			pv,
			surplus: Math.max(0, (pv ?? 0) - baseLoadW),
			price: priceOf(start, end),
			feedIn: feedInOf(start, end),
		};
	});
}

/** What running takes in a slot, W, and costs, W times price; null where a price that matters is not known. */
export function drawIn(slot: Slot, loadW: number | null, share: number) {
	const { surplus, price, feedIn } = slot;
	const load = (loadW ?? NOMINAL_W) * share;
	const own = Math.min(load, surplus);
	const bought = load - own;
	const ownCost = own === 0 ? 0 : feedIn === null ? null : own * feedIn;
	const boughtCost = bought === 0 ? 0 : price === null ? null : bought * price;
	return {
		sun: loadW === null ? surplus : own,
		bought,
		cost: ownCost === null || boughtCost === null ? null : ownCost + boughtCost,
	};
}

/** What is foreseen for pieces. */
export function figuresOf(
	outlook: Outlook,
	{ loadW, baseLoadW }: WindowSettings,
	pieces: readonly Piece[],
): Figures {
	const sums = { ms: 0, sun: 0, surplus: 0, taken: 0 };
	let cost: number | null = 0;
	let isKnown = true;
	for (const piece of pieces) {
		for (const slot of slotsOf(outlook, baseLoadW, piece)) {
			const ms = slot.end - slot.start;
			const draw = drawIn(slot, loadW, piece.share);
			isKnown &&= slot.pv !== null;
			sums.ms += ms;
			sums.sun += draw.sun * ms;
			sums.surplus += slot.surplus * ms;
			sums.taken += (loadW ?? 0) * piece.share * ms;
			cost = cost === null || draw.cost === null ? null : cost + draw.cost * ms;
		}
	}
	const of = (value: number | null) => (isKnown ? value : null);
	return {
		energyKwh: of(sums.sun / KWH),
		meanW: of(sums.surplus / sums.ms),
		solarShare: of(loadW === null ? null : sums.sun / sums.taken),
		cost: of(loadW === null || cost === null ? null : cost / KWH),
	};
}
