import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { planBattery } from "../../src/battery/plan";
import { planQuarters } from "../../src/battery/plan-inputs";
import { marginOf, storedPath } from "../../src/battery/strategies";
import { input, MIDNIGHT, QUARTER, randomDay, settings } from "./support";

const NOON = 48;
/** The sun is up from 5:00 to 21:00. */
const [SUNRISE, SUNSET] = [20, 84];
const sun = (quarter: number) => {
	const height = (quarter % 96) - SUNRISE;
	return 8500 * Math.max(0, Math.sin((height / (SUNSET - SUNRISE)) * Math.PI));
};
const HOUSE_W = 400;

/** Wholesale prices per MWh, hour by hour, of a sunny day. */
const SPOT = [
	86, 81, 78, 76, 78, 84, 94, 96, 82, 62, 44, 28, 16, 8, 10, 24, 46, 74, 104,
	128, 132, 118, 105, 95,
];
const spot = (quarter: number) =>
	(SPOT[Math.floor((quarter % 96) / 4)] as number) / 1000;

/** Price and what feeding in brings, per kWh, of each quarter. */
interface Tariff {
	readonly price: (quarter: number) => number;
	readonly feedIn: (quarter: number) => number;
}
const FIXED: Tariff = { price: () => 0.32, feedIn: () => 0.08 };
const BY_THE_HOUR: Tariff = {
	price: (quarter) => spot(quarter) * 1.19 + 0.18,
	feedIn: spot,
};
/** Prices are known until midnight, the forecast for three days. */
const rows = (value: (quarter: number) => number) =>
	Array.from({ length: 96 }, (_, quarter) => ({
		start: MIDNIGHT + quarter * QUARTER,
		end: MIDNIGHT + (quarter + 1) * QUARTER,
		price: value(quarter),
	}));

interface Day {
	/** Highest state of charge from the turn on, percent. */
	readonly top: number;
	readonly atNoon: number;
	/** Lost above the limit, kWh. */
	readonly lost: number;
	/** Of the meter, less what feeding in brought. */
	readonly paid: number;
	readonly produced: number;
}

/**
 * A clear day of 10 kW installed in a house with 10 kWh a day, quarter hour by
 * quarter hour with a plan made anew and the inverter doing what it is told.
 *
 * @param turns quarter from which on the weather leaves 15 % of the power; a forecast tells an hour later
 */
function live(
	set: Record<string, unknown>,
	turns = Number.POSITIVE_INFINITY,
	tariff = FIXED,
): Day {
	const battery = settings({
		minSoc: 10,
		efficiency: 0.9,
		maxChargeW: 5000,
		maxDischargeW: 5000,
		...set,
	});
	const { capacityKwh, minSoc, feedInLimitW } = battery;
	const foreseen = Array.from({ length: 288 }, (_, quarter) => sun(quarter));
	const came = foreseen.map((power, quarter) =>
		quarter >= turns && quarter < 96 ? power * 0.15 : power,
	);
	const oneWay = Math.sqrt(battery.efficiency);
	const limit = feedInLimitW ?? Number.POSITIVE_INFINITY;
	const prices = rows(tariff.price);
	const feedIn = rows(tariff.feedIn);
	const day = { top: 0, atNoon: 0, lost: 0, paid: 0, produced: 0 };
	let soc = 15;
	for (let quarter = 0; quarter < SUNSET; quarter += 1) {
		const { now } = planBattery(
			{
				...input(quarter >= turns + 4 ? came : foreseen, {
					load: HOUSE_W,
					soc,
					now: MIDNIGHT + quarter * QUARTER,
				}),
				prices,
				feedIn,
			},
			battery,
		);
		const surplus = (came[quarter] as number) - HOUSE_W;
		const bought = now.grid_charge_w as number;
		const room = (((100 - soc) / 100) * capacityKwh * 4000) / oneWay;
		const stock = ((soc - minSoc) / 100) * capacityKwh * 4000 * oneWay;
		const power =
			surplus + bought > 0
				? Math.min(
						Math.max(0, surplus) + bought,
						now.charge_limit_w as number,
						room,
					)
				: -Math.min(-surplus, now.discharge_limit_w as number, stock);
		const stored = (power > 0 ? power * oneWay : power / oneWay) / 4000;
		soc += (stored / capacityKwh) * 100;
		const over = Math.max(0, surplus - power - limit);
		const grid = (power + over - surplus) / 4000;
		day.lost += over / 4000;
		day.paid +=
			grid * (grid > 0 ? tariff.price(quarter) : tariff.feedIn(quarter));
		day.produced += (came[quarter] as number) / 4000;
		if (quarter < NOON) day.atNoon = soc;
		if (quarter >= turns) day.top = Math.max(day.top, soc);
	}
	return day;
}

const BATTERIES: readonly [capacityKwh: number, feedInLimitW: number | ""][] = [
	[5, ""],
	[5, 7000],
	[5, 6000],
	[5, 5000],
	[10, ""],
	[10, 7000],
	[10, 6000],
	[10, 5000],
	[20, ""],
	[20, 7000],
	[20, 6000],
];

describe("the margin of a blank", () => {
	for (const [name, strategy, tariff] of [
		["peak-shaving", "peak-shaving", FIXED],
		["price with a fixed feed-in price", "price", FIXED],
		["price with feed-in by the hour", "price", BY_THE_HOUR],
	] as const) {
		// Without a limit prices keep the room, and those the margin leaves alone.
		const cases = BATTERIES.filter(
			([, limit]) => tariff === FIXED || limit !== "",
		);

		it(`has the day whose weather turns at noon end at 80 % or more: ${name}`, () => {
			for (const [capacityKwh, feedInLimitW] of cases) {
				const set = { strategy, capacityKwh, feedInLimitW, margin: "" };
				for (const turns of [NOON, NOON + 4, NOON + 8]) {
					const { top } = live(set, turns, tariff);
					assert.ok(top >= 80, `${top} % of ${JSON.stringify(set)}, ${turns}`);
				}
			}
		}).timeout(60_000);

		it(`loses less than 3 % more on a day as foreseen: ${name}`, () => {
			for (const [capacityKwh, feedInLimitW] of cases) {
				const set = { strategy, capacityKwh, feedInLimitW };
				const without = live({ ...set, margin: 0 }, undefined, tariff);
				const { lost, produced } = live(
					{ ...set, margin: "" },
					undefined,
					tariff,
				);
				const more = (lost - without.lost) / produced;
				assert.ok(more < 0.03, `${more} of ${JSON.stringify(set)}`);
			}
		}).timeout(60_000);
	}

	it("is no reason to be full at noon", () => {
		for (const [capacityKwh, feedInLimitW] of [
			[5, ""],
			[10, ""],
			[10, 6000],
			[20, ""],
			[20, 6000],
		] as const) {
			const set = { capacityKwh, feedInLimitW, margin: "" };
			const shaved = live({ ...set, strategy: "peak-shaving" });
			const self = live({ ...set, strategy: "self-consumption" });
			assert.ok(self.atNoon > 99, JSON.stringify(set));
			assert.ok(shaved.atNoon < 75, `${shaved.atNoon} ${JSON.stringify(set)}`);
		}
	});

	it("fills with the first of what would be lost where all of it has no room", () => {
		const set = { capacityKwh: 5, feedInLimitW: 5000 };
		const shaved = live({ ...set, strategy: "peak-shaving", margin: "" });
		const without = live({ ...set, strategy: "peak-shaving", margin: 0 });
		assert.ok(shaved.atNoon > 99);
		assert.ok(shaved.lost - without.lost < 1e-6);
	});

	it("loses and saves what the table of docs/battery.md says", () => {
		const page = readFileSync(join(__dirname, "../../docs/battery.md"), "utf8");
		const table = [
			...page.matchAll(/^\| (\d+) kWh +\| (none|\d+ kW) +(\|.+)$/gm),
		];
		assert.ok(table.length >= 5);
		for (const [, capacityKwh, limit, figures] of table) {
			const set = {
				strategy: "peak-shaving",
				capacityKwh,
				feedInLimitW:
					limit === "none" ? "" : Number(limit?.replace(" kW", "")) * 1000,
			};
			const days = [0, ""].map((margin) => live({ ...set, margin }));
			const turned = [0, ""].map((margin) => live({ ...set, margin }, NOON));
			assert.deepEqual(
				[...(figures ?? "").matchAll(/[\d.]+/g)].map(Number),
				[
					...days.map(({ lost }) => Number(lost.toFixed(1))),
					...turned.map(({ top }) => Math.round(top)),
				],
				`${capacityKwh} kWh, ${limit}`,
			);
		}
	}).timeout(60_000);

	it("pays for itself on the turning day, and costs what it says on one as foreseen", () => {
		const set = { strategy: "price", capacityKwh: 10, feedInLimitW: 6000 };
		const [careful, bold] = ["", 0].map((margin) => live({ ...set, margin }));
		const foreseen = planBattery(
			{
				...input(
					Array.from({ length: 288 }, (_, quarter) => sun(quarter)),
					{ load: HOUSE_W, soc: 15 },
				),
				prices: rows(FIXED.price),
				feedIn: 0.08,
			},
			settings({
				...set,
				minSoc: 10,
				efficiency: 0.9,
				maxChargeW: 5000,
				maxDischargeW: 5000,
				margin: "",
			}),
		);
		const cost = (careful?.paid ?? 0) - (bold?.paid ?? 0);
		assert.ok(cost > 0.1 && cost < 0.15, `${cost}`);
		assert.ok(Math.abs((foreseen.margin?.cost ?? 0) - cost) < 0.02);
		const [kept, waited] = ["", 0].map((margin) =>
			live({ ...set, margin }, NOON),
		);
		// What is stored takes the place of what would be bought at night.
		const worth = ((kept?.top ?? 0) - (waited?.top ?? 0)) * 0.1 * 0.95 * 0.32;
		assert.ok(worth - ((kept?.paid ?? 0) - (waited?.paid ?? 0)) > cost);
	});
});

describe("a margin", () => {
	const clear = Array.from({ length: SUNSET }, (_, quarter) => sun(quarter));
	const at = (margin: unknown, set = {}, learnedMargin: number | null = null) =>
		planBattery(
			{ ...input(clear, { load: HOUSE_W, soc: 15 }), learnedMargin },
			settings({
				strategy: "peak-shaving",
				feedInLimitW: 6000,
				margin,
				...set,
			}),
		);

	it("costs more the larger it is, tells what, and 0 is none", () => {
		const none = at(0);
		assert.equal(none.margin, null);
		let before = 0;
		for (const percent of [10, 20, 50, 100]) {
			const plan = at(percent);
			assert.equal(plan.margin?.percent, percent);
			assert.equal(plan.margin?.cost, null);
			const cost = plan.margin?.curtailed_kwh ?? 0;
			assert.ok(cost > before, `${cost} at ${percent}`);
			assert.ok(
				Math.abs((plan.curtailed_kwh ?? 0) - (none.curtailed_kwh ?? 0) - cost) <
					1e-5,
			);
			before = cost;
		}
		assert.equal(at(null).margin?.percent, 20);
		assert.equal(at(null, {}, 35).margin?.percent, 35);
		assert.equal(at(10, {}, 35).margin?.percent, 10);
	});

	it("tells both what it loses and what a turn leaves, where not both can be had", () => {
		// 80 % after a turn costs more than 3 % of this day's 87 kWh.
		const large = { capacityKwh: 20, feedInLimitW: 5000, minSoc: 10 };
		const small = at(5, large).margin;
		assert.ok((small?.turned_soc ?? 100) < 80);
		assert.ok((small?.curtailed_kwh ?? 9) < 2.6);
		const blank = at("", large).margin;
		assert.ok((blank?.turned_soc ?? 0) > 80);
		assert.ok((blank?.curtailed_kwh ?? 0) > 2.6);
		const night = planBattery(
			input([0, 0, 0], { soc: 50 }),
			settings({ strategy: "peak-shaving", margin: "" }),
		);
		assert.equal(night.margin?.turned_soc, null);
	});

	it("of 100 charges with the first surplus", () => {
		const all = { capacityKwh: 10, feedInLimitW: null };
		const rowsOf = (margin: number, strategy: string) =>
			at(margin, { ...all, strategy }).plan.map(({ soc }) => soc);
		const self = rowsOf(100, "self-consumption");
		for (const [index, soc] of rowsOf(100, "peak-shaving").entries()) {
			// One in the last digit is rounding.
			assert.ok(Math.abs(soc - (self[index] as number)) < 2e-6, `${index}`);
		}
	});

	it("has a day that just fills the battery filled though its share fails to come", () => {
		// 12 kWh for a battery of 10.
		const pv = Array.from({ length: 48 }, (_, quarter) =>
			quarter < 16 ? 0 : 1500,
		);
		const { plan } = planBattery(
			input(pv),
			settings({ strategy: "peak-shaving", margin: 20 }),
		);
		const toCome = (quarter: number) => (47 - quarter) * 0.375;
		for (const [quarter, { soc }] of plan.entries()) {
			const needed = 10 - 0.8 * toCome(quarter);
			const most = Math.max(0, quarter - 15) * 0.375;
			assert.ok(soc / 10 >= Math.min(needed, most) - 1e-6, `${quarter} ${soc}`);
		}
	});

	it("loses nothing at all where nothing would be lost, and asks for nothing where the band is planned with", () => {
		fc.assert(
			fc.property(randomDay, ({ input: given, settings: set }) => {
				const shaving = {
					...set,
					strategy: "peak-shaving",
					margin: 20,
				} as const;
				const free = { ...shaving, feedInLimitW: null };
				assert.equal(planBattery(given, free).curtailed_kwh, 0);
				const quarters = given.quarters.map((quarter) => ({
					...quarter,
					pv_min_w: quarter.pv_w,
				}));
				const last = quarters[quarters.length - 1]?.start ?? 0;
				const band = { ...given, quarters, band_until: last + QUARTER };
				const { margin } = planBattery(band, {
					...shaving,
					safety: "cautious",
				});
				assert.ok((margin?.curtailed_kwh ?? 1) < 1e-5);
			}),
			{ numRuns: 100 },
		);
	});

	it("is met as far as PV goes, buys nothing and takes nothing from the house", () => {
		fc.assert(
			fc.property(
				randomDay,
				fc.constantFrom("peak-shaving" as const, "price" as const),
				fc.constantFrom(10, 20, 60, 100),
				({ input: given, settings: set }, strategy, margin) => {
					const quarters = planQuarters(given, { ...set, strategy, margin });
					const { path, plain } = storedPath(quarters, strategy);
					if (!plain) {
						assert.equal(quarters.priced, 0);
						return;
					}
					const asked = marginOf(quarters, strategy, plain);
					assert.ok(asked);
					let [before, beforePlain] = [quarters.stored, quarters.stored];
					for (const [index, stored] of path.entries()) {
						assert.ok(stored >= quarters.floor - 1e-9);
						assert.ok(
							stored <= Math.max(quarters.ceiling, quarters.stored) + 1e-9,
						);
						if (strategy === "peak-shaving") {
							const upTo = asked.upTo[index] as number;
							const taken = Math.min(
								Math.max(0, quarters.quarters[index]?.surplus ?? 0),
								quarters.quarters[index]?.chargeMost ?? 0,
							);
							const most = Math.min(
								before + taken * quarters.oneWay,
								quarters.ceiling,
							);
							// Below what is asked for all PV is stored, and nothing else is.
							const isShort = stored < upTo - 1e-6;
							if (isShort && taken > 0) {
								assert.ok(stored >= most - 1e-6, `${index}`);
							}
							assert.ok(stored <= Math.max(most, before) + 1e-9);
							// The house gets from the battery no less than without a margin.
							if (taken === 0 && stored > before - 1e-9) {
								const given = beforePlain - (plain[index] as number);
								assert.ok(given < 1e-6 || before < given + 1e-6);
							}
						}
						before = stored;
						beforePlain = plain[index] as number;
					}
				},
			),
			{ numRuns: 200 },
		);
	});
});
