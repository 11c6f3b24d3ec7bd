import assert from "node:assert/strict";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import type { WireAnswer } from "../../src/service/http/exchange";
import {
	DAY,
	dice,
	HOUR,
	household,
	type Listener,
	MINUTE,
	SECOND,
	SITE,
	shortPlan,
	wireAnswer,
} from "../support/house";

const isForecast = ({ path }: { path: string }) =>
	path.startsWith("/v2/forecast/");

/** Everything that may go wrong with an answer. */
const FAULTS: ((
	at: ReturnType<typeof household>["clock"],
	good: () => Promise<WireAnswer>,
	random: () => number,
) => Promise<WireAnswer>)[] = [
	async () => {
		throw new SolarYieldError("NETWORK", "down; wait");
	},
	async () => {
		throw new SolarYieldError("TIMEOUT", "no answer; wait");
	},
	async () => {
		throw new TypeError("not even one of ours");
	},
	...[400, 401, 403, 404, 409, 418, 422, 500, 502, 503].map(
		(status) => async (clock: Parameters<typeof wireAnswer>[0]) =>
			wireAnswer(clock, status, { detail: `error ${status}` }),
	),
	async (clock) => wireAnswer(clock, 403, "Your plan lacks variability"),
	async (clock) => wireAnswer(clock, 403, "Your plan lacks weather"),
	async (clock) => wireAnswer(clock, 403, "the site is inactive"),
	async (clock) => wireAnswer(clock, 429, "", { "retry-after": "900" }),
	async (clock) => wireAnswer(clock, 429, ""),
	async (clock) => wireAnswer(clock, 200, "<html>"),
	async (clock) => wireAnswer(clock, 200, ""),
	async (clock) => wireAnswer(clock, 204, ""),
	async (clock) => wireAnswer(clock, 200, { values: [] }),
	async (clock) => wireAnswer(clock, 200, []),
	async (clock) => ({ ...wireAnswer(clock, 200, "null"), headers: {} }),
	async (_clock, good, random) => {
		const answer = await good();
		const cut = Math.floor(random() * answer.body.length);
		return { ...answer, body: answer.body.slice(0, cut) };
	},
	async (_clock, good) => {
		const answer = await good();
		return {
			...answer,
			body: answer.body.replace(/"pv_power":[\d.]+/g, '"pv_power":0'),
		};
	},
	async (_clock, good) => {
		const { status, body } = await good();
		return { status, body, headers: {} };
	},
	async (_clock, good) => {
		const answer = await good();
		const body = answer.body.replace(/("next_poll_at":"[^"T]*)T[^"]*/, "$1");
		return { ...answer, body };
	},
];

/** Runs days of random trouble; what the contract promises holds all the while. */
async function run(seed: number, days: number, people: boolean): Promise<void> {
	const parts = household(
		"2026-03-27T09:05:00Z",
		shortPlan(24, { pastDays: 3, forecastRequests: 3000 }),
	);
	const { house, service, clock } = parts;
	const random = dice(seed);
	const chance = (share: number) => random() < share;
	let fault: (typeof FAULTS)[number] | undefined;
	service.fault = async (request, answer) => {
		await Promise.resolve();
		const good = () => answer(request);
		return fault && chance(0.8) ? fault(clock, good, random) : good();
	};
	let starts = 1;
	let listeners: (Listener & { stop: () => void })[] = [];
	const deploy = async () => {
		for (const { stop } of listeners) stop();
		await house.account({ fingerprint: String(chance(0.9)) });
		listeners = [{}, { pastDays: 2 }, { variability: true }, { auto: false }]
			.filter(() => chance(0.8))
			.concat([{}])
			.map((wants) => house.listen(SITE, wants));
		await house.start();
	};
	await deploy();
	const end = clock.time + days * DAY;
	let known = house.state().forecast !== undefined;
	while (clock.time < end) {
		await house.runFor(random() * 3 * HOUR);
		if (chance(0.5)) {
			fault = chance(0.5)
				? FAULTS[Math.floor(random() * FAULTS.length)]
				: undefined;
		}
		if (chance(0.1)) clock.wallError = (random() - 0.5) * 50 * MINUTE;
		if (chance(0.1)) clock.sleep(random() * 5 * HOUR);
		if (chance(0.1)) await deploy();
		if (chance(0.1)) {
			starts += 1;
			house.restart();
			listeners = [];
			await deploy();
		}
		if (people && chance(0.2)) house.hub.siteChanged(SITE);
		if (people && chance(0.1)) await house.hub.askNow();
		const asked = await house.ask(
			SITE,
			people && chance(0.3) ? { pastDays: 3, variability: true } : {},
			people && chance(0.3),
		);
		known ||= asked.state !== undefined;
		if (known) {
			assert.ok(asked.state?.forecast, "the last good forecast is kept");
		} else assert.ok(asked.error);
		const { plan, now } = house.state();
		assert.ok(plan.at === null || plan.at >= now);
		assert.ok(clock.timers <= 1);
	}
	for (const { stop } of listeners) stop();
	await house.settle();
	assert.equal(clock.timers, 0);
	// Of a clock that is off each process says so once.
	const others = house.reports.filter((text) => !/clock is/.test(text));
	assert.deepEqual(others, []);
	assert.ok(house.reports.length <= starts, `${house.reports.length} reports`);
	assertRate(service.forecasts, 12);
	assert.ok(service.simulator.requests.length <= service.requests.length);
}

/** No hour sees more requests than the retries of behaviour: Failures and the polls of one hour. */
function assertRate(requests: { at: number }[], most: number): void {
	for (const [index, { at }] of requests.entries()) {
		const after = requests[index + most];
		assert.ok(
			!after || after.at - at >= HOUR - SECOND,
			`${most + 1} requests within an hour from ${new Date(at).toISOString()}`,
		);
	}
}

describe("a month of random trouble", () => {
	const rejections: unknown[] = [];
	const note = (error: unknown) => {
		rejections.push(error);
	};
	before(() => process.on("unhandledRejection", note));
	after(() => {
		process.off("unhandledRejection", note);
		assert.deepEqual(rejections, []);
	});

	for (let seed = 1; seed <= 2; seed += 1) {
		it(`is survived by the poller (${seed})`, () => run(seed, 31, false));
		it(`is survived with people asking (${seed})`, () =>
			run(100 + seed, 31, true));
	}

	it("leaves polling as it was when it is over", async () => {
		for (const [index, broken] of FAULTS.entries()) {
			const { house, service, clock } = household(
				"2026-03-27T09:05:00Z",
				shortPlan(24),
			);
			const random = dice(index);
			const listener = await house.boot();
			service.fault = (request, answer) =>
				isForecast(request)
					? broken(clock, () => answer(request), random)
					: undefined;
			await house.runFor(5 * HOUR);
			service.fault = undefined;
			void house.hub.askNow();
			await house.runFor(DAY + HOUR);
			const before = listener.forecasts.length;
			await house.runFor(6 * HOUR);
			assert.equal(listener.forecasts.length, before + 6, `fault ${index}`);
			assert.equal(house.state().failure, null);
		}
	});
});
