import assert from "node:assert/strict";
import type { WireAnswer } from "../../src/service/http/exchange";
import {
	DAY,
	HOUR,
	household,
	KEY,
	MINUTE,
	SITE,
	shortPlan,
	wireAnswer,
} from "../support/house";

const START = "2026-06-01T10:05:00Z";
const isForecast = ({ path }: { path: string }) =>
	path.startsWith("/v2/forecast/");

/** A house whose forecasts' answers are changed on the way while told to. */
function changed(plan = shortPlan(24)) {
	const parts = household(START, plan);
	let change: ((answer: WireAnswer) => WireAnswer) | undefined;
	parts.service.fault = async (request, answer) => {
		const good = await answer(request);
		return isForecast(request) && change ? change(good) : good;
	};
	return {
		...parts,
		change: (to: typeof change) => {
			change = to;
		},
	};
}

const counted = (headers: Record<string, string>) => (answer: WireAnswer) => ({
	...answer,
	headers: { ...answer.headers, ...headers },
});

describe("headers of the month's count", () => {
	it("that cannot be read leave it to own count", async () => {
		const { house, change, storage } = changed(
			shortPlan(24, { forecastRequests: 100 }),
		);
		await house.boot(SITE, { reserve: 0 });
		const before = house.state().quota;
		assert.equal(before?.remaining, 99);
		change(
			counted({
				"requestlimit-limit": "a hundred",
				"requestlimit-used": "?",
				"requestlimit-remaining": "many",
			}),
		);
		await house.runFor(5 * DAY);
		const after = house.state();
		const own = storage.account ? JSON.parse(storage.account).own.forecast : 0;
		assert.ok(own >= 10, `${own}`);
		assert.equal(after.quota?.used, own);
		assert.equal(after.quota?.remaining, 100 - own);
		assert.equal(after.pace.kind, "spread");
	});

	it("that cannot be read never make it ask for more than the plan has", async () => {
		const { house, change, service } = changed(
			shortPlan(96, { forecastRequests: 40 }),
		);
		await house.boot(SITE, { reserve: 5 });
		change(
			counted({
				"requestlimit-used": "NaN",
				"requestlimit-remaining": "",
				"requestlimit-limit": "",
			}),
		);
		await house.runTo("2026-06-30T23:00:00Z");
		assert.ok(service.forecasts.length <= 35, `${service.forecasts.length}`);
		assert.ok(service.forecasts.length >= 30, `${service.forecasts.length}`);
		assert.equal(house.state().failure, null);
	});
});

describe("a 429 with requests left", () => {
	it("is a burst limit, and stops the month for nobody", async () => {
		const { house, change, service, clock } = changed(
			shortPlan(24, { forecastRequests: 3000 }),
		);
		await house.boot();
		change(({ headers }) =>
			wireAnswer(clock, 429, "slow down", { ...headers, "retry-after": "300" }),
		);
		await house.runFor(HOUR);
		const { plan, failure } = house.state();
		assert.equal(plan.reason, "burst");
		assert.equal(failure?.kind, "RATE");
		assert.ok((plan.at ?? 0) < clock.time + HOUR);
		change(undefined);
		await house.runFor(2 * HOUR);
		assert.equal(house.state().failure, null);
		// With none left it is the month's.
		service.simulator.spend(KEY, 1e9);
		await house.runFor(2 * HOUR);
		assert.equal(house.state().plan.reason, "exhausted");
	});
});

describe("Retry-After of a 503", () => {
	for (const [what, header, least, most] of [
		["seconds", "7200", 2 * HOUR, 2 * HOUR + 2 * MINUTE],
		["less than the wait in any case", "5", MINUTE, 2 * MINUTE],
		["nonsense", "soon", MINUTE, 2 * MINUTE],
		["a year", "31536000", 6 * HOUR, 6 * HOUR + 2 * MINUTE],
		["a date", "Mon, 01 Jun 2026 12:00:00 GMT", 59 * MINUTE, HOUR + MINUTE],
	] as const) {
		it(`that says ${what} is obeyed within bounds`, async () => {
			const { house, change, service, clock } = changed();
			await house.boot();
			change(() => wireAnswer(clock, 503, "busy", { "retry-after": header }));
			await house.runTo("2026-06-01T11:00:45Z");
			const [, failed] = service.forecasts;
			assert.ok(failed);
			change(undefined);
			await house.runFor(7 * HOUR);
			const wait = (service.forecasts[2]?.at ?? 0) - (failed?.at ?? 0);
			assert.ok(wait >= least && wait <= most, `${wait / MINUTE} min`);
			assert.equal(house.state().failure, null);
		});
	}

	it("is remembered over a restart", async () => {
		const { house, change, service, clock } = changed();
		await house.boot();
		change(() => wireAnswer(clock, 503, "busy", { "retry-after": "10800" }));
		await house.runTo("2026-06-01T11:00:45Z");
		house.restart();
		await house.boot();
		await house.runFor(2 * HOUR);
		assert.equal(service.forecasts.length, 2);
	});
});

describe("what errors say of asking again", () => {
	for (const [status, body] of [
		[503, "down"],
		[429, "slow"],
		[200, "?"],
	] as const) {
		it(`after ${status}: by itself only where it is so`, async () => {
			const { house, change, clock, service } = changed();
			await house.account();
			house.listen(SITE, { auto: false });
			await house.start();
			await house.ask();
			change(() => wireAnswer(clock, status, body));
			await house.runFor(2 * MINUTE);
			const manual = await house.ask(SITE, {}, true);
			assert.match(manual.error?.message ?? "", /; try again later$/);
			house.kill();
			house.restart();
			const listener = await house.boot();
			await house.runFor(3 * HOUR);
			assert.ok(listener.failures.length > 0);
			for (const { message } of listener.failures) {
				assert.match(
					message,
					/; nothing needs to be done, it is asked again by itself$/,
				);
			}
			const { error } = await house.ask(SITE, {}, true);
			assert.match(
				error?.message ?? "",
				/by itself$|wait until \w+ \d+, \d\d:\d\d$/,
			);
			assert.ok(service.forecasts.length > 1);
		});

		it(`after ${status} before anything was good: never that nothing needs to be done`, async () => {
			const { house, change, clock } = changed();
			change(() => wireAnswer(clock, status, body));
			const listener = await house.boot();
			await house.runFor(3 * HOUR);
			const { error } = await house.ask();
			const said = [...listener.failures, error].map((each) => each?.message);
			assert.ok(said.length > 1);
			for (const message of said) {
				assert.match(
					message ?? "",
					/; (check the base URL|it is asked again by itself)$/,
				);
			}
		});
	}
});
