import type { DayRecord } from "./learn-state";

/** A quarter's meter and forecast, as far as they can be believed. */
const UNKNOWN = 0;
/** The meter is wrong, or was said to be curtailed. */
export const FAULTY = 1;
/** Right, but cut at a limit: what the roof could have given is not known. */
const CUT = 2;
export const GOOD = 3;

/** Less than this share of the peak power is weak light, which teaches nothing. */
export const WEAK_SHARE = 0.02;
/** Below this share of its forecast a meter is dead: diffuse light alone gives more. */
const DEAD_SHARE = 0.02;
/** Quarters of one value, within 1 %, that no sky gives: 90 minutes. */
const FLAT_QUARTERS = 6;
const FLAT_SPREAD = 0.01;
/** A meter that is stuck shows its value also where far less is foreseen. */
const STUCK_SHARE = 0.5;
/** Quotients of a meter in kW by a forecast in W. */
const KILO = { least: 1 / 3000, most: 1 / 300 } as const;
/** Fewer lit quarters say nothing of a whole day. */
export const LEAST_QUARTERS = 8;

/** What is wrong with a date as a whole. */
export type DayFault = "unit_kw" | "two_meters" | "dead_meter";

/** What a date's quarters are worth. */
export interface DayQuality {
	/** `UNKNOWN`, `FAULTY`, `CUT` or `GOOD` by quarter. */
	readonly quarters: Uint8Array;
	/** W at which the power was cut for 90 minutes or more, null when it was not. */
	readonly plateau: number | null;
	/** Highest believable power, W. */
	readonly top: number;
	readonly fault: DayFault | null;
}

/**
 * Judges a date's readings by rules that need no model: what was said to be
 * curtailed, zero or stuck meters, plateaus, kW for W, two meters in turn.
 *
 * @param peak most power ever foreseen, W
 */
export function qualityOf(record: DayRecord, peak: number): DayQuality {
	const { metered, foreseen } = record;
	const quarters = new Uint8Array(metered.length);
	const weak = WEAK_SHARE * peak;
	let lit = 0;
	let dead = 0;
	let sum = 0;
	let expected = 0;
	for (let index = 0; index < metered.length; index += 1) {
		const watts = metered[index] ?? null;
		const power = foreseen[index] ?? null;
		if (watts === null || power === null) continue;
		quarters[index] = GOOD;
		if (power <= weak) continue;
		lit += 1;
		sum += watts;
		expected += power;
		if (watts < DEAD_SHARE * power) {
			dead += 1;
			quarters[index] = FAULTY;
		}
	}
	for (const index of record.curtailed) {
		if (quarters[index] !== UNKNOWN) quarters[index] = FAULTY;
	}
	const ratio = sum / expected;
	const isKilo =
		lit >= LEAST_QUARTERS && ratio > KILO.least && ratio < KILO.most;
	const fault: DayFault | null = record.mixed
		? "two_meters"
		: isKilo
			? "unit_kw"
			: lit >= LEAST_QUARTERS && dead > lit / 2
				? "dead_meter"
				: null;
	if (fault !== null && fault !== "dead_meter") {
		for (let index = 0; index < quarters.length; index += 1) {
			if (quarters[index] !== UNKNOWN) quarters[index] = FAULTY;
		}
	}
	const flat = markFlat(record, quarters, weak);
	let top = 0;
	for (let index = 0; index < metered.length; index += 1) {
		if ((quarters[index] as number) >= CUT) {
			top = Math.max(top, metered[index] as number);
		}
	}
	return {
		quarters,
		plateau: flat.plateau,
		top,
		fault: fault ?? (flat.isStuck ? "dead_meter" : null),
	};
}

/** Marks runs of one value: cut at a limit, or of a meter that is stuck. */
function markFlat(
	{ metered, foreseen }: DayRecord,
	quarters: Uint8Array,
	weak: number,
): { plateau: number | null; isStuck: boolean } {
	let plateau: number | null = null;
	let isStuck = false;
	for (let from = 0; from < metered.length; ) {
		const first = metered[from] ?? null;
		if (first === null || first <= weak) {
			from += 1;
			continue;
		}
		let low = first;
		let high = first;
		let to = from + 1;
		for (; to < metered.length; to += 1) {
			const watts = metered[to] ?? null;
			if (watts === null) break;
			const least: number = Math.min(low, watts);
			const most = Math.max(high, watts);
			if (most - least > FLAT_SPREAD * most) break;
			low = least;
			high = most;
		}
		if (to - from < FLAT_QUARTERS) {
			from += 1;
			continue;
		}
		const stuck = foreseen
			.slice(from, to)
			.some((power) => power !== null && power < STUCK_SHARE * high);
		for (let index = from; index < to; index += 1) {
			if ((quarters[index] as number) > FAULTY) {
				quarters[index] = stuck ? FAULTY : CUT;
			}
		}
		if (stuck) isStuck = true;
		else if (quarters[from] === CUT) plateau = Math.max(plateau ?? 0, high);
		from = to;
	}
	return { plateau, isStuck };
}
