import type { PlanQuarters } from "../plan-inputs";
import { sunStretches } from "./peak-shaving";

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

/**
 * What a margin asks for. Numbers alone: a plan is made each minute, and as a rule it
 * stores all that is asked for.
 */
export interface Margin {
	/** Stored energy in kWh at the end of each quarter; 0 where nothing is asked for. */
	readonly upTo: Float64Array;
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
	quarters: PlanQuarters,
	planned: Float64Array,
	{ worth, isForLimit }: Caution,
): Margin {
	const { surplus, starts, floor, ceiling, feedIn } = quarters;
	const cautiousUntil = quarters.cautiousUntil ?? Number.NEGATIVE_INFINITY;
	const mostRoom = ceiling - floor;
	const margin = quarters.margin / 100;
	const asked = new Float64Array(quarters.count);
	for (const { first, end } of sunStretches(quarters)) {
		if ((surplus[end - 1] as number) <= 0) continue;
		let sunrise = first;
		while ((surplus[sunrise] as number) <= 0) sunrise += 1;
		const full = planned[end - 1] as number;
		let forMargin = full;
		let forTurn = full * REACHED_AFTER_TURN;
		let lost = 0;
		let unsurelyLost = 0;
		for (let index = end - 1; index >= sunrise; index -= 1) {
			const room = Math.min(mostRoom, lost);
			const most = isForLimit ? (planned[index] as number) + room : ceiling;
			const upTo = Math.min(
				most,
				Math.max(
					forMargin,
					Math.min(
						forTurn,
						full - room + margin * Math.min(mostRoom, unsurelyLost),
					),
				),
			);
			if (upTo > floor) asked[index] = upTo;
			const isSure = (starts[index] as number) < cautiousUntil;
			forMargin -= storable(quarters, index, isSure ? 1 : 1 - margin);
			forTurn -= storable(quarters, index, isSure ? 1 : LEFT_AFTER_TURN);
			// While feeding in costs, a price keeps the room, and not the limit.
			if (isForLimit && (feedIn[index] as number) < 0) continue;
			const above = lostWithout(quarters, index);
			lost += above;
			if (!isSure) unsurelyLost += above;
		}
	}
	return { upTo: asked, worth };
}

/**
 * Stored energy that the next sunset finds, kWh, were the weather to turn when half
 * of the PV until then has come; null while none is to come.
 *
 * @param path stored energy in kWh at the end of each quarter
 */
export function storedAfterTurn(
	quarters: PlanQuarters,
	path: Float64Array,
): number | null {
	const { surplus, pvW, hours, stored, ceiling } = quarters;
	const [day] = sunStretches(quarters);
	if (!day || (surplus[day.end - 1] as number) <= 0) return null;
	const energy = (index: number) =>
		(pvW[index] as number) * (hours[index] as number);
	let half = 0;
	for (let index = day.first; index < day.end; index += 1) {
		half += energy(index) / 2;
	}
	let toCome = 0;
	let after = 0;
	let index = day.end - 1;
	for (; index >= day.first && toCome < half; index -= 1) {
		toCome += energy(index);
		after += storable(quarters, index, LEFT_AFTER_TURN);
	}
	return Math.min((path[index] ?? stored) + after, ceiling);
}

/** What a quarter stores where this share of its power comes, kWh. */
function storable(
	{ pvW, loadW, hours, chargeMost, oneWay }: PlanQuarters,
	index: number,
	share: number,
): number {
	const power = share * (pvW[index] as number) - (loadW[index] as number);
	const energy = (power * (hours[index] as number)) / 1000;
	return Math.min(Math.max(0, energy), chargeMost[index] as number) * oneWay;
}

/** What of a quarter would be lost above the limit without a battery, as far as it can be stored, kWh. */
function lostWithout(
	{ surplus, feedInMost, chargeMost, oneWay }: PlanQuarters,
	index: number,
): number {
	const above = (surplus[index] as number) - (feedInMost[index] as number);
	return Math.min(Math.max(0, above), chargeMost[index] as number) * oneWay;
}
