import assert from "node:assert/strict";
import fc from "fast-check";
import {
	type BatteryState,
	emptyState,
	restoreState,
} from "../../src/battery/battery-state";
import { type Inputs, readInputs } from "../../src/battery/inputs";
import { inputFacts } from "../../src/battery/knowledge";
import { planBattery } from "../../src/battery/plan";
import { readSettings } from "../../src/battery/settings";
import { expire, notePlan, takeInputs } from "../../src/battery/transitions";
import {
	DAY,
	HOUR,
	input,
	MIDNIGHT,
	MINUTE,
	QUARTER,
	settings,
	zone,
} from "./support";

const BERLIN = zone("Europe/Berlin");
const NOW = MIDNIGHT + 8 * HOUR;
const CONFIGURED = {
	capacityKwh: 10,
	maxChargeW: 5000,
	maxDischargeW: 4000,
	feedInPrice: 0.08,
};

/** The state after a message. */
function afterMessage(
	state: BatteryState,
	msg: Record<string, unknown>,
	now = NOW,
): { state: BatteryState; told: string[] } {
	const { values, errors } = readInputs(msg, {
		configured: CONFIGURED,
		changes: state.settings?.value ?? {},
	});
	const taken = takeInputs(state, values, {
		now,
		zone: BERLIN,
		settings: readSettings(CONFIGURED),
	});
	return {
		state: taken.state,
		told: [...errors, ...taken.errors].map(({ message }) => message),
	};
}
const kept = (...messages: Record<string, unknown>[]) =>
	messages.reduce<BatteryState>(
		(state, msg) => afterMessage(state, msg).state,
		emptyState(),
	);
const through = (state: BatteryState) =>
	restoreState(JSON.parse(JSON.stringify(state)));

const PRICES = [
	{ start: NOW - HOUR, end: NOW, price: 0.3 },
	{ start: NOW, end: NOW + HOUR, price: 0.2 },
	{ start: NOW + HOUR, end: NOW + 2 * HOUR, price: 0.25 },
	{ start: NOW + 3 * HOUR, end: NOW + 4 * HOUR, price: 0.1 },
];
const EVERYTHING = {
	soc: 55,
	load: [{ start: NOW, end: NOW + HOUR, power_w: 300 }],
	prices: { unit: "EUR/kWh", rows: PRICES },
	feedIn: PRICES.map((row) => ({ ...row, price: row.price - 0.2 })),
	targets: [
		{ soc: 80, by: "07:00" },
		{ soc: 50, by: NOW + 2 * HOUR },
	],
	settings: { minSoc: "20", sell: true, margin: 15 },
	house_w: 400,
};

describe("what a battery node keeps", () => {
	it("is the same after a restart", () => {
		const state = kept(EVERYTHING);
		const { state: restored, damaged } = through(state);
		assert.deepEqual(damaged, []);
		assert.deepEqual(restored, state);
	});

	it("loses only the part that is damaged", () => {
		const json = JSON.parse(JSON.stringify(kept(EVERYTHING)));
		json.prices.value[0].price = "dear";
		json.house.weight = [];
		const { state, damaged } = restoreState(json);
		assert.deepEqual(damaged, ["prices", "house"]);
		assert.equal(state.prices, null);
		assert.equal(state.soc?.percent, 55);
		assert.equal(state.settings?.value.minSoc, "20");
		for (const odd of [null, 5, {}, { version: 2 }, []]) {
			assert.deepEqual(restoreState(odd).state, emptyState());
		}
	});

	it("can be restored from anything", () => {
		fc.assert(
			fc.property(
				fc.record(
					Object.fromEntries(
						Object.keys(emptyState()).map((name) => [name, fc.jsonValue()]),
					),
				),
				(json) => {
					const { state } = restoreState({ ...json, version: 1 });
					assert.deepEqual(through(state).damaged, []);
				},
			),
			{ numRuns: 200 },
		);
	});

	it("plans the same before and after a restart in the middle of a price plan", () => {
		const sun = Array.from({ length: 96 }, (_, quarter) =>
			Math.max(0, 6000 * Math.sin(((quarter - 24) / 60) * Math.PI)),
		);
		let state = kept({
			soc: 40,
			prices: Array.from({ length: 24 }, (_, hour) => ({
				start: MIDNIGHT + hour * HOUR,
				value: 0.25 + 0.1 * Math.sin(hour),
			})),
			feedIn: 0.05,
			targets: [{ soc: 60, by: "18:00" }],
			settings: { sell: true },
		});
		const planOf = (from: BatteryState, now: number) =>
			planBattery(
				{
					...input(sun, { now, soc: from.soc?.percent ?? 0, zone: BERLIN }),
					load: from.load?.value ?? null,
					prices: from.prices?.value ?? null,
					feedIn: from.feedIn?.value ?? null,
					targets: from.targets?.value ?? null,
					learnedLoad: from.house,
				},
				readSettings({
					...CONFIGURED,
					strategy: "price",
					...from.settings?.value,
				}),
			);
		for (let quarter = 0; quarter < 40; quarter += 7) {
			const now = MIDNIGHT + quarter * QUARTER + 5000;
			state = expire(state, now);
			const plan = planOf(state, now);
			state = notePlan(state, plan);
			const { state: restored } = through(state);
			assert.deepEqual(planOf(restored, now + 1), planOf(state, now + 1));
		}
	});

	it("runs out row by row, and settings never", () => {
		const state = kept(EVERYTHING);
		const soon = expire(state, NOW + HOUR);
		assert.equal(soon.load, null);
		// The dialog draws the whole of today.
		assert.deepEqual(soon.prices, state.prices);
		assert.equal(soon.targets?.value.length, 2);
		const late = expire(state, NOW + 4 * HOUR);
		assert.equal(late.prices, null);
		assert.equal(late.feedIn, null);
		assert.deepEqual(late.targets?.value, [
			{ soc: 80, by: { clock: 7 * HOUR } },
		]);
		const never = expire(state, NOW + 1000 * DAY);
		assert.deepEqual(never.settings, state.settings);
		assert.deepEqual(expire(state, NOW - HOUR), state);
	});

	it("is taken back by a blank, and nothing else with it", () => {
		const state = kept(EVERYTHING, { prices: null, load: "", targets: [] });
		assert.equal(state.prices, null);
		assert.equal(state.load, null);
		assert.equal(state.targets, null);
		assert.equal(state.soc?.percent, 55);
		assert.notEqual(state.feedIn, null);
		const { told, state: same } = afterMessage(state, {
			feedIn: [{ start: "x" }],
		});
		assert.equal(told.length, 1);
		assert.deepEqual(same.feedIn, state.feedIn);
		assert.equal(kept(EVERYTHING, { settings: null }).settings, null);
	});
});

describe("what is told of good values", () => {
	it("is that all rows are over, and what was known stays", () => {
		const state = kept(EVERYTHING);
		const old = { start: NOW - DAY, end: NOW - DAY + HOUR };
		for (const [name, row] of [
			["prices", { ...old, price: 1 }],
			["feedIn", { ...old, price: 1 }],
			["load", { ...old, power_w: 1 }],
		] as const) {
			const { state: same, told } = afterMessage(state, { [name]: [row] });
			assert.match(
				told[0] ?? "",
				new RegExp(`^${name} ends at Jun 19, 2026, 11:00, and .*; send`),
			);
			assert.deepEqual(same, state);
		}
	});

	it("is that fractions in a row are no percentages, once until one comes", () => {
		let state = emptyState();
		const told: number[] = [];
		for (const soc of [0.65, 0.66, 0.67, 1, 55, 0, 0.4]) {
			const taken = afterMessage(state, { soc });
			state = taken.state;
			told.push(taken.told.length);
			assert.equal(state.soc?.percent, soc);
			if (taken.told[0]) {
				assert.match(taken.told[0], /soc is 0\.\d+.*percent is meant/);
			}
		}
		assert.deepEqual(told, [0, 1, 0, 0, 0, 0, 0]);
	});

	it("is that the battery cannot have come down to a fraction, which is not taken", () => {
		const before = kept({ soc: 60 });
		for (const minutes of [0, 1, 30]) {
			const at = NOW + minutes * MINUTE;
			let { state, told } = afterMessage(before, { soc: 0.59 }, at);
			assert.match(
				told[0] ?? "",
				new RegExp(`^soc is 0.59, ${minutes} min after 60 %.*percent is meant`),
			);
			assert.deepEqual(state, before);
			// Not taken the second time either, nor 1 for a full battery.
			({ state, told } = afterMessage(state, { soc: 1 }, at));
			assert.equal(told.length, 1);
			assert.deepEqual(state, before);
			assert.equal(afterMessage(state, { soc: 59 }, at).state.soc?.percent, 59);
		}
		// 4 kW empty 10 kWh in 2.5 h, and twice as fast is believed.
		const emptied = afterMessage(before, { soc: 0.9 }, NOW + 1.5 * HOUR);
		assert.deepEqual(emptied.told, []);
		assert.equal(emptied.state.soc?.percent, 0.9);
		// A second one is told: it may be a source that has changed meanwhile.
		const again = afterMessage(emptied.state, { soc: 0.9 }, NOW + 2 * HOUR);
		assert.match(again.told[0] ?? "", /2 times in a row.*percent is meant/);
		// A clock that was set back says nothing of what was given since.
		assert.deepEqual(afterMessage(before, { soc: 0.9 }, NOW - 1).told, []);
	});

	it("is nothing where a battery is nearly empty", () => {
		let state = kept({ soc: 4 });
		for (const soc of [1, 0.8, 0.4, 0.1, 0, 0.1, 0.9, 1, 0.5]) {
			const taken = afterMessage(state, { soc });
			state = taken.state;
			assert.deepEqual(taken.told, []);
			assert.equal(state.soc?.percent, soc);
		}
	});

	it("is that prices are far too high and not used, each time", () => {
		const cents = { prices: [{ start: NOW, value: 31 }] };
		const before = kept({ prices: [{ start: NOW, value: 0.31 }] });
		const first = afterMessage(before, cents);
		assert.match(first.told[0] ?? "", /prices are about 31 per kWh.*unit/);
		assert.deepEqual(first.state.prices, before.prices);
		const again = afterMessage(through(first.state).state, cents);
		assert.deepEqual(
			[again.told, again.state.prices],
			[first.told, before.prices],
		);
		const said = { prices: { unit: "ct/kWh", data: cents.prices } };
		const taken = afterMessage(before, said);
		assert.deepEqual(taken.told, []);
		assert.equal(taken.state.prices?.value[0]?.price, 0.31);
	});
});

describe("what a plan leaves behind", () => {
	it("is until when the state of charge need not change", () => {
		const state = kept({ soc: 100 });
		assert.equal(state.soc?.steady_until, null);
		const plan = planBattery(
			input([3000, 3000, 0], {
				load: 1000,
				soc: 100,
				now: MIDNIGHT + MINUTE,
			}),
			settings(),
		);
		const noted = notePlan(state, plan);
		assert.deepEqual(noted.soc?.steady_until, MIDNIGHT + 2 * QUARTER);
		// A new state of charge has no plan yet.
		assert.equal(
			afterMessage(noted, { soc: 99 }).state.soc?.steady_until,
			null,
		);
	});
});

describe("payload.inputs", () => {
	const facts = (state: BatteryState, now = NOW + 10 * MINUTE) =>
		inputFacts(
			expire(state, now),
			{
				computed_at: NOW - HOUR,
				received_at: NOW - 50 * MINUTE,
				until: NOW + 48 * HOUR,
			},
			readSettings({ ...CONFIGURED, load: "learned" }),
			now,
			BERLIN,
		);

	it("tells of each input how old it is and until when it is known, in the site's time", () => {
		const fact = (at: string, age_minutes: number, until: string | null) => ({
			at: `2026-06-20T${at}:00+02:00`,
			age_minutes,
			until: until && `2026-06-${until}:00+02:00`,
		});
		assert.deepEqual(facts(kept(EVERYTHING)), {
			forecast: fact("09:00", 70, "22T10:00"),
			soc: fact("10:00", 10, "20T10:30"),
			load: fact("10:00", 10, "20T11:00"),
			prices: {
				...fact("10:00", 10, "20T12:00"),
				count: 3,
				unit: "EUR/kWh",
				first: "2026-06-20T10:00:00+02:00",
				last: "2026-06-20T13:00:00+02:00",
				least: 0.1,
				most: 0.25,
			},
			feedIn: fact("10:00", 10, "20T12:00"),
			targets: fact("10:00", 10, null),
			settings: fact("10:00", 10, null),
		});
		const nothing = facts(emptyState());
		assert.equal(nothing.soc, null);
		assert.equal(nothing.prices, null);
		assert.equal(nothing.load, null);
		assert.equal(facts(kept({ load: 300 })).load?.until, null);
		assert.equal(facts(kept({ house_w: 300 })).load?.age_minutes, 10);
	});
});

describe("inputs in any order", () => {
	it("come to the same state", () => {
		const names = Object.keys(EVERYTHING) as (keyof Inputs)[];
		const whole = kept(EVERYTHING);
		fc.assert(
			fc.property(
				fc.shuffledSubarray(names, { minLength: names.length }),
				(order) => {
					assert.deepEqual(
						kept(...order.map((name) => ({ [name]: EVERYTHING[name] }))),
						whole,
					);
				},
			),
			{ numRuns: 50 },
		);
	});
});
