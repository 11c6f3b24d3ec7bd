import assert from "node:assert/strict";
import fc from "fast-check";
import { Zone } from "../../../src/forecast/zone";
import { newSiteMemory } from "../../../src/polling/memory/memory";
import { ExpectedPower } from "../../../src/polling/pacing/expected-power";
import {
	type PacedSource,
	pacedSource,
	slotFrom,
} from "../../../src/polling/pacing/paced-source";
import { PollSlots } from "../../../src/polling/pacing/poll-selection";
import { DAY, HOUR, MINUTE } from "../../support/time";

const MIDNIGHT = Date.UTC(2026, 5, 1);

const source = (
	watts: readonly number[],
	facts: Partial<PacedSource> = {},
): PacedSource => ({
	key: "site",
	from: MIDNIGHT,
	isIntervalKnown: true,
	intervalMs: HOUR,
	parts: 1,
	askedAt: MIDNIGHT - HOUR,
	since: MIDNIGHT - HOUR,
	bias: 1,
	power: new ExpectedPower(Zone.utc, MIDNIGHT, Float64Array.from(watts)),
	...facts,
});

/**
 * Worth-weighted age up to the horizon plus the price of polls at these slots.
 * Summed minute by minute, which is exact: the worth changes at quarters only,
 * and all times here are whole minutes.
 */
function costOf(
	{ from, intervalMs, parts, since, power }: PacedSource,
	now: number,
	horizon: number,
	price: number,
	polls: readonly number[],
): number {
	let cost = price * polls.length;
	let computedAt = since;
	const at = polls.map((slot) => from + (slot * intervalMs) / parts);
	for (let minute = now; minute < horizon; minute += MINUTE) {
		while (at.length > 0 && (at[0] as number) <= minute) {
			computedAt = at.shift() as number;
		}
		const weight = power.weightBetween(minute, minute + MINUTE);
		cost += (weight * (minute + MINUTE / 2 - computedAt)) / HOUR;
	}
	return cost;
}

describe("a source", () => {
	const partsOf = (aheadMs: number | null) => {
		const memory = {
			...newSiteMemory(),
			answeredAt: MIDNIGHT,
			nextPollAt: aheadMs === null ? null : MIDNIGHT + aheadMs,
		};
		const power = () => ExpectedPower.unknown;
		return pacedSource("site", memory, { jitterMs: 5000 }, power, MIDNIGHT)
			.parts;
	};

	it("may be asked at any time once its plan renews more often than each quarter hour", () => {
		// That plan's next time is a quarter hour behind each answer, whenever that comes.
		assert.equal(partsOf(15 * MINUTE), 3);
		assert.equal(partsOf(15 * MINUTE - 3000), 3);
		// Fixed times are less ahead of an answer that comes 5 to 30 s behind one of them.
		assert.equal(partsOf(15 * MINUTE - 5000), 1);
		assert.equal(partsOf(14 * MINUTE + 30_000), 1);
		assert.equal(partsOf(HOUR), 1);
		assert.equal(partsOf(null), 1);
	});
});

describe("the choice of polls", () => {
	it("costs no more than any other choice", () => {
		const watts = fc.array(fc.integer({ min: 0, max: 4000 }), {
			minLength: 24,
			maxLength: 24,
		});
		fc.assert(
			fc.property(
				watts,
				fc.integer({ min: 0, max: 40 }),
				fc.integer({ min: 15, max: 70 }),
				fc.integer({ min: 1, max: 600 }),
				fc.double({ min: 0, max: 20_000, noNaN: true }),
				fc.integer({ min: 1, max: 3 }),
				(watts, offset, step, age, price, parts) => {
					const from = MIDNIGHT + offset * MINUTE;
					const own = source(watts, {
						from,
						intervalMs: step * parts * MINUTE,
						parts,
						since: from - age * MINUTE,
						askedAt: from - age * MINUTE,
					});
					const now = from;
					const horizon = Math.min(
						MIDNIGHT + 6 * HOUR,
						from + 8 * step * MINUTE,
					);
					const slots = new PollSlots(own, now, horizon, null);
					const chosen = slots.select(price);
					let least = Number.POSITIVE_INFINITY;
					let leastOfChosen = Number.POSITIVE_INFINITY;
					for (let set = 0; set < 2 ** slots.length; set += 1) {
						const polls = [...Array(slots.length).keys()].filter(
							(slot) => set & (1 << slot),
						);
						const isTooSoon = polls.some(
							(slot, index) => slot - (polls[index - 1] ?? -parts) < parts,
						);
						if (isTooSoon) continue;
						const cost = costOf(own, now, horizon, price, polls);
						least = Math.min(least, cost);
						if (
							polls.length === chosen.count &&
							(polls[0] ?? -1) === chosen.first
						) {
							leastOfChosen = Math.min(leastOfChosen, cost);
						}
					}
					assert.ok(
						leastOfChosen <= least * (1 + 1e-6) + 1e-3,
						`${leastOfChosen} instead of ${least}`,
					);
				},
			),
			{ numRuns: 60 },
		);
	});

	it("spaces polls evenly where any time pays, and no closer than the interval", () => {
		const minutes = (parts: number, price: number) => {
			const own = source(Array(96).fill(1000), {
				intervalMs: 15 * MINUTE,
				parts,
			});
			const found: number[] = [];
			for (let now = own.from; now < MIDNIGHT + 12 * HOUR; ) {
				const slots = new PollSlots(
					{ ...own, from: now, since: now - 15 * MINUTE },
					now,
					MIDNIGHT + DAY,
					null,
				);
				const at = slots.at(slots.select(price).first) as number;
				found.push((at - now) / MINUTE + 15);
				now = at + 15 * MINUTE;
			}
			return [...new Set(found)];
		};
		assert.deepEqual(minutes(3, 0), [15]);
		// Between 15 and 30 min at fixed times.
		assert.deepEqual(minutes(3, 55), [20]);
		assert.deepEqual(minutes(3, 70), [25]);
		// At fixed times it is one slot or two.
		assert.deepEqual(minutes(1, 55), [15]);
		assert.deepEqual(minutes(1, 70), [30]);
	});

	it("keeps the interval behind a look after midnight", () => {
		const own = source(Array(96).fill(1000), {
			intervalMs: 15 * MINUTE,
			parts: 3,
			from: MIDNIGHT - 10 * MINUTE,
			askedAt: MIDNIGHT - 25 * MINUTE,
			since: MIDNIGHT - 25 * MINUTE,
		});
		const slots = new PollSlots(own, own.from, MIDNIGHT + 2 * HOUR, {
			every: 1,
			turn: 0,
		});
		// Any look before it would keep the one at midnight from being made.
		assert.equal(slots.at(slots.select(0).first), MIDNIGHT);
		assert.equal(slots.select(0).count, 8);
	});

	it("asks less at a higher price, and at every slot for nothing", () => {
		const own = source(Array(96).fill(1000));
		const slots = new PollSlots(own, MIDNIGHT, MIDNIGHT + 2 * DAY, null);
		let before = slots.select(0).count;
		assert.equal(before, 48);
		for (let price = 1; price < 1e7; price *= 2) {
			const { count } = slots.select(price);
			assert.ok(count <= before);
			before = count;
		}
		assert.equal(before, 0);
	});

	it("polls as often as the root of the power, where slots are dense", () => {
		const rate = (watts: number) =>
			new PollSlots(
				source(Array(96).fill(watts), { intervalMs: MINUTE }),
				MIDNIGHT,
				MIDNIGHT + DAY,
				null,
			).select(1000).count;
		assert.ok(Math.abs(rate(4000) / rate(1000) - 2) < 0.05);
		assert.ok(Math.abs(rate(1000) - 24 * Math.sqrt(0.5)) <= 1);
	});

	it("keeps to its choice while time passes", () => {
		const watts = Array.from({ length: 192 }, (_, index) =>
			Math.max(0, 3000 * Math.sin(((index - 24) / 48) * Math.PI)),
		);
		const own = source(watts, { intervalMs: 15 * MINUTE });
		const horizon = MIDNIGHT + 2 * DAY;
		for (const price of [30, 300, 3000, 30_000]) {
			const plan = (now: number) => {
				const slots = new PollSlots(own, now, horizon, null);
				return slots.at(slots.select(price).first) as number;
			};
			const first = plan(MIDNIGHT);
			for (let now = MIDNIGHT; now <= first; now += 7 * MINUTE) {
				assert.equal(plan(now), first);
			}
		}
	});

	it("still asks in the slot that is running", () => {
		const own = source(Array(96).fill(1000));
		const late = MIDNIGHT + 5 * HOUR + 3 * MINUTE;
		assert.equal(slotFrom(own, late), MIDNIGHT + 5 * HOUR);
		const slots = new PollSlots(own, late, MIDNIGHT + DAY, null);
		assert.equal(slots.at(slots.select(0).first), MIDNIGHT + 5 * HOUR);
	});

	describe("after midnight", () => {
		const daily = { every: 1, turn: 0 };
		const dear = 1e12;

		it("polls once on each date, however dear it is", () => {
			const own = source(Array(96).fill(0), { askedAt: MIDNIGHT + HOUR });
			const slots = new PollSlots(
				own,
				MIDNIGHT + 2 * HOUR,
				MIDNIGHT + 4 * DAY - HOUR,
				daily,
			);
			const { count, first } = slots.select(dear);
			assert.equal(count, 3);
			assert.equal(slots.at(first), MIDNIGHT + DAY);
		});

		it("makes up for a poll that was missed", () => {
			const own = source(Array(96).fill(0), {
				from: MIDNIGHT - 12 * HOUR,
				askedAt: MIDNIGHT - 13 * HOUR,
				since: MIDNIGHT - 13 * HOUR,
			});
			const now = MIDNIGHT + 90 * MINUTE;
			const slots = new PollSlots(own, now, MIDNIGHT + DAY, daily);
			assert.equal(slots.at(slots.select(dear).first), MIDNIGHT + HOUR);
		});

		it("polls no second time on a date, whenever the pace was found", () => {
			const own = source(Array(96).fill(0), {
				from: MIDNIGHT + DAY + 15 * MINUTE,
				askedAt: MIDNIGHT + DAY + 5000,
				since: MIDNIGHT + DAY,
			});
			const evening = MIDNIGHT + 22 * HOUR;
			const slots = new PollSlots(own, evening, MIDNIGHT + 3 * DAY, daily);
			assert.ok(
				(slots.at(slots.select(dear).first) as number) >= MIDNIGHT + 2 * DAY,
			);
		});

		it("takes turns", () => {
			const dates = (turn: number) => {
				const own = source(Array(96).fill(0));
				const found: number[] = [];
				for (let now = MIDNIGHT + HOUR; now < MIDNIGHT + 9 * DAY; ) {
					const slots = new PollSlots(
						{ ...own, from: now, askedAt: now },
						now,
						MIDNIGHT + 30 * DAY,
						{ every: 3, turn },
					);
					const at = slots.at(slots.select(dear).first) as number;
					found.push(Math.floor(at / DAY));
					now = at + HOUR;
				}
				return found;
			};
			const all = [0, 1, 2].flatMap(dates).sort((a, b) => a - b);
			assert.deepEqual(
				all,
				all.map((_, index) => (all[0] as number) + index),
			);
			for (const turn of [0, 1, 2]) {
				for (const date of dates(turn)) assert.equal(date % 3, turn);
			}
		});
	});
});
