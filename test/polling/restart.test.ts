import assert from "node:assert/strict";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import {
	DAY,
	HOUR,
	household,
	KEY,
	MINUTE,
	SECOND,
	SITE,
	shortPlan,
	wireAnswer,
} from "../support/house";

type Parts = ReturnType<typeof household>;
const START = "2026-06-01T10:05:00Z";
const isForecast = ({ path }: { path: string }) =>
	path.startsWith("/v2/forecast/");
const turns = async () => {
	for (let turn = 0; turn < 5; turn += 1) {
		await new Promise((done) => setImmediate(done));
	}
};
const answerWith =
	({ service, clock }: Parts, status: number, body: unknown = "no") =>
	(headers: Record<string, string> = {}) => {
		service.fault = async (request, answer) =>
			isForecast(request)
				? wireAnswer(clock, status, body, headers)
				: answer(request);
	};

describe("a restart changes nothing", () => {
	const states: [string, (parts: Parts) => unknown][] = [
		["while all is well", () => {}],
		["after a failure of the service", (parts) => answerWith(parts, 503)()],
		[
			"without a network",
			({ service }) => {
				service.fault = async () => {
					throw new SolarYieldError("NETWORK", "down; wait");
				};
			},
		],
		[
			"after a 401",
			({ service, clock }) => {
				service.fault = async () => wireAnswer(clock, 401, "no such key");
			},
		],
		["after a 404", (parts) => answerWith(parts, 404)()],
		["after a 403 of the plan", (parts) => answerWith(parts, 403)()],
		["after a 422", (parts) => answerWith(parts, 422)()],
		[
			"after a 429 of the month",
			({ service }) => service.simulator.spend(KEY, 1e9),
		],
		[
			"after a burst limit",
			(parts) => answerWith(parts, 429)({ "retry-after": "5000" }),
		],
		["at the reserve", ({ service }) => service.simulator.spend(KEY, 2900)],
		[
			"without a poll time",
			({ service }) => {
				service.fault = async (request, answer) => {
					const result = await answer(request);
					const body = result.body.replace(/"next_poll_at":"[^"]*",/, "");
					return { ...result, body };
				};
			},
		],
	];
	for (const [what, begin] of states) {
		it(what, async () => {
			const run = async (restarts: boolean) => {
				const parts = household(
					START,
					shortPlan(4, { forecastRequests: 3000 }),
				);
				const { house, service } = parts;
				let listener = await house.boot();
				begin(parts);
				for (let hour = 0; hour < 48; hour += 1) {
					await house.runFor(HOUR);
					if (!restarts) continue;
					const known = house.state();
					house.restart();
					listener = await house.boot();
					const { plan, failure, quota, own, head } = house.state();
					// Without a network there is nothing that could be asked right now.
					if (plan.at === known.plan.at) {
						assert.deepEqual(plan, known.plan);
						assert.deepEqual(failure, known.failure);
						assert.deepEqual(quota, known.quota);
					}
					assert.equal(own, known.own);
					assert.deepEqual(head, known.head);
					assert.equal(listener.forecasts.length, 1);
					assert.equal(listener.forecasts[0]?.cached, true);
				}
				return service.forecasts.map(({ at, query }) => ({ at, query }));
			};
			const without = await run(false);
			const withRestarts = await run(true);
			if (what === "without a network") {
				// The free read that sets the clock after a start fails instead.
				assert.ok(withRestarts.length <= without.length);
				return;
			}
			assert.equal(withRestarts.length, without.length);
			for (const [index, { at, query }] of withRestarts.entries()) {
				assert.equal(query, without[index]?.query);
				assert.ok(Math.abs(at - (without[index]?.at ?? 0)) < 2 * MINUTE);
			}
		});
	}
});

describe("a crash loop", () => {
	/** Crashes at each start, where told. */
	async function loop(
		where: "before the answer" | "while the answer is handled" | "after",
		pause: number,
		starts: number,
	) {
		const parts = household(START, shortPlan(24));
		const { house, service, storage } = parts;
		let crash = false;
		service.fault = async (request, answer) => {
			if (where === "before the answer" && isForecast(request)) house.kill();
			return answer(request);
		};
		storage.onSave = (what) => {
			const here = where === "while the answer is handled" && what === "answer";
			if (here || crash) house.kill();
			if (here || crash) throw new Error("the process has ended");
		};
		for (let start = 0; start < starts; start += 1) {
			if (start > 0) house.restart();
			await house.account();
			const listener = house.listen(SITE);
			if (where === "after") {
				listener.onForecast = () => house.kill();
			}
			void house.hub.start();
			await turns();
			crash = false;
			await house.clock.runTo(house.clock.time + pause, turns);
			house.kill();
		}
		return service;
	}
	for (const where of [
		"before the answer",
		"while the answer is handled",
		"after",
	] as const) {
		it(`of 50 starts that end ${where} makes one request`, async () => {
			const service = await loop(where, 10 * SECOND, 50);
			assert.equal(service.forecasts.length, 1);
			assert.equal(service.reads.length <= 2, true);
		});
	}

	it("of days asks ever less often", async () => {
		const service = await loop("before the answer", 5 * MINUTE, 2 * 12 * 24);
		// After 15 minutes four times, then 16, 32, and each hour.
		assert.ok(service.forecasts.length <= 7 + 47);
		assert.ok(service.forecasts.length >= 40);
	});

	it("asks no more often when some of its ends are in good order", async () => {
		for (const order of [[true], [true, false], [false, true]]) {
			const parts = household(START, shortPlan(24));
			const { house, service } = parts;
			// The free read is answered, the forecast never.
			service.fault = (request, answer) =>
				isForecast(request) ? new Promise(() => {}) : answer(request);
			for (let start = 0; start < 50; start += 1) {
				if (start > 0) house.restart();
				await house.account();
				house.listen(SITE);
				void house.hub.start();
				await turns();
				await house.clock.runTo(house.clock.time + 2 * SECOND, turns);
				if (order[start % order.length]) {
					house.hub.removeAccount("account");
					await house.hub.flush();
				}
				house.kill();
			}
			// 100 seconds: at once, and once more.
			assert.ok(service.forecasts.length <= 2, `${service.forecasts.length}`);
		}
	});

	it("of the free read makes no forecast request", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		service.fault = (_request, answer) => {
			house.kill();
			return answer(_request);
		};
		for (let start = 0; start < 20; start += 1) {
			if (start > 0) house.restart();
			await house.account();
			house.listen(SITE);
			void house.hub.start();
			await turns();
			house.clock.sleep(10 * SECOND);
		}
		assert.equal(service.forecasts.length, 0);
	});
});

describe("a stop while a request is under way", () => {
	/** Stops while a request is under way, as Node-RED does. */
	async function stopWhileAsking({ house, service }: Parts) {
		service.fault = (request, answer) =>
			isForecast(request) ? new Promise(() => {}) : answer(request);
		await house.account();
		house.listen(SITE);
		void house.hub.start();
		await turns();
		const { length } = service.forecasts;
		house.hub.removeAccount("account");
		await house.hub.flush();
		service.fault = undefined;
		house.restart();
		return length;
	}

	it("again and again costs ever longer waits", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		for (let day = 0; day < 3 * 24 * 12; day += 1) {
			await stopWhileAsking(parts);
			await house.clock.runTo(house.clock.time + 5 * MINUTE, turns);
		}
		assert.ok(service.forecasts.length <= 8 + 3 * 24);
	});

	it("waits like any interrupted request", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		await house.boot();
		await house.runTo("2026-06-01T11:01:00Z");
		house.kill();
		house.restart();
		await house.clock.runTo("2026-06-01T12:02:00Z", turns);
		assert.equal(await stopWhileAsking(parts), 3);
		await house.boot();
		await house.runFor(14 * MINUTE);
		assert.equal(service.forecasts.length, 3);
		await house.runFor(2 * MINUTE);
		assert.equal(service.forecasts.length, 4);
	});
});

describe("what a start finds", () => {
	for (const file of ["site", "account"] as const) {
		it(`is the answer, when the process ended before the ${file} was written`, async () => {
			const parts = household(START, shortPlan(24));
			const { house, service, storage } = parts;
			let answered = false;
			storage.onSave = (what) => {
				if (answered && what === file) {
					house.kill();
					throw new Error("the process has ended");
				}
				answered ||= what === "answer";
			};
			await house.account();
			house.listen(SITE);
			void house.hub.start();
			await turns();
			storage.onSave = () => {};
			house.restart();
			const listener = await house.boot();
			assert.equal(listener.forecasts.length, 1);
			assert.equal(house.state().failure, null);
			await house.runFor(30 * MINUTE);
			assert.equal(service.forecasts.length, 1);
			await house.runFor(HOUR);
			assert.equal(service.forecasts.length, 2);
		});
	}

	it("without its forecast is asked for anew, once, and not at each start", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, storage } = parts;
		await house.boot();
		await house.runFor(MINUTE);
		for (let times = 0; times < 5; times += 1) {
			storage.answers.clear();
			house.restart();
			await house.boot();
			await house.runFor(2 * MINUTE);
		}
		assert.equal(service.forecasts.length, 1);
		house.restart();
		const listener = await house.boot();
		await house.runFor(10 * MINUTE);
		assert.equal(service.forecasts.length, 2);
		assert.equal(listener.forecasts[0]?.cached, false);
	});

	it("of a forecast that is none any more is set aside, and asked for anew", async () => {
		for (const body of ["", "{", "null", "[]", '{"values":[]}']) {
			const parts = household(START, shortPlan(24));
			const { house, service, storage } = parts;
			await house.boot();
			await house.runFor(MINUTE);
			const kept = storage.answers.get(SITE);
			assert.ok(kept);
			storage.answers.set(SITE, { ...kept, body });
			house.restart();
			await house.boot();
			await house.runFor(15 * MINUTE);
			assert.equal(service.forecasts.length, 2);
			assert.ok(house.state().forecast);
		}
	});

	for (const lost of ["account", "site", "both"]) {
		it(`without its account or site (${lost}) still knows when the forecast is due`, async () => {
			const parts = household(START, shortPlan(24));
			const { house, service, storage } = parts;
			await house.boot();
			await house.runFor(MINUTE);
			if (lost !== "site") storage.account = undefined;
			if (lost !== "account") storage.sites.clear();
			house.restart();
			await house.boot();
			await house.runFor(30 * MINUTE);
			assert.equal(service.forecasts.length, 1);
			await house.runFor(DAY);
			assert.equal(service.forecasts.length, 25);
		});
	}
});
