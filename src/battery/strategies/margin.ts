import type { PlanQuarters, Quarter } from "../plan-inputs";
import { sunStretches } from "./peak-shaving";
import { lostPv } from "./self-consumption";

/** Share of the foreseen power that is left once the weather has turned. */
const LEFT_AFTER_TURN = 0.15;
/** Share of the charge planned for sunset that is reached all the same: 0.8, and some for the hour until a forecast tells. */
const REACHED_AFTER_TURN = 0.85;

/** How a strategy goes about its margin. */
export interface Caution {
	/** Worth of a kWh that the margin asks for. */
	readonly worth: number;
	/** Whether it limits the room kept for what would be lost above the feed-in limit, and no other waiting. */
	readonly isForLimit: boolean;
}

/** What a margin asks for. */
export interface Margin {
	/** Stored energy in kWh at the end of each quarter; 0 where nothing is asked for. */
	readonly upTo: readonly number[];
	/** Worth of each kWh below. */
	readonly worth: number;
}

/**
 * Stored energy, by quarter, that the margin asks for: so much that a day's sunset
 * finds the battery as full as planned even when the margin's share of the PV still
 * to come fails to, and to 80 % of that when the weather turns then for the rest of
 * the day. For the latter it keeps the room, less the margin, for what would be lost
 * above the feed-in limit. The minimum of the forecast's band, where it is planned
 * with, needs no margin.
 *
 * @param planned stored energy in kWh at the end of each quarter, without a margin
 */
export function askedByMargin(
	plan: PlanQuarters,
	planned: readonly number[],
	{ worth, isForLimit }: Caution,
): Margin {
	const { quarters, floor, ceiling, oneWay } = plan;
	const mostRoom = ceiling - floor;
	const margin = plan.margin / 100;
	const upTo: number[] = quarters.map(() => 0);
	for (const { first, end } of sunStretches(plan)) {
		const sunrise = quarters.findIndex(
			({ surplus }, index) => index >= first && surplus > 0,
		);
		if (sunrise < 0 || sunrise >= end) continue;
		const full = planned[end - 1] as number;
		let forMargin = full;
		let forTurn = full * REACHED_AFTER_TURN;
		let lost = 0;
		let unsurelyLost = 0;
		for (let index = end - 1; index >= sunrise; index -= 1) {
			const quarter = quarters[index] as Quarter;
			const room = Math.min(mostRoom, lost);
			const most = isForLimit ? (planned[index] as number) + room : ceiling;
			const kept = full - room + margin * Math.min(mostRoom, unsurelyLost);
			const asked = Math.max(forMargin, Math.min(forTurn, kept));
			if (Math.min(most, asked) > floor) upTo[index] = Math.min(most, asked);
			const isSure = quarter.start < (plan.cautiousUntil ?? 0);
			forMargin -= storable(plan, quarter, isSure ? 1 : 1 - margin);
			forTurn -= storable(plan, quarter, isSure ? 1 : LEFT_AFTER_TURN);
			// While feeding in costs, a price keeps the room, and not the limit.
			if (isForLimit && quarter.feedIn < 0) continue;
			const above = lostPv(quarter) * oneWay;
			lost += above;
			if (!isSure) unsurelyLost += above;
		}
	}
	return { upTo, worth };
}

/**
 * Stored energy that the next sunset finds, kWh, were the weather to turn when half
 * of the PV until then has come; null while none is to come.
 *
 * @param path stored energy in kWh at the end of each quarter
 */
export function storedAfterTurn(
	plan: PlanQuarters,
	path: readonly number[],
): number | null {
	const [{ end } = { end: 0 }] = sunStretches(plan);
	const day = plan.quarters.slice(0, end);
	if ((day.at(-1)?.surplus ?? 0) <= 0) return null;
	const energy = ({ pvW, hours }: Quarter) => pvW * hours;
	const half = day.reduce((sum, quarter) => sum + energy(quarter), 0) / 2;
	let toCome = 0;
	let after = 0;
	let index = end - 1;
	for (; index >= 0 && toCome < half; index -= 1) {
		const quarter = day[index] as Quarter;
		toCome += energy(quarter);
		after += storable(plan, quarter, LEFT_AFTER_TURN);
	}
	return Math.min((path[index] ?? plan.stored) + after, plan.ceiling);
}

/** What a quarter stores where this share of its power comes, kWh. */
function storable(
	{ oneWay }: PlanQuarters,
	{ pvW, loadW, hours, chargeMost }: Quarter,
	share: number,
): number {
	const energy = ((share * pvW - loadW) * hours) / 1000;
	return Math.min(Math.max(0, energy), chargeMost) * oneWay;
}
