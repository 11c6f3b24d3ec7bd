import assert from "node:assert/strict";
import type { ForecastSource } from "../../src/polling/source/source";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import {
	ACCOUNT,
	DAY,
	HOUR,
	household,
	KEY,
	MINUTE,
	SECOND,
	SITE,
	shortPlan,
} from "../support/house";

/** A promise and what settles it. */
function gate<T = void>() {
	let open!: (value: T) => void;
	const passed = new Promise<T>((resolve) => {
		open = resolve;
	});
	return { passed, open };
}
const turns = async (count = 30) => {
	for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
	await new Promise((done) => setImmediate(done));
};

const WANTS = [
	{},
	{ pastDays: 3 },
	{ variability: true },
	{ pastDays: 1, variability: true },
	{ auto: false },
];
const PLAN = shortPlan(24, { pastDays: 7, variability: true });

describe("one hub for all who read a forecast", () => {
	it("asks once for five nodes, three deploys and a restart within a slot", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN, {
			thin: false,
		});
		await house.account();
		let listeners = WANTS.map((wants) => house.listen(SITE, wants));
		await house.start();
		for (let deploy = 0; deploy < 3; deploy += 1) {
			await house.runFor(5 * MINUTE);
			for (const { stop } of listeners) stop();
			house.hub.removeAccount("account");
			await house.account();
			listeners = WANTS.map((wants) => house.listen(SITE, wants));
			await house.start();
		}
		house.restart();
		await house.account();
		listeners = WANTS.map((wants) => house.listen(SITE, wants));
		await house.start();
		await house.runFor(30 * MINUTE);
		assert.equal(service.forecasts.length, 1);
		const { query } = service.forecasts[0] as { query: string };
		assert.equal(query, "past_days=3&include=all&include=variability");
		for (const [index, { forecasts }] of listeners.entries()) {
			assert.equal(forecasts.length, WANTS[index]?.auto === false ? 0 : 1);
			for (const { cached } of forecasts) assert.equal(cached, true);
		}
	});

	it("asks for no group nor day that nobody wants", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		const listener = await house.boot();
		listener.stop();
		house.listen(SITE, { pastDays: 5 });
		await house.start();
		await house.runFor(HOUR);
		assert.deepEqual(
			service.forecasts.map(({ query }) => query),
			["include=all", "past_days=5&include=all"],
		);
	});

	it("gives a late node what is known, and no request", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		await house.boot();
		const late = house.listen(SITE);
		await house.start();
		assert.equal(late.forecasts.length, 1);
		assert.equal(late.forecasts[0]?.cached, true);
		assert.equal(service.forecasts.length, 1);
	});

	it("serves who subscribes between load and start, and who starts twice, once", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		const first = await house.boot();
		const late = house.listen(SITE);
		const other = house.hub.start();
		const again = house.hub.start();
		const later = house.listen(SITE);
		await Promise.all([other, again, house.hub.start()]);
		await house.settle();
		await house.runFor(2 * HOUR);
		assert.equal(service.forecasts.length, 3);
		assert.equal(first.forecasts.length, 3);
		for (const { forecasts } of [late, later]) {
			assert.equal(forecasts.length, 3);
			assert.deepEqual(
				forecasts.map(({ cached }) => cached),
				[true, false, false],
			);
		}
	});

	it("asks nothing before all nodes have registered", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		await house.account();
		house.listen(SITE, { pastDays: 2 });
		const asked = house.ask();
		await house.runFor(3 * HOUR);
		await house.account({ fingerprint: "changed" });
		house.hub.siteChanged(SITE);
		await house.runFor(3 * HOUR);
		assert.equal(service.requests.length, 0);
		house.listen(SITE, { pastDays: 6 });
		await house.start();
		assert.equal((await asked).error, undefined);
		assert.equal(service.forecasts.length, 1);
		assert.match(service.forecasts[0]?.query ?? "", /past_days=6/);
	});

	it("lets a request outlive its deploy, and keeps the answer", async () => {
		const { service, house, clock } = household("2026-06-01T10:05:00Z", PLAN);
		const { passed, open } = gate();
		service.fault = async (request, answer) => {
			if (request.path.startsWith("/v2/forecast/")) await passed;
			return answer(request);
		};
		await house.account();
		const before = house.listen(SITE);
		await house.hub.start();
		await turns();
		assert.equal(service.forecasts.length, 1);
		before.stop();
		assert.equal(clock.timers, 0);
		const after = house.listen(SITE);
		const started = house.hub.start();
		await turns();
		open();
		await started;
		await house.settle();
		assert.equal(before.forecasts.length, 0);
		assert.equal(after.forecasts.length, 1);
		assert.equal(service.forecasts.length, 1);
		house.restart();
		const third = await house.boot();
		assert.equal(third.forecasts.length, 1);
		assert.equal(service.forecasts.length, 1);
	});

	it("sends a node that registers during a request the answer once, at its start", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		const { passed, open } = gate();
		service.fault = async (request, answer) => {
			if (request.path.startsWith("/v2/forecast/")) await passed;
			return answer(request);
		};
		await house.account();
		house.listen(SITE);
		await house.hub.start();
		await turns();
		assert.equal(service.forecasts.length, 1);
		const late = house.listen(SITE);
		open();
		await house.settle();
		assert.equal(late.forecasts.length, 0);
		await house.start();
		assert.equal(late.forecasts.length, 1);
	});

	it("leaves no timer and calls nobody when all are gone", async () => {
		const { service, house, clock } = household("2026-06-01T10:05:00Z", PLAN);
		const { passed, open } = gate();
		const one = await house.boot();
		const other = house.listen(SITE);
		await house.start();
		await house.runFor(54 * MINUTE);
		service.fault = async (request, answer) => {
			await passed;
			return answer(request);
		};
		void clock.runTo("2026-06-01T11:01:00Z", turns);
		while (service.forecasts.length < 2) await turns();
		const calls = [one, other].map((listener) => ({ ...listener }));
		one.stop();
		other.stop();
		other.stop();
		assert.equal(clock.timers, 0);
		open();
		await house.settle();
		assert.equal(clock.timers, 0);
		await house.runFor(DAY);
		for (const [index, listener] of [one, other].entries()) {
			assert.equal(listener.changes, calls[index]?.changes);
			assert.equal(listener.forecasts.length, 1);
			assert.equal(listener.midnights.length, 0);
		}
		assert.equal(service.forecasts.length, 2);
	});

	it("leaves no timer after asks without any node", async () => {
		const { house, clock } = household("2026-06-01T10:05:00Z", PLAN);
		await house.start();
		await house.ask();
		await house.ask(SITE, {}, true);
		await house.settle();
		assert.equal(clock.timers, 0);
	});

	it("calls nobody who unsubscribed in another one's callback", async () => {
		const { house } = household("2026-06-01T10:05:00Z", PLAN);
		await house.account();
		let stop = () => {};
		let called = 0;
		const base = {
			auto: true,
			interval: "end" as const,
			pastDays: 0,
			variability: false,
			onFailure() {},
			onChange() {},
			onMidnight() {},
		};
		const source: ForecastSource = { kind: "site", key: SITE };
		house.hub.subscribe(source, { ...base, onForecast: () => stop() });
		stop = house.hub.subscribe(source, {
			...base,
			onForecast: () => {
				called += 1;
			},
		});
		await house.start();
		await house.runFor(2 * HOUR);
		assert.equal(called, 0);
	});

	it("goes on when a node throws", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		await house.account();
		const bad = house.listen(SITE);
		const good = house.listen(SITE);
		bad.onForecast =
			bad.onChange =
			bad.onMidnight =
				() => {
					throw new Error("of a node");
				};
		await house.start();
		await house.runFor(2 * DAY);
		assert.equal(service.forecasts.length, 49);
		assert.equal(good.forecasts.length, 49);
		assert.equal(good.midnights.length, 2);
		assert.equal(house.state().failure, null);
		assert.match(house.reports[0] ?? "", /of a node/);
	});

	it("polls a site again at once when it was changed, in the middle of a request too", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		const listener = await house.boot();
		await house.runFor(10 * MINUTE);
		house.hub.siteChanged(SITE);
		await house.settle();
		assert.equal(service.forecasts.length, 2);
		const { passed, open } = gate();
		service.fault = async (request, answer) => {
			const result = await answer(request);
			if (request.path.startsWith("/v2/forecast/")) await passed;
			return result;
		};
		house.hub.siteChanged(SITE);
		await turns();
		service.fault = undefined;
		house.hub.siteChanged(SITE);
		open();
		await house.settle();
		await house.settle();
		assert.equal(service.forecasts.length, 4);
		await house.runFor(30 * MINUTE);
		assert.equal(service.forecasts.length, 4);
		assert.ok(listener.forecasts.length >= 1);
	});

	it("remembers a change over a restart and through a failure", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		await house.boot();
		service.fault = async () => {
			throw new SolarYieldError("NETWORK", "down; wait");
		};
		house.hub.siteChanged(SITE);
		await house.settle();
		house.restart();
		service.fault = undefined;
		await house.boot();
		await house.runFor(2 * MINUTE);
		// The first, the one that failed, and its retry.
		assert.equal(service.forecasts.length, 3);
		assert.equal(house.state().plan.reason, "next_poll_at");
	});

	it("hands a forecast on under the interval of the account", async () => {
		const { house } = household("2026-06-01T10:05:00Z", PLAN);
		const listener = await house.boot();
		const first = () => house.state().forecast?.values.starts[0] as number;
		const end = first();
		await house.account({ interval: "start", fingerprint: "b" });
		assert.equal(first(), end + 15 * MINUTE);
		assert.equal(house.state().forecast?.interval, "start");
		house.restart();
		await house.boot(SITE, { interval: "start" });
		assert.equal(first(), end + 15 * MINUTE);
		assert.equal(listener.forecasts.length, 1);
	});

	it("takes no harm from site ids that are names of other things", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		await house.account();
		await house.start();
		for (const id of [
			"__proto__",
			"constructor",
			"toString",
			"hasOwnProperty",
		]) {
			house.hub.siteChanged(id);
			const { error } = await house.ask(id);
			assert.equal(error?.code, "SOLAR_YIELD_NOT_FOUND");
		}
		assert.equal(({} as Record<string, unknown>).requestedAt, undefined);
		assert.equal(({} as Record<string, unknown>).failure, undefined);
		assert.equal(service.simulator.requests.length, service.requests.length);
		const before = service.requests.length;
		house.restart();
		await house.account();
		await house.start();
		for (const id of ["__proto__", "constructor"]) {
			const { error } = await house.ask(id);
			assert.equal(error?.code, "SOLAR_YIELD_NOT_FOUND");
		}
		assert.equal(house.state(SITE).failure, null);
		// One free read each.
		assert.equal(service.requests.length, before + 2);
		assert.equal(service.forecasts.length, 0);
	});
});

describe("inline forecasts", () => {
	const inline = (slope: number, hours = 6): ForecastSource => ({
		kind: "inline",
		key: "inline-n1",
		system: {
			latitude: 52.5,
			longitude: 13.4,
			strings: [{ slope, orientation: 180, power_kw: 5 }],
		},
		intervalMs: hours * HOUR,
	});

	it("are asked in their interval, over restarts", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		const first = await house.boot(inline(30));
		await house.runFor(13 * HOUR);
		house.restart();
		const second = await house.boot(inline(30));
		await house.runFor(12 * HOUR);
		assert.equal(service.forecasts.length, 5);
		assert.equal(first.forecasts.length, 3);
		assert.equal(second.forecasts.length, 3);
		assert.equal(service.reads.length <= 4, true);
	});

	it("never use an edited system's old forecast", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		const first = await house.boot(inline(30));
		first.stop();
		const second = house.listen(inline(45));
		await house.start();
		assert.equal(service.forecasts.length, 2);
		assert.equal(second.forecasts.length, 1);
		assert.equal(second.forecasts[0]?.cached, false);
		house.restart();
		const third = await house.boot(inline(60));
		assert.equal(service.forecasts.length, 3);
		assert.equal(third.forecasts[0]?.cached, false);
	});

	it("forget a rejected system once it is mended, over a restart too", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		const first = await house.boot(inline(500));
		await house.runFor(HOUR);
		assert.equal(service.forecasts.length, 1);
		assert.equal(first.failures[0]?.code, "SOLAR_YIELD_INPUT");
		house.restart();
		const second = await house.boot(inline(30));
		assert.equal(second.forecasts.length, 1);
		assert.equal(service.forecasts.length, 2);
	});

	it("take over an edited interval", async () => {
		const { service, house } = household("2026-06-01T10:05:00Z", PLAN);
		const first = await house.boot(inline(30, 6));
		first.stop();
		house.listen(inline(30, 1));
		await house.start();
		await house.runFor(3 * HOUR + MINUTE);
		assert.equal(service.forecasts.length, 4);
	});
});

describe("accounts that come and go", () => {
	it("asks nothing without an account's limits, in the middle of a deploy", async () => {
		const { service, house } = household(
			"2026-10-02T00:10:00Z",
			shortPlan(96, { forecastRequests: 3000 }),
		);
		await house.boot(SITE, { budget: 1 });
		house.hub.removeAccount("account");
		await house.runFor(2 * DAY);
		assert.equal(service.forecasts.length, 1);
		await house.account({ budget: 2 });
		await house.ask(SITE, {}, true);
		assert.equal(service.forecasts.length, 2);
	});

	it("does not lift a gate for an account it sees for the first time", async () => {
		const { service, house } = household(
			"2026-10-02T00:10:00Z",
			shortPlan(96, { forecastRequests: 50 }),
		);
		await house.boot(SITE, { reserve: 0 });
		service.simulator.spend(KEY, 1000);
		await house.runFor(28 * DAY);
		assert.equal(service.forecasts.length, 2);
		await house.account({ reserve: 0 }, "copy");
		await house.account({ ...ACCOUNT, reserve: 0 });
		house.restart();
		await house.boot(SITE, { reserve: 0 });
		await house.runFor(HOUR + SECOND);
		assert.equal(service.forecasts.length, 2);
	});
});
