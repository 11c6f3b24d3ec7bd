import assert from "node:assert/strict";
import fc from "fast-check";
import { planBattery } from "../../src/battery/plan";
import { input, loads, QUARTER, settings } from "./support";

/** A clear day of 96 quarters from 00:00, peak at 12:00. */
const clear = (peak: number) =>
	Array.from({ length: 96 }, (_, index) =>
		Math.max(0, peak * Math.sin(((index - 24) / 48) * Math.PI)),
	);
const shaved = (given: Record<string, unknown> = {}) =>
	settings({ strategy: "peak-shaving", ...given });

/**
 * Least energy lost above the limit, in units, over every plan that charges from
 * PV only, ends with at least `end` and buys at most `bought`. Powers, capacity
 * and limit are whole units per quarter, and nothing is lost on the way.
 */
function exhaustive(
	surplus: readonly number[],
	battery: { capacity: number; stored: number; most: number; limit: number },
	end: number,
	bought: number,
): number {
	const { capacity, most, limit } = battery;
	const search = (index: number, stored: number, left: number): number => {
		const energy = surplus[index];
		if (energy === undefined) {
			return stored >= end ? 0 : Number.POSITIVE_INFINITY;
		}
		let best = Number.POSITIVE_INFINITY;
		if (energy > 0) {
			for (let taken = 0; taken <= Math.min(energy, most); taken += 1) {
				if (stored + taken > capacity) break;
				const lost = Math.max(0, energy - taken - limit);
				best = Math.min(best, lost + search(index + 1, stored + taken, left));
			}
		} else {
			for (let given = 0; given <= Math.min(-energy, most); given += 1) {
				const lacks = -energy - given;
				if (given > stored || lacks > left) continue;
				best = Math.min(best, search(index + 1, stored - given, left - lacks));
			}
		}
		return best;
	};
	return search(0, battery.stored, bought);
}

describe("peak shaving", () => {
	it("fills from the top of the day, exports evenly, and is full by sunset", () => {
		const given = input(clear(8000));
		const { plan, curtailed_kwh } = planBattery(
			given,
			shaved({ feedInLimitW: 6000 }),
		);
		const self = planBattery(given, settings({ feedInLimitW: 6000 }));
		assert.ok((self.curtailed_kwh ?? 0) > 4);
		assert.equal(curtailed_kwh, 0);
		// Nothing is charged before the sun stands high.
		assert.ok(plan.slice(0, 32).every((row) => row.battery_w === 0));
		// The export at midday is flat but for the width of a band, and below the limit.
		const charging = plan.filter((row) => row.battery_w > 0);
		const exports = charging.map((row) => -row.grid_w);
		assert.ok(Math.max(...exports) <= 6000);
		assert.ok(Math.max(...exports) - Math.min(...exports) <= (2 * 8000) / 32);
		assert.equal(plan[95]?.soc, 100);
	});

	it("takes all surplus of a day that does not fill the battery", () => {
		const given = input(clear(1200), { load: 100 });
		const { plan } = planBattery(given, shaved());
		for (const [index, row] of planBattery(given, settings()).plan.entries()) {
			assert.equal(plan[index]?.battery_w, row.battery_w);
		}
	});

	it("charges at its most where the battery cannot take the whole peak", () => {
		const { plan } = planBattery(
			input(clear(12_000)),
			shaved({ feedInLimitW: 5000, capacityKwh: 20 }),
		);
		const noon = plan[48];
		assert.equal(noon?.battery_w, 4000);
		assert.ok((noon?.curtailed_w ?? 0) > 2900);
		assert.equal(plan[95]?.soc, 100);
	});

	it("is full on each day of several", () => {
		const two = [...clear(8000), ...clear(9000)];
		const { plan } = planBattery(
			input(two, { load: 300 }),
			shaved({ feedInLimitW: 5000 }),
		);
		for (const day of [0, 1]) {
			const sunny = plan
				.slice(day * 96, day * 96 + 96)
				.filter((row) => row.pv_w > row.load_w);
			assert.equal(sunny[sunny.length - 1]?.soc, 100);
		}
	});

	it("serves a lack between two surpluses as self-consumption does", () => {
		const pv = [2000, 2000, 0, 6000, 6000, 3000];
		const load = loads([0, 0, 4000, 0, 0, 0]);
		const given = input(pv, { load });
		const set = { feedInLimitW: 4000, capacityKwh: 2 };
		const plan = planBattery(given, shaved(set));
		const self = planBattery(given, settings(set));
		assert.equal(plan.energy_from_grid_kwh, self.energy_from_grid_kwh);
		assert.equal(plan.plan[2]?.battery_w, -4000);
		assert.equal(plan.plan[5]?.soc, self.plan[5]?.soc);
	});

	it("starts a partial quarter with what is left of it", () => {
		const given = input(clear(8000).slice(40, 60), {});
		const now = given.now + QUARTER / 3;
		const { plan } = planBattery(
			{ ...given, now },
			shaved({ feedInLimitW: 5000, capacityKwh: 4 }),
		);
		const [first] = plan;
		const stored = ((first?.soc ?? 0) / 100) * 4;
		assert.ok(
			Math.abs(stored - ((first?.battery_w ?? 0) / 1000) * (1 / 6)) < 1e-6,
		);
	});

	it("loses no more than the best of all plans, found by trying every one", () => {
		fc.assert(
			fc.property(
				fc.array(fc.integer({ min: -3, max: 4 }), {
					minLength: 1,
					maxLength: 7,
				}),
				fc.record({
					capacity: fc.integer({ min: 1, max: 5 }),
					stored: fc.nat(5),
					most: fc.integer({ min: 1, max: 4 }),
					limit: fc.nat(3),
				}),
				(surplus, given) => {
					const battery = {
						...given,
						stored: Math.min(given.stored, given.capacity),
					};
					// One unit is 1 kW for a quarter hour.
					const problem = input(
						surplus.map((power) => Math.max(0, power) * 1000),
						{
							load: loads(surplus.map((power) => Math.max(0, -power) * 1000)),
							soc: (battery.stored / battery.capacity) * 100,
						},
					);
					const set = {
						capacityKwh: battery.capacity / 4,
						maxChargeW: battery.most * 1000,
						maxDischargeW: battery.most * 1000,
						feedInLimitW: battery.limit * 1000,
					};
					const self = planBattery(problem, settings(set));
					const plan = planBattery(problem, shaved(set));
					const sunset = surplus.map((power) => power > 0).lastIndexOf(true);
					const bought = self.plan
						.slice(0, sunset + 1)
						.reduce((sum, row) => sum + Math.max(0, row.grid_w), 0);
					const least = exhaustive(
						surplus.slice(0, sunset + 1),
						battery,
						Math.round(
							((self.plan[sunset]?.soc ?? 0) / 100) * battery.capacity,
						),
						Math.round(bought / 1000),
					);
					assert.ok(
						Math.abs((plan.curtailed_kwh ?? -1) - least / 4) < 1e-5 ||
							sunset < 0,
						`${plan.curtailed_kwh} kWh, best ${least / 4} kWh`,
					);
				},
			),
			{ numRuns: 400 },
		);
	});
});
