import assert from "node:assert/strict";
import { reserveOf } from "../../src/polling/schedule/limits";
import {
	ACCOUNT,
	DAY,
	HOUR,
	household,
	KEY,
	MINUTE,
	type Service,
	SITE,
	shortPlan,
} from "../support/house";

const limited = (forecastRequests: number, updatesPerDay = 24) =>
	shortPlan(updatesPerDay, { forecastRequests });

/** Fails when a forecast is asked for although the last answer left no more than the reserve. */
function guardReserve(service: Service, reserve: number): void {
	let known = { remaining: Number.POSITIVE_INFINITY, reset: 0 };
	service.fault = async (request, answer) => {
		const isForecast = request.path.startsWith("/v2/forecast/");
		if (isForecast && service.clock.time < known.reset) {
			assert.ok(
				known.remaining > reserve,
				`asked with ${known.remaining} left`,
			);
		}
		const result = await answer(request);
		const remaining = result.headers["requestlimit-remaining"];
		const reset = result.headers["requestlimit-reset"];
		if (remaining !== undefined && reset !== undefined) {
			known = { remaining: Number(remaining), reset: Date.parse(reset) };
		}
		return result;
	};
}

describe("the month's requests", () => {
	it("leaves 5 % of the limit, rounded up, where reserve is blank", () => {
		const quota = { used: 0, reset: 0, asOf: 0 };
		const reserve = (limit: number | null) =>
			reserveOf({ reserve: null }, { ...quota, limit, remaining: limit });
		assert.equal(reserve(250), 13);
		assert.equal(reserve(3000), 150);
		assert.equal(reserve(1), 1);
		assert.equal(reserve(null), 0);
	});

	it("stops at the reserve and goes on after the reset", async () => {
		const { service, house, clock } = household(
			"2026-10-20T00:10:00Z",
			limited(3000),
		);
		guardReserve(service, 150);
		const listener = await house.boot();
		await house.runFor(DAY);
		service.simulator.spend(KEY, 3000 - 150 - service.forecasts.length - 5);
		await house.runTo("2026-10-31T23:59:59Z");
		const october = service.forecasts.length;
		assert.ok(october <= 25 + 5);
		const { plan, quota, stale } = house.state();
		assert.ok((quota?.remaining ?? 0) >= 150);
		assert.equal(stale, true);
		assert.deepEqual(listener.failures, []);
		const reset = Date.parse("2026-11-01T00:00:00Z");
		assert.ok((plan.at as number) >= reset);
		await house.runTo(reset + HOUR + MINUTE);
		assert.ok(service.forecasts.length > october);
		await house.runTo("2026-11-04T00:00:30Z");
		assert.ok(service.forecasts.length >= october + 3 * 24);
		assert.equal(clock.timers, 1);
	});

	it("waits for the reset and its own spread where nothing is left", async () => {
		const { service, house } = household("2026-10-20T00:10:00Z", limited(3000));
		await house.boot();
		service.simulator.spend(KEY, 2900);
		await house.runFor(3 * HOUR);
		const before = service.forecasts.length;
		const reset = Date.parse("2026-11-01T00:00:00Z");
		const { plan } = house.state();
		assert.equal(plan.reason, "reserve");
		assert.ok((plan.at as number) > reset);
		assert.ok((plan.at as number) <= reset + 30_000);
		await house.runTo(reset);
		assert.equal(service.forecasts.length, before);
		await house.runFor(MINUTE);
		assert.equal(service.forecasts.length, before + 1);
		const { at } = service.forecasts.at(-1) ?? { at: 0 };
		assert.ok(Math.abs(at - (plan.at as number)) < 1000);
	});

	for (const reserve of [0, 1, 249, 250, 9999]) {
		it(`leaves ${reserve} of 250`, async () => {
			const { service, house } = household(
				"2026-10-02T00:10:00Z",
				limited(250, 96),
			);
			guardReserve(service, reserve);
			await house.boot(SITE, { reserve });
			await house.runFor(5 * DAY);
			service.simulator.spend(KEY, 200);
			await house.runFor(5 * DAY);
			const asked = service.forecasts.length;
			assert.ok(asked >= 1);
			if (reserve >= 249) assert.equal(asked, 1);
		});
	}

	it("stops at the budget, over restarts and deploys of a changed account", async () => {
		const { service, house } = household("2026-10-22T00:10:00Z", limited(3000));
		await house.boot(SITE, { budget: 10 });
		for (let day = 0; day < 9; day += 1) {
			await house.runFor(DAY);
			house.restart();
			await house.boot(SITE, { budget: 10, fingerprint: `day ${day}` });
			await house.hub.askNow();
			await house.ask(SITE, {}, true);
		}
		assert.equal(service.forecasts.length, 10);
		assert.equal(house.state().plan.reason, "budget");
		assert.equal(house.state().own, 10);
		await house.account({ budget: 11 });
		await house.runFor(2 * MINUTE);
		await house.ask(SITE, {}, true);
		assert.equal(service.forecasts.length, 11);
		await house.runTo("2026-11-01T00:01:00Z");
		await house.ask(SITE, {}, true);
		assert.ok(service.forecasts.length > 11);
		assert.equal(house.state().own, service.forecasts.length - 11);
	});

	it("asks nothing at all with a budget of 0", async () => {
		const { service, house } = household("2026-10-02T00:10:00Z", limited(3000));
		await house.boot(SITE, { budget: 0 });
		await house.runFor(2 * DAY);
		const { error } = await house.ask(SITE, {}, true);
		assert.equal(service.forecasts.length, 0);
		assert.equal(error?.code, "SOLAR_YIELD_QUOTA");
	});

	it("takes the lowest budget and the highest reserve of all accounts", async () => {
		const { service, house } = household(
			"2026-10-02T00:10:00Z",
			limited(250, 96),
		);
		const refused = async () => {
			await house.runFor(2 * MINUTE);
			const { error } = await house.ask(SITE, {}, true);
			return error?.message.match(/budget|reserve/i)?.[0].toLowerCase();
		};
		await house.boot();
		assert.equal(await refused(), undefined);
		await house.account({ budget: 2 }, "low");
		await house.account({ budget: 100 }, "high");
		assert.equal(await refused(), "budget");
		house.hub.removeAccount("low");
		assert.equal(await refused(), undefined);
		service.simulator.spend(KEY, 250 - 13 - service.forecasts.length - 1);
		await house.account({ reserve: 5 }, "high");
		assert.equal(await refused(), undefined);
		// A blank reserve is 5 % of the limit, 13, and higher than 5.
		assert.equal(await refused(), "reserve");
		house.hub.removeAccount("account");
		assert.equal(await refused(), undefined);
		await house.account({ reserve: 40, fingerprint: "other" }, "third");
		assert.equal(await refused(), "reserve");
	});

	it("sees what other programs use, and never goes on into the reserve", async () => {
		const { service, house } = household(
			"2026-10-02T00:10:00Z",
			limited(250, 96),
		);
		guardReserve(service, 13);
		await house.boot();
		for (let day = 0; day < 10; day += 1) {
			await house.runFor(DAY);
			service.simulator.spend(KEY, 15);
		}
		assert.ok(service.forecasts.length <= 250 - 13);
	});

	it("counts nothing that the service refuses before it counts", async () => {
		const { service, house } = household("2026-10-02T00:10:00Z", {
			...limited(3000),
			variability: false,
		});
		await house.account();
		house.listen(SITE, { variability: true });
		await house.start();
		assert.equal(service.forecasts.length, 2);
		assert.equal(house.state().own, 1);
		assert.equal(house.state().quota?.used, 1);
	});

	it("knows the reserve after a restart without asking", async () => {
		const { service, house } = household(
			"2026-10-02T00:10:00Z",
			limited(250, 96),
		);
		await house.boot();
		service.simulator.spend(KEY, 245);
		await house.runFor(DAY);
		const before = service.forecasts.length;
		for (let start = 0; start < 20; start += 1) {
			house.restart();
			await house.boot();
			await house.runFor(HOUR);
			const { error } = await house.ask(SITE, {}, true);
			assert.equal(error?.code, "SOLAR_YIELD_QUOTA");
			assert.match(error?.cause.retry_at ?? "", /^2026-11-01T00:00:00/);
		}
		assert.equal(service.forecasts.length, before);
	});

	it("shares one account's month among its sites", async () => {
		const { service, house } = household(
			"2026-10-02T00:10:00Z",
			limited(250, 96),
		);
		guardReserve(service, 13);
		service.addSite("site-2");
		await house.account();
		const listeners = [SITE, "site-2"].map((id) => house.listen(id));
		await house.start();
		await house.runFor(8 * DAY);
		service.simulator.spend(KEY, 1000);
		await house.runFor(4 * DAY);
		assert.ok(service.forecasts.length <= 250 - 13);
		for (const { forecasts } of listeners) assert.ok(forecasts.length > 10);
	});

	for (const [before, after] of [
		[24, 24],
		[96, 24],
		[24, 96],
		[1, 96],
		[144, 1],
	] as const) {
		it(`makes one request of the reserve on demand, which may find a raised plan: ${before} a day, then ${after}`, async () => {
			const { service, house } = household(
				// By day, where all of 96 are worth a request.
				`2026-10-02T${after === 96 ? "08" : "00"}:10:00Z`,
				limited(250, before),
			);
			await house.boot();
			service.simulator.spend(KEY, 245);
			await house.runFor(DAY);
			const known = service.forecasts.length;
			void house.hub.askNow();
			await house.runFor(HOUR);
			assert.equal(service.forecasts.length, known + 1);
			service.simulator.setPlan(KEY, limited(3000, after));
			void house.hub.askNow();
			await house.runFor(3 * HOUR);
			const slots = Math.floor((3 * after) / 24);
			assert.equal(service.forecasts.length, known + 2 + slots);
			// The rhythm of before counts in nothing any more; what is short of 96 a day is left out by night.
			await house.runFor(2 * DAY);
			const then = service.forecasts.length;
			await house.runFor(DAY);
			const { kind } = house.state().pace;
			assert.equal(kind, after === 96 ? "spread" : "full");
			assert.ok(service.forecasts.length - then >= (3 / 4) * after);
		});
	}

	it("keeps a lift that was asked for twice before a request", async () => {
		const { service, house } = household(
			"2026-10-02T00:10:00Z",
			limited(250, 96),
		);
		// Two accounts of one key, both changed in one deploy.
		await house.account({ reserve: 0 }, "first");
		await house.account({ reserve: 0 }, "second");
		house.listen(SITE);
		await house.start();
		service.simulator.spend(KEY, 1e9);
		await house.runFor(DAY);
		assert.equal(house.state().plan.reason, "exhausted");
		let before = service.forecasts.length;
		service.simulator.setPlan(KEY, limited(3000, 24));
		void house.hub.setAccount("first", {
			...ACCOUNT,
			reserve: 0,
			fingerprint: "b",
		});
		void house.hub.setAccount("second", {
			...ACCOUNT,
			reserve: 0,
			fingerprint: "b",
		});
		await house.settle();
		await house.runFor(3 * HOUR);
		assert.equal(service.forecasts.length, before + 4);
		// "Ask now" pressed twice.
		service.simulator.spend(KEY, 1e9);
		await house.runFor(3 * HOUR);
		assert.equal(house.state().plan.reason, "exhausted");
		before = service.forecasts.length;
		service.simulator.setPlan(KEY, limited(6000, 24));
		void house.hub.askNow();
		void house.hub.askNow();
		await house.settle();
		await house.runFor(3 * HOUR);
		assert.ok(service.forecasts.length >= before + 3);
		assert.equal(house.state().failure, null);
	});

	it("keeps a lift over a restart", async () => {
		const { service, house } = household(
			"2026-10-02T00:10:00Z",
			limited(250, 96),
		);
		await house.boot(SITE, { reserve: 0 });
		service.simulator.spend(KEY, 1e9);
		await house.runFor(DAY);
		const before = service.forecasts.length;
		assert.equal(house.state().plan.reason, "exhausted");
		house.kill();
		house.restart();
		await house.account({ reserve: 0, fingerprint: "raised" });
		house.restart();
		await house.boot(SITE, { reserve: 0, fingerprint: "raised" });
		await house.runFor(HOUR);
		assert.equal(service.forecasts.length, before + 1);
	});

	it("spends nothing of the reserve when an account is changed", async () => {
		const { service, house } = household("2026-10-02T00:10:00Z", limited(250));
		guardReserve(service, 13);
		await house.boot();
		service.simulator.spend(KEY, 250 - 13 - service.forecasts.length - 1);
		await house.runFor(DAY);
		assert.equal(house.state().plan.reason, "reserve");
		const before = service.forecasts.length;
		for (const [index, reserve] of [90, 90, 40].entries()) {
			await house.account({ reserve, fingerprint: `change ${index}` });
			await house.runFor(DAY);
		}
		assert.equal(service.forecasts.length, before);
	});

	it("keeps nothing of ids that only messages name and that there are not", async () => {
		const { service, house, storage } = household(
			"2026-10-02T00:10:00Z",
			limited(250),
		);
		await house.boot();
		for (let index = 0; index < 20; index += 1) {
			const { error } = await house.ask(`made up ${index}`);
			assert.equal(error?.code, "SOLAR_YIELD_NOT_FOUND");
		}
		assert.deepEqual([...storage.sites.keys()], [SITE]);
		assert.equal(service.forecasts.length, 1);
	});

	it("asks nothing more once the account is gone whose limits held", async () => {
		const { service, house } = household("2026-10-02T00:10:00Z", limited(250));
		service.addSite("site-2");
		service.addSite("site-3");
		await house.boot();
		house.listen("site-2", { auto: false });
		house.listen("site-3", { auto: false });
		const asked = [
			house.ask(SITE, { pastDays: 1 }),
			house.ask("site-2", {}, true),
			house.ask("site-3"),
		];
		const past = house.hub.historical(async () => "rows");
		house.hub.removeAccount("account");
		const before = service.forecasts.length;
		const errors = (await Promise.all(asked)).map(({ error }) => error?.code);
		assert.deepEqual(errors.slice(1), [
			"SOLAR_YIELD_INPUT",
			"SOLAR_YIELD_INPUT",
		]);
		await assert.rejects(past, /send the message again/);
		assert.ok(service.forecasts.length <= before + 1);
	});
});
