import { DAY_MS, MINUTE_MS, QUARTER_MS } from "../../util/time";
import type { Meter, NoteCode } from "../learn-state";
import { WEAK_SHARE } from "../quality";
import type { Reading } from "./reading";

/** Powers further apart say nothing of what lies between. */
const LONGEST_GAP_MS = 20 * MINUTE_MS;
/** The same of a counter, whose rise is known for certain but not when it came. */
const LONGEST_RISE_MS = 65 * MINUTE_MS;
/** A quarter's mean needs readings over this share of it. */
const LEAST_COVERED = 0.7;
/** Quarters gathered at once, so that late readings may come between others. */
const MOST_OPEN = 4;
/** More than this many times the most power ever foreseen is no power of the site. */
const MOST_PEAKS = 3;
/** An inverter at night takes this much, W, or this share of the peak: zero, and not the wrong sign. */
const STANDBY_W = 20;
const STANDBY_SHARE = 0.02;
/** Two meters in turn: each reading is as the last but one, within this share of the step, and the step is no flicker. */
const RETURN_SHARE = 0.25;
const LEAST_STEP_SHARE = 0.05;
/** Readings of a day that return this often, by share of all steps, come from two meters. */
const RETURNED_SHARE = 0.6;
const LEAST_READINGS = 40;

/** Energy gathered for a quarter that may still grow. */
interface OpenQuarter {
	readonly start: number;
	wattMs: number;
	coveredMs: number;
}

/** The mean power of a quarter hour. */
export interface QuarterMean {
	/** Epoch ms. */
	readonly start: number;
	readonly watts: number;
}

/**
 * Gathers the readings of one meter into means of quarter hours, at any rate and
 * in any order: between two powers at most 20 minutes apart the power goes
 * straight from one to the other; between two states of a counter at most 65
 * minutes apart it is constant. What is gathered lies in memory only: a restart
 * loses the running quarter.
 */
export class Tally {
	/** Epoch ms of the last power and of the counter's last change, NaN before. */
	#powerAt = Number.NaN;
	#power = 0;
	/** The power before, NaN when it was too long ago. */
	#before = Number.NaN;
	#counterAt = Number.NaN;
	#counter = 0;
	readonly #open: OpenQuarter[] = [];
	/** The open quarter that grew last. */
	#growing: OpenQuarter | undefined;
	#closed: QuarterMean[] | undefined;
	/** The local date whose readings are counted, days since 1970-01-01, how far they went and how much of it back. */
	#day = Number.NaN;
	#readings = 0;
	#moved = 0;
	#returned = 0;

	/**
	 * Takes a reading's power in, where it has one. (Whole objects: a number
	 * handed on is put into an object of its own, at each reading.)
	 *
	 * @param meter whose `peak`, the most power ever foreseen, is 0 W while unknown
	 * @returns what is wrong with it
	 */
	addPower(
		{ time, power_w: watts }: Reading,
		{ peak }: Pick<Meter, "peak">,
	): NoteCode | undefined {
		if (watts === null) return undefined;
		if (peak > 0 && Math.abs(watts) > MOST_PEAKS * peak) return "too_high";
		if (watts < -Math.max(STANDBY_W, STANDBY_SHARE * peak)) return "negative";
		const power = Math.max(0, watts);
		const before = this.#power;
		const gap = time - this.#powerAt;
		if (gap > 0 && gap <= LONGEST_GAP_MS) {
			const from = this.#powerAt;
			const quarter = this.#growing;
			// Nearly each reading: within the quarter of the one before.
			if (
				quarter &&
				from >= quarter.start &&
				time <= quarter.start + QUARTER_MS
			) {
				quarter.wattMs += ((before + power) / 2) * gap;
				quarter.coveredMs += gap;
			} else {
				this.#addSegment(from, time, before, power);
			}
			this.#countStep(power, peak);
			this.#before = this.#power;
		} else {
			this.#before = Number.NaN;
		}
		this.#powerAt = time;
		this.#power = power;
		if (gap < 0) return "out_of_order";
		const isDay = Math.min(before, power) > WEAK_SHARE * peak;
		return gap > LONGEST_GAP_MS && isDay ? "gap" : undefined;
	}

	/** Takes the state of a reading's counter in, where it has one; the rest is as `addPower` has it. */
	addCounter(
		{ time, energy_kwh: kwh }: Reading,
		{ peak }: Pick<Meter, "peak">,
	): NoteCode | undefined {
		if (kwh === null) return undefined;
		const passed = time - this.#counterAt;
		const rise = kwh - this.#counter;
		// A counter that stands still goes on from when it last moved.
		if (rise === 0 && passed >= 0) return undefined;
		const from = this.#counterAt;
		this.#counterAt = time;
		this.#counter = kwh;
		if (Number.isNaN(passed)) return undefined;
		if (passed < 0) return "out_of_order";
		if (rise < 0) return "counter_reset";
		const watts = (rise * 3.6e9) / passed;
		// Two states at once make any rise a jump.
		if (peak > 0 && !(watts <= MOST_PEAKS * peak)) return "counter_jump";
		if (passed > LONGEST_RISE_MS) {
			return watts > WEAK_SHARE * peak ? "gap" : undefined;
		}
		if (passed > 0) this.#addSegment(from, time, watts, watts);
		return undefined;
	}

	/** Begin of what the next state of the counter tells of, epoch ms. */
	counterSince(time: number): number {
		const passed = time - this.#counterAt;
		return passed > 0 && passed <= LONGEST_RISE_MS ? this.#counterAt : time;
	}

	/** Takes out the quarters that are complete, with `all` also those that are well covered. */
	takeQuarters(all = false): readonly QuarterMean[] {
		if (all) {
			for (const quarter of this.#open.splice(0)) this.#close(quarter);
			this.#growing = undefined;
		}
		const closed = this.#closed ?? NONE;
		this.#closed = undefined;
		return closed;
	}

	/** Counts readings anew where a local date, days since 1970-01-01, is another than that of those before. */
	beginDay(day: number): void {
		if (day === this.#day) return;
		this.#day = day;
		this.#readings = 0;
		this.#moved = 0;
		this.#returned = 0;
	}

	/** Whether the readings of the date that was begun seem so far to come from two meters in turn. */
	get isMixed(): boolean {
		return (
			this.#readings >= LEAST_READINGS &&
			this.#returned > RETURNED_SHARE * this.#moved
		);
	}

	/** Counts how far a power lies from the last, and whether it returns to the last but one. */
	#countStep(watts: number, peak: number): void {
		const step = Math.abs(watts - this.#power);
		this.#readings += 1;
		this.#moved += step;
		const isStep =
			step >
			LEAST_STEP_SHARE * Math.max(watts, this.#power, LEAST_STEP_SHARE * peak);
		const back = Math.min(step, Math.abs(this.#power - this.#before));
		if (isStep && Math.abs(watts - this.#before) < RETURN_SHARE * back) {
			this.#returned += step;
		}
	}

	/** Adds what flowed between two instants, the power going straight from one value to the other. */
	#addSegment(from: number, to: number, first: number, last: number): void {
		const slope = (last - first) / (to - from);
		for (let at = from; at < to; ) {
			const start = Math.floor(at / QUARTER_MS) * QUARTER_MS;
			const end = Math.min(to, start + QUARTER_MS);
			const mean = first + slope * ((at + end) / 2 - from);
			const quarter = this.#quarter(start);
			quarter.wattMs += mean * (end - at);
			quarter.coveredMs += end - at;
			at = end;
		}
	}

	#quarter(start: number): OpenQuarter {
		const known = this.#open.find((quarter) => quarter.start === start);
		this.#growing = known ?? this.#openQuarter(start);
		return this.#growing;
	}

	#openQuarter(start: number): OpenQuarter {
		const open = this.#open;
		let kept = 0;
		for (const known of open) {
			if (known.coveredMs >= QUARTER_MS) {
				this.#close(known);
			} else {
				open[kept] = known;
				kept += 1;
			}
		}
		const quarter = { start, wattMs: 0, coveredMs: 0 };
		open[kept] = quarter;
		open.length = kept + 1;
		if (kept >= MOST_OPEN) this.#close(open.shift() as OpenQuarter);
		return quarter;
	}

	#close({ start, wattMs, coveredMs }: OpenQuarter): void {
		if (coveredMs < LEAST_COVERED * QUARTER_MS) return;
		this.#closed ??= [];
		this.#closed.push({ start, watts: Math.round(wattMs / coveredMs) });
	}
}

const NONE: readonly QuarterMean[] = [];

/** Longest time that a reading may be late, ms: a year. */
export const LATEST_MS = 365 * DAY_MS;
/** Clocks of two machines may differ by this much, ms. */
export const AHEAD_MS = 5 * MINUTE_MS;
