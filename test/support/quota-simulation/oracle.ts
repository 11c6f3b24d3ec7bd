import { HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../../src/util/time";
import { slotOf } from "./service";
import type { Sun } from "./sun";

/** One site's slots of a month, with integrals of its true power up to each. */
interface Track {
	/** Hours from the start of the month. */
	readonly times: Float64Array;
	/** ∫ P dt up to each slot, and to the end, Wh. */
	readonly energy: Float64Array;
	/** ∫ P t dt over the month, W h². */
	readonly moment: number;
	/** Least number of slots between two polls. */
	readonly gap: number;
	/** Age of the first poll's forecast, hours. */
	readonly age: number;
}

const DENSE_UPDATES = 96;

function trackOf(
	sun: Sun,
	updates: number,
	start: number,
	end: number,
	until: number,
	age: number,
): Track {
	const slots: number[] = [];
	// Of a dense plan any time pays that is 15 min after the last: a grid of 5 min.
	if (updates > DENSE_UPDATES) {
		for (let at = start; at < until; at += 5 * MINUTE_MS) slots.push(at);
	} else {
		for (let at = start; ; ) {
			at = slotOf(sun.zone, updates, at).next;
			if (at >= until) break;
			slots.push(at);
		}
	}
	const times = Float64Array.from(slots, (at) => (at - start) / HOUR_MS);
	const energy = new Float64Array(slots.length + 1);
	let sum = 0;
	let moment = 0;
	let slot = 0;
	for (let quarter = start; quarter < end; quarter += QUARTER_MS) {
		const watts = sun.watts(quarter);
		while (
			slot < slots.length &&
			(slots[slot] as number) < quarter + QUARTER_MS
		) {
			energy[slot] =
				sum + (watts * ((slots[slot] as number) - quarter)) / HOUR_MS;
			slot += 1;
		}
		sum += (watts * QUARTER_MS) / HOUR_MS;
		moment +=
			((watts * QUARTER_MS) / HOUR_MS) *
			((quarter - start + QUARTER_MS / 2) / HOUR_MS);
	}
	energy[slots.length] = sum;
	return {
		times,
		energy,
		moment,
		gap: updates > DENSE_UPDATES ? 3 : 1,
		age: age / HOUR_MS,
	};
}

/**
 * Least of (power-weighted age + price × polls) by dynamic programming over the
 * slots: after j polls at slot k nothing before k matters, and what the last poll
 * at time t saves is linear in the energy that follows, so a lower hull of lines
 * gives each slot's best predecessor.
 *
 * @returns the weighted age in W h², without the price, and the polls
 */
function bestOf(track: Track, price: number): { age: number; polls: number } {
	const { times, energy, moment, gap, age } = track;
	const { length } = times;
	const lineTimes = new Float64Array(length + 1);
	lineTimes[0] = -age;
	const lineOffsets = new Float64Array(length + 1);
	const linePolls = new Int32Array(length + 1);
	const offsets = new Float64Array(length);
	const polls = new Int32Array(length);
	let head = 0;
	let tail = 1;
	for (let slot = 0; slot <= length; slot += 1) {
		// Lines of slots that are at least `gap` back.
		const open = slot === length ? [] : [slot - gap];
		if (slot === length) {
			for (let back = gap; back >= 1; back -= 1) open.push(slot - back);
		}
		for (const index of open) {
			if (index < 0) continue;
			const time = times[index] as number;
			const offset = offsets[index] as number;
			while (
				tail - head >= 2 &&
				(offset - (lineOffsets[tail - 2] as number)) *
					((lineTimes[tail - 1] as number) - (lineTimes[tail - 2] as number)) <=
					((lineOffsets[tail - 1] as number) -
						(lineOffsets[tail - 2] as number)) *
						(time - (lineTimes[tail - 2] as number))
			) {
				tail -= 1;
			}
			lineTimes[tail] = time;
			lineOffsets[tail] = offset;
			linePolls[tail] = polls[index] as number;
			tail += 1;
		}
		const x = energy[slot] as number;
		while (
			head + 1 < tail &&
			(lineOffsets[head + 1] as number) - (lineTimes[head + 1] as number) * x <=
				(lineOffsets[head] as number) - (lineTimes[head] as number) * x
		) {
			head += 1;
		}
		const value =
			(lineOffsets[head] as number) - (lineTimes[head] as number) * x;
		if (slot === length) {
			const count = linePolls[head] as number;
			return { age: moment + value - price * count, polls: count };
		}
		offsets[slot] = price + value + (times[slot] as number) * x;
		polls[slot] = (linePolls[head] as number) + 1;
	}
	throw new Error("unreachable");
}

/**
 * The least mean age, weighted by power, that this many requests can reach for
 * one who knows the month's power beforehand. The age is convex in the number of
 * requests, so the tangent at the best price touches it.
 *
 * @param requests besides the first poll at each site, at the start
 * @param until no request from here on: others have emptied the account
 * @param age of the forecast that the first poll brings, ms
 * @returns minutes
 */
export function oracleAge(
	suns: readonly Sun[],
	updates: number,
	start: number,
	end: number,
	requests: number,
	until = end,
	age: (sun: Sun) => number = () => 0,
): number | null {
	const tracks = suns.map((sun) =>
		trackOf(sun, updates, start, end, until, age(sun)),
	);
	const energy = tracks.reduce(
		(sum, track) => sum + (track.energy[track.times.length] as number),
		0,
	);
	if (energy === 0) return null;
	const total = (price: number) => {
		let age = 0;
		let polls = 0;
		for (const track of tracks) {
			const best = bestOf(track, price);
			age += best.age;
			polls += best.polls;
		}
		return { age, polls };
	};
	let low = 1e-9;
	let high = 1e9;
	let floor = total(low).age;
	if (total(low).polls > requests) {
		floor = 0;
		for (let trial = 0; trial < 60 && high / low > 1.0001; trial += 1) {
			const price = Math.sqrt(low * high);
			const { age, polls } = total(price);
			// Each price gives a bound from below; the best one touches.
			floor = Math.max(floor, age + price * (polls - requests));
			if (polls === requests) break;
			if (polls > requests) low = price;
			else high = price;
		}
	}
	return (floor / energy) * 60;
}
