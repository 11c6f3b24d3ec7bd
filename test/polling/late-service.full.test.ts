import assert from "node:assert/strict";
import type { Exchange } from "../../src/service/http/exchange";
import { FakeClock } from "../support/fake-clock";
import { DAY, House, MINUTE, Service, SITE, shortPlan } from "../support/house";
import {
	always,
	type Lag,
	laggedTime,
	lags,
	lateAnswer,
	yieldOf,
} from "../support/late-service";

const START = Date.parse("2026-06-01T00:05:00Z");

/**
 * A house at a service that is late: until a forecast is there it sends the one
 * before, whose `next_poll_at` has passed.
 *
 * @param isSaid whether `computed_at` tells when it was computed, or when it should have been
 */
function lateHouse(updatesPerDay: number, lag: Lag, isSaid: boolean) {
	const clock = new FakeClock(START);
	const step = DAY / updatesPerDay;
	const seen = Object.create(clock, {
		time: { get: () => laggedTime(clock.time, step, lag) },
	}) as FakeClock;
	const service = new Service(seen, shortPlan(updatesPerDay));
	const asked: { at: number; slot: number }[] = [];
	const exchange: Exchange = async (request) => {
		const { headers, ...rest } = await service.exchange(request);
		const date = new Date(clock.time).toUTCString();
		const answer = { ...rest, headers: { ...headers, date } };
		if (!request.path.startsWith("/v2/forecast/")) return answer;
		const late = lateAnswer(answer, step, lag, isSaid);
		asked.push({ at: clock.time, slot: late.slot });
		return late.answer;
	};
	const house = new House(exchange, clock);
	return { clock, house, asked, step };
}

describe("a service that is late", () => {
	for (const updatesPerDay of [24, 96]) {
		for (const [name, lag] of lags(START, DAY)) {
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
