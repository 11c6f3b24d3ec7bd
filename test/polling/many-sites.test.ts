import assert from "node:assert/strict";
import { FakeClock } from "../support/fake-clock";
import { HOUR, House, MINUTE, Service, shortPlan } from "../support/house";
import { MemoryStorage } from "../support/memory-storage";

/** A storage that counts what it is given. */
class CountingKeeper extends MemoryStorage {
	writes = 0;
	bytes = 0;
	override onSave = (_: string, content: string) => {
		this.writes += 1;
		this.bytes += content.length;
	};
}

/** A house of many sites, each with some nodes, after its first forecasts. */
async function manySites(sites: number, nodes = 1) {
	const clock = new FakeClock("2026-06-01T10:05:00Z");
	const plan = shortPlan(24, { siteLimit: 1000 });
	const service = new Service(clock, plan);
	const storage = new CountingKeeper();
	const house = new House(service.exchange, clock, storage);
	await house.account();
	const ids = Array.from({ length: sites }, (_, index) => `many-${index}`);
	const listeners = ids.map((id) => {
		service.addSite(id);
		return Array.from({ length: nodes }, () => house.listen(id));
	});
	await house.start();
	return { clock, service, storage, house, listeners };
}

/** What a poll costs on the mean of some hours: writes, bytes and statuses. */
async function perPoll(sites: number) {
	const { house, storage, service, listeners } = await manySites(sites);
	// The hours after the first, in which records are read and paces begin.
	await house.runTo("2026-06-01T10:58:00Z");
	const { writes, bytes } = storage;
	const changes = () =>
		listeners.flat().reduce((sum, one) => sum + one.changes, 0);
	const before = changes();
	const asked = service.forecasts.length;
	await house.runFor(3 * HOUR);
	const polls = service.forecasts.length - asked;
	assert.equal(polls, 3 * sites);
	return {
		writes: (storage.writes - writes) / polls,
		bytes: (storage.bytes - bytes) / polls,
		changes: (changes() - before) / polls,
	};
}

describe("many sites", () => {
	it("cost no more writes, bytes and statuses per poll than one", async () => {
		const one = await perPoll(1);
		const many = await perPoll(60);
		assert.equal(many.writes, one.writes);
		assert.ok(many.bytes < one.bytes * 1.1, `${many.bytes} for ${one.bytes}`);
		assert.ok(many.changes <= one.changes, `${many.changes} ${one.changes}`);
		assert.ok(one.changes <= 3);
	});

	it("are told of what holds them all, when it begins and when it ends", async () => {
		const { house, listeners, service } = await manySites(10, 2);
		await house.runTo("2026-06-01T10:30:00Z");
		const changes = () => listeners.flat().map((one) => one.changes);
		const reasons = () =>
			listeners.map((_, index) => house.state(`many-${index}`).plan.reason);
		assert.deepEqual([...new Set(reasons())], ["next_poll_at"]);
		const before = changes();
		await house.account({ budget: 10 });
		await house.runTo("2026-06-01T11:02:00Z");
		assert.equal(service.forecasts.length, 10);
		assert.deepEqual([...new Set(reasons())], ["budget"]);
		for (const [index, count] of changes().entries()) {
			assert.ok(count > (before[index] as number), `${index}`);
		}
		const held = changes();
		await house.account({ budget: null });
		await house.runFor(2 * MINUTE);
		assert.deepEqual([...new Set(reasons())], ["next_poll_at"]);
		for (const [index, count] of changes().entries()) {
			assert.ok(count > (held[index] as number), `${index}`);
		}
		assert.equal(service.forecasts.length, 20);
	});

	it("are each polled in time, though all are due at once", async () => {
		const { house, listeners } = await manySites(40);
		await house.runFor(4 * HOUR);
		for (const [listener] of listeners) {
			assert.equal(listener?.forecasts.length, 5);
			for (const { at, state } of listener.forecasts.slice(1)) {
				assert.ok(at - (state.forecast.computed_at as number) < MINUTE);
			}
		}
	});

	it("that are not read any more cost nothing", async () => {
		const { house, listeners, service, clock } = await manySites(20, 2);
		for (const { stop } of listeners.slice(1).flat() as { stop(): void }[]) {
			stop();
		}
		const before = service.forecasts.length;
		await house.runFor(2 * HOUR);
		assert.equal(service.forecasts.length, before + 2);
		for (const { stop } of listeners.flat() as { stop(): void }[]) stop();
		assert.equal(clock.timers, 0);
	});
});
