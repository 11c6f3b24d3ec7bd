import assert from "node:assert/strict";
import fc from "fast-check";
import { readNeeds } from "../../src/battery/inputs";
import { planBattery } from "../../src/battery/plan";
import {
	good,
	HOUR,
	input,
	MIDNIGHT,
	QUARTER,
	randomDay,
	settings,
	zone,
} from "./support";

const at = (quarter: number) =>
	`${new Date(MIDNIGHT + quarter * QUARTER).toISOString().slice(0, 19)}+00:00`;
const best = (
	pv: readonly number[],
	need: unknown,
	given: Parameters<typeof input>[1] = {},
	set: Record<string, unknown> = {},
) =>
	planBattery(input(pv, given), settings(set), { need: good(readNeeds(need)) })
		.best_windows;

describe("surplus windows", () => {
	it("are the runs with more PV than load", () => {
		const { surplus_windows } = planBattery(
			input([500, 1500, 2000, 500, 3000], { load: 1000, soc: 50 }),
			settings(),
		);
		assert.deepEqual(surplus_windows, [
			{ start: at(1), end: at(3), energy_kwh: 0.375 },
			{ start: at(4), end: at(5), energy_kwh: 0.5 },
		]);
	});

	it("are none at night", () => {
		assert.deepEqual(
			planBattery(input([0, 0], { load: 100 }), settings()).surplus_windows,
			[],
		);
	});
});

describe("best windows", () => {
	it("are none without a need", () => {
		assert.deepEqual(best([5000], null), []);
	});

	it("hold the most PV for a number of hours, best first, without overlap", () => {
		const pv = [0, 1000, 4000, 4000, 1000, 0, 2000, 2000, 0];
		assert.deepEqual(best(pv, { hours: 0.5 }), [
			{
				start: at(2),
				end: at(4),
				energy_kwh: 2,
				from_grid_kwh: null,
			},
			{ start: at(6), end: at(8), energy_kwh: 1, from_grid_kwh: null },
			{ start: at(0), end: at(2), energy_kwh: 0.25, from_grid_kwh: null },
			{ start: at(4), end: at(6), energy_kwh: 0.25, from_grid_kwh: null },
		]);
	});

	it("say what an even draw takes from the grid", () => {
		const [first] = best([0, 1000, 4000, 400, 0], { kwh: 1, hours: 0.5 });
		// 2 kW for half an hour: PV gives 0.25 and 0.5 kWh.
		assert.deepEqual(first, {
			start: at(1),
			end: at(3),
			energy_kwh: 0.75,
			from_grid_kwh: 0.25,
		});
	});

	it("are the shortest runs in which PV gives the energy", () => {
		const pv = [1000, 1000, 1000, 1000, 0, 4000, 4000, 0];
		const windows = best(pv, { kwh: 1 });
		assert.deepEqual(windows.slice(0, 3), [
			{ start: at(5), end: at(6), energy_kwh: 1, from_grid_kwh: 0 },
			{ start: at(6), end: at(7), energy_kwh: 1, from_grid_kwh: 0 },
			{ start: at(0), end: at(4), energy_kwh: 1, from_grid_kwh: 0 },
		]);
	});

	it("take the rest from the grid where the sun does not do, in 6 h at most", () => {
		const [first, ...others] = best([0, 400, 800, 0, 0], { kwh: 2 });
		assert.deepEqual(first, {
			start: at(1),
			end: at(3),
			energy_kwh: 0.3,
			from_grid_kwh: 1.7,
		});
		assert.deepEqual(others, []);
		const long = best(new Array(40).fill(100), { kwh: 2 });
		assert.equal(
			Date.parse(long[0]?.end ?? "") - Date.parse(long[0]?.start ?? ""),
			6 * HOUR,
		);
	});

	it("go by cost where there are prices, also at night", () => {
		const prices = [0.4, 0.2, 0.1, 0.4, 0.4, 0.4];
		const dark = best([0, 0, 0, 0, 0, 0], { hours: 0.25, kwh: 1 }, { prices });
		assert.deepEqual(
			dark.slice(0, 2).map((window) => window.start),
			[at(2), at(1)],
		);
		// PV for which feeding in would bring 0.3 is dearer than the grid at 0.1.
		const [sunny] = best(
			[0, 0, 0, 4000, 0, 0],
			{ hours: 0.25, kwh: 1 },
			{ prices },
			{ feedInPrice: 0.3 },
		);
		assert.equal(sunny?.start, at(2));
		const [free] = best([0, 0, 0, 4000, 0, 0], { kwh: 1 }, { prices });
		assert.equal(free?.start, at(3));
		assert.equal(free?.from_grid_kwh, 0);
	});

	it("put those that need the grid at an unknown price last", () => {
		const windows = best(
			[0, 0, 0, 0, 500, 0, 4000, 0],
			{ hours: 0.25, kwh: 1 },
			{ prices: [0.5, 0.4] },
		);
		assert.deepEqual(
			windows.map((window) => window.start),
			[at(6), at(1), at(0), at(4)],
		);
	});

	it("may begin with the running quarter, and fit into the plan", () => {
		const now = MIDNIGHT + 60_000;
		const windows = best([9000, 1000, 1000], { hours: 0.5 }, { now });
		assert.deepEqual(
			windows.map((window) => [window.start, window.end]),
			[[at(0), at(2)]],
		);
		assert.deepEqual(best([9000, 9000], { hours: 1 }), []);
	});

	it("keep to the next deadline in which one fits", () => {
		// A day from 00:00 UTC, in Berlin 02:00: sun from 08:00 to 16:00 UTC.
		const sun = Array.from({ length: 192 }, (_, quarter) =>
			quarter % 96 >= 32 && quarter % 96 < 64 ? 3000 + (quarter % 96) : 0,
		);
		const starts = (more: Record<string, unknown>, now = MIDNIGHT) =>
			best(
				sun.slice(Math.floor((now - MIDNIGHT) / QUARTER)),
				{ hours: 1, ...more },
				{
					zone: zone("Europe/Berlin"),
					start: Math.floor(now / QUARTER) * QUARTER,
					now,
				},
			).map(({ start, end }) => {
				const text = (time: string) => time.slice(8, 16).replace("T", " ");
				return `${text(start)} ${text(end)}`;
			});
		assert.equal(starts({})[0], "20 17:00 20 18:00");
		assert.equal(starts({ latest: "12:00" })[0], "20 11:00 20 12:00");
		assert.equal(
			starts({ latest: "2026-06-20T10:45Z" })[0],
			"20 11:45 20 12:45",
		);
		// No sun before 10:00: of today's deadline there is no window, of tomorrow's there is.
		assert.equal(starts({ latest: "10:00" }, MIDNIGHT + 9 * HOUR).length, 5);
		assert.deepEqual(
			starts({ earliest: "17:00", latest: "19:00" }, MIDNIGHT + 16.5 * HOUR),
			["21 17:00 21 18:00"],
		);
		// Over midnight: what begins tonight may last until tomorrow noon.
		assert.equal(
			starts({ earliest: "22:00", latest: "12:00" })[0],
			"20 11:00 20 12:00",
		);
		assert.equal(
			starts({ earliest: "22:00", latest: "12:00" }, MIDNIGHT + 11 * HOUR)[0],
			"21 11:00 21 12:00",
		);
		assert.equal(
			starts({ earliest: "2026-06-21T00:00:00Z", latest: null })[0],
			"21 17:00 21 18:00",
		);
		assert.deepEqual(starts({ latest: "2026-06-20T00:30:00Z" }), []);
	});

	it("are told need by need", () => {
		const windows = best(
			[4000, 4000, 2000, 0],
			[
				{ name: "washer", hours: 0.25 },
				{ name: "dryer", kwh: 1 },
			],
		);
		assert.deepEqual(
			windows.map(({ name, start }) => [name, start]),
			[
				["washer", at(0)],
				["washer", at(1)],
				["washer", at(2)],
				["dryer", at(0)],
				["dryer", at(1)],
				["dryer", at(2)],
			],
		);
	});

	it("never overlap, come in order, and add up to the need", () => {
		fc.assert(
			fc.property(
				randomDay,
				fc.constantFrom({ kwh: 1.2 }, { hours: 2 }, { kwh: 3, hours: 1.5 }),
				fc.boolean(),
				(day, need, withPrices) => {
					const { best_windows } = planBattery(
						withPrices ? day.input : { ...day.input, prices: null },
						day.settings,
						{ need: good(readNeeds(need)) },
					);
					assert.ok(best_windows.length <= 5);
					const times = best_windows
						.map(({ start, end }) => [Date.parse(start), Date.parse(end)])
						.sort(([a], [b]) => (a as number) - (b as number));
					for (const [index, [start, end]] of times.entries()) {
						assert.ok((start as number) < (end as number));
						assert.ok((times[index - 1]?.[1] ?? 0) <= (start as number));
						if (need.hours) {
							assert.equal(
								(end as number) - (start as number),
								need.hours * HOUR,
							);
						}
					}
					for (const [index, window] of best_windows.entries()) {
						assert.ok(window.energy_kwh >= 0);
						if (need.kwh) {
							const sum = window.energy_kwh + (window.from_grid_kwh as number);
							assert.ok(Math.abs(sum - need.kwh) < 1e-5);
						}
						if (!withPrices) {
							const before = best_windows[index - 1]?.energy_kwh ?? Infinity;
							assert.ok(window.energy_kwh > 0);
							assert.ok(window.energy_kwh <= before + 1e-6);
						}
					}
				},
			),
			{ numRuns: 200 },
		);
	});
});
