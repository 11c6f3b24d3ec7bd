import assert from "node:assert/strict";
import type { Exchange } from "../../src/service/http/exchange";
import { FakeClock } from "../support/fake-clock";
import {
	DAY,
	dice,
	House,
	MINUTE,
	SECOND,
	Service,
	SITE,
	shortPlan,
} from "../support/house";

const START = Date.parse("2026-06-01T00:05:00Z");

/** By how much later than its time a forecast is there, ms; Infinity for one that is left out. */
type Lag = (slot: number) => number;

/**
 * A house at a service that is late: until a forecast is there it sends the one
 * before, whose `next_poll_at` has passed.
 *
 * @param isSaid whether `computed_at` tells when it was computed, or when it should have been
 */
function lateHouse(updatesPerDay: number, lag: Lag, isSaid: boolean) {
	const clock = new FakeClock(START);
	const step = DAY / updatesPerDay;
	const slotOf = (time: number) => Math.floor(time / step) * step;
	/** The instant whose answer is still the service's. */
	const lagging = (time: number): number => {
		const slot = slotOf(time);
		return time < slot + lag(slot) ? lagging(slot - 1) : time;
	};
	const seen = Object.create(clock, {
		time: { get: () => lagging(clock.time) },
	}) as FakeClock;
	const service = new Service(seen, shortPlan(updatesPerDay));
	const asked: { at: number; computedAt: number }[] = [];
	const exchange: Exchange = async (request) => {
		const answer = await service.exchange(request);
		const headers = {
			...answer.headers,
			date: new Date(clock.time).toUTCString(),
		};
		if (!request.path.startsWith("/v2/forecast/"))
			return { ...answer, headers };
		const body = JSON.parse(answer.body);
		const slot = slotOf(Date.parse(body.computed_at));
		asked.push({ at: clock.time, computedAt: slot });
		if (isSaid) {
			const delay = lag(slot);
			body.computed_at = new Date(slot + delay).toISOString();
		}
		return { ...answer, headers, body: JSON.stringify(body) };
	};
	const house = new House(exchange, clock);
	return { clock, house, asked, step };
}

/** Requests and distinct forecasts from an instant on. */
function yieldOf(
	asked: readonly { at: number; computedAt: number }[],
	from: number,
) {
	const since = asked.filter(({ at }) => at >= from);
	const forecasts = new Set(since.map(({ computedAt }) => computedAt));
	return { requests: since.length, forecasts: forecasts.size };
}

const random = dice(7);
const drawn = new Map<number, number>();
const always =
	(ms: number): Lag =>
	() =>
		ms;
const LAGS: [name: string, lag: Lag][] = [
	["not at all", always(0)],
	["by 20 s", always(20 * SECOND)],
	["by 1 min", always(MINUTE)],
	["by 3 min", always(3 * MINUTE)],
	["by 10 min", always(10 * MINUTE)],
	[
		"by up to 3 min, each time another",
		(slot) => {
			if (!drawn.has(slot)) drawn.set(slot, random() * 3 * MINUTE);
			return drawn.get(slot) as number;
		},
	],
	[
		"by 1 min, later by 3 min, then no more",
		(slot) =>
			slot < START + 2 * DAY ? MINUTE : slot < START + 4 * DAY ? 3 * MINUTE : 0,
	],
	[
		"by 1 min, and leaves one forecast out",
		(slot) =>
			slot === Date.parse("2026-06-03T13:00:00Z")
				? Number.POSITIVE_INFINITY
				: MINUTE,
	],
];

describe("a service that is late", () => {
	for (const updatesPerDay of [24, 96]) {
		for (const [name, lag] of LAGS) {
			for (const isSaid of [true, false]) {
				it(`${updatesPerDay} times a day ${name}${isSaid ? "" : ", which computed_at does not tell"}: each forecast arrives, for one request`, async () => {
					const { house, asked, clock } = lateHouse(updatesPerDay, lag, isSaid);
					const listener = await house.boot();
					await house.runTo(START + DAY);
					const first = yieldOf(asked, START);
					assert.ok(
						first.forecasts >= 0.75 * updatesPerDay,
						`${first.forecasts} forecasts on the first day`,
					);
					await house.runTo(START + 6 * DAY);
					const learned = yieldOf(asked, START + DAY);
					assert.ok(
						learned.forecasts >= 0.75 * 5 * updatesPerDay,
						`${learned.forecasts} forecasts`,
					);
					assert.ok(
						learned.requests <= 1.1 * learned.forecasts,
						`${learned.requests} requests for ${learned.forecasts} forecasts`,
					);
					assert.deepEqual(listener.failures, []);
					if (name === "not at all") {
						assert.equal(asked.length, first.requests + learned.requests);
						assert.equal(learned.requests, learned.forecasts);
					}
					assert.ok(clock.time > START);
				});
			}
		}
	}

	it("is asked again after 1, 2, 5, 10 and 15 min, then after 1 h and more", async () => {
		const { house, asked } = lateHouse(
			24,
			(slot) => (slot > START ? Number.POSITIVE_INFINITY : 0),
			true,
		);
		await house.boot();
		await house.runTo(START + 2 * DAY);
		const gaps = asked
			.slice(1)
			.flatMap(({ at }, index, all) =>
				index > 0
					? [Math.round((at - (all[index - 1]?.at ?? 0)) / MINUTE)]
					: [],
			);
		assert.deepEqual(gaps.slice(0, 9), [1, 2, 5, 10, 15, 60, 120, 240, 360]);
		assert.equal(house.state().plan.reason, "no_poll_time");
	});

	it("is asked no more often than the month's requests allow", async () => {
		const { house, asked } = lateHouse(24, always(MINUTE), true);
		await house.boot(SITE, { budget: 5 });
		await house.runTo(START + 29 * DAY);
		assert.ok(asked.length >= 4 && asked.length <= 5, `${asked.length}`);
	});

	it("says why it is asked when", async () => {
		const { house } = lateHouse(
			24,
			(slot) => (slot > START ? 20 * MINUTE : 0),
			true,
		);
		await house.boot();
		await house.runTo(Date.parse("2026-06-01T01:01:00Z"));
		const { plan, now } = house.state();
		assert.equal(plan.reason, "late");
		assert.ok((plan.at ?? 0) - now <= MINUTE);
	});
});
