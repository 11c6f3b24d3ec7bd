import assert from "node:assert/strict";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import {
	DAY,
	HOUR,
	type House,
	household,
	KEY,
	MINUTE,
	SECOND,
	SITE,
	shortPlan,
	wireAnswer,
} from "../support/house";

const PLAN = shortPlan(24, { pastDays: 30, variability: true });
const START = "2026-06-01T10:05:00Z";
const down = async () => {
	throw new SolarYieldError("NETWORK", "down; wait");
};

/** Asks once every `step` ms for a time; all that was answered. */
async function askEvery(
	house: House,
	step: number,
	length: number,
	...[source, wants, refresh]: Parameters<House["ask"]>
) {
	const answers = [];
	for (let passed = 0; passed < length; passed += step) {
		answers.push(await house.ask(source, wants, refresh));
		await house.settle();
		await house.runFor(step);
	}
	return answers;
}

describe("an input", () => {
	it("into an auto node makes no request more than the schedule", async () => {
		const { service, house } = household(START, PLAN);
		const listener = await house.boot();
		const answers = await askEvery(house, MINUTE, DAY);
		assert.equal(service.forecasts.length, 25);
		assert.equal(listener.forecasts.length, 25);
		for (const { state, cached, error } of answers) {
			assert.ok(state?.forecast);
			assert.equal(cached, true);
			assert.equal(error, undefined);
		}
	});

	it("for a site that nobody knows costs no request", async () => {
		const { service, house } = household(START, PLAN);
		await house.boot();
		const before = service.forecasts.length;
		for (const id of ["one", "two", "one"]) {
			const { state, error } = await house.ask(id);
			assert.equal(state, undefined);
			assert.equal(error?.code, "SOLAR_YIELD_NOT_FOUND");
		}
		assert.equal(service.forecasts.length, before);
	});

	it("into an auto node waits for the first forecast, and joins its request", async () => {
		const { service, house } = household(START, PLAN);
		await house.account();
		house.listen(SITE);
		const asked = [house.ask(), house.ask(SITE, {}, true), house.ask()];
		await house.start();
		for (const { state, error, cached } of await Promise.all(asked)) {
			assert.ok(state);
			assert.equal(error, undefined);
			assert.equal(cached, false);
		}
		assert.equal(service.forecasts.length, 1);
	});

	it("into a manual node makes one request per next_poll_at", async () => {
		const { service, house } = household(START, PLAN);
		await house.account();
		const listener = house.listen(SITE, { auto: false });
		await house.start();
		await house.runFor(5 * HOUR);
		assert.equal(service.requests.length, 0);
		assert.equal(house.state().plan.at, null);
		const answers = await askEvery(house, MINUTE, DAY);
		assert.equal(service.forecasts.length, 25);
		assert.equal(answers.filter(({ cached }) => !cached).length, 25);
		assert.equal(listener.forecasts.length, 0);
	});

	it("into a manual node shares with an auto node of a copied account", async () => {
		const { service, house } = household(START, PLAN);
		await house.account({}, "one");
		await house.account({}, "copy");
		house.listen(SITE);
		house.listen(SITE, { auto: false });
		await house.start();
		await askEvery(house, MINUTE, DAY);
		assert.equal(service.forecasts.length, 25);
	});

	it("into a manual node is not misled by a clock that was set forward", async () => {
		const { service, house, clock } = household(START, PLAN);
		await house.account();
		house.listen(SITE, { auto: false });
		await house.start();
		await house.ask();
		clock.wallError = 2 * HOUR;
		await askEvery(house, MINUTE, 30 * MINUTE);
		assert.equal(service.forecasts.length, 1);
	});

	it("asks for more past days once, and keeps them up for a day", async () => {
		const { service, house } = household(START, PLAN);
		await house.boot();
		await house.runFor(10 * MINUTE);
		await askEvery(house, MINUTE, 12 * HOUR, SITE, { pastDays: 7 });
		assert.equal(service.forecasts.length, 14);
		for (const { query } of service.forecasts.slice(1)) {
			assert.match(query, /past_days=7/);
		}
		// Asked no more, they are left out a day later; asked again, they cost one.
		await house.runFor(25 * HOUR);
		assert.doesNotMatch(service.forecasts.at(-1)?.query ?? "", /past_days/);
		const before = service.forecasts.length;
		await askEvery(house, MINUTE, 30 * MINUTE, SITE, { pastDays: 2 });
		assert.equal(service.forecasts.length, before + 1);
		house.restart();
		await house.boot();
		await askEvery(house, MINUTE, 10 * MINUTE, SITE, { pastDays: 2 });
		assert.equal(service.forecasts.length, before + 1);
	});

	it("does not ask again for past days that the plan caps", async () => {
		const { service, house } = household(START, shortPlan(24, { pastDays: 1 }));
		await house.boot();
		await house.runFor(MINUTE);
		await askEvery(house, MINUTE, 40 * MINUTE, SITE, { pastDays: 30 });
		assert.equal(service.forecasts.length, 2);
	});

	it("asks for the band once, also of a service that leaves it out", async () => {
		for (const leaveOut of [false, true]) {
			const { service, house } = household(START, PLAN);
			service.fault = async (request, answer) => {
				const query = (request.query ?? []).filter(
					([, value]) => !leaveOut || value !== "variability",
				);
				return answer({ ...request, query });
			};
			await house.boot();
			await house.runFor(MINUTE);
			await askEvery(house, MINUTE, 30 * MINUTE, SITE, { variability: true });
			assert.equal(service.forecasts.length, 2);
		}
	});

	it("does not ask for the band where the plan has none", async () => {
		const { service, house } = household(START, {
			...PLAN,
			variability: false,
		});
		await house.boot();
		await house.runFor(MINUTE);
		const answers = await askEvery(house, MINUTE, 3 * HOUR, SITE, {
			variability: true,
		});
		assert.equal(service.forecasts.length, 4);
		assert.ok(service.forecasts.every(({ query }) => query === "include=all"));
		for (const { error } of answers) assert.equal(error, undefined);
	});

	it("for past days follows the waits while requests fail", async () => {
		const { service, house } = household(START, shortPlan(1, { pastDays: 30 }));
		await house.boot();
		await house.runFor(MINUTE);
		service.fault = down;
		await askEvery(house, 10 * SECOND, 3 * HOUR, SITE, { pastDays: 7 });
		// At once, then after 1, 2, 4, 8, 16, 32 and 60 minutes.
		assert.equal(service.forecasts.length, 1 + 8);
		// A failed extra does not bring the next poll forward.
		service.fault = undefined;
		const before = service.forecasts.length;
		await house.runFor(6 * HOUR);
		assert.equal(service.forecasts.length, before);
		await house.runTo("2026-06-01T22:01:00Z");
		assert.equal(service.forecasts.length, before + 1);
	});

	it("answers with what is known while everything fails", async () => {
		const { service, house } = household(START, PLAN);
		await house.boot();
		service.fault = down;
		await house.runFor(5 * HOUR);
		const { state, error, cached } = await house.ask();
		assert.ok(state?.stale);
		assert.equal(cached, true);
		assert.equal(error, undefined);
		assert.equal(state?.failure?.kind, "NETWORK");
	});

	it("answers with the failure where nothing is known", async () => {
		const { service, house, clock } = household(START, PLAN);
		service.fault = down;
		await house.boot();
		await house.runFor(10 * SECOND);
		const { state, error } = await house.ask();
		assert.equal(state, undefined);
		assert.equal(error?.code, "SOLAR_YIELD_NETWORK");
		assert.ok(Date.parse(error?.cause.retry_at ?? "") > clock.time);
		assert.equal(service.forecasts.length, 1);
		assert.equal(service.reads.length, 1);
	});

	const holds: [
		string,
		RegExp,
		(parts: ReturnType<typeof household>) => unknown,
	][] = [
		["a budget of 0", /budget/, ({ house }) => house.account({ budget: 0 })],
		[
			"the reserve",
			/reserve/,
			async ({ house, service }) => {
				// Another site's answer tells of the quota.
				service.simulator.spend(KEY, 2899);
				await house.account();
				await house.start();
				await house.ask("other");
			},
		],
	];
	for (const [what, text, hold] of holds) {
		it(`is told of ${what} that holds the first request`, async () => {
			const parts = household(START, shortPlan(24, { forecastRequests: 3000 }));
			const { house, service, clock } = parts;
			service.addSite("other");
			await hold(parts);
			for (const auto of [true, false]) {
				const { stop } = house.listen(SITE, { auto });
				await house.start();
				await house.runFor(MINUTE);
				const before = service.forecasts.length;
				for (const refresh of [false, true]) {
					const { state, error } = await house.ask(SITE, {}, refresh);
					assert.equal(state, undefined);
					assert.equal(error?.code, "SOLAR_YIELD_QUOTA");
					assert.match(error?.message ?? "", text);
					const retryAt = Date.parse(error?.cause.retry_at ?? "");
					assert.ok(retryAt > clock.time);
				}
				assert.equal(service.forecasts.length, before);
				stop();
			}
		});
	}

	it("whose nodes are gone meanwhile still gets its answer", async () => {
		const { service, house, clock } = household(START, PLAN);
		await house.account();
		const listener = house.listen(SITE);
		service.fault = async (request, answer) => {
			await new Promise((done) => setImmediate(done));
			return answer(request);
		};
		const started = house.hub.start();
		const asked = house.ask();
		await new Promise((done) => setImmediate(done));
		listener.stop();
		const { state } = await asked;
		await started;
		await house.settle();
		assert.ok(state);
		assert.equal(service.forecasts.length, 1);
		assert.equal(clock.timers, 0);
	});
});

describe("msg.refresh", () => {
	it("once a second makes one request a minute at most", async () => {
		const { service, house } = household(START, PLAN);
		await house.boot();
		const answers = await askEvery(house, SECOND, 10 * MINUTE, SITE, {}, true);
		assert.ok(service.forecasts.length <= 11);
		assert.ok(service.forecasts.length >= 10);
		for (const { error, state } of answers) {
			assert.equal(error, undefined);
			assert.ok(state);
		}
		for (const [index, { at }] of service.forecasts.entries()) {
			const before = service.forecasts[index - 1];
			if (before) assert.ok(at - before.at >= MINUTE);
		}
	});

	it("brings the site's new name, with one free read", async () => {
		const { service, house } = household(START, PLAN);
		await house.boot();
		await house.runFor(10 * MINUTE);
		service.send("PATCH", `/v2/sites/${SITE}`, { name: "Old barn" });
		const name = async (refresh: boolean) =>
			(await house.ask(SITE, {}, refresh)).state?.site?.name;
		const reads = service.reads.length;
		assert.notEqual(await name(false), "Old barn");
		assert.equal(service.reads.length, reads);
		assert.equal(await name(true), "Old barn");
		assert.equal(service.reads.length, reads + 1);
	});

	it("from many nodes at one time makes one request", async () => {
		const { service, house } = household(START, PLAN);
		await house.boot();
		await house.runFor(10 * MINUTE);
		const answers = await Promise.all(
			Array.from({ length: 20 }, () => house.ask(SITE, {}, true)),
		);
		assert.equal(service.forecasts.length, 2);
		assert.ok(answers.every(({ cached, error }) => !cached && !error));
	});

	it("once a second makes one attempt a minute while every one fails", async () => {
		for (const auto of [true, false]) {
			const { service, house } = household(START, PLAN);
			await house.account();
			house.listen(SITE, { auto });
			await house.start();
			await house.ask();
			const before = service.requests.length;
			service.fault = down;
			await house.runFor(2 * MINUTE);
			const answers = await askEvery(
				house,
				SECOND,
				10 * MINUTE,
				SITE,
				{},
				true,
			);
			assert.ok(service.requests.length - before <= 11);
			for (const { error } of answers) {
				assert.equal(error?.code, "SOLAR_YIELD_NETWORK");
			}
		}
	});

	it("does not bring polls forward when it fails", async () => {
		const { service, house } = household(START, shortPlan(1));
		await house.boot();
		await house.runFor(5 * MINUTE);
		service.fault = down;
		const { error } = await house.ask(SITE, {}, true);
		assert.equal(error?.code, "SOLAR_YIELD_NETWORK");
		service.fault = undefined;
		await house.runFor(8 * HOUR);
		assert.equal(service.forecasts.length, 2);
		assert.equal(house.state().plan.reason, "next_poll_at");
	});

	it("that fails tells from when on it may be tried again, however late the next poll is", async () => {
		for (const [status, wait] of [
			[0, MINUTE],
			[500, MINUTE],
			[429, 3 * MINUTE],
		] as const) {
			const { clock, service, house } = household(START, shortPlan(1));
			await house.boot();
			await house.runFor(5 * MINUTE);
			service.fault = status
				? async () => wireAnswer(clock, status, "", { "retry-after": "180" })
				: down;
			const { error } = await house.ask(SITE, {}, true);
			const retryAt = Date.parse(error?.cause.retry_at ?? "");
			assert.ok(
				Math.abs(retryAt - clock.time - wait) < 5 * SECOND,
				`${error?.message}: ${error?.cause.retry_at}`,
			);
			service.fault = undefined;
			await house.runFor(retryAt - clock.time + SECOND);
			const again = await house.ask(SITE, {}, true);
			assert.equal(again.error, undefined);
			assert.equal(again.cached, false);
		}
	});

	it("makes one attempt a minute over restarts in between", async () => {
		const { service, house } = household(START, PLAN);
		await house.boot();
		await house.runFor(10 * MINUTE);
		service.fault = () => new Promise(() => {});
		for (let start = 0; start < 30; start += 1) {
			void house.ask(SITE, {}, true);
			await new Promise((done) => setImmediate(done));
			house.restart();
			await house.boot();
			await house.runFor(SECOND);
		}
		assert.equal(service.forecasts.length, 2);
	});

	const shut: [
		string,
		string,
		(parts: ReturnType<typeof household>) => Promise<unknown>,
	][] = [
		[
			"a 429 with headers",
			"SOLAR_YIELD_QUOTA",
			async ({ service, house }) => {
				service.simulator.spend(KEY, 1e9);
				await house.ask(SITE, {}, true);
			},
		],
		[
			"a 429 without headers",
			"SOLAR_YIELD_RATE",
			async ({ service, house, clock }) => {
				service.fault = async () =>
					wireAnswer(clock, 429, "slow down", { "retry-after": "3000" });
				await house.ask(SITE, {}, true);
			},
		],
		[
			"a 401",
			"SOLAR_YIELD_AUTH",
			async ({ service, house, clock }) => {
				service.fault = async () => wireAnswer(clock, 401, "no such key");
				await house.ask(SITE, {}, true);
			},
		],
		[
			"the reserve",
			"SOLAR_YIELD_QUOTA",
			async ({ house }) => house.account({ reserve: 2999 }),
		],
		[
			"the budget",
			"SOLAR_YIELD_QUOTA",
			async ({ house }) => house.account({ budget: 1 }),
		],
	];
	for (const [what, code, shutGate] of shut) {
		it(`makes no request behind ${what}`, async () => {
			const parts = household(
				START,
				shortPlan(1, { forecastRequests: 3000, pastDays: 3 }),
			);
			const { house, service, clock } = parts;
			await house.boot();
			await house.runFor(5 * MINUTE);
			await shutGate(parts);
			await house.runFor(MINUTE);
			const before = service.requests.length;
			const answers = [
				...(await askEvery(house, SECOND, 2 * MINUTE, SITE, {}, true)),
				...(await askEvery(house, MINUTE, 10 * MINUTE, SITE, {}, true)),
				...(await askEvery(house, MINUTE, 10 * MINUTE, "other", {}, true)),
			];
			assert.equal(service.requests.length, before);
			for (const { error } of answers) {
				assert.equal(error?.code, code);
				assert.equal(error?.cause.code, code);
				assert.ok(Date.parse(error?.cause.retry_at ?? "") > clock.time - DAY);
			}
			const [first] = answers;
			assert.ok(Date.parse(first?.error?.cause.retry_at ?? "") > clock.time);
			assert.ok(first?.state, "the last good forecast is there all the same");
			// Asking for more than is known makes no request either.
			await askEvery(house, MINUTE, 5 * MINUTE, SITE, { pastDays: 3 });
			assert.equal(service.requests.length, before);
		});
	}

	/** Fails forecasts alone; the free reads tell what they do. */
	const refuse = (
		{ service, clock }: ReturnType<typeof household>,
		status: number,
		body: unknown,
	) => {
		service.fault = async (request, answer) =>
			request.path.startsWith("/v2/forecast/")
				? wireAnswer(clock, status, body)
				: answer(request);
	};
	type Case = [
		what: string,
		code: string,
		shut: (parts: ReturnType<typeof household>) => unknown,
		/** What ends it, as the free read shows it; null where that shows nothing. */
		end: ((parts: ReturnType<typeof household>) => unknown) | null,
	];
	const changeStrings = ({ service }: ReturnType<typeof household>) =>
		service.send("PATCH", `/v2/sites/${SITE}`, {
			strings: [{ slope: 10, orientation: 90, power_kw: 3 }],
		});
	const gates: Case[] = [
		[
			"the plan's 403",
			"SOLAR_YIELD_PLAN",
			({ service }) =>
				service.simulator.setPlan(
					KEY,
					shortPlan(24, { forecastAccess: false }),
				),
			null,
		],
		[
			"a 422",
			"SOLAR_YIELD_INPUT",
			(parts) => refuse(parts, 422, { detail: "slope" }),
			changeStrings,
		],
		[
			"a 400",
			"SOLAR_YIELD_INPUT",
			(parts) => refuse(parts, 400, { detail: "no" }),
			changeStrings,
		],
		[
			"a deleted site",
			"SOLAR_YIELD_NOT_FOUND",
			({ service }) => service.send("DELETE", `/v2/sites/${SITE}`),
			({ service }) => service.send("POST", `/sites/${SITE}/restore`),
		],
		[
			"an inactive site",
			"SOLAR_YIELD_PLAN",
			({ service }) => {
				service.addSite("older");
				service.simulator.setPlan(KEY, shortPlan(24, { siteLimit: 0 }));
			},
			({ service }) => service.simulator.setPlan(KEY, shortPlan(24)),
		],
	];
	for (const [what, code, shut, end] of gates) {
		it(`behind ${what} reads the site a minute at most, and asks once that shows a change`, async () => {
			const parts = household(START, shortPlan(24));
			const { house, service } = parts;
			await house.boot();
			await house.runFor(10 * MINUTE);
			await shut(parts);
			await house.runTo("2026-06-01T11:02:00Z");
			assert.ok(house.state().failure);
			const asked = service.forecasts.length;
			const reads = service.reads.length;
			const answers = await askEvery(
				house,
				SECOND,
				10 * MINUTE,
				SITE,
				{},
				true,
			);
			assert.equal(service.forecasts.length, asked);
			assert.ok(service.reads.length - reads <= 11);
			for (const { error, state } of answers) {
				assert.equal(error?.code, code);
				assert.ok(state, "the last good forecast is there all the same");
			}
			// A restart in between makes no request either.
			house.restart();
			await house.boot();
			assert.equal((await house.ask(SITE, {}, true)).error?.code, code);
			assert.equal(service.forecasts.length, asked);
			await house.runFor(2 * MINUTE);
			service.fault = undefined;
			await end?.(parts);
			const { error, cached } = await house.ask(SITE, {}, true);
			assert.equal(error?.code, end ? undefined : code);
			assert.equal(cached, end === null);
			assert.equal(service.forecasts.length, asked + (end ? 1 : 0));
			if (end) return;
			// Where no free read can tell, a person does.
			service.simulator.setPlan(KEY, shortPlan(24));
			assert.equal(await house.hub.askNow(), undefined);
			assert.equal(house.state().failure, null);
		});
	}

	it("of an inline system that is refused makes no request", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		const inline = {
			kind: "inline" as const,
			key: "inline-n1",
			system: {
				latitude: 52.5,
				longitude: 13.4,
				strings: [{ slope: 500, orientation: 180, power_kw: 5 }],
			},
			intervalMs: 6 * HOUR,
		};
		await house.boot(inline);
		await house.runFor(2 * MINUTE);
		const before = service.requests.length;
		const answers = await askEvery(house, 10 * SECOND, HOUR, inline, {}, true);
		assert.equal(service.requests.length, before);
		for (const { error } of answers) {
			assert.equal(error?.code, "SOLAR_YIELD_INPUT");
		}
	});

	it("that brings a refused key to light stops for it", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		await house.boot();
		refuse(parts, 422, { detail: "no" });
		await house.runFor(HOUR);
		service.fault = async () => wireAnswer(clock, 401, "no such key");
		const { error } = await house.ask(SITE, {}, true);
		assert.equal(error?.code, "SOLAR_YIELD_AUTH");
		const before = service.requests.length;
		await askEvery(house, SECOND, 5 * MINUTE, SITE, {}, true);
		assert.equal(service.requests.length, before);
	});

	it("waiting its turn makes no request behind a gate that shuts meanwhile", async () => {
		const { service, house, clock } = household(START, PLAN);
		service.addSite("site-2");
		await house.account();
		house.listen(SITE);
		house.listen("site-2");
		await house.start();
		await house.runFor(5 * MINUTE);
		const before = service.requests.length;
		service.fault = async () =>
			wireAnswer(clock, 429, "slow down", { "retry-after": "3000" });
		const answers = await Promise.all([
			house.ask(SITE, {}, true),
			house.ask("site-2", {}, true),
			house.ask("site-2", { pastDays: 3 }),
		]);
		assert.equal(service.requests.length, before + 1);
		for (const { error } of answers) {
			assert.equal(error?.code, "SOLAR_YIELD_RATE");
		}
	});

	it("joins a poll under way, and asks itself where that was none", async () => {
		const { service, house } = household(START, PLAN);
		await house.boot();
		await house.runTo("2026-06-01T10:59:59Z");
		let joined: ReturnType<House["ask"]> | undefined;
		service.fault = async (request, answer) => {
			joined ??= house.ask(SITE, {}, true);
			return answer(request);
		};
		await house.runFor(MINUTE);
		const { cached, error } = (await joined) ?? {};
		assert.equal(error, undefined);
		assert.equal(cached, false);
		assert.equal(service.forecasts.length, 2);
	});
});

describe("Ask now", () => {
	it("asks past a shut gate once, and not again within a minute of an answer", async () => {
		const { service, house } = household(
			START,
			shortPlan(24, { forecastRequests: 3000 }),
		);
		await house.boot();
		service.simulator.spend(KEY, 2999);
		await house.runFor(2 * HOUR);
		assert.equal(service.forecasts.length, 2);
		const error = await house.hub.askNow();
		assert.equal(error?.code, "SOLAR_YIELD_QUOTA");
		assert.equal(service.forecasts.length, 3);
		await house.runFor(HOUR);
		assert.equal(service.forecasts.length, 3);
		service.simulator.setPlan(KEY, shortPlan(24, { forecastRequests: 30_000 }));
		assert.equal(await house.hub.askNow(), undefined);
		assert.equal(await house.hub.askNow(), undefined);
		assert.equal(service.forecasts.length, 4);
		await house.runFor(HOUR);
		assert.equal(service.forecasts.length, 5);
	});
});
