import assert from "node:assert/strict";
import fc from "fast-check";
import type { BatteryPlan } from "../../src/battery/payload";
import { planBattery } from "../../src/battery/plan";
import { STRATEGIES } from "../../src/battery/settings";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { costs, limitsHold, rowsHold, withoutBattery } from "./invariants";
import {
	input,
	loads,
	MIDNIGHT,
	MINUTE,
	QUARTER,
	randomDay,
	settings,
	zone,
} from "./support";

const near = (a: number, b: number, tolerance = 1e-6) =>
	assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

describe("battery plan", () => {
	it("writes the quarters, the balance and the state of charge", () => {
		const result = planBattery(
			input([0, 2000, 6000], { soc: 10, load: 1000 }),
			settings({ feedInLimitW: 500, minSoc: 5 }),
		);
		assert.deepEqual(result, {
			plan: [
				{
					start: "2026-06-20T00:00:00+00:00",
					end: "2026-06-20T00:15:00+00:00",
					pv_w: 0,
					load_w: 1000,
					battery_w: -1000,
					grid_w: 0,
					curtailed_w: 0,
					soc: 7.5,
				},
				{
					start: "2026-06-20T00:15:00+00:00",
					end: "2026-06-20T00:30:00+00:00",
					pv_w: 2000,
					load_w: 1000,
					battery_w: 1000,
					grid_w: 0,
					curtailed_w: 0,
					soc: 10,
				},
				{
					start: "2026-06-20T00:30:00+00:00",
					end: "2026-06-20T00:45:00+00:00",
					pv_w: 6000,
					load_w: 1000,
					battery_w: 4000,
					grid_w: -500,
					curtailed_w: 500,
					soc: 20,
				},
			],
			now: {
				charge_limit_w: 4000,
				// 0.5 kWh above minSoc are 2 kW for the quarter.
				discharge_limit_w: 2000,
				grid_charge_w: 0,
				grid_discharge_w: 0,
				feed_in_limit_w: 500,
				store_above_w: 500,
				pv_limit_w: null,
				mode: "discharge",
			},
			full_at: null,
			empty_at: null,
			will_be_full: false,
			energy_from_grid_kwh: 0,
			energy_to_grid_kwh: 0.125,
			curtailed_kwh: 0.125,
			surplus_windows: [
				{
					start: "2026-06-20T00:15:00+00:00",
					end: "2026-06-20T00:45:00+00:00",
					energy_kwh: 1.5,
				},
			],
			gap_at: null,
			cautious_until: null,
			priced_until: null,
			targets: [],
			margin: null,
			lacks: [],
			inputs: null,
			reason: null,
		});
	});

	it("loses the round trip in equal parts on both ways", () => {
		const { plan } = planBattery(
			input([4000, 0, 0, 0, 0], { load: loads([0, 1000, 1000, 1000, 1000]) }),
			settings({ efficiency: 0.81 }),
		);
		// 1 kWh charged stores 0.9 kWh, which give 0.81 kWh.
		near(plan[0]?.soc ?? 0, 9);
		const given = plan
			.slice(1)
			.reduce((sum, row) => sum - row.battery_w / 4, 0);
		near(given, 810, 1e-3);
		near(plan[4]?.soc ?? 1, 0);
	});

	it("says when the battery is full and empty", () => {
		const { full_at, empty_at, will_be_full } = planBattery(
			input([4000, 4000, 0, 0, 0], { load: loads([0, 0, 4000, 4000, 4000]) }),
			settings({ capacityKwh: 2 }),
		);
		assert.equal(full_at, "2026-06-20T00:30:00+00:00");
		// It starts empty.
		assert.equal(empty_at, "2026-06-20T00:00:00+00:00");
		assert.equal(will_be_full, true);
		const later = planBattery(
			input([0, 0, 0], { load: 4000, soc: 100 }),
			settings({ capacityKwh: 2, minSoc: 50 }),
		);
		assert.equal(later.full_at, "2026-06-20T00:00:00+00:00");
		assert.equal(later.empty_at, "2026-06-20T00:15:00+00:00");
	});

	it("counts of the running quarter what is left", () => {
		const now = MIDNIGHT + 10 * MINUTE;
		const { plan, surplus_windows, energy_to_grid_kwh } = planBattery(
			input([6000, 0], { now }),
			settings(),
		);
		const [row] = plan;
		assert.equal(row?.start, "2026-06-20T00:00:00+00:00");
		assert.equal(row?.battery_w, 4000);
		// 4 kW for 5 minutes are 1/3 kWh of 10 kWh; 2 kW are fed in.
		near(row?.soc ?? 0, 100 / 30, 1e-5);
		near(energy_to_grid_kwh ?? 0, 1 / 6);
		assert.deepEqual(surplus_windows, [
			{
				start: "2026-06-20T00:10:00+00:00",
				end: "2026-06-20T00:15:00+00:00",
				energy_kwh: 0.5,
			},
		]);
	});

	it("skips quarters that have passed, up to the last millisecond", () => {
		const pv = [1000, 2000, 3000];
		for (const [ms, left] of [
			[0, 3],
			[QUARTER - 1, 3],
			[QUARTER, 2],
			[3 * QUARTER - 1, 1],
		] as const) {
			const { plan } = planBattery(
				input(pv, { now: MIDNIGHT + ms }),
				settings(),
			);
			assert.equal(plan.length, left);
			assert.equal(plan[0]?.battery_w, pv[3 - left]);
		}
	});

	it("ends at the first gap instead of taking it for darkness", () => {
		const gap = planBattery(input([1000, null, 3000]), settings());
		assert.equal(gap.plan.length, 1);
		assert.equal(gap.gap_at, "2026-06-20T00:15:00+00:00");
		const whole = input([1000, 2000, 3000]);
		const missing = planBattery(
			{ ...whole, quarters: whole.quarters.filter((_, index) => index !== 1) },
			settings(),
		);
		assert.equal(missing.plan.length, 1);
		assert.equal(missing.gap_at, "2026-06-20T00:15:00+00:00");
	});

	it("is refused when the running quarter is not known", () => {
		for (const quarters of [
			input([null, 1000]),
			input([]),
			input([1000], { now: MIDNIGHT + QUARTER }),
			input([1000], { now: MIDNIGHT - 1 }),
		]) {
			assert.throws(
				() => planBattery(quarters, settings()),
				(error: unknown) =>
					error instanceof SolarYieldError && error.kind === "INPUT",
			);
		}
	});

	it("plans cautiously with the band's minimum as far as the band is known", () => {
		const given = input([1000, 1000, 1000, 1000], {
			min: [400, null, 600, 0],
			band_until: MIDNIGHT + 3 * QUARTER,
		});
		const cautious = planBattery(given, settings({ safety: "cautious" }));
		assert.deepEqual(
			cautious.plan.map((row) => row.pv_w),
			[400, 1000, 600, 1000],
		);
		assert.equal(cautious.cautious_until, "2026-06-20T00:45:00+00:00");
		const expected = planBattery(given, settings());
		assert.deepEqual(
			expected.plan.map((row) => row.pv_w),
			[1000, 1000, 1000, 1000],
		);
		assert.equal(expected.cautious_until, null);
		const noBand = planBattery(
			{ ...given, band_until: null },
			settings({ safety: "cautious" }),
		);
		assert.equal(noBand.cautious_until, null);
	});

	it("takes a small negative power for 0", () => {
		const { plan } = planBattery(input([-3]), settings());
		assert.equal(plan[0]?.pv_w, 0);
	});

	it("reads the load by the site's clock, by span, and else by the profile", () => {
		const hourly = Array.from({ length: 24 }, (_, hour) => hour * 10);
		const load = (given: unknown, clock = "Asia/Kathmandu") =>
			planBattery(
				input(new Array(8).fill(0), {
					load: given,
					zone: zone(clock),
				}),
				settings({ loadKwhPerDay: 24 }),
			).plan.map((row) => row.load_w);
		// 05:45 in Kathmandu.
		assert.deepEqual(load(hourly), [50, 60, 60, 60, 60, 70, 70, 70]);
		const profile = load("");
		assert.ok(profile.every((power) => power > 100));
		const mixed = load([
			{ start: MIDNIGHT, end: MIDNIGHT + QUARTER / 3, power_w: 9000 },
			{ start: MIDNIGHT + QUARTER, end: MIDNIGHT + 2 * QUARTER, power_w: 77 },
		]);
		near(mixed[0] ?? 0, 3000 + ((profile[0] ?? 0) * 2) / 3, 1e-3);
		assert.equal(mixed[1], 77);
		assert.deepEqual(mixed.slice(2), profile.slice(2));
	});

	it("writes all its times in the forecast's zone, over a change of its clock", () => {
		const site = zone("Europe/Berlin");
		// 01:30 on 25 October; the clock goes back at 03:00.
		const start = Date.parse("2026-10-24T23:30:00Z");
		const given = input([0, 0, 3000, 3000, 3000, 3000, 3000, 3000, 0], {
			start,
			soc: 20,
			prices: new Array(9).fill(0.3),
			zone: site,
		});
		const plan = planBattery(
			{
				...given,
				targets: [{ soc: 50, by: { instant: start + 8 * QUARTER } }],
			},
			settings({ strategy: "price", capacityKwh: 1 }),
		);
		assert.equal(plan.plan[0]?.start, "2026-10-25T01:30:00+02:00");
		assert.equal(plan.plan[5]?.end, "2026-10-25T02:00:00+01:00");
		const times = [
			plan.full_at,
			plan.priced_until,
			plan.targets[0]?.by,
			plan.surplus_windows[0]?.start,
		];
		for (const time of times) assert.match(String(time), /\+0[12]:00$/);
		assert.equal(plan.targets[0]?.by, "2026-10-25T02:30:00+01:00");
	});

	it("tells the runs with more PV than load", () => {
		const { surplus_windows } = planBattery(
			input([500, 1500, 2000, 500, 3000], { load: 1000, soc: 50 }),
			settings(),
		);
		assert.deepEqual(surplus_windows, [
			{
				start: "2026-06-20T00:15:00+00:00",
				end: "2026-06-20T00:45:00+00:00",
				energy_kwh: 0.375,
			},
			{
				start: "2026-06-20T01:00:00+00:00",
				end: "2026-06-20T01:15:00+00:00",
				energy_kwh: 0.5,
			},
		]);
	});

	it("gives no limits for demo data", () => {
		const { now, plan } = planBattery(input([5000]), settings(), {
			demo: true,
		});
		assert.deepEqual(now, {
			charge_limit_w: null,
			discharge_limit_w: null,
			grid_charge_w: null,
			grid_discharge_w: null,
			feed_in_limit_w: null,
			store_above_w: null,
			pv_limit_w: null,
			mode: "demo",
		});
		assert.equal(plan.length, 1);
	});

	it("leaves a battery outside its bounds until it can move inwards", () => {
		const bounds = settings({ minSoc: 20, maxSoc: 80 });
		for (const strategy of STRATEGIES) {
			const socs = (soc: number, pv: number, load: number) =>
				planBattery(input([pv, pv], { soc, load, prices: [0.3, 0.3] }), {
					...bounds,
					strategy,
				}).plan.map((row) => row.soc);
			assert.deepEqual(socs(90, 4000, 0), [90, 90], strategy);
			assert.deepEqual(socs(10, 0, 4000), [10, 10], strategy);
			assert.deepEqual(socs(10, 4000, 0), [20, 30], strategy);
		}
		assert.deepEqual(
			planBattery(input([0, 0], { soc: 90, load: 4000 }), bounds).plan.map(
				(row) => row.soc,
			),
			[80, 70],
		);
	});
});

describe("limits of the running quarter", () => {
	const now = (
		pv: number[],
		given: Parameters<typeof input>[1],
		set: Record<string, unknown>,
	) => planBattery(input(pv, given), settings(set)).now;

	it("are open where the battery does what it would do by itself", () => {
		const open = {
			charge_limit_w: 4000,
			discharge_limit_w: 4000,
			grid_charge_w: 0,
			grid_discharge_w: 0,
			feed_in_limit_w: null,
			store_above_w: null,
			pv_limit_w: null,
		};
		assert.deepEqual(now([3000], { load: 1000 }, {}), {
			...open,
			mode: "charge",
		});
		assert.deepEqual(now([0], { load: 1000, soc: 50 }, {}), {
			...open,
			mode: "discharge",
		});
		assert.deepEqual(now([0], { load: 1000 }, {}), { ...open, mode: "idle" });
		assert.deepEqual(now([3000], { soc: 100 }, {}), { ...open, mode: "idle" });
	});

	it("close where a bound of the settings is near", () => {
		const bounds = { minSoc: 20, maxSoc: 80 };
		const at = (soc: number, load: number) => {
			const { charge_limit_w, discharge_limit_w } = now(
				[1000],
				{ soc, load },
				bounds,
			);
			return [charge_limit_w, discharge_limit_w];
		};
		assert.deepEqual(at(20, 2000), [4000, 0]);
		assert.deepEqual(at(22, 2000), [4000, 800]);
		assert.deepEqual(at(10, 2000), [4000, 0]);
		assert.deepEqual(at(79, 0), [400, 4000]);
		assert.deepEqual(at(80, 0), [0, 4000]);
		assert.deepEqual(at(90, 0), [0, 4000]);
	});

	it("hold charging back for the midday peak", () => {
		const pv = [1000, 5000, 5000, 1000];
		const set = {
			strategy: "peak-shaving",
			feedInLimitW: 3000,
			capacityKwh: 1.5,
		};
		assert.deepEqual(now(pv, {}, set), {
			charge_limit_w: 0,
			discharge_limit_w: 4000,
			grid_charge_w: 0,
			grid_discharge_w: 0,
			feed_in_limit_w: 3000,
			store_above_w: 3000,
			pv_limit_w: null,
			mode: "hold",
		});
		const peak = now(pv, { now: MIDNIGHT + QUARTER }, set);
		assert.equal(peak.mode, "charge");
		assert.equal(peak.discharge_limit_w, 4000);
		assert.ok((peak.charge_limit_w ?? 0) >= 2000);
		assert.ok((peak.charge_limit_w ?? 0) < 4000);
	});

	it("hold discharging back for a dear hour, and charge from the grid in a cheap one", () => {
		const dear = { load: 2000, soc: 5, prices: [0.2, 0.5] };
		// What is stored may be used in the dear quarter only where it can be bought back: not here.
		assert.deepEqual(now([0, 0], dear, { strategy: "price" }), {
			charge_limit_w: 4000,
			discharge_limit_w: 0,
			grid_charge_w: 2000,
			grid_discharge_w: 0,
			feed_in_limit_w: null,
			store_above_w: null,
			pv_limit_w: null,
			mode: "grid-charge",
		});
		const hold = { load: 2000, soc: 5, prices: [0.45, 0.5, 0.1] };
		assert.deepEqual(
			now([0, 0, 0], hold, {
				strategy: "price",
				efficiency: 0.81,
				maxDischargeW: 1800,
				maxChargeW: 2500,
			}),
			{
				charge_limit_w: 2500,
				discharge_limit_w: 0,
				grid_charge_w: 0,
				grid_discharge_w: 0,
				feed_in_limit_w: null,
				store_above_w: null,
				pv_limit_w: null,
				mode: "hold",
			},
		);
	});
});

describe("battery plans of 1,000 random days", () => {
	it("balance in every row, keep their bounds, and are no worse than no battery", function () {
		this.timeout(120_000);
		const lengths = new Set<number>();
		fc.assert(
			fc.property(randomDay, ({ input, settings: given, length, site }) => {
				lengths.add(length);
				const [self, shaved, priced] = STRATEGIES.map((strategy) => {
					const set = { ...given, strategy };
					const result = planBattery(input, set);
					rowsHold(result, input, set);
					limitsHold(result, set);
					return result;
				}) as [BatteryPlan, BatteryPlan, BatteryPlan];

				// Each by its own measure: energy from the grid, energy lost, cost.
				const { bought, lost } = withoutBattery(self, input, given);
				const selfBought = self.energy_from_grid_kwh ?? Number.NaN;
				const selfLost = self.curtailed_kwh ?? Number.NaN;
				const shavedLost = shaved.curtailed_kwh ?? Number.NaN;
				const { planned, without, soc } = costs(priced, input, given);
				assert.ok(selfBought <= bought + 1e-5);
				assert.ok(shavedLost <= lost + 1e-5);
				assert.ok(planned <= without + 1e-4, `${planned} > ${without}`);
				assert.ok(soc >= Math.min(input.soc, given.maxSoc) - 1e-5);

				// Peak shaving loses no more, buys no more, and holds as much at sunset.
				assert.ok(shavedLost <= selfLost + 1e-5, `${shavedLost} > ${selfLost}`);
				near(shaved.energy_from_grid_kwh ?? -1, selfBought, 1e-4);
				const sunset = new Map<number, number>();
				for (const [index, { pv_w, load_w }] of self.plan.entries()) {
					const start = input.quarters[index]?.start ?? 0;
					if (pv_w > load_w) sunset.set(site.dayOf(start), index);
				}
				for (const index of sunset.values()) {
					near(shaved.plan[index]?.soc ?? -1, self.plan[index]?.soc ?? 1, 1e-4);
				}
			}),
			{ numRuns: 1000 },
		);
		// Days of 23, 23.5, 24, 24.5 and 25 hours have been among them.
		assert.deepEqual(
			[...lengths].sort((a, b) => a - b),
			[92, 94, 96, 98, 100],
		);
	});

	it("come out the same twice, and leave their input alone", () => {
		fc.assert(
			fc.property(randomDay, ({ input, settings: given }) => {
				const before = JSON.stringify([input, given]);
				for (const strategy of STRATEGIES) {
					const set = { ...given, strategy };
					assert.deepEqual(planBattery(input, set), planBattery(input, set));
				}
				assert.equal(JSON.stringify([input, given]), before);
			}),
			{ numRuns: 50 },
		);
	});
});
