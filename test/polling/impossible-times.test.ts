import assert from "node:assert/strict";
import fc from "fast-check";
import { solarFacts } from "../../src/messages/facts";
import { forecastMessages } from "../../src/messages/forecast-messages";
import {
	newAccountMemory,
	newSiteMemory,
} from "../../src/polling/memory/memory";
import { planSite } from "../../src/polling/schedule/schedule";
import { ServerClock } from "../../src/polling/schedule/server-clock";
import type { ForecastSnapshot } from "../../src/polling/source/snapshots";
import type { WireAnswer } from "../../src/service/http/exchange";
import { textIn } from "../../src/texts/texts";
import { FakeClock } from "../support/fake-clock";
import {
	DAY,
	HOUR,
	household,
	MINUTE,
	SECOND,
	SITE,
	shortPlan,
} from "../support/house";

type Parts = ReturnType<typeof household>;
const START = "2026-06-01T10:05:00Z";
const isForecast = ({ path }: { path: string }) =>
	path.startsWith("/v2/forecast/");

/** Has every forecast's body changed on its way. */
function change({ service }: Parts, how: (body: any) => object): void {
	service.fault = async (request, answer) => {
		const result = await answer(request);
		if (!isForecast(request)) return result;
		const body = how(JSON.parse(result.body));
		return { ...result, body: JSON.stringify(body) };
	};
}

/** Has every forecast say another `next_poll_at`. */
function say(parts: Parts, nextPollAt: (told: number) => number): void {
	change(parts, (body) => ({
		...body,
		next_poll_at: new Date(
			nextPollAt(Date.parse(body.next_poll_at)),
		).toISOString(),
	}));
}

/** Has every answer carry another `Date`. */
function date({ service, clock }: Parts, text: (now: number) => string): void {
	service.fault = async (request, answer): Promise<WireAnswer> => {
		const result = await answer(request);
		const headers = { ...result.headers, date: text(clock.time) };
		return { ...result, headers };
	};
}

describe("a computed_at that cannot be", () => {
	for (const computed_at of [
		"1970-01-01T00:00:00+01:00",
		"1000-06-01T00:00:00Z",
		"2201-01-01T00:00:00Z",
		"9999-12-31T23:59:59Z",
	]) {
		it(`of ${computed_at} counts as not said, and is kept over restarts`, async () => {
			const parts = household(START, shortPlan(24));
			const { house, service } = parts;
			change(parts, (body) => ({ ...body, computed_at }));
			const listener = await house.boot();
			assert.equal(listener.forecasts.length, 1);
			assert.equal(house.state().forecast?.computed_at, null);
			for (let times = 0; times < 3; times += 1) {
				house.restart();
				const next = await house.boot();
				assert.equal(next.forecasts.length, 1);
			}
			assert.equal(service.forecasts.length, 1);
		});
	}
});

describe("rows of other times", () => {
	it("far from all others make the answer unusable, and the forecast in hand stays", async () => {
		for (const timestamp of [
			"9999-12-31T23:45:00Z",
			"2300-01-01T00:00:00Z",
			"2100-01-01T00:00:00Z",
			"1970-01-01T00:00:00Z",
		]) {
			for (const block of ["values", "strings"]) {
				const parts = household(START, shortPlan(24));
				const { house } = parts;
				await house.boot();
				change(parts, ({ values, ...body }) => {
					const rows = values.map((row: object) => ({
						...row,
						string_index: 0,
					}));
					const more = [...rows, { ...rows.at(-1), timestamp }];
					return { ...body, values, strings: rows, [block]: more };
				});
				await house.runFor(2 * HOUR);
				const { forecast, failure } = house.state();
				assert.ok(forecast);
				assert.ok(failure?.kind === "RESPONSE");
				assert.match(textIn(failure.text), new RegExp(block));
			}
		}
	});

	it("a few years from now are paced like any, at once", async () => {
		const parts = household(START, shortPlan(24, { forecastRequests: 40 }));
		const { house, service } = parts;
		change(parts, (body) => ({
			...body,
			values: [
				...body.values,
				{ timestamp: "2028-12-31T23:45:00Z", pv_power: 1 },
			],
		}));
		await house.boot();
		await house.runFor(5 * DAY);
		assert.equal(house.state().failure, null);
		assert.ok(service.forecasts.length >= 5);
	});
});

describe("a next_poll_at far ahead", () => {
	for (const year of [2027, 2099, 9999]) {
		it(`of ${year} is waited for no longer than the slowest plan has to`, async () => {
			for (const restarts of [false, true]) {
				const parts = household(START, shortPlan(24));
				const { house, service, clock } = parts;
				say(parts, () => Date.UTC(year, 0, 1));
				await house.boot();
				const { plan } = house.state();
				assert.ok((plan.at as number) - clock.time <= 25 * HOUR + 30 * SECOND);
				assert.equal(plan.reason, "next_poll_at");
				for (let part = 0; part < 10; part += 1) {
					await house.runFor(10 * HOUR);
					if (!restarts) continue;
					house.restart();
					await house.boot();
				}
				// 100 hours: one at the start, then every 25 hours.
				assert.equal(service.forecasts.length, 4);
				// Once the service says what it means, all is as ever.
				service.fault = undefined;
				await house.runFor(2 * HOUR);
				const before = service.forecasts.length;
				await house.runFor(DAY);
				assert.equal(service.forecasts.length - before, 24);
			}
		});
	}

	it("leaves the slowest plan its own time, on the longest day too", async () => {
		// Summer time ends on 2026-10-25: that day has 25 hours.
		const parts = household("2026-10-24T21:00:00Z", shortPlan(1));
		const { house, service } = parts;
		const listener = await house.boot();
		await house.runTo("2026-10-25T22:59:59Z");
		assert.equal(service.forecasts.length, 2);
		await house.runTo("2026-10-25T23:01:00Z");
		assert.equal(service.forecasts.length, 3);
		assert.equal(listener.forecasts.length, 3);
	});

	it("that was kept is not believed any more", () => {
		const now = Date.parse(START);
		fc.assert(
			fc.property(
				fc.integer({ min: -30 * DAY, max: 30 * DAY }),
				fc.integer({ min: 0, max: 80 * 365 * DAY }),
				(age, ahead) => {
					const answeredAt = now - age;
					const { at } = planSite(
						{
							...newSiteMemory(),
							answeredAt,
							computedAt: answeredAt,
							nextPollAt: answeredAt + ahead,
						},
						newAccountMemory(),
						{ budget: Infinity, reserve: 0 },
						{ jitterMs: 10 * SECOND },
						now,
					);
					assert.ok(at <= now + 25 * HOUR + 10 * SECOND + 5 * MINUTE);
				},
			),
		);
	});

	it("does not make the pace think that forecasts are years apart", async () => {
		const parts = household(START, shortPlan(24, { forecastRequests: 3000 }));
		const { house, storage } = parts;
		say(parts, () => Date.UTC(2099, 0, 1));
		await house.boot();
		await house.runFor(4 * DAY);
		for (const step of storage.site(SITE).steps) assert.ok(step <= 26 * HOUR);
	});
});

describe("a Date that is never the time", () => {
	const dates: [string, (now: number) => string][] = [
		["the epoch", () => "Thu, 01 Jan 1970 00:00:00 GMT"],
		[
			"a clock that began at the epoch",
			(now) => new Date(now - Date.parse(START)).toUTCString(),
		],
		["a board that was never set", () => "Sat, 01 Jan 2000 00:00:12 GMT"],
		["the day its firmware was built", () => "Tue, 02 Feb 2021 02:02:02 GMT"],
		["two years back", (now) => new Date(now - 730 * DAY).toUTCString()],
		["two years ahead", (now) => new Date(now + 730 * DAY).toUTCString()],
		["2099", () => "Fri, 02 Jan 2099 00:00:00 GMT"],
		["the year 9999", () => "Fri, 31 Dec 9999 23:59:59 GMT"],
		["no date", () => "yesterday"],
	];
	for (const [what, text] of dates) {
		it(`(${what}) costs no request, over restarts too, and numbers days right`, async () => {
			const parts = household(
				START,
				shortPlan(24, { forecastRequests: 3000, forecastDays: 1 }),
			);
			const { house, service, clock } = parts;
			date(parts, text);
			let listener = await house.boot();
			for (let part = 0; part < 6; part += 1) {
				await house.runFor(8 * HOUR);
				house.restart();
				listener = await house.boot();
			}
			assert.equal(service.forecasts.length, 1 + 48);
			const state = house.state() as ForecastSnapshot;
			assert.equal(state.stale, false);
			assert.ok(Math.abs(state.now - clock.time) < SECOND);
			assert.equal(listener.forecasts.length, 1);
			const presentation = {
				key: SITE,
				topic: "solar-yield",
				demo: false,
				selection: {
					include: ["default" as const],
					timezone: "local" as const,
					pastDays: 0,
					forecastDays: 7,
				},
			};
			const [, days] = forecastMessages(state, presentation, true, () => "id");
			assert.deepEqual(
				Array.from(days, ({ topic }) => topic),
				[0, 1].map((day) => `solar-yield/${SITE}/daily/${day}`),
			);
			const { fetched_at, settled } = solarFacts(
				state,
				SITE,
				presentation.selection,
				{ demo: false, cached: true },
			);
			assert.match(fetched_at ?? "", /^2026-06-03T10:00:/);
			assert.ok(settled.length > 40);
			assert.equal(state.quota?.limit, 3000);
			assert.equal(state.own, 49);
		});
	}

	it("that becomes the time again is gone by again", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		date(parts, () => "Fri, 02 Jan 2099 00:00:00 GMT");
		await house.boot();
		await house.runFor(5 * HOUR);
		service.fault = undefined;
		await house.runFor(2 * HOUR);
		// A wrong host's clock shows that the service's is gone by.
		clock.wallError = 30 * MINUTE;
		await house.runFor(10 * HOUR);
		assert.ok(Math.abs(house.state().now - clock.time) < 2 * SECOND);
		assert.equal(service.forecasts.length, 1 + 17);
	});

	it("does not outdo a right one on a host that was never set", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		clock.wallError = -clock.time;
		await house.boot();
		await house.runFor(12 * HOUR);
		house.restart();
		await house.boot();
		await house.runFor(12 * HOUR);
		assert.equal(service.forecasts.length, 25);
		assert.ok(Math.abs(house.state().now - clock.time) < 2 * SECOND);
	});

	it("is not made up for by a forecast that is strange itself", () => {
		const clock = new FakeClock(START);
		const server = new ServerClock(clock);
		assert.ok(server.accepts(clock.time));
		const week = 7 * DAY;
		server.check(clock.time - 3 * week, clock.time - week);
		assert.equal(server.now(), clock.time);
		assert.ok(server.isTrusted);
	});
});

describe("a host's clock that is wrong", () => {
	it("by other minutes each hour, ahead and behind, is told of once in a process", async () => {
		const { house, clock } = household(START, shortPlan(24));
		for (let start = 1; start <= 2; start += 1) {
			await house.boot();
			for (const minutes of [20, -30, 45]) {
				clock.wallError = minutes * MINUTE;
				await house.runFor(2 * HOUR);
			}
			assert.equal(house.reports.length, start, house.reports.join("\n"));
			house.restart();
		}
	});
});
