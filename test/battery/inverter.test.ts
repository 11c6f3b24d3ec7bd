import assert from "node:assert/strict";
import fc from "fast-check";
import { emptyState } from "../../src/battery/battery-state";
import { planOf } from "../../src/battery/knowledge";
import type { BatteryPlan } from "../../src/battery/payload";
import { planBattery } from "../../src/battery/plan";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { readSumSettings, sumForecasts } from "../../src/sum";
import { input, MIDNIGHT, QUARTER, randomDay, settings } from "./support";

/** A battery of 10 kWh at 50 % without losses or bounds of the day, by price. */
const plan = (
	pv: readonly number[],
	prices: readonly number[],
	set: Record<string, unknown>,
	given: { soc?: number; load?: number } = {},
) =>
	planBattery(
		input(pv, { load: 0, soc: 50, prices, ...given }),
		settings({ strategy: "price", ...set }),
	);
const powers = (
	{ plan: rows }: BatteryPlan,
	of: "battery_w" | "grid_w" | "curtailed_w" = "battery_w",
) => rows.map((row) => row[of]);

/** Night, cheap, then dear. */
const DARK = [0, 0, 0, 0];

describe("what an inverter and its battery are spared", () => {
	for (const [name, result, wanted, most] of [
		[
			"a cycle that earns less than the wear is not made",
			powers(
				plan(
					DARK,
					[0.2, 0.2, 0.28, 0.28],
					{ wearPrice: 0.1 },
					{ load: 600, soc: 0 },
				),
			),
			[0, 0, 0, 0],
			0,
		],
		[
			"one that earns more is",
			powers(
				plan(
					DARK,
					[0.2, 0.2, 0.32, 0.32],
					{ wearPrice: 0.1 },
					{ load: 600, soc: 0 },
				),
			),
			[600, 600, -600, -600],
			4000,
		],
		[
			"charging from the grid leaves the house its room below the import limit",
			powers(
				plan(
					DARK,
					[0.1, 0.1, 0.1, 0.5],
					{ importLimitW: 1500 },
					{ load: 900, soc: 0 },
				),
				"grid_w",
			),
			[1200, 1200, 1200, 0],
			1500,
		],
		[
			"no more is charged from the grid than it may",
			powers(
				plan(
					DARK,
					[0.1, 0.1, 0.1, 0.5],
					{ gridChargeW: 250 },
					{ load: 900, soc: 0 },
				),
			).slice(0, 3),
			[250, 250, 250],
			250,
		],
	] as const) {
		it(name, () => {
			// Which of equal hours are chosen does not matter.
			const sum = (values: readonly number[]) =>
				values.reduce((total, value) => total + value, 0);
			assert.ok(Math.abs(sum(result) - sum(wanted)) < 1, result.join());
			assert.ok(Math.max(...result) <= most + 0.01, result.join());
		});
	}
});

describe("a hybrid inverter", () => {
	const sun = [3000, 8000, 8000, 3000];
	const hybrid = { acLimitW: 5000, coupling: "dc", maxChargeW: 5000 };

	for (const strategy of ["peak-shaving", "price"]) {
		it(`stores on its DC side what is above its limit: ${strategy}`, () => {
			const result = plan(
				sun,
				[0.3, 0.3, 0.3, 0.3],
				{ ...hybrid, strategy, feedInPrice: 0.4 },
				{ load: 500 },
			);
			assert.ok(
				powers(result)
					.slice(1, 3)
					.every((power) => power >= 3000),
			);
			assert.equal(result.curtailed_kwh, 0);
		});
	}

	it("loses beside the inverter what is above, and passes no more of both", () => {
		const prices = [0.3, 0.3, 0.3, 0.3];
		const beside = plan(sun, prices, { ...hybrid, coupling: "ac" });
		assert.deepEqual(
			beside.plan.map(({ pv_w }) => pv_w),
			[3000, 5000, 5000, 3000],
		);
		// The house takes more than the inverter passes: PV above charges all the same,
		// and the battery gives what the inverter has left over.
		for (const [pv, power] of [
			[6000, 1000],
			[4000, -1000],
		] as const) {
			const set = { ...hybrid, strategy: "self-consumption" };
			const { plan: rows, now } = plan([pv], [0.3], set, { load: 7000 });
			assert.deepEqual(
				[rows[0]?.battery_w, rows[0]?.grid_w, now.grid_charge_w],
				[power, 2000, 0],
			);
		}
	});

	it("stores what a sum before it has cut", () => {
		const values = sun.map((pv_power, index) => ({
			timestamp: new Date(MIDNIGHT + (index + 1) * QUARTER).toISOString(),
			pv_power,
		}));
		const payload = { site_id: "roof", computed_at: null, values };
		const sum = sumForecasts(
			[forecastFromInput({ payload, solar: { timezone: "UTC" } })],
			readSumSettings({ acLimitW: 5000 }),
			MIDNIGHT,
		);
		const soc = { percent: 40, at: MIDNIGHT, steady_until: null, fractions: 0 };
		const known = {
			input: forecastFromInput(sum as never),
			...{ absent: [], asked: [] },
			kept: { ...emptyState(), soc },
		};
		const powersOf = (coupling: string) => {
			const set = { strategy: "peak-shaving", coupling, loadKwhPerDay: 0 };
			const all = settings({ ...set, maxChargeW: 5000 });
			const { plan: rows } = planOf(known, all, MIDNIGHT, false);
			return rows.map(({ pv_w, curtailed_w }) => [pv_w, curtailed_w]);
		};
		assert.deepEqual(powersOf("dc"), [
			[3000, 0],
			[8000, 0],
			[8000, 0],
			[3000, 0],
		]);
		assert.deepEqual(
			powersOf("ac").map(([pv]) => pv),
			[3000, 5000, 5000, 3000],
		);
	});
});

describe("what an inverter is told besides", () => {
	it("is to store what exceeds the feed-in limit, while there is one and room", () => {
		const at = (set: Record<string, unknown>, soc = 50) =>
			plan(
				[5000],
				[0.3],
				{ strategy: "peak-shaving", ...set },
				{ soc, load: 500 },
			).now.store_above_w;
		assert.equal(at({ feedInLimitW: 3000 }), 3000);
		assert.equal(at({}), null);
		assert.equal(at({ feedInLimitW: 3000, maxSoc: 50 }), null);
		assert.equal(at({ acLimitW: 4000, coupling: "dc" }), 3500);
	});

	it("is to stop PV while importing pays more than the sun brings", () => {
		const cheap = { mayCurtail: true, feedInPrice: 0.08 };
		const stopped = plan([6000, 6000], [-0.38, 0.3], cheap, {
			load: 1000,
			soc: 0,
		});
		assert.equal(stopped.now.pv_limit_w, 0);
		assert.deepEqual(powers(stopped, "grid_w"), [5000, -5000]);
		assert.deepEqual(powers(stopped, "curtailed_w"), [6000, 0]);
		assert.equal(stopped.now.grid_charge_w, 4000);
		// Eleven times as much is fed in as the house would take.
		const sunny = plan([12_000], [-0.38], cheap, { load: 1000, soc: 100 });
		assert.equal(sunny.now.pv_limit_w, null);
		const never = plan(
			[6000, 6000],
			[-0.38, 0.3],
			{ feedInPrice: 0.08 },
			{ load: 1000, soc: 0 },
		);
		assert.equal(never.now.pv_limit_w, null);
	});
});

describe("above maxSoc", () => {
	it("a battery is not charged, and what lies there keeps its value", () => {
		for (const strategy of ["self-consumption", "peak-shaving", "price"]) {
			const result = plan(
				[3000, 3000, 0, 0],
				[0.3, 0.3, 0.3, 0.3],
				{
					strategy,
					maxSoc: 80,
					sell: true,
					feedInPrice: 0.08,
					gridCharge: false,
				},
				{ soc: 95, load: 1000 },
			);
			assert.deepEqual(powers(result), [0, 0, -1000, -1000], strategy);
		}
	});
});

describe("any plan of any inverter", () => {
	it("keeps every bound", () => {
		const limits = fc.record({
			acLimitW: fc.constantFrom(null, 2000, 6000),
			coupling: fc.constantFrom("ac" as const, "dc" as const),
			importLimitW: fc.constantFrom(null, 0, 1500, 6000),
			gridChargeW: fc.constantFrom(null, 0, 800),
			wearPrice: fc.constantFrom(0, 0.07),
			mayCurtail: fc.boolean(),
			sell: fc.boolean(),
			gridCharge: fc.boolean(),
			strategy: fc.constantFrom("price" as const, "peak-shaving" as const),
		});
		fc.assert(
			fc.property(
				randomDay,
				limits,
				({ input: given, settings: set }, more) => {
					const all = { ...set, ...more };
					const { plan: rows } = planBattery(given, all);
					const perPercent = all.capacityKwh / 100;
					const ac = all.acLimitW ?? Number.POSITIVE_INFINITY;
					let before = given.soc;
					for (const {
						pv_w,
						load_w,
						battery_w,
						grid_w,
						curtailed_w,
						soc,
					} of rows) {
						const says = JSON.stringify({
							pv_w,
							load_w,
							battery_w,
							grid_w,
							curtailed_w,
							soc,
							before,
						});
						const most = 1e-2;
						assert.ok(
							Math.abs(pv_w - curtailed_w + grid_w - load_w - battery_w) < most,
							says,
						);
						assert.ok(
							soc <= Math.max(before, all.maxSoc) + 1e-5 &&
								soc >= Math.min(before, all.minSoc, given.soc) - 1e-5,
							says,
						);
						assert.ok(
							battery_w <= all.maxChargeW + most &&
								-battery_w <= all.maxDischargeW + most,
							says,
						);
						assert.ok(
							-grid_w <= (all.feedInLimitW ?? Number.POSITIVE_INFINITY) + most,
							says,
						);
						assert.ok(curtailed_w >= 0 && curtailed_w <= pv_w, says);
						const sun = pv_w - curtailed_w;
						if (all.coupling === "dc")
							assert.ok(sun - battery_w <= ac + most, says);
						else assert.ok(sun <= ac + most, says);
						const bought = Math.min(battery_w, grid_w);
						if (bought > most) {
							const own = Math.max(0, load_w - Math.min(sun, ac));
							const grid = battery_w - Math.max(0, sun - Math.min(load_w, ac));
							assert.ok(
								grid <= (all.gridChargeW ?? all.maxChargeW) + most,
								says,
							);
							if (grid > most)
								assert.ok(
									grid_w <=
										Math.max(
											own,
											all.importLimitW ?? Number.POSITIVE_INFINITY,
										) +
											most,
									says,
								);
						}
						const step = ((soc - before) * perPercent) / 0.25;
						assert.ok(
							Math.abs(step) * 1000 <=
								(Math.max(all.maxChargeW, all.maxDischargeW) * 1) /
									Math.sqrt(all.efficiency) +
									1,
							says,
						);
						before = soc;
					}
				},
			),
			{ numRuns: 150 },
		);
	}).timeout(60_000);
});
