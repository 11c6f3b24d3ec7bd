import assert from "node:assert/strict";
import fc from "fast-check";
import {
	type AccountMemory,
	newAccountMemory,
} from "../../../src/polling/memory/memory";
import { ExpectedPower } from "../../../src/polling/pacing/expected-power";
import {
	nextPoll,
	type Pace,
	type PacedSource,
	paceOf,
} from "../../../src/polling/pacing/pace";
import { reserveOf } from "../../../src/polling/schedule/limits";
import { nextReset } from "../../../src/service/quota";
import { Zone } from "../../../src/util/zone";
import { DAY, HOUR, MINUTE } from "../../support/time";

const DATE = Date.UTC(2026, 5, 10);
const NOW = DATE + 8 * HOUR;
const sunny = Float64Array.from({ length: 288 }, (_, index) =>
	Math.max(0, 5000 * Math.sin((((index % 96) - 24) / 48) * Math.PI)),
);
const powerOf = (watts: readonly number[] | Float64Array) =>
	new ExpectedPower(Zone.utc, DATE, Float64Array.from(watts));
const steady = (watts: number) => powerOf(Array(96).fill(watts));

const source = (facts: Partial<PacedSource> = {}): PacedSource => ({
	key: "site",
	from: NOW + 15 * MINUTE,
	intervalMs: 15 * MINUTE,
	stepMs: 15 * MINUTE,
	isIntervalKnown: true,
	askedAt: NOW,
	since: NOW,
	bias: 1,
	power: powerOf(sunny),
	...facts,
});

const account = (limit: number | null, used = 0) => ({
	...newAccountMemory(),
	quota: {
		forecast: {
			limit,
			used,
			remaining: limit === null ? null : limit - used,
			reset: nextReset(NOW),
			asOf: NOW,
		},
		historical: null,
	},
});

/** The pace where neither budget nor reserve is set. */
function find(
	memory: AccountMemory,
	sources: readonly PacedSource[],
	now = NOW,
	last?: Pace,
	budget = Infinity,
): Pace {
	const reserve = reserveOf({ reserve: null }, memory.quota.forecast);
	return paceOf(memory, { budget, reserve }, sources, now, last);
}

/** A pace at a price. */
const priced = (price: number): Pace => ({
	kind: "spread",
	now: NOW,
	reset: nextReset(NOW),
	projected: null,
	price,
	extra: null,
});

/** Times of a source's polls at a price, up to an instant. */
function polls(price: number, own: PacedSource, until: number): number[] {
	const times: number[] = [];
	for (let next = own; ; ) {
		const { at } = nextPoll(next, { ...priced(price), now: next.from });
		if (at >= until) return times;
		times.push(at);
		const from = at + own.intervalMs;
		next = { ...own, from, since: at, askedAt: at };
	}
}

describe("the pace", () => {
	it("is full where every forecast can be had", () => {
		const pace = find(account(3000, 500), [source()]);
		assert.equal(pace.kind, "full");
		assert.deepEqual(nextPoll(source(), pace), {
			at: NOW + 15 * MINUTE,
			reason: null,
		});
		assert.ok(Math.abs((pace.projected ?? 0) - (500 + 20.67 * 96)) < 3);
		for (const memory of [newAccountMemory(), account(null, 7)]) {
			assert.equal(find(memory, [source()]).kind, "full");
		}
		assert.equal(find(newAccountMemory(), [source()]).projected, null);
		const unseen = source({ isIntervalKnown: false });
		assert.equal(find(account(7500), [unseen]).projected, null);
	});

	it("counts inline forecasts at their interval", () => {
		const inline = source({
			key: "inline-1",
			from: NOW + HOUR,
			intervalMs: HOUR,
			stepMs: HOUR,
		});
		const both = [inline, { ...inline, key: "inline-2" }];
		assert.equal(find(account(600), [inline]).kind, "full");
		const { kind, projected } = find(account(600), both);
		assert.equal(kind, "spread");
		assert.ok(projected !== null && projected > 500 && projected <= 570);
	});

	it("is held where nothing is left, up to the reset", () => {
		for (const [budget, memory] of [
			[Infinity, account(250, 237)],
			[0, account(null, 5)],
		] as const) {
			const pace = find(memory, [source()], NOW, undefined, budget);
			assert.equal(pace.kind, "held");
			assert.deepEqual(nextPoll(source(), pace), {
				at: nextReset(NOW),
				reason: "reserve",
			});
			assert.equal(pace.projected, memory.quota.forecast.used);
		}
	});

	it("says whether power is passed over, or the night alone", () => {
		const pace = find(account(800), [source()]);
		assert.equal(pace.kind, "spread");
		assert.equal(nextPoll(source(), pace).reason, "spread");
		const evening = NOW + 11.75 * HOUR;
		const dark = source({
			from: NOW + 12 * HOUR,
			askedAt: evening,
			since: evening,
		});
		const poll = nextPoll(dark, pace);
		assert.equal(poll.reason, "night");
		assert.ok(poll.at > dark.from);
	});

	it("does not waver while nothing happens", () => {
		const memory = account(800);
		const first = find(memory, [source()]);
		const { at } = nextPoll(source(), first);
		for (let now = NOW; now < at; now += 11 * MINUTE) {
			assert.equal(nextPoll(source(), first).at, at);
			const anew = find(memory, [source()], now, first);
			assert.equal(nextPoll(source(), anew).at, at);
			// Found without the one before, it may differ by a slot or two.
			const cold = find(memory, [source()], now);
			assert.ok(Math.abs(nextPoll(source(), cold).at - at) <= 30 * MINUTE);
		}
	});

	it("does not ask all equal sites in one slot", () => {
		const sources = Array.from({ length: 20 }, (_, index) =>
			source({
				key: `site-${index}`,
				bias: 1 + index / 200,
				power: ExpectedPower.unknown,
			}),
		);
		const pace = find(account(500), sources);
		const times = new Set(sources.map((one) => nextPoll(one, pace).at));
		assert.ok(times.size > 3, String(times.size));
	});

	it("spends what may be spent, whatever the price before", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 100, max: 2900 }),
				fc.integer({ min: 1, max: 5 }),
				fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
				(limit, count, price) => {
					const sources = Array.from({ length: count }, (_, index) =>
						source({ key: String(index), bias: 1 + index / 50 }),
					);
					const pace = find(account(limit), sources, NOW, priced(price));
					const may = limit - Math.ceil(limit * 0.05);
					if (pace.kind === "full") return;
					const { projected } = pace;
					assert.ok(projected !== null && projected <= may);
					// Equal quarters, as those of a night, get one more all at once.
					assert.ok(projected >= 0.8 * may - 45, `${projected} of ${may}`);
				},
			),
			{ numRuns: 60 },
		);
	});

	it("asks less at a higher price, and at every slot for nothing", () => {
		const until = NOW + 2 * DAY;
		const own = source({ from: NOW, power: steady(1000) });
		let before = polls(0, own, until).length;
		assert.equal(before, 2 * 96);
		for (let price = 1; price < 1e9; price *= 4) {
			const { length } = polls(price, own, until);
			assert.ok(length <= before);
			before = length;
		}
		assert.ok(before <= 1);
	});

	it("polls as often as the root of the power, where slots are dense", () => {
		const rate = (watts: number) =>
			polls(
				1000,
				source({
					from: NOW,
					intervalMs: MINUTE,
					stepMs: MINUTE,
					power: steady(watts),
				}),
				NOW + DAY,
			).length;
		assert.ok(Math.abs(rate(4000) / rate(1000) - 2) < 0.15);
	});

	it("spaces polls where any time pays, no closer than the interval", () => {
		const gaps = (stepMs: number, price: number) => {
			const own = source({ from: NOW, stepMs, power: steady(1000) });
			const times = polls(price, own, NOW + 12 * HOUR);
			const all = times.slice(1).map((at, index) => at - (times[index] ?? 0));
			return new Set(all.map((ms) => ms / MINUTE));
		};
		assert.deepEqual(gaps(5 * MINUTE, 0), new Set([15]));
		assert.deepEqual(gaps(5 * MINUTE, 55), new Set([20]));
		// At fixed times it is one slot or two.
		assert.deepEqual(gaps(15 * MINUTE, 0), new Set([15]));
		assert.deepEqual(gaps(15 * MINUTE, 70), new Set([30]));
	});

	it("still asks in the slot that is running", () => {
		const own = source({ from: NOW, power: steady(1000) });
		const late = { ...priced(0), now: NOW + 5 * HOUR + 3 * MINUTE };
		assert.equal(nextPoll(own, late).at, NOW + 5 * HOUR);
	});

	it("has a poll on each day, of the source to which one is worth most", () => {
		const sources = [
			source({ key: "small", power: powerOf(sunny.map((watts) => watts / 9)) }),
			source({ key: "large" }),
		];
		// One day more than the days of the month that are left.
		const pace = find(account(24, 1), sources);
		const days = sources.map((one) => {
			const { at } = nextPoll(one, pace);
			return Math.floor((at - DATE) / DAY);
		});
		assert.ok(Math.min(...days) <= 1, days.join(" "));
		assert.ok((days[1] as number) <= (days[0] as number), days.join(" "));
	});
});
