import type { PlanQuarters } from "../plan-inputs";
import type { Raise } from "./cheapest-path";
import { sunStretches } from "./peak-shaving";

/** For what PV a strategy keeps room, and what the margin makes of it. */
export interface Room {
	/** PV of a quarter for which room is kept, kWh stored. */
	readonly of: (index: number) => number;
	/** Most room that is kept, kWh. */
	readonly most: number;
	/** Worth of a kWh that the margin asks for. */
	readonly worth: number;
}

/**
 * Stored energy, by quarter, that the margin asks for: so much that a day's sunset
 * finds the battery as full as planned even when, of the PV still to come for which
 * room is kept, the margin's share fails to. Room for that share is not kept. The
 * minimum of the forecast's band, where it is planned with, needs no margin.
 *
 * It depends on what is still to come alone, not on the plan's path: planning
 * anew each quarter hour asks for the same again.
 *
 * @param planned stored energy in kWh at the end of each quarter, without a margin
 */
export function marginRaises(
	quarters: PlanQuarters,
	planned: Float64Array,
	{ of, most, worth }: Room,
): Map<number, Raise[]> {
	const { surplus, starts, margin, floor } = quarters;
	const cautiousUntil = quarters.cautiousUntil ?? Number.NEGATIVE_INFINITY;
	const raises = new Map<number, Raise[]>();
	for (const { first, end } of sunStretches(quarters)) {
		if ((surplus[end - 1] as number) <= 0) continue;
		const full = planned[end - 1] as number;
		let sure = 0;
		let unsure = 0;
		for (let index = end - 1; index >= first; index -= 1) {
			const upTo =
				full -
				Math.min(most, sure + unsure) +
				(margin / 100) * Math.min(most, unsure);
			if (upTo > floor) raises.set(index, [{ upTo, worth }]);
			const energy = of(index);
			if ((starts[index] as number) < cautiousUntil) sure += energy;
			else unsure += energy;
		}
	}
	return raises;
}
