import { z } from "zod";
import { QUARTER_MS } from "../../util/time";
import type { Zone } from "../../util/zone";

const QUARTERS_PER_DAY = 96;
const SLOTS = 7 * QUARTERS_PER_DAY;
/** A reading holds until the next one, but no longer, ms. */
const LONGEST_MS = QUARTER_MS;
/** A quarter hour teaches when at least this share of it was measured. */
const LEAST_SHARE = 1 / 3;
/** What a slot's past counts for when its week comes round again: four weeks make two thirds of a mean. */
const MEMORY = 0.75;
/** Share of the week's slots from which on the week is known. */
const KNOWN_SHARE = 0.95;
const MOST_W = 1e6;

const power = z.number().min(0).max(MOST_W);

/**
 * Consumption of the house by weekday and quarter hour of the site's clock,
 * plain JSON of bounded size (672 slots).
 */
export const LearnedLoad = z.object({
	/** Mean W of each slot, Monday 00:00 first; null = never measured. */
	mean_w: z.array(power.nullable()).length(SLOTS),
	/** What the mean of each slot counts for: forgets by a quarter each week. */
	weight: z.array(z.number().min(0).max(100)).length(SLOTS),
	/** The running quarter hour. */
	running: z
		.object({
			/** Epoch ms at which it begins. */
			start: z.number(),
			/** Watt milliseconds, over so many ms. */
			sum: z.number().min(0),
			ms: z.number().min(0).max(QUARTER_MS),
			/** The last reading, up to when it is counted, and how long it holds. */
			power_w: power,
			counted_to: z.number(),
			holds_to: z.number(),
		})
		.nullable(),
});
export type LearnedLoad = z.infer<typeof LearnedLoad>;

/** The memory before the house has taught anything. */
export const nothingLearned = (): LearnedLoad => ({
	mean_w: new Array(SLOTS).fill(null),
	weight: new Array(SLOTS).fill(0),
	running: null,
});

/** Slot of an instant: 0 is Monday 00:00 on the site's clock. */
function slotOf(instant: number, zone: Zone): number {
	// 1970-01-01 was a Thursday.
	const weekday = (((zone.dayOf(instant) + 3) % 7) + 7) % 7;
	return weekday * QUARTERS_PER_DAY + zone.quarterOfDay(instant);
}

function replaced<Value>(list: readonly Value[], at: number, value: Value) {
	const copy = [...list];
	copy[at] = value;
	return copy;
}

type Running = NonNullable<LearnedLoad["running"]>;

/** The profile after a quarter hour that is over. */
function close(load: LearnedLoad, running: Running, zone: Zone): LearnedLoad {
	if (running.ms < QUARTER_MS * LEAST_SHARE) return { ...load, running: null };
	const slot = slotOf(running.start, zone);
	const measured = running.sum / running.ms;
	const past = (load.weight[slot] as number) * MEMORY;
	const weight = past + 1;
	const mean = ((load.mean_w[slot] ?? 0) * past + measured) / weight;
	return {
		mean_w: replaced(load.mean_w, slot, Math.round(mean * 10) / 10),
		weight: replaced(load.weight, slot, Math.round(weight * 1000) / 1000),
		running: null,
	};
}

/** Lets the last reading hold up to an instant, quarter hour by quarter hour. */
function advance(load: LearnedLoad, to: number, zone: Zone): LearnedLoad {
	let state = load;
	for (let running = state.running; running; running = state.running) {
		const { start, power_w, counted_to, holds_to } = running;
		const end = start + QUARTER_MS;
		const until = Math.max(counted_to, Math.min(to, end, holds_to));
		const held = until - counted_to;
		const counted = {
			...running,
			sum: running.sum + power_w * held,
			ms: running.ms + held,
			counted_to: until,
		};
		if (to < end) return { ...state, running: counted };
		state = close(state, counted, zone);
		if (holds_to > end) {
			const next = { start: end, sum: 0, ms: 0, power_w, counted_to: end };
			state = { ...state, running: { ...next, holds_to } };
		}
	}
	return state;
}

/**
 * The profile after a reading of `msg.house_w`.
 *
 * @param at epoch ms at which it came in
 * @param zone the site's
 */
export function noteHouse(
	load: LearnedLoad,
	power_w: number,
	at: number,
	zone: Zone,
): LearnedLoad {
	// A clock that was set back: the running quarter hour is no measure.
	const isBack = load.running !== null && at < load.running.counted_to;
	const state = isBack ? { ...load, running: null } : advance(load, at, zone);
	const { start, sum, ms } = state.running ?? {
		start: Math.floor(at / QUARTER_MS) * QUARTER_MS,
		sum: 0,
		ms: 0,
	};
	const holds_to = at + LONGEST_MS;
	return {
		...state,
		running: {
			start,
			sum,
			ms,
			power_w: Math.min(Math.max(0, power_w), MOST_W),
			counted_to: at,
			holds_to,
		},
	};
}

/** Days of the week that are known, 0 to 7. */
export const learnedDays = ({ weight }: LearnedLoad): number =>
	weight.filter((value) => value > 0).length / QUARTERS_PER_DAY;

/** Whether a week is known, so that the profile may take the place of the standard one. */
export const isKnown = (load: LearnedLoad): boolean =>
	learnedDays(load) >= 7 * KNOWN_SHARE;

/** Mean W of the slot of an instant (epoch ms); null where it was never measured. */
export const learnedPower = (
	{ mean_w }: LearnedLoad,
	instant: number,
	zone: Zone,
): number | null => mean_w[slotOf(instant, zone)] ?? null;

/** What the house has taught, for people. */
export interface LearnedWeek {
	/** Days of the week that are known, 0 to 7. */
	readonly days: number;
	/** Whether the plan uses it. */
	readonly is_known: boolean;
	/** Mean W of each hour of the site's clock, Monday first; null = never measured. */
	readonly hours_w: readonly (readonly (number | null)[])[];
}

const QUARTERS_PER_HOUR = 4;

export function learnedWeek(load: LearnedLoad): LearnedWeek {
	const hour = (first: number) => {
		const known = load.mean_w
			.slice(first, first + QUARTERS_PER_HOUR)
			.filter((mean) => mean !== null);
		if (known.length === 0) return null;
		return Math.round(
			known.reduce((sum, mean) => sum + mean, 0) / known.length,
		);
	};
	return {
		days: Math.round(learnedDays(load) * 10) / 10,
		is_known: isKnown(load),
		hours_w: Array.from({ length: 7 }, (_, day) =>
			Array.from({ length: 24 }, (_, at) =>
				hour(day * QUARTERS_PER_DAY + at * QUARTERS_PER_HOUR),
			),
		),
	};
}
