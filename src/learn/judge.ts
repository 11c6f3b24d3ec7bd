import { QUARTER_MS } from "../util/time";
import type { NoteCode } from "./notes";
import { type DayRecord, measured } from "./state";

export function total<Item>(
	items: readonly Item[],
	of: (item: Item) => number,
) {
	let sum = 0;
	for (const item of items) sum += of(item);
	return sum;
}

/** Less than this share of the peak power is weak light, which teaches nothing. */
const WEAK_SHARE = 0.02;
/** Fewer lit quarters say nothing of a date. */
const LEAST_QUARTERS = 8;
/** Below this share of its forecast a meter is dead: diffuse light alone gives more. */
const DEAD_SHARE = 0.02;
/** Below zero by this share of the peak is no production, in more than a quarter by day or two by night. */
const NEGATIVE_SHARE = 0.02;
/** In light of up to this share of the peak a meter behind the house's load shows next to nothing. */
const DIM_SHARE = 0.12;
const NOTHING_SHARE = 0.1;
/** What shows nothing in this share of the light is no load. */
const ZERO_SHARE = 0.2;
/** Energy in the dark, to that by day: of a clock that is wrong, within three hours of the light; of a load. */
const SHIFTED_SHARE = 0.0005;
const LOAD_SHARE = 0.1;
const DUSK_QUARTERS = 12;
/** Quarters of one value, within half a percent: a power that is held at a level, or through night and day a meter that is stuck. */
const SAME_SHARE = 0.005;
const HELD_QUARTERS = 5;
/** What was foreseen moves by so much meanwhile. */
const MOVED_SHARE = 0.04;
const STUCK_QUARTERS = 24;
/** Two meters in turn: of so many powers each is far nearer to the last but one than to the last. */
const LEAST_READINGS = 40;
const RETURNED_SHARE = 0.5;
/** Quotients of a meter in kW by a forecast in W. */
const LEAST_KILO = 1 / 3000;
const MOST_KILO = 1 / 300;
/** Energies to those foreseen that no roof has. */
const LEAST_RATIO = 0.3;
const MOST_RATIO = 3;

/** What the readings of a date are: those of a roof, too few, of a meter that is dead, or what a note says. */
type Verdict = "fine" | "unknown" | "dead" | NoteCode;

export type Judged = ReturnType<typeof judgeDay>;

/** A quarter (counted since 1970) that was foreseen and measured, W. */
export interface LitQuarter {
	quarter: number;
	watts: number;
	measured: number;
}

/**
 * How the readings of a date look beside its forecast, by rules that need no model.
 *
 * @param peak most power ever foreseen, W
 */
export function judgeDay(record: DayRecord, peak: number) {
	const { foreseen, curtailed, coarse, said } = record;
	const first = Math.floor(record.start / QUARTER_MS);
	const bright = [...foreseen.keys()].filter((index) => foreseen[index]);
	const [dawn = 0] = bright;
	const dusk = bright.at(-1) ?? 0;
	/** Lit quarters that can be believed, and the longest run of one value among them. */
	const lit: LitQuarter[] = [];
	let held: LitQuarter[] = [];
	let same: LitQuarter[] = [];
	let isStuck = false;
	let [due, read, summed, hours] = [0, 0, 0, 0];
	let [before, after, night, light] = [0, 0, 0, 0];
	let [seen, sum, top] = [0, 0, 0];
	let [dead, nothing, zero, negative] = [0, 0, 0, 0];
	for (const [index, watts] of foreseen.entries()) {
		const power = measured(record, index);
		const isMarked = curtailed.includes(index);
		const isLit = (watts ?? 0) > WEAK_SHARE * peak && !isMarked;
		if (isLit) due += watts ?? 0;
		if (isLit && power === null) hours += 0.25;
		if (watts === null || power === null) continue;
		const point = { quarter: first + index, watts, measured: power };
		const positive = Math.max(0, power);
		const begun = same[0]?.measured ?? 0;
		if (isMarked || Math.abs(power - begun) > SAME_SHARE * begun) same = [];
		if (power > WEAK_SHARE * peak && !isMarked) {
			same.push(point);
			const dark = same.filter((each) => each.watts === 0).length;
			isStuck ||=
				same.length >= STUCK_QUARTERS && same.length > dark && dark > 0;
			// Behind a tree the diffuse light is level as well, and any noon for an hour.
			const isLevel =
				dark === 0 &&
				power > DIM_SHARE * peak &&
				same.some((each) => Math.abs(each.watts - watts) > MOVED_SHARE * watts);
			if (same.length >= HELD_QUARTERS && isLevel) held = same;
		}
		if (power < -NEGATIVE_SHARE * peak) negative += isLit ? 2 : 1;
		if (watts === 0) {
			// The quarter next to the light has some of it.
			if (index >= dawn - 1 && index <= dusk + 1) continue;
			if (index < dawn && index >= dawn - DUSK_QUARTERS) before += positive;
			else if (index > dusk && index <= dusk + DUSK_QUARTERS) after += positive;
			else night += positive;
			continue;
		}
		light += positive;
		top = Math.max(top, power);
		if (!isLit) continue;
		if (coarse.includes(index)) summed += watts;
		else read += watts;
		seen += 1;
		sum += power;
		if (Math.abs(power) < 0.002 * peak) zero += 1;
		if (watts < DIM_SHARE * peak && power < NOTHING_SHARE * watts) nothing += 1;
		if (power < DEAD_SHARE * watts) dead += 1;
		else lit.push(point);
	}
	const ratio = sum / (read + summed);
	const isShifted = (one: number, other: number) =>
		one > SHIFTED_SHARE * light && night + other < one / 4;
	const isMixed =
		said[0] >= LEAST_READINGS && said[2] < RETURNED_SHARE * said[1];
	const verdictOf = (): Verdict => {
		if (isMixed) return "two_meters";
		if (seen < LEAST_QUARTERS) return "unknown";
		if (negative > 2) return "grid_meter";
		if (ratio > LEAST_KILO && ratio < MOST_KILO) return "wrong_unit";
		if (isStuck) return "dead";
		if (isShifted(before, after) || isShifted(after, before))
			return "wrong_time";
		if (before + after + night > LOAD_SHARE * light) {
			return zero > ZERO_SHARE * seen ? "grid_meter" : "house_load";
		}
		if (dead > seen / 2) return "dead";
		if (ratio < LEAST_RATIO || ratio > MOST_RATIO) return "odd_day";
		return nothing > 0 ? "export_meter" : "fine";
	};
	return {
		record,
		peak,
		verdict: verdictOf(),
		lit,
		/** Measured and foreseen in each third of them, W × quarters. */
		thirds: [0, 1, 2].map((third) => {
			const part = lit.slice(
				(third * lit.length) / 3,
				((third + 1) * lit.length) / 3,
			);
			return [
				total(part, ({ measured }) => measured),
				total(part, ({ watts }) => watts),
			];
		}),
		held,
		/** Most power, W. */
		top,
		/** Foreseen but where it is marked, W × quarters, and the shares of it that were read by quarters and in sums. */
		due,
		read: due > 0 ? read / due : 1,
		summed: due > 0 ? summed / due : 0,
		/** Hours with light and no reading. */
		hours,
	};
}
