import assert from "node:assert/strict";
import {
	DAY,
	dice,
	HOUR,
	type House,
	household,
	KEY,
	type Listener,
	MINUTE,
	PLACES,
	SECOND,
	type Service,
	SITE,
	shortPlan,
} from "../support/house";

/**
 * What the contract promises of a month (behaviour: One request per new forecast, When it asks): as many requests as
 * forecasts, each asked for when the service said and in the flow within a minute.
 */
function assertEachOnce(
	service: Service,
	listener: Listener,
	{ least, lateness = MINUTE }: { least: number; lateness?: number },
): void {
	const { forecasts } = listener;
	assert.equal(service.forecasts.length, forecasts.length);
	assert.equal(
		new Set(forecasts.map(({ computedAt }) => computedAt)).size,
		forecasts.length,
	);
	assert.ok(forecasts.length >= least, `${forecasts.length} forecasts`);
	for (const [index, { state }] of forecasts.entries()) {
		const next = forecasts[index + 1];
		if (!next) continue;
		const late = next.at - (state.forecast.next_poll_at as number);
		assert.ok(
			late > 0 && late <= lateness,
			`forecast ${index + 1} came ${late / SECOND} s after next_poll_at`,
		);
	}
}

/** Lets time pass in pieces, and disturbs the host's clocks between them. */
async function runDisturbed(
	house: House,
	length: number,
	disturb: (random: () => number) => void,
): Promise<void> {
	const random = dice(7);
	const end = house.clock.time + length;
	while (house.clock.time < end) {
		await house.runFor(Math.min(random() * 20 * HOUR, end - house.clock.time));
		disturb(random);
	}
}

const MONTHS: [updatesPerDay: number, least: number][] = [
	[1, 31],
	[4, 31 * 4],
	[24, 31 * 24],
	[96, 31 * 96],
	[144, 31 * 92],
];

describe("a month of polling", () => {
	for (const [updatesPerDay, least] of MONTHS) {
		it(`asks once for each forecast of ${updatesPerDay} a day`, async () => {
			const { service, house, clock } = household(
				"2026-03-14T09:20:07.300Z",
				shortPlan(updatesPerDay),
			);
			const listener = await house.boot();
			await house.runFor(31 * DAY);
			assertEachOnce(service, listener, { least });
			assert.equal(clock.timers, 1);
		});
	}

	for (const minutes of [-25, 25]) {
		it(`does so on a host clock that is ${minutes} min off`, async () => {
			for (const [updatesPerDay, days] of [
				[4, 31],
				[96, 3],
			] as const) {
				const { service, house, clock } = household(
					"2026-10-10T21:50:00Z",
					shortPlan(updatesPerDay),
				);
				clock.wallError = minutes * MINUTE;
				const listener = await house.boot();
				await house.runFor(days * DAY);
				assertEachOnce(service, listener, { least: days * updatesPerDay });
			}
		});
	}

	it("does so while the host clock is set forward and back", async () => {
		for (const [updatesPerDay, days] of [
			[1, 31],
			[24, 10],
			[144, 3],
		] as const) {
			const { service, house, clock } = household(
				"2026-12-10T00:00:00Z",
				shortPlan(updatesPerDay),
			);
			const listener = await house.boot();
			await runDisturbed(house, days * DAY, (random) => {
				clock.wallError = (random() - 0.5) * 50 * MINUTE;
			});
			const least = days * Math.min(updatesPerDay, 90);
			assertEachOnce(service, listener, { least });
		}
	});

	it("does so when the clock moves by less than a request waits", async () => {
		const { service, house, clock } = household(
			"2026-12-10T00:25:00Z",
			shortPlan(24),
		);
		const listener = await house.boot();
		const random = dice(3);
		for (let hour = 0; hour < 10 * 24; hour += 1) {
			await house.runFor(HOUR);
			clock.wallError += (random() - 0.5) * 60 * SECOND;
		}
		assertEachOnce(service, listener, { least: 10 * 24 });
	});

	it("does so on clocks that drift for weeks between two polls", async () => {
		const { service, house, clock } = household(
			"2026-12-10T00:00:00Z",
			shortPlan(1),
		);
		const listener = await house.boot();
		for (let hour = 0; hour < 31 * 24; hour += 1) {
			await house.runFor(HOUR);
			// 300 ppm fast, monotonic clock included.
			clock.wallError += 1080;
			clock.slept -= 1080;
		}
		assertEachOnce(service, listener, { least: 31 });
	});

	it("wastes no request while the host sleeps, and catches up when it wakes", async () => {
		const { service, house, clock } = household(
			"2026-03-14T09:20:00Z",
			shortPlan(24),
		);
		const listener = await house.boot();
		await runDisturbed(house, 15 * DAY, (random) => {
			clock.sleep(random() * 10 * HOUR);
			if (random() < 0.5) clock.wallError = (random() - 0.5) * 50 * MINUTE;
		});
		assert.equal(service.forecasts.length, listener.forecasts.length);
		assertEachOnce(service, listener, {
			least: 15 * 15,
			lateness: 10 * HOUR + 2 * MINUTE,
		});
	});

	for (const zone of Object.keys(PLACES) as (keyof typeof PLACES)[]) {
		it(`does so through clock changes, month and year ends in ${zone}`, async () => {
			for (const start of [
				"2026-03-26T00:00:00Z",
				"2026-10-22T00:00:00Z",
				"2026-12-29T00:00:00Z",
				"2028-02-26T00:00:00Z",
			]) {
				for (const updatesPerDay of [1, 4, 24]) {
					const { service, house } = household(
						start,
						shortPlan(updatesPerDay),
						{
							zone,
						},
					);
					const listener = await house.boot();
					await house.runFor(5 * DAY);
					assertEachOnce(service, listener, { least: 5 * updatesPerDay - 2 });
				}
			}
		});
	}

	it("polls each of several sites once, one request at a time", async () => {
		const { service, house } = household("2026-03-14T09:20:00Z", shortPlan(24));
		const ids = ["site-a", "site-b", "site-c"];
		for (const id of ids) service.addSite(id);
		let underWay = 0;
		service.fault = async (request, answer) => {
			underWay += 1;
			assert.equal(underWay, 1);
			await new Promise((done) => setImmediate(done));
			const result = await answer(request);
			underWay -= 1;
			return result;
		};
		await house.account();
		const listeners = ids.map((id) => house.listen(id));
		await house.start();
		await house.runFor(2 * DAY);
		for (const listener of listeners) {
			assert.equal(listener.forecasts.length, 49);
		}
		assert.equal(service.forecasts.length, 3 * 49);
	});

	it("waits for a month's end beyond the longest timer", async () => {
		const { service, house } = household(
			"2026-07-01T10:05:00Z",
			shortPlan(24, { forecastRequests: 3000 }),
		);
		const listener = await house.boot(SITE, { reserve: 0 });
		service.simulator.spend(KEY, 1e9);
		await house.runTo("2026-08-01T00:00:00Z");
		assert.equal(service.forecasts.length, 2);
		await house.runFor(MINUTE);
		assert.equal(service.forecasts.length, 3);
		assert.equal(listener.forecasts.length, 2);
	});

	it("comes right on a host whose clock starts years back and is never set", async () => {
		const { service, house, clock } = household(
			"2026-03-14T09:20:00Z",
			shortPlan(24),
		);
		await house.boot();
		await house.runFor(90 * MINUTE);
		const before = service.forecasts.length;
		house.kill();
		await house.runFor(3 * HOUR);
		clock.wallError = -3 * 365 * DAY;
		house.restart();
		const listener = await house.boot();
		await house.runFor(3 * MINUTE);
		assert.equal(service.forecasts.length, before + 1);
		assert.equal(listener.forecasts.at(-1)?.cached, false);
		await house.runFor(DAY);
		assert.equal(service.forecasts.length, before + 25);
	});

	it("comes right when the clock was corrected while Node-RED was down", async () => {
		for (const minutes of [-25, 25]) {
			const { service, house, clock } = household(
				"2026-03-14T09:20:00Z",
				shortPlan(24),
			);
			clock.wallError = minutes * MINUTE;
			await house.boot();
			clock.wallError = 0;
			house.restart();
			await house.boot();
			await house.runFor(DAY);
			assert.equal(service.forecasts.length, 25);
			for (const [index, { at }] of service.forecasts.entries()) {
				if (index > 0) assert.ok(at % HOUR < MINUTE);
			}
		}
	});
});
