import assert from "node:assert/strict";
import fc from "fast-check";
import { REASONS } from "../../../src/messages/reasons";
import {
	newAccountMemory,
	newSiteMemory,
} from "../../../src/polling/memory/memory";
import { obstacleOf, planSite } from "../../../src/polling/schedule/schedule";
import { ServerClock } from "../../../src/polling/schedule/server-clock";
import { jitterOf } from "../../../src/polling/source/source";
import { Timer } from "../../../src/util/timer";
import { FakeClock } from "../../support/fake-clock";
import { DAY, HOUR, MINUTE, SECOND } from "../../support/house";

const NOW = Date.parse("2026-06-15T12:00:00Z");
const TIMING = { jitterMs: 12 * SECOND };

describe("the schedule", () => {
	const around = fc.integer({ min: NOW - 3 * DAY, max: NOW + 3 * DAY });
	const maybe = fc.option(around, { nil: null });
	const gate = (type: "key" | "site" | "plan" | "input") =>
		fc.record({
			type: fc.constant(type),
			probes: fc.nat(9),
			probedAt: around,
		});
	const site = fc.record({
		requestedAt: maybe,
		open: fc.boolean(),
		answeredAt: maybe,
		nextPollAt: maybe,
		barren: fc.nat(9),
		changedAt: maybe,
		failure: fc.option(
			fc.record({
				kind: fc.constant("NETWORK" as const),
				text: fc.constant({ key: "down; wait" }),
				status: fc.constant(null),
				detail: fc.constant(null),
				foreign: fc.boolean(),
				at: around,
				since: around,
				waitMs: fc.constant(0),
				count: fc.integer({ min: 1, max: 99 }),
				reported: fc.boolean(),
			}),
			{ nil: null },
		),
		block: fc.option(fc.oneof(gate("site"), gate("plan"), gate("input")), {
			nil: null,
		}),
	});
	const account = fc.record({
		lifted: fc.boolean(),
		keyBlock: fc.option(gate("key"), { nil: null }),
		exhausted: fc.record({ forecast: maybe, historical: maybe }),
		burst: fc.option(
			fc.record({
				until: fc.integer({ min: NOW - DAY, max: NOW + DAY - MINUTE }),
				waitMs: fc.constant(MINUTE),
			}),
			{ nil: null },
		),
		own: fc.record({
			month: fc.constant(Date.UTC(2026, 5, 1)),
			forecast: fc.nat(50),
			historical: fc.nat(50),
		}),
	});
	const policy = fc.record({
		budget: fc.option(fc.nat(50), { nil: Infinity }),
		reserve: fc.nat(50),
	});

	it("always has a time and a reason, and nothing is due behind an obstacle", () => {
		fc.assert(
			fc.property(site, account, policy, (siteFacts, accountFacts, limits) => {
				const memory = { ...newSiteMemory(), ...siteFacts };
				const all = { ...newAccountMemory(), ...accountFacts };
				const plan = planSite(memory, all, limits, TIMING, NOW);
				assert.ok(Number.isFinite(plan.at));
				assert.ok(plan.reason in REASONS);
				const obstacle = obstacleOf(memory, all, limits, TIMING, NOW);
				if (obstacle) assert.ok(plan.at >= obstacle.at);
				if (plan.what === "forecast" && plan.at <= NOW) {
					const { burst, exhausted, lifted, own, keyBlock } = all;
					assert.ok(own.forecast < limits.budget);
					if (!lifted) {
						assert.equal(keyBlock, null);
						assert.ok((exhausted.forecast ?? 0) <= NOW);
						assert.ok((burst?.until ?? 0) <= NOW);
					}
					assert.notEqual(memory.block?.type, "site");
				}
				// Whatever clock was wrong, no wait is longer than the contract's.
				if (plan.reason === "retry") assert.ok(plan.at <= NOW + 65 * MINUTE);
				if (plan.reason === "unfinished")
					assert.ok(plan.at <= NOW + 65 * MINUTE);
				if (plan.reason === "no_poll_time")
					assert.ok(plan.at <= NOW + 7 * HOUR);
				if (plan.what === "probe") assert.ok(plan.at <= NOW + 7 * HOUR);
			}),
			{ numRuns: 2000 },
		);
	});

	it("spreads sites over 5 to 30 s, each by its own delay", () => {
		const delays = Array.from({ length: 500 }, (_, index) =>
			jitterOf(`site_${index}`),
		);
		assert.ok(delays.every((ms) => ms >= 5 * SECOND && ms <= 30 * SECOND));
		assert.ok(new Set(delays).size > 400);
		assert.equal(jitterOf("site_1"), jitterOf("site_1"));
	});
});

describe("the server's clock", () => {
	it("goes by the host's monotonic clock, and does not trust what the other says else", () => {
		const host = new FakeClock(NOW);
		host.wallError = -HOUR;
		const server = new ServerClock(host);
		assert.equal(server.now(), NOW - HOUR);
		assert.equal(server.isTrusted, false);
		server.accepts(NOW);
		assert.equal(server.isTrusted, true);
		host.wallError -= HOUR;
		assert.equal(server.now(), NOW);
		assert.equal(server.isTrusted, false);
		server.accepts(NOW);
		host.sleep(10 * MINUTE);
		assert.equal(server.now(), NOW + 10 * MINUTE);
		assert.equal(server.isTrusted, false);
		server.accepts(NOW);
		host.wallError += 3 * SECOND;
		assert.equal(server.isTrusted, false);
	});

	it("does not believe a date that is more than a day from it and from the forecast", async () => {
		const host = new FakeClock(NOW);
		const server = new ServerClock(host);
		server.accepts(NOW);
		assert.equal(server.accepts(NOW - 3 * DAY), false);
		assert.equal(server.now(), NOW);
		// A forecast that shows it to be right has it believed after all.
		await host.runTo(NOW + MINUTE, async () => {});
		server.check(NOW - 3 * DAY, NOW - DAY);
		assert.equal(server.now(), NOW - 3 * DAY + MINUTE);
	});

	it("is no earlier than an earlier process has seen it", () => {
		const host = new FakeClock(Date.UTC(1970));
		const server = new ServerClock(host);
		server.resume(NOW);
		assert.equal(server.now(), NOW);
		assert.equal(server.accepts(NOW + 9 * DAY), true);
		assert.equal(server.now(), NOW + 9 * DAY);
	});
});

describe("the alarm", () => {
	it("wakes when it is time, once a minute at least, and never after a stop", async () => {
		const host = new FakeClock(NOW);
		const woken: number[] = [];
		const alarm = new Timer(host, () => woken.push(host.time - NOW));
		const nothing = async () => {};
		for (const delay of [40 * SECOND, 40 * DAY, Number.POSITIVE_INFINITY, -5]) {
			alarm.set(delay);
			alarm.set(delay);
			assert.equal(host.timers, 1);
			await host.runTo(host.time + 5 * MINUTE, nothing);
			assert.equal(host.timers, 0);
		}
		assert.deepEqual(woken, [
			40 * SECOND,
			6 * MINUTE,
			11 * MINUTE,
			15 * MINUTE,
		]);
		alarm.set(SECOND);
		alarm.stop();
		alarm.stop();
		await host.runTo(host.time + MINUTE, nothing);
		assert.equal(woken.length, 4);
	});
});
