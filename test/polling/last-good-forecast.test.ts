import assert from "node:assert/strict";
import { settledToday } from "../../src/forecast/settled";
import type { WireAnswer } from "../../src/service/http/exchange";
import { Zone } from "../../src/util/zone";
import {
	DAY,
	HOUR,
	household,
	MINUTE,
	type PLACES,
	SECOND,
	SITE,
	shortPlan,
} from "../support/house";
import { QUARTER } from "../support/time";

type Parts = ReturnType<typeof household>;
type Row = { timestamp: string; pv_power: number };
const START = "2026-06-01T10:05:00Z";

/** Rewrites the forecasts that a service answers. */
function rewrite(
	{ service }: Parts,
	change: (body: { values: Row[] } & Record<string, unknown>) => unknown,
): void {
	service.fault = async (request, answer): Promise<WireAnswer> => {
		const result = await answer(request);
		if (!request.path.startsWith("/v2/forecast/")) return result;
		const body = JSON.parse(result.body);
		return { ...result, body: JSON.stringify(change(body) ?? body) };
	};
}

const dark = (parts: Parts) =>
	rewrite(parts, ({ values }) => {
		for (const row of values) row.pv_power = 0;
	});

const power = ({ house }: Parts) =>
	(house.state().forecast?.values.rows ?? []).reduce(
		(sum, row) => sum + Number(row.pv_power),
		0,
	);

describe("a site's clock that this machine's time zone data deny", () => {
	it("is that of the rows, which is said once", async () => {
		const parts = household(START, shortPlan(24));
		// As if Berlin had kept its winter time.
		rewrite(parts, ({ values }) => {
			for (const row of values) {
				const clock = new Date(Date.parse(row.timestamp) + HOUR);
				row.timestamp = `${clock.toISOString().slice(0, 19)}+01:00`;
			}
		});
		const { house } = parts;
		await house.boot();
		await house.runFor(3 * HOUR);
		assert.match(
			house.state().forecast?.zone.format(Date.parse(START)) ?? "",
			/T11:05:00\+01:00$/,
		);
		const said = house.reports.filter((text) => /time zone data/.test(text));
		assert.equal(said.length, 1);
		assert.match(
			said[0] ?? "",
			/Europe\/Berlin shows 2026-05-31T22:45:00\+01:00 .* have 2026-05-31T23:45:00\+02:00; .*update Node\.js/,
		);
	});
});

describe("the last good forecast", () => {
	it("is not replaced by one all zero until a second one says so", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service, clock } = parts;
		const listener = await house.boot();
		const before = power(parts);
		dark(parts);
		await house.runTo("2026-06-01T11:10:00Z");
		assert.equal(service.forecasts.length, 2);
		assert.equal(power(parts), before);
		// The same one, asked for again, is no second one.
		await house.ask(SITE, {}, true);
		house.restart();
		const again = await house.boot();
		await house.runFor(5 * MINUTE);
		await house.ask(SITE, {}, true);
		assert.equal(service.forecasts.length, 4);
		assert.equal(power(parts), before);
		assert.equal(listener.forecasts.length, 1);
		assert.equal(again.forecasts.length, 1);
		await house.runTo("2026-06-01T12:01:00Z");
		assert.equal(service.forecasts.length, 5);
		assert.equal(power(parts), 0);
		assert.equal(again.forecasts.length, 2);
		await house.runFor(HOUR);
		assert.equal(again.forecasts.length, 3);
		assert.equal(clock.timers, 1);
	});

	it("goes on when the dark one was an error", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		const listener = await house.boot();
		for (let times = 0; times < 3; times += 1) {
			dark(parts);
			await house.runFor(HOUR);
			assert.ok(power(parts) > 0);
			service.fault = undefined;
			await house.runFor(HOUR);
			assert.ok(power(parts) > 0);
		}
		assert.equal(listener.forecasts.length, 4);
	});

	it("is kept though more past days are asked for in the dark", async () => {
		const parts = household(START, shortPlan(24, { pastDays: 9 }));
		const { house, service } = parts;
		await house.boot();
		dark(parts);
		await house.runFor(2 * MINUTE);
		// An answer with more days, of the same computation, is no new forecast.
		for (let second = 0; second < 30; second += 1) {
			await house.ask(SITE, { pastDays: 5 });
			await house.runFor(SECOND);
		}
		assert.equal(service.forecasts.length, 2);
		await house.runTo("2026-06-01T11:01:00Z");
		for (let second = 0; second < 30; second += 1) {
			await house.ask(SITE, { pastDays: 8 });
			await house.runFor(SECOND);
		}
		assert.equal(service.forecasts.length, 4);
	});

	it("is accepted all zero where the old one had no power either", async () => {
		const parts = household(START, shortPlan(24));
		dark(parts);
		const listener = await parts.house.boot();
		await parts.house.runFor(2 * HOUR);
		assert.equal(listener.forecasts.length, 3);
	});
});

describe("stale", () => {
	it("is what is over an hour overdue, whatever holds the request back", async () => {
		for (const fail of [true, false]) {
			const parts = household(
				START,
				shortPlan(4, { forecastDays: 3, forecastRequests: 3000 }),
			);
			const { house, service } = parts;
			const listener = await house.boot();
			const due = house.state().forecast?.next_poll_at as number;
			if (fail) {
				service.fault = async () => {
					throw new Error("down");
				};
			} else await house.account({ reserve: 2999 });
			await house.runTo(due + HOUR);
			assert.equal(house.state().stale, false);
			const { changes } = listener;
			await house.runTo(due + HOUR + 2 * MINUTE);
			assert.equal(house.state().stale, true);
			assert.ok(listener.changes > changes, "a status hears of it");
			assert.equal((await house.ask()).state?.stale, true);
			house.restart();
			const again = await house.boot();
			assert.equal(again.forecasts[0]?.state.stale, true);
		}
	});

	it("is what has no row ahead", async () => {
		const parts = household(START, shortPlan(1));
		const { house, service, clock } = parts;
		rewrite(parts, (body) => ({
			...body,
			next_poll_at: new Date(clock.time + 3 * DAY).toISOString(),
		}));
		await house.boot();
		service.fault = undefined;
		const { forecast } = house.state();
		const end = (forecast?.values.starts.at(-1) ?? 0) + QUARTER;
		await house.runTo(end - SECOND);
		assert.equal(house.state().stale, false);
		await house.runTo(end + SECOND);
		assert.equal(house.state().stale, true);
	});

	it("is not what was just asked for, nor a manual node's in time", async () => {
		const parts = household(START, shortPlan(24));
		const { house } = parts;
		await house.account();
		house.listen(SITE, { auto: false });
		await house.start();
		await house.ask();
		await house.runFor(80 * MINUTE);
		assert.equal(house.state().stale, false);
		await house.runFor(2 * HOUR);
		assert.equal(house.state().stale, true);
		await house.ask();
		assert.equal(house.state().stale, false);
	});
});

describe("the site's midnight", () => {
	const weeks: [keyof typeof PLACES, string][] = [
		["Europe/Berlin", "2026-03-27T12:00:00Z"],
		["Europe/Berlin", "2026-10-23T12:00:00Z"],
		["Asia/Kathmandu", "2026-12-29T12:00:00Z"],
		["America/St_Johns", "2026-03-06T12:00:00Z"],
		["America/St_Johns", "2026-10-30T12:00:00Z"],
	];
	for (const [name, start] of weeks) {
		for (const updatesPerDay of [1, 4]) {
			it(`is told of once a day in ${name} from ${start} on, ${updatesPerDay} a day`, async () => {
				const zone = Zone.of(name) as Zone;
				const parts = household(start, shortPlan(updatesPerDay), {
					zone: name,
				});
				const { house, clock } = parts;
				clock.wallError = 17 * MINUTE;
				let listener = await house.boot();
				const today = zone.dayOf(clock.time);
				const heard: number[] = [];
				for (let part = 0; part < 10; part += 1) {
					await house.runFor(12 * HOUR);
					clock.wallError = ((part * 7) % 50) * MINUTE - 25 * MINUTE;
					heard.push(...listener.midnights.splice(0));
					if (part % 3 !== 2) continue;
					house.restart();
					listener = await house.boot();
				}
				assert.equal(heard.length, 5);
				for (const [index, at] of heard.entries()) {
					const late = at - zone.dayStart(today + index + 1);
					assert.ok(late >= 0 && late < 2 * SECOND, `${late} ms late`);
				}
			});
		}
	}

	it("is told of while nothing can be asked, and to manual nodes", async () => {
		const parts = household(START, shortPlan(24));
		const { house, service } = parts;
		const listener = await house.boot();
		const manual = house.listen(SITE, { auto: false });
		await house.start();
		service.fault = async () => {
			throw new Error("down");
		};
		await house.runFor(3 * DAY);
		assert.equal(listener.midnights.length, 3);
		assert.equal(manual.midnights.length, 3);
	});

	it("is told of when it passes while a new forecast is put away", async () => {
		const parts = household("2026-06-01T20:05:00Z", shortPlan(24));
		const { house, clock, storage } = parts;
		const listener = await house.boot();
		await house.runTo("2026-06-01T21:59:59.500Z");
		let saves = 0;
		storage.onSave = (what) => {
			// The second write of the account comes behind the answer.
			if (what === "account") saves += 1;
			if (what === "account" && saves === 3) clock.sleep(SECOND);
		};
		house.hub.siteChanged(SITE);
		await house.runFor(MINUTE / 2);
		assert.ok(saves >= 3);
		assert.equal(listener.midnights.length, 1);
	});

	it("is made up for after the host slept through it", async () => {
		const parts = household(START, shortPlan(24));
		const { house, clock } = parts;
		const listener = await house.boot();
		clock.sleep(2.5 * DAY);
		await house.runFor(2 * MINUTE);
		assert.equal(
			listener.midnights.length + listener.forecasts.length - 1 >= 1,
			true,
		);
		assert.ok(listener.midnights.length <= 1);
	});

	it("is not told of early by a clock that was set forward", async () => {
		const parts = household("2026-06-01T21:10:00Z", shortPlan(1));
		const { house, clock } = parts;
		const listener = await house.boot();
		await house.runFor(25 * MINUTE);
		clock.wallError = 40 * MINUTE;
		await house.runFor(20 * MINUTE);
		assert.deepEqual(listener.midnights, []);
		await house.runTo("2026-06-01T22:00:02Z");
		assert.equal(listener.midnights.length, 1);
	});
});

describe("settled quarters", () => {
	/** Makes each forecast tell which one it is, in every row, the past included. */
	function number(parts: Parts): { count: number } {
		const counter = { count: 0 };
		rewrite(parts, ({ values }) => {
			counter.count += 1;
			for (const row of values) row.pv_power = 1000 * counter.count;
		});
		return counter;
	}
	const settled = ({ house }: Parts) => {
		const { settled, forecast, now } = house.state();
		assert.ok(forecast);
		return settledToday(settled, forecast, now);
	};

	it("keep what was last foreseen before they began, over restarts", async () => {
		const parts = household("2026-06-01T04:05:00Z", shortPlan(24));
		const { house } = parts;
		number(parts);
		await house.boot();
		await house.runTo("2026-06-01T09:20:00Z");
		const before = settled(parts);
		house.restart();
		await house.boot();
		assert.deepEqual(settled(parts), before);
		await house.runTo("2026-06-01T12:50:00Z");
		const midnight = Date.parse("2026-05-31T22:00:00Z");
		const found = settled(parts);
		assert.equal(found.length, (14 * 60 + 45) / 15);
		for (const [index, [end, watts]] of found.entries()) {
			const begin = end - QUARTER;
			assert.equal(begin, midnight + index * QUARTER);
			// The first forecast, of 4:05, stands for all before the second, of 5:00.
			const hours = Math.floor(
				(begin - Date.parse("2026-06-01T04:00:00Z")) / HOUR,
			);
			// One computed just after the hour does not foresee its first quarter.
			const isFirst = begin % HOUR === 0;
			const forecast = Math.max(1, hours + 1 - (isFirst ? 1 : 0));
			assert.equal(watts, 1000 * forecast, new Date(begin).toISOString());
		}
		assert.deepEqual(found.slice(0, before.length), before);
	});

	it("do not change when an answer with more days repeats a forecast", async () => {
		const parts = household(
			"2026-06-01T04:05:00Z",
			shortPlan(24, { pastDays: 5 }),
		);
		const { house } = parts;
		number(parts);
		await house.boot();
		await house.runTo("2026-06-01T06:20:00Z");
		const before = settled(parts);
		await house.ask(SITE, { pastDays: 3 });
		await house.runFor(2 * MINUTE);
		await house.ask(SITE, {}, true);
		// The quarter under way may go either way; what is past stays.
		assert.deepEqual(settled(parts), before);
		assert.ok((house.state().head?.settled?.length ?? 0) < 2 * 96);
	});

	it("begin anew each day", async () => {
		const parts = household("2026-06-01T04:05:00Z", shortPlan(24));
		number(parts);
		await parts.house.boot();
		await parts.house.runFor(5 * DAY);
		assert.ok(settled(parts).length <= 96);
		assert.ok((parts.house.state().head?.settled?.length ?? 0) <= 97);
	});
});
