import { HOUR_MS, MINUTE_MS, QUARTER_MS } from "../util/time";
import { total } from "./judge";
import type { DayRecord } from "./state";

/** Powers further apart say nothing of what lies between, but where a meter speaks on change only. */
const LONGEST_GAP_MS = 20 * MINUTE_MS;
/** Such a meter may be silent for so long, where its power then is about as it was. */
const LONGEST_HOLD_MS = 12 * HOUR_MS;
const SAME_SHARE = 0.15;
const SAME_PEAKS = 0.03;
/** A meter speaks on change only where it has said so much, and hardly ever the same twice. */
const LEAST_SAID = 30;
const MOST_REPEATED = 0.03;
/** A counter's rise over more than this is a sum, and tells no more of the quarters in it; a mark reaches back no further. */
const LONGEST_RISE_MS = 65 * MINUTE_MS;
const LONGEST_SUM_MS = 26 * HOUR_MS;
/** Steps of a counter that are taken together, for their times are known to a step. */
const LEAST_STEPS = 10;
/** So many steps foreseen, and none risen, say that there was next to nothing. */
const STILL_STEPS = 4;
/** W × ms of a kWh. */
const WATT_MS = 1000 * HOUR_MS;
/** More than this many times the most power ever foreseen is no power of the site. */
const MOST_PEAKS = 3;

/** What a meter says. */
export interface Reading {
	/** Epoch ms. */
	time: number;
	/** Null = the whole site. */
	string_id: string | null;
	power_w: number | null;
	/** Counter that rises. */
	energy_kwh: number | null;
	/** Whether the power was held down on purpose. */
	curtailed: boolean;
}

/** The quarter of a date. */
export interface DateQuarter {
	record: DayRecord;
	index: number;
}

export type Tally = ReturnType<typeof createTally>;

/**
 * Gathers the readings of one meter into quarter hours, at any rate and in any
 * order. Between two powers it goes straight from one to the other. What a
 * counter has risen is spread, over no finer time than its steps and readings
 * support, by the course of the forecast.
 *
 * @param peakOf most power ever foreseen, 0 W while unknown
 * @param slotAt where an instant belongs, undefined where nothing is kept
 * @param change is told of a record that has gained something
 */
export function createTally(
	peakOf: () => number,
	slotAt: (at: number) => DateQuarter | undefined,
	change: (record: DayRecord) => void,
) {
	let heardAt = 0;
	/** The last power, when it came, and the one before. */
	let powerAt = Number.NaN;
	let power = 0;
	let before = 0;
	let said = 0;
	let repeated = 0;
	/** The counter's last state, when it was read, and since when it stands. */
	let counter = 0;
	let readAt = Number.NaN;
	let changedAt = Number.NaN;
	/** The counter's smallest step so far, its last rise, and what it rose since an instant, kWh. */
	let step = Number.POSITIVE_INFINITY;
	let risen = 0;
	let sum = 0;
	let sumFrom = Number.NaN;

	const foreseenAt = (at: number) => {
		const slot = slotAt(at);
		return slot?.record.foreseen[slot.index] ?? null;
	};
	/** The parts of a span by quarters. */
	const partsOf = (from: number, to: number) => {
		const parts: { at: number; end: number }[] = [];
		for (let at = from; at < to && at < from + LONGEST_SUM_MS; ) {
			const end = Math.min(to, (Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS);
			parts.push({ at, end });
			at = end;
		}
		return parts;
	};
	/** W × ms foreseen. */
	const foreseen = (from: number, to: number) =>
		total(
			partsOf(from, to),
			({ at, end }) => (foreseenAt(at) ?? 0) * (end - at),
		);

	/** Adds a mean power to the quarter that holds a span. What is complete stays: a second meter or a repeated list changes nothing. */
	const add = (from: number, to: number, watts: number, isCoarse = false) => {
		const { record, index = 0 } = slotAt(from) ?? {};
		const known = record?.covered[index] ?? 1;
		if (!record || known === 1) return;
		// Nothing in the dark says nothing.
		if (watts || record.foreseen[index]) change(record);
		const share = Math.min(1 - known, (to - from) / QUARTER_MS);
		record.covered[index] = known + share;
		record.read[index] = (record.read[index] ?? 0) + share * watts;
		if (isCoarse) mark(record.coarse, index);
	};

	const addPower = (time: number, next: number) => {
		const from = powerAt;
		const gap = time - from;
		const change = Math.abs(next - power);
		const isHeld =
			gap > LONGEST_GAP_MS &&
			gap <= LONGEST_HOLD_MS &&
			// Where only what changes is sent, a silence says that it stayed.
			said >= LEAST_SAID &&
			repeated <= MOST_REPEATED * said &&
			change <= Math.max(SAME_SHARE * Math.abs(power), SAME_PEAKS * peakOf()) &&
			// Far above what the sun can give it is a meter that is stuck.
			partsOf(from, time).every(
				({ at }) => power <= 2 * (foreseenAt(at) ?? power),
			);
		if (isHeld || (gap > 0 && gap <= LONGEST_GAP_MS)) {
			const slope = isHeld ? 0 : (next - power) / gap;
			for (const { at, end } of partsOf(from, time)) {
				add(at, end, power + slope * ((at + end) / 2 - from));
			}
			const day = slotAt(time)?.record.said;
			if (day && !isHeld) {
				day[0] += 1;
				day[1] += change;
				day[2] += Math.abs(next - before);
			}
		}
		said += 1;
		if (change === 0) repeated += 1;
		before = power;
		power = next;
		powerAt = time;
	};

	/** Spreads what the counter has risen up to an instant. */
	const close = (to: number) => {
		const span = to - sumFrom;
		const whole = foreseen(sumFrom, to);
		// Less than a step may have come all the same.
		const isUnknown = sum === 0 && whole > 0 && whole < step * WATT_MS;
		if (span <= LONGEST_SUM_MS && !isUnknown) {
			for (const { at, end } of partsOf(sumFrom, to)) {
				const share = whole > 0 ? (foreseenAt(at) ?? 0) / whole : 1 / span;
				add(at, end, sum * WATT_MS * share, span > LONGEST_RISE_MS);
			}
		}
		sum = 0;
		sumFrom = to;
	};

	/** @returns whether the state can be one of the site's counter */
	const addCounter = (time: number, kwh: number) => {
		const isDark = (at: number) =>
			foreseenAt(at) === 0 && foreseenAt(at - QUARTER_MS) === 0;
		const rise = kwh - counter;
		const passed = time - changedAt;
		const [last, from] = [readAt, changedAt];
		readAt = time;
		if (rise !== 0 || !(passed >= 0)) {
			counter = kwh;
			changedAt = time;
			const isBegun = sumFrom <= time;
			const isMuch =
				peakOf() > 0 &&
				rise * WATT_MS > MOST_PEAKS * peakOf() * passed &&
				// The first rise may be the end of a step, and quick as that is no fault.
				(isBegun || 1000 * rise > 2 * peakOf());
			const isRise = rise > 0 && passed > 0 && !isMuch;
			if (!isBegun || !isRise) {
				sum = 0;
				sumFrom = isRise ? time : Number.NaN;
				return !isMuch;
			}
			// Rises are whole steps, and so is by how much they differ, to 1 Wh.
			const other = Math.round(1000 * Math.abs(rise - risen)) / 1000;
			step = Math.min(step, rise, other || rise);
			risen = rise;
			const still = foreseen(from, last);
			if (still > STILL_STEPS * step * WATT_MS || isDark(last)) close(last);
			sum += rise;
			if (sum > (LEAST_STEPS - 0.5) * step) close(time);
		}
		// What has risen by dusk is all that the day gave.
		if (isDark(time)) close(changedAt);
		return true;
	};

	return {
		/** @returns whether the reading can be one of the site */
		add({ time, power_w, energy_kwh, curtailed }: Reading) {
			const since = Math.max(heardAt, time - LONGEST_RISE_MS);
			heardAt = time;
			if (curtailed) {
				for (const { at } of partsOf(Math.min(since, time), time + 1)) {
					const { record, index = 0 } = slotAt(at) ?? {};
					if (!record) continue;
					mark(record.curtailed, index);
					change(record);
				}
			}
			const isPower =
				peakOf() === 0 || Math.abs(power_w ?? 0) <= MOST_PEAKS * peakOf();
			if (power_w !== null && isPower) addPower(time, power_w);
			return (energy_kwh === null || addCounter(time, energy_kwh)) && isPower;
		},
		/** The source has no value: what it said before no longer holds. */
		interrupt() {
			powerAt = Number.NaN;
		},
	};
}

const mark = (list: number[], index: number) => {
	if (!list.includes(index)) list.push(index);
};
