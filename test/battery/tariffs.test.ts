import assert from "node:assert/strict";
import fc from "fast-check";
import { planBattery } from "../../src/battery/plan";
import { planQuarters } from "../../src/battery/plan-inputs";
import { STRATEGIES } from "../../src/battery/settings";
import { cheapestPath } from "../../src/battery/strategies/cheapest-path";
import {
	RANK,
	selfConsumption,
	selfConsumptionWays,
} from "../../src/battery/strategies/self-consumption";
import { holds, limitsHold, near } from "./invariants";
import {
	endWorth,
	HOUR,
	input,
	loads,
	MIDNIGHT,
	QUARTER,
	randomDay,
	settings,
} from "./support";

const priced = (given: Record<string, unknown> = {}) =>
	settings({ strategy: "price", ...given });
const priceRows = (prices: readonly number[]) =>
	prices.map((price, index) => ({
		start: MIDNIGHT + index * QUARTER,
		end: MIDNIGHT + (index + 1) * QUARTER,
		price,
	}));
const at = (quarter: number) => ({ instant: MIDNIGHT + quarter * QUARTER });

interface Case {
	/** PV less load per quarter, in units of 1 kW. */
	readonly surplus: readonly number[];
	readonly prices: readonly number[];
	readonly feedIn: readonly number[];
	readonly capacity: number;
	readonly stored: number;
	readonly charge: number;
	readonly discharge: number;
	readonly limit: number;
	readonly sell: boolean;
	readonly gridCharge: boolean;
	readonly target: { readonly by: number; readonly level: number };
}

/** What the target lacks and then the cost, least first, of every plan in steps of one unit without losses. */
function exhaustive(given: Case): { lacks: number; cost: number } {
	const { surplus, prices, feedIn, capacity, limit, target } = given;
	let best = { lacks: Number.POSITIVE_INFINITY, cost: 0 };
	const search = (
		index: number,
		stored: number,
		lacks: number,
		cost: number,
	) => {
		const energy = surplus[index];
		if (energy === undefined) {
			if (given.gridCharge && stored < given.stored) return;
			const total = cost - (stored - given.stored) * endWorth(prices);
			if (
				lacks < best.lacks ||
				(lacks === best.lacks && total < best.cost - 1e-9)
			) {
				best = { lacks, cost: total };
			}
			return;
		}
		const price = feedIn[index] as number;
		const most = price < 0 ? 0 : limit;
		const free = Math.max(0, most - Math.max(0, energy));
		const lowest = -Math.min(
			stored,
			given.discharge,
			Math.max(0, -energy) + (given.sell ? free : 0),
		);
		const highest = Math.min(
			capacity - stored,
			given.charge,
			given.gridCharge ? given.charge : Math.max(0, energy),
		);
		for (let change = lowest; change <= highest; change += 1) {
			const left = energy - change;
			const here =
				left > 0
					? -Math.min(left, most) * price
					: -left * (prices[index] as number);
			const after = stored + change;
			search(
				index + 1,
				after,
				index + 1 === target.by ? Math.max(0, target.level - after) : lacks,
				cost + here,
			);
		}
	};
	search(0, given.stored, 0, 0);
	return best;
}

const randomCase = (
	prices: fc.Arbitrary<number>,
	feedIn: fc.Arbitrary<number>,
) =>
	fc
		.record({
			quarters: fc.array(
				fc.record({
					surplus: fc.integer({ min: -3, max: 3 }),
					price: prices,
					feedIn,
				}),
				{ minLength: 1, maxLength: 5 },
			),
			capacity: fc.integer({ min: 1, max: 4 }),
			stored: fc.nat(4),
			charge: fc.integer({ min: 1, max: 3 }),
			discharge: fc.integer({ min: 1, max: 3 }),
			limit: fc.constantFrom(1, 2, 10),
			sell: fc.boolean(),
			gridCharge: fc.boolean(),
			by: fc.integer({ min: 1, max: 6 }),
			level: fc.nat(4),
		})
		.map(({ quarters, by, level, ...rest }): Case => {
			const stored = Math.min(rest.stored, rest.capacity);
			return {
				...rest,
				stored,
				surplus: quarters.map((quarter) => quarter.surplus),
				prices: quarters.map((quarter) => quarter.price),
				feedIn: quarters.map((quarter) => quarter.feedIn),
				target: { by, level: Math.min(level, rest.capacity) },
			};
		});

function planOf(given: Case) {
	const quarters = {
		...input(
			given.surplus.map((power) => Math.max(0, power) * 1000),
			{
				load: loads(given.surplus.map((power) => Math.max(0, -power) * 1000)),
				soc: (given.stored / given.capacity) * 100,
				prices: given.prices,
			},
		),
		feedIn: priceRows(given.feedIn),
		targets: [
			{
				soc: (given.target.level / given.capacity) * 100,
				by: at(given.target.by),
			},
		],
	};
	const set = priced({
		capacityKwh: given.capacity / 4,
		maxChargeW: given.charge * 1000,
		maxDischargeW: given.discharge * 1000,
		feedInLimitW: given.limit * 1000,
		sell: given.sell,
		gridCharge: given.gridCharge,
	});
	const plan = planBattery(quarters, set);
	limitsHold(plan, set);
	const cost = plan.plan.reduce(
		(sum, row, index) =>
			sum +
			(row.grid_w / 1000) *
				((row.grid_w > 0 ? given.prices : given.feedIn)[index] as number),
		0,
	);
	const due = plan.plan[given.target.by - 1];
	const lacks = due
		? Math.max(0, given.target.level - (due.soc / 100) * given.capacity)
		: 0;
	const end = ((plan.plan.at(-1)?.soc ?? 0) / 100) * given.capacity;
	const kept = (end - given.stored) * endWorth(given.prices);
	return { cost: cost - kept, lacks, plan };
}

describe("least cost with feed-in by the hour, targets and selling", () => {
	it("is the best of all plans, found by trying every one", () => {
		fc.assert(
			fc.property(
				randomCase(
					fc.integer({ min: 25, max: 60 }),
					fc.integer({ min: -10, max: 25 }),
				),
				(given) => {
					const found = planOf(given);
					const best = exhaustive(given);
					assert.ok(
						Math.abs(found.lacks - best.lacks) < 1e-4,
						`lacks ${found.lacks}, best ${best.lacks}`,
					);
					assert.ok(
						Math.abs(found.cost - best.cost) < 1e-3,
						`${found.cost}, best ${best.cost}`,
					);
				},
			),
			{ numRuns: 500 },
		);
	});

	it("is near it where prices are below what feeding in brings, or below 0", () => {
		let worse = 0;
		fc.assert(
			fc.property(
				randomCase(
					fc.integer({ min: -20, max: 60 }),
					fc.integer({ min: -10, max: 40 }),
				),
				(given) => {
					const found = planOf(given);
					const best = exhaustive(given);
					assert.ok(found.lacks >= best.lacks - 1e-4);
					assert.ok(found.lacks <= best.lacks + 1e-4);
					const scale = Math.abs(
						given.surplus.reduce(
							(sum, energy, index) =>
								sum +
								Math.abs(energy) *
									Math.max(
										Math.abs(given.prices[index] as number),
										Math.abs(given.feedIn[index] as number),
									),
							0,
						),
					);
					const share = (found.cost - best.cost) / Math.max(scale, 1);
					assert.ok(share <= 0.02, `${found.cost}, best ${best.cost}`);
					if (share > 0.005) worse += 1;
				},
			),
			{ numRuns: 500 },
		);
		assert.ok(worse <= 5, `${worse} of 500 are over 0.5 % off`);
	});

	it("keeps room for hours in which feeding in costs, and feeds nothing in then", () => {
		const { plan, now } = planBattery(
			{
				...input([4000, 4000, 4000, 0], {
					load: loads([0, 0, 0, 4000]),
					prices: [0.3, 0.3, 0.3, 0.3],
				}),
				feedIn: priceRows([0.05, -0.02, -0.02, 0]),
			},
			priced({ capacityKwh: 2, feedInPrice: 0.08 }),
		);
		assert.deepEqual(
			plan.map(({ battery_w }) => battery_w),
			[0, 4000, 4000, -4000],
		);
		assert.equal(now.feed_in_limit_w, null);
		const negative = planBattery(
			{ ...input([3000, 3000], { soc: 100 }), feedIn: -0.01 },
			settings({ feedInLimitW: 2000 }),
		);
		assert.equal(negative.now.feed_in_limit_w, 0);
		assert.equal(negative.energy_to_grid_kwh, 0);
		assert.equal(negative.curtailed_kwh, 1.5);
		const zero = planBattery(
			{ ...input([3000], { soc: 100 }), feedIn: 0 },
			settings({ feedInLimitW: 2000 }),
		);
		assert.equal(zero.now.feed_in_limit_w, 2000);
	});

	it("gives to the grid with `sell` alone, and says how much", () => {
		const given = {
			...input([0, 0, 0], { load: 1000, soc: 100, prices: [0.4, 0.3, 0.1] }),
			feedIn: priceRows([0.35, 0.05, 0.05]),
		};
		const kept = planBattery(given, priced());
		assert.equal(kept.energy_to_grid_kwh, 0);
		assert.equal(kept.now.grid_discharge_w, 0);
		const sold = planBattery(given, priced({ sell: true }));
		assert.equal(sold.now.mode, "discharge");
		assert.equal(sold.now.grid_discharge_w, 3000);
		assert.equal(sold.plan[0]?.battery_w, -4000);
	});

	it("gives what is stored also where the grid may not be charged from", () => {
		const { plan } = planBattery(
			input([0, 0, 0], { load: 1000, soc: 20, prices: [0.3, 0.5, 0.4] }),
			priced({ gridCharge: false, capacityKwh: 2 }),
		);
		assert.deepEqual(
			plan.map(({ battery_w }) => battery_w),
			[0, -1000, -600],
		);
	});
});

describe("plans of random days with every tariff, target and margin", () => {
	it("balance in every row, keep their bounds, and do what is allowed alone", () => {
		fc.assert(
			fc.property(
				randomDay,
				fc.constantFrom(...STRATEGIES),
				fc.record({
					gridCharge: fc.constantFrom(null, true, false),
					sell: fc.boolean(),
					margin: fc.constantFrom(null, 0, 50, 100),
				}),
				fc.array(fc.integer({ min: -5, max: 20 }), { maxLength: 40 }),
				fc.nat(100),
				fc.nat(23),
				(day, strategy, more, cents, soc, hour) => {
					const set = { ...day.settings, ...more, strategy };
					const first = day.input.quarters[0]?.start ?? 0;
					const feedIn = cents.map((cent, index) => ({
						start: first + index * HOUR,
						end: first + (index + 1) * HOUR,
						price: cent / 100,
					}));
					const plan = planBattery(
						{
							...day.input,
							feedIn,
							targets: [{ soc, by: { clock: hour * HOUR } }],
						},
						set,
					);
					limitsHold(plan, set);
					const maySell = strategy === "price" && set.sell;
					const mayBuy = set.gridCharge ?? strategy === "price";
					for (const row of plan.plan) {
						const { pv_w, load_w, battery_w, grid_w, curtailed_w } = row;
						const says = () => JSON.stringify({ row, set });
						const price = feedIn.find(
							({ end }) => Date.parse(row.start) < end,
						)?.price;
						const limit = (price ?? 0) < 0 ? 0 : (set.feedInLimitW ?? Infinity);
						near(
							"balance",
							pv_w - curtailed_w + grid_w,
							load_w + battery_w,
							1e-8,
						);
						holds(curtailed_w >= 0 && curtailed_w <= pv_w, says);
						holds(grid_w >= -limit - 2e-3, says);
						holds(battery_w <= set.maxChargeW + 2e-3, says);
						holds(battery_w >= -set.maxDischargeW - 2e-3, says);
						holds(row.soc >= Math.min(set.minSoc, day.input.soc) - 1e-6, says);
						holds(row.soc <= Math.max(set.maxSoc, day.input.soc) + 1e-6, says);
						holds(maySell || battery_w >= 0 || grid_w >= -2e-3, says);
						holds(mayBuy || battery_w <= 0 || grid_w <= 2e-3, says);
					}
				},
			),
			{ numRuns: 500 },
		);
	});
});

describe("targets", () => {
	it("are met from the sun where it can be, else from the grid where that is allowed", () => {
		const given = {
			...input([2000, 0, 0, 0], { load: loads([0, 1000, 0, 1000]) }),
			targets: [{ soc: 10, by: at(3) }],
		};
		for (const strategy of ["self-consumption", "peak-shaving"]) {
			// 0.5 kWh of sun are kept for the target; nothing more can be had.
			const kept = planBattery(given, settings({ strategy }));
			assert.deepEqual(
				kept.plan.map(({ soc }) => soc),
				[5, 5, 5, 2.5],
				strategy,
			);
			assert.deepEqual(kept.targets, [
				{ soc: 10, by: "2026-06-20T00:45:00+00:00", planned_soc: 5 },
			]);
			const bought = planBattery(
				given,
				settings({ strategy, gridCharge: true }),
			);
			assert.equal(bought.targets[0]?.planned_soc, 10, strategy);
			// As late as can be, while no price is known.
			assert.deepEqual(
				bought.plan.map(({ soc }) => soc),
				[5, 5, 10, 7.5],
				strategy,
			);
		}
		const sunny = planBattery(
			{
				...input([0, 4000, 4000, 0], { soc: 50, load: 0 }),
				targets: [{ soc: 60, by: at(3) }],
			},
			settings({ gridCharge: true }),
		);
		assert.equal(sunny.energy_from_grid_kwh, 0);
	});

	it("are bought where the price is lowest, beyond the known prices too", () => {
		const prices = [0.4, 0.1, 0.4, 0.4];
		const given = {
			...input(Array(8).fill(0), { load: 0, prices }),
			targets: [{ soc: 30, by: at(8) }],
		};
		for (const strategy of ["price", "self-consumption"]) {
			const set = settings({ strategy, gridCharge: true, maxChargeW: 12_000 });
			const { plan, targets } = planBattery(given, set);
			assert.equal(targets[0]?.planned_soc, 30);
			const charged = plan.findIndex(({ battery_w }) => battery_w > 0);
			if (strategy === "self-consumption") assert.equal(charged, 1);
			else assert.ok(charged >= 1);
		}
	});

	it("of a running quarter, of the past and beyond the plan are not planned for", () => {
		const { targets } = planBattery(
			{
				...input([0, 0], { now: MIDNIGHT + 1 }),
				targets: [
					{ soc: 50, by: at(0) },
					{ soc: 50, by: { instant: MIDNIGHT + HOUR / 6 } },
					{ soc: 50, by: at(3) },
				],
			},
			settings(),
		);
		assert.deepEqual(targets, []);
	});

	it("leave self-consumption as it is where they ask for nothing", () => {
		fc.assert(
			fc.property(randomDay, ({ input: given, settings: set }) => {
				const quarters = planQuarters(given, set);
				const solved = cheapestPath(
					quarters.quarters.map((_, index) =>
						selfConsumptionWays(quarters, index),
					),
					quarters,
					[{ energy: quarters.ceiling - quarters.floor, worth: RANK.full }],
				).follow(quarters.stored);
				for (const [index, stored] of selfConsumption(quarters).entries()) {
					assert.ok(Math.abs((solved[index] as number) - stored) < 1e-6);
				}
			}),
			{ numRuns: 100 },
		);
	});
});
