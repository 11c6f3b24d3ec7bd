import assert from "node:assert/strict";
import fc from "fast-check";
import { type PriceRow, readPriceRows } from "../../src/messages/price-rows";
import { HOUR_MS as HOUR, QUARTER_MS as QUARTER } from "../../src/util/time";

const T0 = Date.UTC(2026, 6, 1, 10);
const rows = (value: unknown) => {
	const { value: read, errors } = readPriceRows("prices", value);
	assert.deepEqual(errors, []);
	return read?.rows ?? assert.fail("nothing was read");
};
const told = (value: unknown, ...words: string[]) => {
	const { value: read, errors } = readPriceRows("prices", value);
	assert.equal(errors.length, 1, String(errors));
	for (const word of words) {
		assert.ok(errors[0]?.message.includes(word), errors[0]?.message);
	}
	return read?.rows;
};
const hourly = (...prices: number[]): PriceRow[] =>
	prices.map((price, index) => ({
		start: T0 + index * HOUR,
		end: T0 + (index + 1) * HOUR,
		price,
	}));
const near = (found: readonly PriceRow[], wanted: readonly PriceRow[]) => {
	assert.deepEqual(
		found.map(({ start, end }) => [start, end]),
		wanted.map(({ start, end }) => [start, end]),
	);
	for (const [index, { price }] of found.entries()) {
		assert.ok(Math.abs(price - (wanted[index]?.price ?? 0)) < 1e-12);
	}
};
const at = (hour: number) => new Date(T0 + hour * HOUR).toISOString();

describe("rows of prices", () => {
	it("come as Tibber, Nord Pool, aWATTar, Octopus, evcc and Home Assistant send them", () => {
		const shapes: [string, unknown][] = [
			[
				"Tibber",
				[
					{ total: 0.3, startsAt: "2026-07-01T12:00:00.000+02:00" },
					{ total: 0.2, startsAt: "2026-07-01T13:00:00.000+02:00" },
				],
			],
			[
				"Tibber, today and tomorrow",
				{
					today: [{ total: 0.3, startsAt: at(0) }],
					tomorrow: [{ total: 0.2, startsAt: at(1) }],
				},
			],
			[
				"Nord Pool",
				[
					{ start: at(0), end: at(1), value: 0.3 },
					{ start: at(1), end: at(2), value: 0.2 },
				],
			],
			[
				"power saver",
				{
					priceData: [
						{ value: 0.3, start: at(0) },
						{ value: 0.2, start: at(1) },
					],
					source: "Other",
				},
			],
			[
				"aWATTar",
				{
					object: "list",
					data: [
						{
							start_timestamp: T0,
							end_timestamp: T0 + HOUR,
							marketprice: 300,
							unit: "Eur/MWh",
						},
						{
							start_timestamp: T0 + HOUR,
							end_timestamp: T0 + 2 * HOUR,
							marketprice: 200,
							unit: "Eur/MWh",
						},
					],
				},
			],
			[
				"Octopus, newest first",
				{
					count: 2,
					results: [
						{
							value_exc_vat: 19,
							value_inc_vat: 20,
							valid_from: at(1),
							valid_to: at(2),
						},
						{
							value_exc_vat: 28,
							value_inc_vat: 30,
							valid_from: at(0),
							valid_to: at(1),
						},
					],
				},
			],
			[
				"evcc",
				{
					result: {
						rates: [
							{ start: at(0), end: at(1), value: 0.3 },
							{ start: at(1), end: at(2), value: 0.2 },
						],
					},
				},
			],
			[
				"Home Assistant, with nulls and today repeated",
				{
					raw_today: [
						{ start: at(0), end: at(1), value: 0.3 },
						{ start: at(1), end: at(2), value: 0.2 },
					],
					raw_tomorrow: [
						{ start: at(0), end: at(1), value: 0.3 },
						{ start: at(24), end: at(25), value: null },
					],
				},
			],
			[
				"JSON text",
				JSON.stringify([
					{ start: at(0), price: "0.3" },
					{ start: at(1), price: 0.2 },
				]),
			],
			[
				"cents beside the rows",
				{
					unit: "ct/kWh",
					prices: [
						{ from: at(0), price: 30 },
						{ from: at(1), price: 20 },
					],
				},
			],
		];
		for (const [name, value] of shapes) {
			assert.doesNotThrow(() => near(rows(value), hourly(0.3, 0.2)), name);
		}
	});

	it("come in what price nodes really send, whole", () => {
		const space = (hour: number) =>
			new Date(T0 + (hour + 2) * HOUR)
				.toISOString()
				.replace("T", " ")
				.replace(".000Z", "+02:00");
		/** A sensor of Home Assistant, with what else its attributes have. */
		const sensor = (attributes: object) => ({
			entity_id: "sensor.price",
			state: "0.3",
			attributes: {
				current_price: 0.3,
				average: 0.25,
				"off peak 1": 0.2,
				min: 0.2,
				max: 0.3,
				currency: "EUR",
				region: "SE3",
				low_price: true,
				tomorrow_valid: false,
				icon: "mdi:flash",
				...attributes,
			},
			timeSinceChangedMs: 1896681,
		});
		const nordPool = (factor = 1) => ({
			unit: "kWh",
			today: [0.3 * factor, 0.2 * factor],
			tomorrow: [],
			raw_today: [
				{ start: at(0), end: at(1), value: 0.3 * factor },
				{ start: at(1), end: at(2), value: 0.2 * factor },
			],
			raw_tomorrow: [],
		});
		const home = {
			currentSubscription: {
				priceInfo: {
					current: { total: 0.3, startsAt: at(0) },
					today: [{ total: 0.3, energy: 0.1, tax: 0.2, startsAt: at(0) }],
					tomorrow: [{ total: 0.2, energy: 0.1, tax: 0.1, startsAt: at(1) }],
				},
			},
		};
		const shapes: Record<string, unknown> = {
			"Tibber, a query": { viewer: { homes: [home] } },
			"Tibber, a home without prices first": {
				viewer: { homes: [{ currentSubscription: null }, home] },
			},
			"Tibber, one home": { viewer: { home } },
			"Nord Pool, a state": sensor({
				...nordPool(),
				unit_of_measurement: "EUR/kWh",
				price_in_cents: false,
			}),
			"Nord Pool, its attributes": nordPool(),
			"Nord Pool, in cents": sensor({
				...nordPool(100),
				unit_of_measurement: "c/kWh",
				price_in_cents: true,
			}),
			"Nord Pool, in øre": sensor({
				...nordPool(100),
				unit_of_measurement: "Øre/kWh",
			}),
			"Nord Pool, per MWh": sensor({
				...nordPool(1000),
				unit: "MWh",
				unit_of_measurement: "EUR/MWh",
			}),
			"Nord Pool, an event": {
				entity_id: "sensor.price",
				old_state: sensor(nordPool(7)),
				new_state: sensor(nordPool()),
			},
			"Energi Data Service": sensor({
				unit: "kWh",
				today: [0.3, 0.2],
				tomorrow: null,
				raw_today: [
					{ hour: at(0), price: 0.3 },
					{ hour: at(1), price: 0.2 },
				],
				raw_tomorrow: null,
			}),
			"ENTSO-E": sensor({
				unit_of_measurement: "EUR/kWh",
				prices_today: [{ time: space(0), price: 0.3 }],
				prices_tomorrow: [{ time: space(1), price: 0.2 }],
				prices: [
					{ time: space(0), price: 0.3 },
					{ time: space(1), price: 0.2 },
				],
			}),
			"Octopus in Home Assistant, in pounds": sensor({
				event_types: ["electricity_current_day_rates"],
				rates: [
					{ start: at(0), end: at(1), value_inc_vat: 0.3, is_capped: false },
					{ start: at(1), end: at(2), value_inc_vat: 0.2, is_capped: false },
				],
			}),
			"evcc without result": {
				rates: [
					{ start: at(0), end: at(1), value: 0.3 },
					{ start: at(1), end: at(2), value: 0.2 },
				],
			},
		};
		for (const [name, value] of Object.entries(shapes)) {
			assert.doesNotThrow(() => near(rows(value), hourly(0.3, 0.2)), name);
		}
		// Bare numbers alone say no time.
		told({ today: [0.3, 0.2] }, "prices.today[0] is 0.3", "start");
	});

	it("take the unit that is said", () => {
		const price = (unit: unknown, value = 30, field = "value") =>
			rows([{ start: at(0), [field]: value, unit }])[0]?.price;
		for (const [unit, wanted] of [
			["EUR/kWh", 30],
			["ct/kWh", 0.3],
			["Cent/kWh", 0.3],
			["pence", 0.3],
			["p/kWh", 0.3],
			["EUR/MWh", 0.03],
			["€/MWh", 0.03],
			["NOK/kWh", 30],
			["EUR", 30],
			[undefined, 30],
		] as const) {
			const found = price(unit) as number;
			assert.ok(Math.abs(found - wanted) < 1e-12, `${unit}: ${found}`);
		}
		assert.equal(price("Eur/MWh", 80, "marketprice"), 0.08);
		assert.equal(price(undefined, 80, "marketprice"), 0.08);
		assert.equal(
			told([{ start: at(0), value: 3, unit: "bananas" }], "prices[0].unit"),
			undefined,
		);
		const { value } = readPriceRows("prices", [{ start: at(0), value: 30 }]);
		assert.equal(value?.hasUnit, false);
		const said = readPriceRows("prices", [{ start: at(0), marketprice: 30 }]);
		assert.equal(said.value?.hasUnit, true);
	});

	it("end with the next start, a hole too, and the last as long as the one before", () => {
		assert.deepEqual(
			rows([
				{ start: T0, price: 1 },
				{ start: T0 + QUARTER, price: 2 },
				{ start: T0 + 2 * QUARTER, price: null },
				{ start: T0 + 4 * QUARTER, price: 3 },
			]),
			[
				{ start: T0, end: T0 + QUARTER, price: 1 },
				{ start: T0 + QUARTER, end: T0 + 2 * QUARTER, price: 2 },
				{ start: T0 + 4 * QUARTER, end: T0 + 5 * QUARTER, price: 3 },
			],
		);
		assert.deepEqual(rows([{ start: T0, price: 1 }]), hourly(1));
	});

	it("keep what is good beside what is not", () => {
		const [first, , third] = hourly(0.1, 0.2, 0.3);
		for (const [bad, ...words] of [
			[
				{ start: T0 + HOUR, end: T0 + 2 * HOUR, price: "dear" },
				'prices[1].price is "dear"',
			],
			[{ start: "2026-07-01T13:00:00", price: 1 }, "prices[1].start", "offset"],
			[
				{ start: T0 + HOUR, end: T0 + HOUR, price: 1 },
				"prices[1].end",
				"not after",
			],
			[
				{ start: T0 + HOUR / 2, end: T0 + HOUR, price: 1 },
				"prices[1] begins before the end of prices[0]",
			],
			[{ start: T0 + HOUR, end: T0 + 2 * HOUR }, "prices[1]", "has no price"],
			["x", 'prices[1] is "x"'],
		] as [unknown, ...string[]][]) {
			assert.deepEqual(told([first, bad, third], ...words), [first, third]);
		}
		// Many faults of a kind are one error.
		told(
			[{ start: "x", price: 1 }, { start: "y", price: 1 }, first],
			"prices[0].start",
			"1 more row is wrong",
			"the other rows are used",
		);
		told(
			[
				{ start: "x", price: 1 },
				{ start: "y", price: 1 },
			],
			"prices[0].start",
			"no row is used",
		);
		told([{ start: T0, price: null }], "none has a price");
		told(0.3, "prices is 0.3");
		told({ nothing: 1 }, "prices is");
		told("{", 'prices is "{"');
	});

	it("are the same in any order and repeated", () => {
		const row = fc.record({
			slot: fc.nat(40),
			price: fc.oneof(fc.integer({ min: -20, max: 60 }), fc.constant(null)),
		});
		fc.assert(
			fc.property(
				fc.uniqueArray(row, { selector: ({ slot }) => slot, minLength: 1 }),
				fc.boolean(),
				fc.func(fc.integer()),
				(given, withEnds, order) => {
					if (given.every(({ price }) => price === null)) return;
					const list = given.map(({ slot, price }) => ({
						start: T0 + slot * QUARTER,
						...(withEnds && { end: T0 + (slot + 1) * QUARTER }),
						price,
					}));
					const shuffled = [...list, ...list.slice(0, 5)].sort(
						(a, b) => order(a.start) - order(b.start),
					);
					const found = rows(shuffled);
					assert.deepEqual(found, rows(list));
					let before = 0;
					for (const { start, end } of found) {
						assert.ok(start >= before && end > start);
						before = end;
					}
					assert.equal(
						found.length,
						list.filter(({ price }) => price !== null).length,
					);
				},
			),
			{ numRuns: 300 },
		);
	});
});
