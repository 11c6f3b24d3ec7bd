import assert from "node:assert/strict";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { WireAnswer } from "../../src/service/http/exchange";
import { textIn } from "../../src/texts/texts";
import { FakeClock } from "../support/fake-clock";
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

const START = "2026-06-01T10:05:00Z";
const isForecast = ({ path }: { path: string }) =>
	path.startsWith("/v2/forecast/");

type Parts = ReturnType<typeof household>;

/** Lets forecasts fail, and the free reads only where told. */
function breakForecasts(
	{ service }: Parts,
	fail: () => WireAnswer,
	reads = false,
): void {
	service.fault = (request, answer) =>
		isForecast(request) || reads
			? Promise.resolve().then(fail)
			: answer(request);
}

const down = (): never => {
	throw new SolarYieldError("NETWORK", "it is down; wait");
};

/** Minutes between the requests for forecasts from the given one on. */
function gaps({ service }: Parts, from: number): number[] {
	return service.forecasts
		.slice(from)
		.flatMap(({ at }, index, all) =>
			index > 0 ? [(at - (all[index - 1]?.at ?? 0)) / MINUTE] : [],
		);
}

describe("failures that pass", () => {
	const kinds: [string, string, (parts: Parts) => WireAnswer][] = [
		["no network", "SOLAR_YIELD_NETWORK", down],
		[
			"a time-out",
			"SOLAR_YIELD_TIMEOUT",
			() => {
				throw new SolarYieldError("TIMEOUT", "no answer; wait");
			},
		],
		[
			"a fault of the service",
			"SOLAR_YIELD_SERVICE",
			({ clock }) => wireAnswer(clock, 503, "down"),
		],
		[
			"HTML with 200",
			"SOLAR_YIELD_RESPONSE",
			({ clock }) => wireAnswer(clock, 200, "<html>"),
		],
		[
			"no rows",
			"SOLAR_YIELD_RESPONSE",
			({ clock }) =>
				wireAnswer(clock, 200, { timezone: "Europe/Berlin", values: [] }),
		],
		[
			"a bad row",
			"SOLAR_YIELD_RESPONSE",
			({ clock }) =>
				wireAnswer(clock, 200, {
					timezone: "Europe/Berlin",
					values: [{ timestamp: "2026-06-01T10:07:00+02:00", pv_power: 1 }],
				}),
		],
	];
	for (const [what, code, fail] of kinds) {
		it(`are waited out after ${what}: 1, 2, 4 … 60 min`, async () => {
			const parts = household(START, shortPlan(1));
			const { house, service } = parts;
			const listener = await house.boot();
			breakForecasts(parts, () => fail(parts));
			await house.runTo("2026-06-02T12:00:00Z");
			const waits = gaps(parts, 1);
			for (const [index, wait] of waits.entries()) {
				const planned = [1, 2, 4, 8, 16, 32][index] ?? 60;
				assert.ok(Math.abs(wait - planned) < 0.1, `${wait} for ${planned}`);
			}
			assert.equal(waits.length, 6 + 12);
			assert.equal(listener.failures.length, 1);
			const [told] = listener.failures;
			assert.equal(told?.code, code);
			const second = service.forecasts[2]?.at ?? 0;
			const retryIn = Date.parse(told?.cause.retry_at ?? "") - second;
			assert.ok(Math.abs(retryIn - 2 * MINUTE) < 2 * SECOND);
			const { state } = await house.ask();
			assert.ok(state?.forecast, "the last good forecast stays");
			assert.equal(state?.plan.reason, "retry");
			service.fault = undefined;
			await house.runFor(HOUR);
			assert.equal(listener.forecasts.length, 2);
			assert.equal(house.state().failure, null);
			// After recovery, it is told anew.
			breakForecasts(parts, () => fail(parts));
			await house.runFor(2 * DAY);
			assert.equal(listener.failures.length, 2);
		});
	}

	it("are not told of when only one request fails", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		const listener = await house.boot();
		let count = 0;
		service.fault = async (request, answer) =>
			isForecast(request) && count++ % 2 === 0 ? down() : answer(request);
		await house.runFor(DAY);
		assert.deepEqual(listener.failures, []);
		assert.equal(listener.forecasts.length, 25);
		assert.equal(service.forecasts.length, 1 + 48);
	});

	it("are told of once, also when their kind changes and over restarts", async () => {
		const parts = household(START, shortPlan(1));
		const { house, clock } = parts;
		await house.boot();
		const kinds = [
			down,
			() => wireAnswer(clock, 500),
			() => wireAnswer(clock, 200, "?"),
		];
		let count = 0;
		breakForecasts(parts, () => (kinds[count++ % 3] as typeof down)());
		let told = 0;
		for (let hour = 0; hour < 20; hour += 1) {
			await house.runFor(HOUR);
			house.restart();
			const listener = await house.boot();
			await house.runFor(MINUTE);
			told += listener.failures.length;
			await house.runFor(HOUR);
			told += listener.failures.length;
		}
		assert.ok(told <= 2);
	});

	for (const [what, fail] of [
		["resets connections", down],
		[
			"does not answer",
			() => {
				throw new SolarYieldError("TIMEOUT", "no answer; wait");
			},
		],
		["answers 429", () => wireAnswer(new FakeClock(START), 429, "slow")],
		["answers 500", () => wireAnswer(new FakeClock(START), 500)],
		["answers 404", () => wireAnswer(new FakeClock(START), 404)],
		["answers with no record", () => wireAnswer(new FakeClock(START), 200, 1)],
	] as [string, () => WireAnswer][]) {
		it(`of the free read stop no forecast: it ${what}`, async () => {
			const parts = household(START, shortPlan(24));
			const { house, service, clock } = parts;
			service.fault = (request, answer) =>
				isForecast(request)
					? answer(request)
					: Promise.resolve()
							.then(fail)
							.then((bad) => ({
								...bad,
								headers: {
									...bad.headers,
									date: new Date(clock.time).toUTCString(),
								},
							}));
			const listener = await house.boot();
			assert.equal(listener.forecasts.length, 1, "at the start");
			await house.runFor(DAY);
			assert.equal(service.forecasts.length, 1 + 24);
			assert.equal(listener.forecasts.length, 1 + 24);
			assert.equal(house.state().failure, null);
			assert.deepEqual(listener.failures, []);
			// It may hang, and the forecast waits for it: not before each.
			assert.ok(service.reads.length <= 1 + 24, `${service.reads.length}`);
		});
	}

	it("of all requests are retried as the forecast's own", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		breakForecasts(parts, down, true);
		const listener = await house.boot();
		await house.runFor(DAY);
		assert.ok(service.forecasts.length <= 7 + 23);
		assert.ok(service.reads.length <= 7 + 23);
		assert.equal(listener.failures.length, 1);
		service.fault = undefined;
		await house.runFor(HOUR + MINUTE);
		assert.ok(listener.forecasts.length >= 1);
	});

	it("of the free read do not matter where nothing is due", async () => {
		const parts = household(START, shortPlan(1));
		const { house, service, clock } = parts;
		const listener = await house.boot();
		breakForecasts(parts, down, true);
		clock.wallError = 30 * MINUTE;
		await house.runFor(10 * HOUR);
		clock.wallError = 0;
		await house.runFor(HOUR);
		assert.deepEqual(listener.failures, []);
		assert.equal(house.state().failure, null);
		assert.equal(service.forecasts.length, 1);
	});

	it("that are no error of ours are waited out as well", async () => {
		const parts = household(START, shortPlan(1));
		const { house, service, storage } = parts;
		await house.boot();
		storage.onSave = () => {
			throw new Error("a storage that breaks its promise");
		};
		await house.runTo("2026-06-02T10:00:00Z");
		assert.ok(service.requests.length < 40);
		storage.onSave = () => {};
		await house.runFor(HOUR);
		assert.equal(house.state().failure, null);
	});
});

describe("refusals", () => {
	it("of the key: the free list after 1 h, then each 6 h, until it works", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		service.addSite("site-2");
		const listener = await house.boot();
		const other = house.listen("site-2");
		await house.start();
		const reads = service.reads.length;
		breakForecasts(parts, () => wireAnswer(clock, 401, "no such key"), true);
		await house.runFor(3 * DAY);
		assert.equal(service.forecasts.length, 3);
		assert.equal(listener.failures.length + other.failures.length, 1);
		const [told] = [...listener.failures, ...other.failures];
		assert.equal(told?.code, "SOLAR_YIELD_AUTH");
		const since = service.forecasts[2]?.at ?? 0;
		const probes = service.reads.slice(reads);
		assert.equal(probes.length, 12);
		for (const [index, { at, path }] of probes.entries()) {
			assert.equal(path, "/v2/sites/");
			assert.ok(Math.abs(at - since - (1 + 6 * index) * HOUR) < MINUTE);
		}
		assert.equal(house.state().plan.reason, "key");
		service.fault = undefined;
		await house.runFor(6 * HOUR + MINUTE);
		await house.runFor(HOUR);
		assert.ok(listener.forecasts.length >= 2);
		assert.ok(other.forecasts.length >= 2);
		assert.equal(house.state().failure, null);
	});

	it("of the key that come back are looked at each 6 h only", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		const listener = await house.boot();
		// The list works, forecasts do not.
		breakForecasts(parts, () => wireAnswer(clock, 401, "not this"));
		await house.runFor(4 * DAY);
		assert.equal(listener.failures.length, 1);
		assert.ok(service.forecasts.length <= 2 + 1 + 4 * 4);
	});

	it("of an unknown, deleted or inactive site are told apart, and end by themselves", async () => {
		const cases: [
			string,
			string,
			RegExp,
			(parts: Parts) => void,
			(parts: Parts) => void,
		][] = [
			[
				"deleted",
				"SOLAR_YIELD_NOT_FOUND",
				/was deleted/,
				({ service }) => remove(service.simulator, SITE),
				({ service }) => restore(service.simulator, SITE),
			],
			[
				"unknown",
				"SOLAR_YIELD_NOT_FOUND",
				/no site of this id/,
				(parts) =>
					breakForecasts(
						parts,
						() => wireAnswer(parts.clock, 404, "Site not found"),
						true,
					),
				({ service }) => {
					service.fault = undefined;
				},
			],
			[
				"inactive",
				"SOLAR_YIELD_PLAN",
				/inactive/,
				({ service }) => {
					service.addSite("older");
					service.simulator.setPlan(KEY, shortPlan(24, { siteLimit: 0 }));
				},
				({ service }) => service.simulator.setPlan(KEY, shortPlan(24)),
			],
		];
		for (const [what, code, text, begin, end] of cases) {
			const parts = household(START, shortPlan(24));
			const { house, service } = parts;
			const listener = await house.boot();
			await house.runFor(10 * MINUTE);
			begin(parts);
			await house.runFor(2 * DAY);
			assert.equal(listener.failures.length, 1, what);
			assert.equal(listener.failures[0]?.code, code);
			assert.match(listener.failures[0]?.message ?? "", text);
			const asked = service.forecasts.length;
			assert.ok(asked <= 2, `${what}: ${asked} requests`);
			assert.equal(house.state().plan.reason, "site");
			assert.equal(house.state().plan.what, "probe");
			const { state, error } = await house.ask();
			assert.ok(state);
			assert.equal(error, undefined);
			end(parts);
			await house.runFor(6 * HOUR + 2 * MINUTE);
			assert.ok(service.forecasts.length > asked, `${what} did not resume`);
			assert.ok(listener.forecasts.length >= 2);
			assert.equal(house.state().failure, null);
			await house.runFor(5 * HOUR);
			assert.ok(listener.forecasts.length >= 7);
		}
	});

	it("of the plan: one forecast request a day", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		const listener = await house.boot();
		service.simulator.setPlan(KEY, shortPlan(24, { forecastAccess: false }));
		await house.runFor(5 * DAY);
		assert.equal(service.forecasts.length, 1 + 5);
		assert.equal(listener.failures.length, 1);
		assert.equal(listener.failures[0]?.code, "SOLAR_YIELD_PLAN");
		service.simulator.setPlan(KEY, shortPlan(24));
		await house.runFor(DAY + MINUTE);
		assert.ok(listener.forecasts.length >= 2);
	});

	for (const status of [400, 409, 422, 418]) {
		it(`of the request (${status}): after 6 h`, async () => {
			const parts = household(START, shortPlan(24));
			const { house, service, clock } = parts;
			const listener = await house.boot();
			breakForecasts(parts, () => wireAnswer(clock, status, { detail: "no" }));
			await house.runFor(2 * DAY);
			assert.equal(service.forecasts.length, 1 + 8);
			assert.equal(listener.failures.length, 1);
			assert.equal(listener.failures[0]?.code, "SOLAR_YIELD_INPUT");
			service.fault = undefined;
			await house.runFor(6 * HOUR + MINUTE);
			assert.ok(listener.forecasts.length >= 2);
		});
	}

	it("of the band: dropped at once, and asked again once it is available", async () => {
		const parts = household(START, shortPlan(24, { variability: false }));
		const { house, service } = parts;
		await house.account();
		const listener = house.listen(SITE, { variability: true });
		await house.start();
		await house.runFor(5 * HOUR);
		assert.deepEqual(
			service.forecasts.map(({ query }) => query),
			[
				"include=all&include=variability",
				...Array.from({ length: 6 }, () => "include=all"),
			],
		);
		assert.deepEqual(listener.failures, []);
		assert.equal(listener.forecasts.length, 6);
		house.restart();
		await house.account();
		house.listen(SITE, { variability: true });
		await house.start();
		await house.runFor(HOUR);
		assert.equal(service.forecasts.length, 8);
		service.simulator.setPlan(KEY, shortPlan(24));
		await house.runFor(2 * HOUR);
		assert.equal(
			service.forecasts.at(-1)?.query,
			"include=all&include=variability",
		);
		assert.equal(service.forecasts.length, 10);
		assert.ok(house.state().forecast?.included.includes("variability"));
	});

	it("of other groups by name are left out too, and no loop is made of it", async () => {
		const parts = household(START, shortPlan(24), { thin: false });
		const { house, service, clock } = parts;
		service.fault = async (request, answer) => {
			const groups = (request.query ?? []).map(([, value]) => value);
			const refused = ["irradiance", "weather"].find(
				(group) => groups.includes("all") || groups.includes(group),
			);
			if (!isForecast(request)) return answer(request);
			if (refused) {
				return wireAnswer(clock, 403, { detail: `Your plan lacks ${refused}` });
			}
			const result = await answer(request);
			const body = JSON.parse(result.body);
			body.available = ["default", "clearsky", "strings"];
			return { ...result, body: JSON.stringify(body) };
		};
		const listener = await house.boot();
		await house.runFor(3 * HOUR);
		assert.equal(service.forecasts.length, 3 + 3);
		assert.equal(listener.forecasts.length, 4);
		// A server that names a group which was not even asked for.
		breakForecasts(parts, () => wireAnswer(clock, 403, "no weather for you"));
		await house.runFor(DAY + HOUR);
		assert.ok(service.forecasts.length <= 6 + 2);
		assert.equal(listener.failures[0]?.code, "SOLAR_YIELD_PLAN");
	});
});

describe("429", () => {
	it("with the month's headers stops forecasts until reset", async () => {
		const parts = household("2026-10-02T10:05:00Z", {
			...shortPlan(24),
			forecastRequests: 3000,
		});
		const { house, service } = parts;
		const listener = await house.boot(SITE, { reserve: 0 });
		service.simulator.spend(KEY, 1e9);
		await house.runFor(2 * HOUR);
		assert.equal(service.forecasts.length, 2);
		assert.equal(listener.failures.length, 1);
		assert.equal(listener.failures[0]?.code, "SOLAR_YIELD_QUOTA");
		assert.match(
			listener.failures[0]?.cause.retry_at ?? "",
			/^2026-11-01T00:00:/,
		);
		const { plan, problem } = house.state();
		assert.equal(plan.reason, "exhausted");
		// In the time of the site, Berlin's.
		const refused = await house.ask(SITE, {}, true);
		const said = [listener.failures[0], refused.error].map(
			(one) => one?.message,
		);
		for (const text of [...said, problem && textIn(problem)]) {
			assert.match(text ?? "", /\b0?1:00\b/);
		}
		await house.account({ reserve: 0 });
		await house.runFor(HOUR);
		assert.equal(service.forecasts.length, 2);
		await house.account({ reserve: 0, fingerprint: "changed" });
		await house.runFor(HOUR);
		assert.equal(service.forecasts.length, 3);
		house.restart();
		await house.boot(SITE, { reserve: 0, fingerprint: "changed" });
		await house.runTo("2026-10-31T23:59:59Z");
		assert.equal(service.forecasts.length, 3);
		await house.runFor(2 * MINUTE);
		assert.equal(service.forecasts.length, 4);
	});

	const bursts: [string, Record<string, string>, number[]][] = [
		["nothing", {}, [1, 2, 4, 8, 16, 32, 60, 60]],
		["a short Retry-After", { "retry-after": "10" }, [1, 2, 4, 8, 16, 32, 60]],
		["a long Retry-After", { "retry-after": "2400" }, [40, 40, 40]],
		["an endless Retry-After", { "retry-after": "999999999" }, [24 * 60]],
		["an unreadable Retry-After", { "retry-after": "soon" }, [1, 2, 4, 8]],
	];
	for (const [what, headers, waits] of bursts) {
		it(`with ${what} waits, ever longer, and holds all sites`, async () => {
			const parts = household(START, shortPlan(24));
			const { house, service, clock } = parts;
			service.addSite("site-2");
			const listener = await house.boot();
			const other = house.listen("site-2");
			await house.start();
			breakForecasts(parts, () => wireAnswer(clock, 429, "slow", headers));
			const sum = waits.reduce((a, b) => a + b, 0);
			await house.runTo(
				Date.parse("2026-06-01T11:01:00Z") + (sum + waits.length) * MINUTE,
			);
			const found = gaps(parts, 2);
			for (const [index, wait] of waits.entries()) {
				// Each site adds its own spread of up to 30 s.
				const gap = found[index] ?? 0;
				assert.ok(gap >= wait - 0.02 && gap < wait + 1, `${found}`);
			}
			assert.ok(listener.failures.length <= 1);
			assert.ok(other.failures.length <= 1);
			service.fault = undefined;
			await house.runFor(25 * HOUR);
			assert.equal(house.state().failure, null);
			assert.equal(house.state("site-2").failure, null);
		});
	}

	it("of a free read is not the forecasts'", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		service.fault = (request, answer) =>
			isForecast(request)
				? answer(request)
				: Promise.resolve(
						wireAnswer(clock, 429, "slow", { "retry-after": "600" }),
					);
		const listener = await house.boot();
		assert.equal(listener.forecasts.length, 1);
		assert.equal(house.state().failure, null);
		await house.runFor(9 * MINUTE);
		assert.equal(service.forecasts.length, 1);
	});
});

describe("a lifted gate", () => {
	for (const reads of [true, false]) {
		it(`is good for one attempt, which may fail ${reads ? "at the free read" : "itself"}`, async () => {
			const parts = household(START, shortPlan(24, { forecastRequests: 3000 }));
			const { house, service, clock } = parts;
			await house.boot();
			for (const fail of [
				() => wireAnswer(clock, 401, "no such key"),
				down,
				() => wireAnswer(clock, 500),
			]) {
				service.fault = undefined;
				service.simulator.spend(KEY, 1e9);
				await house.runFor(30 * HOUR);
				breakForecasts(parts, fail, reads);
				const before = service.requests.length;
				void house.hub.askNow();
				await house.settle();
				await house.runFor(MINUTE / 2);
				const asked = service.requests.length - before;
				assert.ok(asked >= 1 && asked <= 2, `${asked} requests`);
				await house.account({ fingerprint: `${before}` });
				await house.settle();
				assert.ok(service.requests.length - before <= 4);
			}
		});
	}

	it("of the key is used up by an answer that refuses it again", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		await house.boot();
		breakForecasts(parts, () => wireAnswer(clock, 401, "no such key"), true);
		await house.runFor(3 * DAY);
		const before = service.requests.length;
		for (let times = 1; times <= 5; times += 1) {
			await house.hub.askNow();
			await house.settle();
			await house.runFor(SECOND);
			assert.equal(service.requests.length, before + times);
		}
	});
});

describe("a Date that is a year off", () => {
	for (const years of [-1, 1]) {
		for (const status of [200, 502, 429]) {
			for (const restarts of [false, true]) {
				it(`by ${years}, once, with ${status}${restarts ? " and a restart" : ""}, does no lasting harm`, async () => {
					const parts = household(START, shortPlan(24));
					const { house, service, clock } = parts;
					service.addSite("site-2");
					const listener = await house.boot();
					house.listen("site-2");
					await house.start();
					let wrong = true;
					service.fault = async (request, answer) => {
						const good = await answer(request);
						if (!wrong || !isForecast(request)) return good;
						wrong = false;
						const date = new Date(clock.time + years * 365 * DAY).toUTCString();
						return status === 200
							? { ...good, headers: { ...good.headers, date } }
							: wireAnswer(clock, status, "", { date });
					};
					await house.runFor(2 * HOUR);
					assert.equal(wrong, false);
					if (restarts) {
						house.restart();
						await house.boot();
						house.listen("site-2");
						await house.start();
					}
					await house.runFor(13 * HOUR);
					const before = service.forecasts.length;
					assert.ok(before <= 2 * 16 + 6, `${before} requests`);
					await house.ask(SITE, {}, true);
					assert.equal(service.forecasts.length, before + 1);
					await house.runFor(4 * HOUR);
					const asked = service.forecasts.length - before;
					assert.ok(asked >= 9 && asked <= 11, `${asked} requests`);
					assert.ok(listener.forecasts.length >= 1);
					assert.equal(house.state().failure, null);
					assert.equal(house.state("site-2").failure, null);
				});
			}
		}
	}

	it("and right again by another request leaves no wait of a year", async () => {
		const parts = household(START, shortPlan(1));
		const { house, service, clock } = parts;
		const listener = await house.boot();
		const date = new Date(clock.time + 365 * DAY).toUTCString();
		service.fault = async (request, answer) =>
			isForecast(request)
				? wireAnswer(clock, 502, "", { date })
				: answer(request);
		await house.runTo("2026-06-01T22:00:40Z");
		assert.equal(house.state().failure?.count, 1);
		service.fault = undefined;
		// A free read of another site sets the clock.
		service.addSite("site-2");
		await house.ask("site-2");
		await house.runFor(2 * MINUTE);
		assert.equal(listener.forecasts.length, 2);
		assert.equal(house.state().failure, null);
	});

	it("of a good answer does not keep msg.refresh from asking", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		const date = new Date(clock.time + 365 * DAY).toUTCString();
		service.addSite("site-2");
		await house.account();
		house.listen(SITE, { auto: false });
		await house.start();
		service.fault = async (request, answer) => {
			const good = await answer(request);
			return isForecast(request)
				? { ...good, headers: { ...good.headers, date } }
				: good;
		};
		await house.ask();
		service.fault = undefined;
		await house.ask("site-2");
		await house.runFor(MINUTE);
		const before = service.forecasts.length;
		const { cached } = await house.ask(SITE, {}, true);
		assert.equal(cached, false);
		assert.equal(service.forecasts.length, before + 1);
	});
});

describe("next_poll_at that is of no use", () => {
	const useless: [string, (clock: Parts["clock"]) => unknown][] = [
		["missing", () => undefined],
		["null", () => null],
		["no text", () => 1780311617],
		["unreadable", () => "soon"],
		["past", (clock) => new Date(clock.time - HOUR).toISOString()],
		["the answer's own time", (clock) => new Date(clock.time).toISOString()],
	];
	for (const [what, value] of useless) {
		it(`since it is ${what}: 1 h, doubling to 6 h while nothing new comes`, async () => {
			const parts = household(START, shortPlan(1));
			const { house, service, clock } = parts;
			service.fault = async (request, answer) => {
				const result = await answer(request);
				if (!isForecast(request)) return result;
				const body = JSON.parse(result.body);
				return {
					...result,
					body: JSON.stringify({ ...body, next_poll_at: value(clock) }),
				};
			};
			await house.boot();
			await house.runFor(28 * HOUR);
			const waits = gaps(parts, 0).map((minutes) => Math.floor(minutes / 60));
			// Midnight of Berlin is at 22:00: the request at 23:05 brings something new.
			assert.deepEqual(waits, [1, 2, 4, 6, 1, 2, 4, 6]);
			assert.equal(house.state().plan.reason, "no_poll_time");
		});
	}

	it("since it is always a moment ahead: 15 min while nothing new comes", async () => {
		const parts = household(START, shortPlan(1));
		const { house, service, clock } = parts;
		service.fault = async (request, answer) => {
			const result = await answer(request);
			if (!isForecast(request)) return result;
			const body = JSON.parse(result.body);
			const next_poll_at = new Date(clock.time + 2 * SECOND).toISOString();
			return { ...result, body: JSON.stringify({ ...body, next_poll_at }) };
		};
		await house.boot();
		await house.runFor(DAY);
		assert.ok(service.forecasts.length <= 4 * 24 + 4);
	});
});

type Simulator = Parts["service"]["simulator"];

/** A write of another program on the account. */
function write(simulator: Simulator, method: string, path: string): void {
	const { status } = simulator.handle({
		method,
		path,
		query: new URLSearchParams(),
		headers: { authorization: `Bearer ${KEY}` },
		body: "",
	});
	assert.ok(status < 300);
}
const remove = (simulator: Simulator, id: string) =>
	write(simulator, "DELETE", `/v2/sites/${id}`);
const restore = (simulator: Simulator, id: string) =>
	write(simulator, "POST", `/sites/${id}/restore`);
