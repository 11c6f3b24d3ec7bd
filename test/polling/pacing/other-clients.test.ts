import assert from "node:assert/strict";
import fc from "fast-check";
import {
	newOtherClients,
	type OtherClients,
} from "../../../src/polling/memory/memory";
import {
	expectedOfOthers as expectedUse,
	noteOtherClients,
} from "../../../src/polling/pacing/other-clients";
import { nextReset } from "../../../src/service/quota";
import { DAY, HOUR } from "../../support/time";

const JUNE = Date.UTC(2026, 5, 1);

const expectedOfOthers = (others: OtherClients, durationMs: number) =>
	expectedUse(others, durationMs).likely;

/** What is known after a poll every so often, with others' requests at these times. */
function watch(
	times: readonly number[],
	from: number,
	to: number,
	everyMs = 30 * 60_000,
	before: OtherClients = newOtherClients(),
): OtherClients {
	let others = before;
	let own = 0;
	let month = 0;
	for (let at = from; at <= to; at += everyMs) {
		const reset = nextReset(at);
		if (month !== reset) own = 0;
		month = reset;
		own += 1;
		const start = new Date(at);
		start.setUTCDate(1);
		start.setUTCHours(0, 0, 0, 0);
		const foreign = times.filter(
			(time) => time > start.getTime() && time <= at,
		).length;
		const used = own + foreign;
		others = noteOtherClients(
			others,
			{ limit: 3000, remaining: 3000 - used, used, reset, asOf: at },
			own,
		);
	}
	return others;
}

const evenly = (from: number, to: number, perDay: number) => {
	const times: number[] = [];
	for (let at = from + 1; at <= to; at += DAY / perDay) times.push(at);
	return times;
};

describe("use by others", () => {
	it("is what the account's count grows by beyond our own", () => {
		const others = watch(
			evenly(JUNE, JUNE + 3 * DAY, 50),
			JUNE,
			JUNE + 3 * DAY,
		);
		assert.ok(Math.abs(others.count - 150) <= 1);
	});

	it("is expected to go on at the rate of the last week", () => {
		const end = JUNE + 20 * DAY;
		const busy = evenly(JUNE, JUNE + 10 * DAY, 100);
		const calm = evenly(JUNE + 10 * DAY, end, 20);
		const others = watch([...busy, ...calm], JUNE, end);
		assert.ok(Math.abs(expectedOfOthers(others, 10 * DAY) - 200) < 5);
		assert.ok(Math.abs(expectedOfOthers(others, 12 * HOUR) - 10) < 2);
		assert.equal(expectedOfOthers(others, 0), 0);
	});

	it("is expected when it is due, and not again once it was", () => {
		const end = JUNE + 20 * DAY;
		const noons: number[] = [];
		for (let day = 0; day < 25; day += 1) {
			for (let one = 0; one < 50; one += 1) {
				noons.push(JUNE + day * DAY + 12 * HOUR + one);
			}
		}
		const morning = watch(noons, JUNE, end + 11 * HOUR);
		assert.ok(Math.abs(expectedOfOthers(morning, 13 * HOUR) - 50) < 1);
		const evening = watch(noons, JUNE, end + 13 * HOUR);
		assert.ok(expectedOfOthers(evening, 11 * HOUR) < 1);
	});

	it("is not expected again on a later day for one day's burst, but half of it is set aside", () => {
		const end = JUNE + 20 * DAY + 6 * HOUR;
		const calm = evenly(JUNE, end, 10);
		for (const before of [1, 3, 6]) {
			const burst = Array<number>(700).fill(end - before * DAY);
			const others = watch([...calm, ...burst].sort(), JUNE, end);
			for (const days of [1, 2, 5, 8, 10]) {
				const { isSure, likely, most } = expectedUse(others, days * DAY);
				assert.ok(Math.abs(likely - 10 * days) < 5, `${likely} in ${days} d`);
				assert.ok(isSure);
				assert.ok(Math.abs(most - likely - 350) < 15, String(most));
			}
		}
	});

	it("is sure only after three days", () => {
		const end = JUNE + 2 * DAY + 20 * HOUR;
		const early = expectedUse(watch(evenly(JUNE, end, 50), JUNE, end), DAY);
		assert.equal(early.isSure, false);
		assert.ok(Math.abs(early.likely - 50) < 3);
		assert.ok(early.most > early.likely);
	});

	it("is not what the month's count held before the first answer", () => {
		const at = JUNE + 10 * DAY;
		const answer = (used: number, asOf: number, own: number) =>
			[
				{
					limit: 3000,
					remaining: 3000 - used,
					used,
					reset: nextReset(at),
					asOf,
				},
				own,
			] as const;
		const first = noteOtherClients(newOtherClients(), ...answer(501, at, 1));
		assert.deepEqual(expectedUse(first, 20 * DAY), {
			isSure: false,
			likely: 0,
			most: 0,
		});
		const later = noteOtherClients(first, ...answer(512, at + DAY, 2));
		assert.ok(Math.abs(expectedOfOthers(later, 20 * DAY) - 200) < 1);
	});

	it("is remembered over the reset", () => {
		const reset = Date.UTC(2026, 6, 1);
		const end = reset + 2 * DAY;
		const others = watch(evenly(JUNE, end, 50), reset - 9 * DAY, end);
		assert.ok(Math.abs(others.count - 100) <= 2);
		assert.ok(Math.abs(expectedOfOthers(others, 29 * DAY) - 29 * 50) < 30);
	});

	it("does not take last month's count for this month's use", () => {
		const reset = Date.UTC(2026, 6, 1);
		const before = watch([], reset - DAY, reset - HOUR);
		const late = noteOtherClients(
			before,
			{
				limit: 3000,
				remaining: 200,
				used: 2800,
				reset,
				asOf: reset + 30_000,
			},
			1,
		);
		assert.equal(expectedOfOthers(late, DAY), 0);
	});

	it("never shrinks, whatever the service says", () => {
		const facts = fc.record({
			used: fc.integer({ min: 0, max: 5000 }),
			own: fc.integer({ min: 0, max: 5000 }),
			wait: fc.integer({ min: -DAY, max: 40 * DAY }),
		});
		fc.assert(
			fc.property(fc.array(facts, { maxLength: 60 }), (answers) => {
				let others: OtherClients = newOtherClients();
				let at = JUNE;
				for (const { used, own, wait } of answers) {
					at += wait;
					const reset = nextReset(at);
					others = noteOtherClients(
						others,
						{ limit: 3000, remaining: 0, used, reset, asOf: at },
						own,
					);
					for (let index = 1; index < others.seen.length; index += 1) {
						const [before, now] = others.seen.slice(index - 1) as [
							[number, number],
							[number, number],
						];
						assert.ok(before[0] <= now[0] && before[1] <= now[1]);
					}
					for (const span of [0, HOUR, DAY, 30 * DAY]) {
						const { likely, most } = expectedUse(others, span);
						assert.ok(Number.isFinite(most) && likely >= 0);
						assert.ok(likely <= most);
					}
				}
			}),
		);
	});

	it("keeps little over a week, in few points", () => {
		const end = JUNE + 25 * DAY;
		const { seen } = watch(evenly(JUNE, end, 50), JUNE, end);
		assert.ok(seen.length < 220, String(seen.length));
		assert.ok((seen[1]?.[0] ?? 0) > end - 9 * DAY);
	});
});
