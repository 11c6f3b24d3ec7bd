import assert from "node:assert/strict";
import fc from "fast-check";
import type { BatteryPlan } from "../../src/battery/payload";
import { planBattery } from "../../src/battery/plan";
import { endWorth, input, loads, MIDNIGHT, QUARTER, settings } from "./support";

const priced = (given: Record<string, unknown> = {}) =>
	settings({ strategy: "price", ...given });

/** Cost of whole quarters, as the meter sees it. */
const cost = (
	plan: BatteryPlan,
	prices: readonly number[],
	feedInPrice: number,
) =>
	plan.plan.reduce(
		(sum, row, index) =>
			sum +
			(row.grid_w / 4000) *
				(row.grid_w > 0 ? (prices[index] as number) : feedInPrice),
		0,
	);

interface Case {
	/** PV less load per quarter, in units. */
	readonly surplus: readonly number[];
	readonly prices: readonly number[];
	readonly capacity: number;
	readonly stored: number;
	readonly charge: number;
	readonly discharge: number;
	readonly limit: number;
	readonly feedIn: number;
}

/** Least cost, in price units, of every plan in steps of one unit without losses, by trying each. */
function exhaustive(given: Case): number {
	const { surplus, prices, capacity, charge, discharge, limit, feedIn } = given;
	const search = (index: number, stored: number): number => {
		const energy = surplus[index];
		if (energy === undefined) {
			const more = stored - given.stored;
			return more >= 0 ? -more * endWorth(prices) : Number.POSITIVE_INFINITY;
		}
		let best = Number.POSITIVE_INFINITY;
		const lowest = -Math.min(stored, discharge, Math.max(0, -energy));
		const highest = Math.min(capacity - stored, charge);
		for (let change = lowest; change <= highest; change += 1) {
			const left = energy - change;
			const here =
				left > 0
					? -Math.min(left, limit) * feedIn
					: -left * (prices[index] as number);
			best = Math.min(best, here + search(index + 1, stored + change));
		}
		return best;
	};
	return search(0, given.stored);
}

/** The same with losses, for plans that move on a grid of 60 levels of the store. */
function fine(given: Case, efficiency: number): number {
	const { surplus, prices, capacity, charge, discharge, limit, feedIn } = given;
	const oneWay = Math.sqrt(efficiency);
	const steps = 60;
	const size = capacity / steps;
	const start = given.stored;
	let after = Array.from({ length: steps + 1 }, (_, level) =>
		level * size >= start - 1e-9
			? -(level * size - start) * endWorth(prices, efficiency)
			: Number.POSITIVE_INFINITY,
	);
	for (let index = surplus.length - 1; index >= 0; index -= 1) {
		const energy = surplus[index] as number;
		const most = Math.min(discharge, Math.max(0, -energy));
		after = after.map((_, level) => {
			let best = Number.POSITIVE_INFINITY;
			for (let next = 0; next <= steps; next += 1) {
				const change = (next - level) * size;
				const moved = change > 0 ? change / oneWay : change * oneWay;
				if (moved > charge + 1e-9 || moved < -most - 1e-9) continue;
				const left = energy - moved;
				const here =
					left > 0
						? -Math.min(left, limit) * feedIn
						: -left * (prices[index] as number);
				best = Math.min(best, here + (after[next] as number));
			}
			return best;
		});
	}
	return after[Math.round(start / size)] as number;
}

const randomCase = (least: number, quarters: number) =>
	fc
		.record({
			quarters: fc.array(
				fc.record({
					surplus: fc.integer({ min: -3, max: 3 }),
					price: fc.integer({ min: least, max: 40 }),
				}),
				{ minLength: 1, maxLength: quarters },
			),
			capacity: fc.integer({ min: 1, max: 4 }),
			stored: fc.nat(4),
			charge: fc.integer({ min: 1, max: 3 }),
			discharge: fc.integer({ min: 1, max: 3 }),
			limit: fc.constantFrom(1, 2, 10),
			feedIn: fc.constantFrom(0, 8, 20),
		})
		.map(
			({ quarters, ...rest }): Case => ({
				...rest,
				surplus: quarters.map((quarter) => quarter.surplus),
				prices: quarters.map((quarter) => quarter.price),
				stored: Math.min(rest.stored, rest.capacity),
			}),
		);

/** One unit is 1 kW for a quarter hour; prices are cents. */
function planOf(given: Case, efficiency = 1) {
	const problem = input(
		given.surplus.map((power) => Math.max(0, power) * 1000),
		{
			load: loads(given.surplus.map((power) => Math.max(0, -power) * 1000)),
			soc: (given.stored / given.capacity) * 100,
			prices: given.prices,
		},
	);
	const set = priced({
		capacityKwh: given.capacity / 4,
		maxChargeW: given.charge * 1000,
		maxDischargeW: given.discharge * 1000,
		feedInLimitW: given.limit * 1000,
		feedInPrice: given.feedIn,
		efficiency,
	});
	const plan = planBattery(problem, set);
	const without = given.surplus.reduce(
		(sum, energy, index) =>
			sum +
			(energy > 0
				? -Math.min(energy, given.limit) * given.feedIn
				: -energy * (given.prices[index] as number)),
		0,
	);
	return {
		cost:
			cost(plan, given.prices, given.feedIn) * 4 -
			(((plan.plan.at(-1)?.soc ?? 0) / 100) * given.capacity - given.stored) *
				endWorth(given.prices, efficiency),
		without,
		plan,
	};
}

describe("least cost", () => {
	it("is the best of all plans, found by trying every one", () => {
		fc.assert(
			fc.property(randomCase(20, 6), (given) => {
				const found = planOf(given);
				const best = exhaustive(given);
				assert.ok(
					Math.abs(found.cost - best) < 1e-4,
					`${found.cost}, best ${best}`,
				);
			}),
			{ numRuns: 400 },
		);
	});

	it("is within 1 % also where prices are negative or below the feed-in price", () => {
		fc.assert(
			fc.property(randomCase(-30, 6), (given) => {
				const found = planOf(given);
				const best = exhaustive(given);
				assert.ok(found.cost >= best - 1e-4);
				assert.ok(
					found.cost - best <= 0.01 * Math.abs(found.without) + 1e-4,
					`${found.cost}, best ${best}, without ${found.without}`,
				);
				assert.ok(found.cost <= found.without + 1e-4);
			}),
			{ numRuns: 600 },
		);
	});

	it("is not beaten with losses on the way by a fine grid either", () => {
		fc.assert(
			fc.property(
				randomCase(-20, 10),
				fc.constantFrom(0.5, 0.8, 0.95),
				(given, efficiency) => {
					const found = planOf(given, efficiency);
					const best = fine(given, efficiency);
					assert.ok(
						found.cost - best <= 0.01 * Math.abs(found.without) + 1e-3,
						`${found.cost}, best ${best}, without ${found.without}`,
					);
				},
			),
			{ numRuns: 60 },
		);
	});

	it("charges from the grid in cheap quarters for dear ones", () => {
		const prices = [0.4, 0.1, 0.1, 0.5, 0.5];
		const { plan } = planBattery(
			input([0, 0, 0, 0, 0], { load: 2000, prices }),
			priced({ efficiency: 0.81 }),
		);
		assert.deepEqual(
			plan.map((row) => row.battery_w > 0),
			[false, true, true, false, false],
		);
		// What is bought gives the dear quarters all they need, no more.
		assert.deepEqual(
			plan.map((row) => row.grid_w > 0),
			[true, true, true, false, false],
		);
		assert.equal(plan[4]?.soc, 0);
	});

	it("does not buy where the losses eat the difference", () => {
		const { plan } = planBattery(
			input([0, 0], { load: 1000, prices: [0.25, 0.3] }),
			priced({ efficiency: 0.8 }),
		);
		assert.ok(plan.every((row) => row.battery_w === 0));
	});

	it("gives at once at an even price, and keeps the sun that costs nothing", () => {
		const { plan } = planBattery(
			input([4000, 4000, 0, 0, 4000], {
				load: loads([0, 0, 1000, 1000, 0]),
				prices: new Array(5).fill(0.3),
			}),
			priced(),
		);
		assert.deepEqual(
			plan.map((row) => row.battery_w),
			[4000, 4000, -1000, -1000, 4000],
		);
	});

	it("treats hourly prices as equal within the hour, also in a partial quarter", () => {
		const given = input(new Array(8).fill(0), { load: 1000, soc: 50 });
		const { plan } = planBattery(
			{
				...given,
				now: MIDNIGHT + 7 * 60_000 + 1,
				prices: [
					{ start: MIDNIGHT, end: MIDNIGHT + 4 * QUARTER, price: 0.2877 },
					{
						start: MIDNIGHT + 4 * QUARTER,
						end: MIDNIGHT + 8 * QUARTER,
						price: 0.2877,
					},
				],
			},
			priced({ minSoc: 49 }),
		);
		// It may not end under its start: nothing to give at all.
		assert.ok(plan.every((row) => row.battery_w === 0));
		const sunny = planBattery(
			{
				...input([0, 0, 4000, 0], { load: loads([1000, 1000, 0, 0]), soc: 50 }),
				now: MIDNIGHT + 7 * 60_000 + 1,
				prices: [
					{ start: MIDNIGHT, end: MIDNIGHT + 4 * QUARTER, price: 0.2877 },
				],
			},
			priced(),
		);
		assert.equal(sunny.plan[0]?.battery_w, -1000);
		assert.equal(sunny.now.mode, "discharge");
	});

	it("plans by prices as far as they reach without a hole, self-consumption beyond", () => {
		const pv = [0, 0, 0, 0, 0, 0];
		const problem = input(pv, { load: 1000, soc: 20 });
		const row = (from: number, to: number, price: number) => ({
			start: MIDNIGHT + from * QUARTER,
			end: MIDNIGHT + to * QUARTER,
			price,
		});
		const result = planBattery(
			{ ...problem, prices: [row(0, 2, 0.3), row(2, 3, 0.1), row(4, 6, 9)] },
			priced(),
		);
		assert.equal(result.priced_until, "2026-06-20T00:45:00+00:00");
		// Discharged while dear, bought back while cheap: never under the start there.
		assert.deepEqual(
			result.plan.map((entry) => entry.battery_w),
			[-1000, -1000, 2000, -1000, -1000, -1000],
		);
		const none = planBattery(problem, priced());
		assert.equal(none.priced_until, null);
		assert.deepEqual(none.plan, planBattery(problem, settings()).plan);
		const late = planBattery(
			{ ...problem, prices: [row(1, 6, 0.3)] },
			priced(),
		);
		assert.equal(late.priced_until, null);
		const half = planBattery(
			{ ...problem, prices: [row(0, 1.5, 0.3)] },
			priced(),
		);
		assert.equal(half.priced_until, "2026-06-20T00:15:00+00:00");
	});

	it("keeps the sun for beyond the prices, but buys nothing on a guess", () => {
		const problem = input([3000, 3000, 0, 0, 0, 0], {
			load: loads([0, 0, 0, 0, 2000, 2000]),
		});
		const prices = (price: number) => [
			{ start: MIDNIGHT, end: MIDNIGHT + 3 * QUARTER, price },
		];
		const kept = planBattery(
			{ ...problem, prices: prices(0.3) },
			priced({ feedInPrice: 0.08 }),
		);
		assert.deepEqual(
			kept.plan.map((row) => row.battery_w),
			[3000, 3000, 0, 0, -2000, -2000],
		);
		const sold = planBattery(
			{ ...problem, prices: prices(0.07) },
			priced({ feedInPrice: 0.08 }),
		);
		assert.ok(sold.plan.every((row) => row.battery_w <= 0));
		const dark = planBattery(
			{ ...input(new Array(6).fill(0), { load: 500 }), prices: prices(0.01) },
			priced(),
		);
		assert.ok(dark.plan.every((row) => row.battery_w === 0));
	});

	it("sells rather than stores where that pays, and avoids loss above the limit", () => {
		const prices = [0.1, 0.1, 0.1];
		const sold = planBattery(
			input([3000, 3000, 0], { load: loads([0, 0, 1000]), prices }),
			priced({ feedInPrice: 0.12 }),
		);
		assert.ok(sold.plan.every((row) => row.battery_w === 0));
		const limited = planBattery(
			input([3000, 3000, 0], { load: loads([0, 0, 1000]), prices }),
			priced({ feedInPrice: 0.12, feedInLimitW: 2500 }),
		);
		assert.equal(limited.curtailed_kwh, 0);
	});

	it("is paid for charging at negative prices", () => {
		const { plan } = planBattery(
			input([0, 0, 0], { load: 1000, soc: 50, prices: [0.2, -0.1, 0.2] }),
			priced(),
		);
		assert.deepEqual(
			plan.map((row) => row.battery_w),
			[-1000, 4000, -1000],
		);
	});
});
