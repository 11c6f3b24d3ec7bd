import assert from "node:assert/strict";
import fc from "fast-check";
import { type PriceRow, readFeedIn, readPrices } from "../../src/prices/reader";
import {
	HOUR_MS as HOUR,
	MINUTE_MS as MINUTE,
	QUARTER_MS as QUARTER,
} from "../../src/util/time";
import { Zone } from "../../src/util/zone";

const T0 = Date.UTC(2026, 6, 1, 10);
const berlin = Zone.of("Europe/Berlin") as Zone;
const at = (hour: number) => new Date(T0 + hour * HOUR).toISOString();
/** The site's clock, without an offset. */
const local = (ms: number) => berlin.format(ms).slice(0, 19);

const read = (value: unknown, zone: Zone | undefined = berlin) =>
	readPrices("prices", value, zone);
const rows = (value: unknown) => {
	const { value: list, errors, question } = read(value);
	assert.deepEqual([errors, question], [[], undefined]);
	return list?.rows ?? assert.fail("nothing was read");
};
/** One error with these words; the rows that were read all the same. */
const told = (value: unknown, ...words: string[]) => {
	const { value: list, errors } = read(value);
	assert.equal(errors.length, 1, String(errors));
	for (const word of words) {
		assert.ok(errors[0]?.message.includes(word), errors[0]?.message);
	}
	return list?.rows;
};
const hourly = (...prices: number[]): PriceRow[] =>
	prices.map((price, index) => ({
		start: T0 + index * HOUR,
		end: T0 + (index + 1) * HOUR,
		price,
	}));
const near = (found: readonly PriceRow[], wanted: readonly PriceRow[]) => {
	const spans = (list: readonly PriceRow[]) =>
		list.map(
			({ start, end }) => `${new Date(start).toISOString()} ${end - start}`,
		);
	assert.deepEqual(spans(found), spans(wanted));
	for (const [index, { price }] of found.entries()) {
		assert.ok(Math.abs(price - (wanted[index]?.price ?? 0)) < 1e-9, `${price}`);
	}
};

describe("prices come as", () => {
	/** A sensor of Home Assistant, with what else its attributes have. */
	const sensor = (attributes: object) => ({
		entity_id: "sensor.price",
		state: "0.3",
		attributes: {
			current_price: 0.3,
			average: 0.25,
			"off peak 1": 0.2,
			currency: "EUR",
			region: "SE3",
			low_price: true,
			event_types: ["rates"],
			options: [{ name: "average", value: 0.25 }],
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
		raw_tomorrow: [{ start: at(24), end: at(25), value: null }],
	});
	const home = {
		currentSubscription: {
			priceInfo: {
				current: { total: 0.3, startsAt: at(0) },
				today: [{ total: 0.3, energy: 0.1, tax: 0.2, startsAt: at(0) }],
				tomorrow: [{ total: 0.2, energy: 0.1, tax: 0.1, startsAt: at(1) }],
			},
		},
		consumption: {
			nodes: [0, 1, 2].map((hour) => ({
				from: at(hour),
				to: at(hour + 1),
				consumption: 1.2,
			})),
		},
	};
	const period = (hour: number, price: number) => ({
		start: at(hour),
		end: at(hour + 1),
		price,
	});
	const epex = (field: string, factor: number) =>
		sensor({
			unit_of_measurement: "EUR/MWh",
			data: [0.3, 0.2].map((price, hour) => ({
				start_time: at(hour),
				end_time: at(hour + 1),
				[field]: price * factor,
			})),
		});
	const bars = (prices: number[]) =>
		prices.map((price, hour) => ({
			start: at(hour),
			end: at(hour + 1),
			price: { value: String(price) },
		}));
	const SHAPES: Record<string, unknown> = {
		"Tibber, a list": [
			{ total: 0.3, startsAt: "2026-07-01T12:00:00.000+02:00" },
			{ total: 0.2, startsAt: "2026-07-01T13:00:00.000+02:00" },
		],
		"Tibber, a query": { viewer: { homes: [home] } },
		"Tibber, a home without prices first": {
			viewer: { homes: [{ currentSubscription: null }, home, home] },
		},
		"Tibber's action in Home Assistant": {
			prices: {
				Flat: [],
				House: [
					{ start_time: at(0), price: 0.3 },
					{ start_time: at(1), price: 0.2 },
				],
			},
		},
		"Nord Pool's action in Home Assistant, per MWh": {
			SE3: [period(0, 300), period(1, 200)],
			SE4: [period(0, 400), period(1, 100)],
		},
		"Nord Pool's action, of two days": [
			{ DE: [period(0, 300)] },
			{ DE: [period(1, 200)] },
		],
		"Nord Pool, a state": sensor({
			...nordPool(),
			unit_of_measurement: "EUR/kWh",
		}),
		"Nord Pool, its attributes": nordPool(),
		"Nord Pool, in cents": sensor({
			...nordPool(100),
			unit_of_measurement: "c/kWh",
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
			old_state: sensor(nordPool(2)),
			new_state: sensor(nordPool()),
		},
		"EPEX spot": epex("price_per_kwh", 1),
		"EPEX spot, per MWh": epex("price_eur_per_mwh", 1000),
		"EPEX spot, in cents": epex("price_ct_per_kwh", 100),
		aWATTar: {
			object: "list",
			data: [0.3, 0.2].map((price, hour) => ({
				start_timestamp: T0 + hour * HOUR,
				end_timestamp: T0 + (hour + 1) * HOUR,
				marketprice: price * 1000,
				unit: "Eur/MWh",
			})),
		},
		"aWATTar, without its unit": [
			{ start_timestamp: T0, marketprice: 300 },
			{ start_timestamp: T0 + HOUR, marketprice: 200 },
		],
		"Octopus, newest first": {
			count: 2,
			results: [20, 30].map((price, index) => ({
				value_exc_vat: price * 0.95,
				value_inc_vat: price,
				valid_from: at(1 - index),
				valid_to: at(2 - index),
			})),
		},
		"Octopus in Home Assistant, in pounds": sensor({
			rates: [
				{ start: at(0), end: at(1), value_inc_vat: 0.3, is_capped: false },
				{ start: at(1), end: at(2), value_inc_vat: 0.2, is_capped: false },
			],
		}),
		"ENTSO-E in Home Assistant": sensor({
			unit_of_measurement: "EUR/kWh",
			prices_today: [{ time: "2026-07-01 12:00:00+02:00", price: 0.3 }],
			prices_tomorrow: [{ time: "2026-07-01 13:00:00+02:00", price: 0.2 }],
			prices: [
				{ time: "2026-07-01 12:00:00+02:00", price: 0.3 },
				{ time: "2026-07-01 13:00:00+02:00", price: 0.2 },
			],
		}),
		"Energy-Charts": {
			license_info: "CC BY 4.0",
			unix_seconds: [T0 / 1000, T0 / 1000 + 3600],
			price: [300, 200],
			unit: "EUR / MWh",
			deprecated: false,
		},
		"EnergyZero, its action": {
			prices: [
				{ timestamp: "2026-07-01 10:00:00+00:00", price: 0.3 },
				{ timestamp: "2026-07-01 11:00:00+00:00", price: 0.2 },
			],
		},
		"EnergyZero, before": {
			Prices: [
				{ price: 0.3, readingDate: at(0) },
				{ price: 0.2, readingDate: at(1) },
			],
			intervalType: 4,
			average: 0.25,
		},
		"EnergyZero, what is paid": { all_in_with_vat: bars([0.3, 0.2]) }
			.all_in_with_vat,
		"Frank Energie": {
			data: {
				marketPricesElectricity: [0.2, 0.1].map((marketPrice, hour) => ({
					from: at(hour),
					till: at(hour + 1),
					marketPrice,
					marketPriceTax: 0.04,
					sourcingMarkupPrice: 0.02,
					energyTaxPrice: 0.04,
					perUnit: "KWH",
				})),
			},
		},
		"Energi Data Service": {
			dataset: "DayAheadPrices",
			records: [200, 300].map((price, index) => ({
				TimeUTC: at(1 - index).slice(0, 19),
				TimeDK: local(T0 + (1 - index) * HOUR),
				PriceArea: "DK1",
				DayAheadPriceEUR: price / 7.46,
				DayAheadPriceDKK: price,
			})),
		},
		"Energi Data Service, until 2025": {
			dataset: "Elspotprices",
			records: [300, 200].map((price, hour) => ({
				HourUTC: at(hour).slice(0, 19),
				HourDK: local(T0 + hour * HOUR),
				PriceArea: "DK1",
				SpotPriceDKK: price,
				SpotPriceEUR: price / 7.46,
			})),
		},
		"pörssisähkö, in cents that nobody says": {
			prices: [30, 20].map((price, hour) => ({
				price,
				startDate: at(hour),
				endDate: new Date(T0 + (hour + 1) * HOUR - 1).toISOString(),
			})),
		},
		"Energi Data Service in Home Assistant": sensor({
			today: [0.3, 0.2],
			tomorrow: null,
			raw_today: [
				{ hour: at(0), price: 0.3 },
				{ hour: at(1), price: 0.2 },
			],
			raw_tomorrow: null,
		}),
		"power saver": {
			priceData: [
				{ value: 0.3, start: at(0) },
				{ value: 0.2, start: at(1) },
			],
			source: "Other",
		},
		evcc: { result: { rates: [period(0, 0.3), period(1, 0.2)] } },
		"evcc, its state": {
			forecast: {
				co2: [period(0, 300), period(1, 200)],
				feedin: [period(0, 0.1), period(1, 0.1)],
				grid: [period(0, 0.3), period(1, 0.2)],
			},
		},
		"arrays of times and prices": {
			timestamps: [at(0), at(1)],
			prices: [0.3, 0.2],
		},
		"a date and a clock": [
			{ date: "2026-07-01", time: "12:00", price: 0.3 },
			{ date: "2026-07-01", time: "13:00", price: 0.2 },
		],
		"a price with a unit of its own": [
			{ date: at(0), price: { value: 24, total: 30, unit: "øre/kWh" } },
			{ date: at(1), price: { value: 16, total: 20, unit: "øre/kWh" } },
		],
		"names in German": [
			{ von: at(0), bis: at(1), preis: 0.3 },
			{ von: at(1), bis: at(2), preis: 0.2 },
		],
		"the unit in the name": [
			{
				NOK_per_kWh: 0.3,
				EUR_per_kWh: 0.03,
				EXR: 11,
				time_start: at(0),
				time_end: at(1),
			},
			{
				NOK_per_kWh: 0.2,
				EUR_per_kWh: 0.02,
				EXR: 11,
				time_start: at(1),
				time_end: at(2),
			},
		],
		"the only number there is": [
			{ period: at(0), rce: 0.3, area: "PL" },
			{ period: at(1), rce: 0.2, area: "PL" },
		],
		"by month": { "2026-07": [period(0, 0.3)], "2026-08": [period(1, 0.2)] },
		"Home Assistant, today repeated": {
			raw_today: [period(0, 0.3), period(1, 0.2)],
			raw_tomorrow: [period(0, 0.3), { ...period(24, 0), price: null }],
		},
		"JSON text": JSON.stringify([
			{ start: at(0), price: "0.3" },
			{ start: at(1), price: 0.2 },
		]),
	};
	for (const [name, value] of Object.entries(SHAPES)) {
		it(name, () => near(rows(value), hourly(0.3, 0.2)));
	}

	it("no message with a circle, bare numbers, or nothing", () => {
		const circle: Record<string, unknown> = {};
		circle.prices = circle;
		for (const [value, word] of [
			[circle, "prices is"],
			[{ today: [0.3, 0.2] }, 'prices is {"today":[0.3,0.2]}'],
			[{ nothing: 1 }, "prices is"],
			[0.3, "prices is 0.3"],
			["{", 'prices is "{"'],
			["dear", 'prices is "dear"'],
			["", 'prices is ""'],
			[[], "prices is []"],
			[{ prices: [] }, 'prices is {"prices":[]}'],
		] as const) {
			assert.equal(told(value, word, "give rows with a start"), undefined);
		}
		assert.deepEqual(read(null), { value: null, errors: [] });
	});
});

describe("the unit of prices", () => {
	const unitOf = (unit: unknown, value = 1) => {
		const { value: list, errors } = read({
			unit,
			prices: [{ start: at(0), value }],
		});
		assert.deepEqual(errors, [], String(unit));
		return [list?.rows[0]?.price, list?.unit];
	};

	it("is read by rule: a minor unit a hundredth, per MWh a thousandth", () => {
		const TABLE: readonly (readonly [
			unit: string | undefined,
			price: number,
			text: string | null,
		])[] = [
			...["EUR/kWh", "eur/kWh", "EUR", "EUR / kWh", "EUR per kWh"].map(
				(unit) => [unit, 1, "EUR/kWh"] as const,
			),
			...["€/kWh", "€"].map((unit) => [unit, 1, "€/kWh"] as const),
			...["NOK/kWh", "NOK_per_kWh"].map(
				(unit) => [unit, 1, "NOK/kWh"] as const,
			),
			["kr/kWh", 1, "KR/kWh"],
			["zł/kWh", 1, "ZŁ/kWh"],
			["kWh", 1, null],
			[undefined, 1, null],
			...[
				"ct/kWh",
				"Cent/kWh",
				"cents",
				"c/kWh",
				"¢/kWh",
				"snt/kWh",
				"öre/kWh",
				"Øre/kWh",
				"ore/kWh",
				"gr/kWh",
				"p/kWh",
				"pence",
				"Rp./kWh",
				"Rappen/kWh",
			].map((unit) => [unit, 0.01, null] as const),
			...["cEUR/kWh", "EURct/kWh", "EUR cent/kWh"].map(
				(unit) => [unit, 0.01, "EUR/kWh"] as const,
			),
			...["c€/kWh", "€c/kWh", "€ct/kWh", "€cent/kWh", "ct€/kWh"].map(
				(unit) => [unit, 0.01, "€/kWh"] as const,
			),
			["EUR/MWh", 0.001, "EUR/kWh"],
			["Eur/MWh", 0.001, "EUR/kWh"],
			["€ / MWh", 0.001, "€/kWh"],
			["MWh", 0.001, null],
			["öre/MWh", 0.00001, null],
		];
		for (const [unit, price, text] of TABLE) {
			const [found, said] = unitOf(unit);
			assert.ok(
				Math.abs((found as number) - price) < 1e-12,
				`${unit}: ${found}`,
			);
			assert.equal(said, text);
		}
	});

	it("is an error where it is not understood, and no price is used", () => {
		for (const unit of [
			"EUR/GWh",
			"EUR/Wh",
			"bananas",
			"bananas/kWh",
			"xyz/kWh",
			"EUR/kWp",
			5,
		]) {
			const list = { unit, prices: [{ start: at(0), value: 3 }] };
			assert.equal(
				told(list, "prices.prices[0].unit", JSON.stringify(unit)),
				undefined,
			);
		}
	});

	it("of a row goes before that beside the rows", () => {
		const list = {
			unit: "ct/kWh",
			prices: [{ start: at(0), value: 80, unit: "EUR/MWh" }],
		};
		assert.equal(rows(list)[0]?.price, 0.08);
		const perKwh = { unit: "ct/kWh", rows: [{ start: at(0), perKwh: 24 }] };
		assert.equal(rows(perKwh)[0]?.price, 0.24);
		for (const [field, text] of [
			["NOK_per_kWh", "NOK/kWh"],
			["price_eur_per_kwh", "EUR/kWh"],
			["price_per_kwh", null],
		] as const) {
			const list = [{ start: at(0), [field]: 0.3, spotPerKwh: 0.1 }];
			assert.equal(read(list).value?.unit, text);
		}
		for (const [field, unit] of [
			["units", "ct/kWh"],
			["priceUnit", "c"],
			["price_unit", "GBp/kWh"],
			["unit_of_measurement", "Cent"],
			["perUnit", "öre per kWh"],
		] as const) {
			const row = { start: at(0), price: 30 };
			assert.equal(rows({ [field]: unit, list: [row] })[0]?.price, 0.3);
			assert.equal(rows([{ ...row, [field]: unit }])[0]?.price, 0.3);
			told([{ ...row, [field]: "bananas" }], "bananas");
		}
		// A blank is none.
		const blank = { unit: "ct/kWh", list: [{ ...hourly(30)[0], unit: "" }] };
		assert.equal(rows(blank)[0]?.price, 0.3);
		// A unit of energy beside a currency.
		for (const [currency, unit, price, text] of [
			["HUF", "kWh", 60, "HUF/kWh"],
			["EUR", "MWh", 60_000, "EUR/kWh"],
			["SEK", "per kWh", 60, "SEK/kWh"],
		] as const) {
			const { value: list } = read({
				...{ currency, unit },
				rows: [{ start: at(0), price: price / 40 }],
			});
			const divisor = unit === "MWh" ? 40_000 : 40;
			assert.equal(list?.unit, text);
			assert.equal(list?.rows[0]?.price, price / divisor);
		}
		const own = { currency: "EUR", price: 0.3, time: T0 / 1000 };
		assert.equal(read([own]).value?.unit, "EUR/kWh");
		assert.equal(
			rows({ unit: "ct/kWh", prices: [{ ...own, price: 30 }] })[0]?.price,
			0.3,
		);
	});

	it("is asked for where a median is no tariff's, and prices far too high are not used", () => {
		const asked = (unit: string | undefined, ...prices: number[]) => {
			const list = prices.map((price, hour) => ({ start: at(hour), price }));
			const { value, question, errors } = read({ unit, list });
			const said = [...errors, ...(question ? [question] : [])];
			assert.ok(said.length < 2);
			return [value !== undefined, said[0]?.message ?? ""] as const;
		};
		for (const [unit, high] of [
			[undefined, 21],
			["kWh", 30],
			["EUR/kWh", 2.1],
			["MWh", 30_000],
			["NOK", 85],
			["kr/kWh", 30],
			["zł/kWh", 80],
			["CZK/kWh", 400],
			["AUD", 25],
			["RON/kWh", 1200],
			["HUF", 40_000],
			["ct/kWh", 2500],
		] as const) {
			const [isUsed, question] = asked(unit, high, high, 0);
			assert.equal(isUsed, false);
			assert.match(question, /prices are about .* per kWh.*not used.*unit/);
		}
		const [isUsed, question] = asked("EUR/MWh", 0.3, 0.31, 0.2);
		assert.ok(isUsed);
		assert.match(
			question,
			/prices are about 0\.0003 per kWh.*used as they are/,
		);
		for (const [unit, price] of [
			["EUR/kWh", 1.9],
			[undefined, 0.003],
			[undefined, -0.2],
			[undefined, 0],
			["SEK/kWh", 4],
			["HUF/kWh", 70],
			["öre/kWh", 250],
		] as const) {
			assert.deepEqual(asked(unit, price), [true, ""]);
		}
		// A sunny day per MWh: most are next to nothing, a few are not.
		const sunny = [95, 90, 85, 80, 78, 75, 60, 20, 1.9, 0.8, 0.1, 0, -0.1];
		sunny.push(-0.5, -1, -0.9, 0.2, 0.5, 1.2, 1.7, 0, 0, 0.4, 110);
		const zeros = Array(13).fill(0);
		for (const [prices, words] of [
			[sunny, "go up to 110"],
			[[...zeros, ...Array(12).fill(90)], "are about 90"],
			[[0.15, 0.2, 28, 0.3, 0.35], "go up to 28"],
			[[0.1, 0.1, -500], "go up to 500"],
		] as const) {
			const [isUsed, said] = asked(undefined, ...prices);
			assert.equal(isUsed, false);
			assert.match(said, new RegExp(`${words} per kWh.*not used.*unit`));
			assert.deepEqual(asked("EUR/MWh", ...sunny, ...prices), [true, ""]);
		}
		for (const [unit, ...prices] of [
			["EUR/kWh", 0.2, 0.3, 5],
			["EUR/MWh", 90, 80, -500, 5000],
			["SEK/kWh", 0.2, 0.3, 60],
			["AUD/kWh", 0.2, 0.3, 20],
			["ct/kWh", 0, 0, 0, -2, 0.3, 25, 30],
		] as const) {
			assert.deepEqual(asked(unit, ...prices), [true, ""]);
		}
		for (const unit of ["ct/kWh", "öre/kWh", "EURct/kWh", "p"]) {
			const [isUsed, said] = asked(unit, 0.15, 0, 0, 0, 0.25, 0.35);
			assert.ok(isUsed);
			assert.match(said, /prices are about 0\.0025 per kWh.*used as they are/);
		}
		const number = readFeedIn(8.2);
		assert.equal(number.value, undefined);
		assert.match(String(number.errors), /feedIn are about 8.2/);
		assert.deepEqual(readFeedIn("-0.02"), { value: -0.02, errors: [] });
		assert.match(String(readFeedIn("8 ct").errors[0]), /feedIn is "8 ct"/);
		const { value, errors } = readFeedIn([{ start: at(0), price: 8 }]);
		assert.equal(value, undefined);
		assert.match(String(errors), /feedIn are about 8/);
	});
});

describe("the times of prices", () => {
	it("are epoch seconds and milliseconds, ISO 8601, and the site's clock", () => {
		const WRITERS: readonly ((ms: number) => unknown)[] = [
			(ms) => ms,
			(ms) => String(ms),
			(ms) => ms / 1000,
			(ms) => `${ms / 1000}.0`,
			(ms) => new Date(ms),
			(ms) => new Date(ms).toISOString(),
			(ms) => berlin.format(ms),
			(ms) => berlin.format(ms).replace("T", " "),
			(ms) => berlin.format(ms).replace(/:(\d\d)$/, "$1"),
			local,
			(ms) => local(ms).slice(0, 16),
			(ms) => local(ms).replace("T", " "),
		];
		for (const write of WRITERS) {
			for (const field of [
				"start",
				"time",
				"timestamp",
				"period",
				"hour",
				"date",
				"start_time",
				"StartTime",
				"valid_from",
			]) {
				const list = [0.3, 0.2].map((price, hour) => ({
					[field]: write(T0 + hour * HOUR),
					price,
				}));
				near(rows(list), hourly(0.3, 0.2));
			}
		}
	});

	it("of autumn's repeated hour come in their order, in spring's a time that is not is told", () => {
		// 2026-10-25: 02:00 comes twice.
		const autumn = Date.UTC(2026, 9, 24, 22);
		for (const step of [HOUR, QUARTER]) {
			const starts = Array.from(
				{ length: (25 * HOUR) / step },
				(_, index) => autumn + index * step,
			);
			const list = starts.map((ms, index) => ({
				start: local(ms),
				end: local(ms + step),
				price: index / 100,
			}));
			near(
				rows(list),
				starts.map((start, index) => ({
					start,
					end: start + step,
					price: index / 100,
				})),
			);
		}
		const spring = ["00", "01", "02", "03"].map((hour, index) => ({
			start: `2026-03-29T${hour}:00`,
			price: index / 10,
		}));
		assert.equal(
			told(spring, "prices[2].start", "2026-03-29T02:00")?.length,
			3,
		);
	});

	it("need an offset where no site is known", () => {
		const naive = [{ start: "2026-07-01T12:00:00", price: 0.3 }];
		const { value, errors } = readPrices("prices", naive);
		assert.equal(value, undefined);
		assert.match(
			errors[0]?.message ?? "",
			/prices\[0\]\.start is "2026-07-01T12:00:00"; give a time like/,
		);
	});

	it("that are none are told", () => {
		for (const start of [
			"soon",
			13,
			"13",
			20260701,
			"202607011200",
			"2026-02-30T00:00:00Z",
			1e15,
			true,
			{},
		]) {
			told([{ start, price: 0.3 }], "prices[0].start", JSON.stringify(start));
		}
		told(
			[{ price: 0.3 }, { start: at(0), price: 0.3 }],
			"prices[0]",
			"no start",
		);
	});
});

describe("the ends of prices", () => {
	it("are the next start where they are missing, wrong, beyond it or a moment before it", () => {
		for (const end of [
			(next: number) => next - 1000,
			(next: number) => next - 1,
			(next: number) => next - MINUTE,
			(next: number) => next + 1000,
			(next: number) => next + HOUR,
			(next: number) => next - 2 * HOUR,
			(next: number) => next - HOUR,
			() => null,
			() => "soon",
		]) {
			const list = [0.3, 0.2, 0.1].map((price, hour) => ({
				start: T0 + hour * HOUR,
				...(hour < 2 && { end: end(T0 + (hour + 1) * HOUR) }),
				price,
			}));
			near(rows(list), hourly(0.3, 0.2, 0.1));
		}
		// The last one's as well, and a start a second late.
		const row = (hour: number, from: string, to: string) => ({
			start: `2026-07-01T${hour}:${from}+02:00`,
			end: `2026-07-01T${hour}:${to}+02:00`,
			price: 0.3,
		});
		near(
			rows([row(12, "00:00", "59:59"), row(13, "00:00", "59:59")]),
			hourly(0.3, 0.3),
		);
		near(
			rows([row(12, "00:01", "59:59"), row(13, "00:01", "59:59")]),
			hourly(0.3, 0.3),
		);
		near(
			rows([row(12, "00:00", "59:00"), row(13, "00:00", "59:00")]),
			hourly(0.3, 0.3),
		);
	});

	it("leave a hole where they are before the next start, and so does a price of null", () => {
		assert.deepEqual(
			rows([
				{ start: T0, price: 0.1 },
				{ start: T0 + QUARTER, price: 0.2 },
				{ start: T0 + 2 * QUARTER, price: null },
				{ start: T0 + 4 * QUARTER, end: T0 + 5 * QUARTER, price: 0.3 },
				{ start: T0 + 6 * QUARTER, price: 0.4 },
			]),
			[
				{ start: T0, end: T0 + QUARTER, price: 0.1 },
				{ start: T0 + QUARTER, end: T0 + 2 * QUARTER, price: 0.2 },
				{ start: T0 + 4 * QUARTER, end: T0 + 5 * QUARTER, price: 0.3 },
				{ start: T0 + 6 * QUARTER, end: T0 + 7 * QUARTER, price: 0.4 },
			],
		);
		assert.deepEqual(rows([{ start: T0, price: 0.1 }]), hourly(0.1));
	});
});

describe("prices without ends", () => {
	const spans = (starts: readonly string[], more: object = {}) =>
		rows(
			starts.map((start) => ({
				start: `2026-07-${start}`,
				price: 0.3,
				...more,
			})),
		).map(({ start, end }) => (end - start) / HOUR);

	it("last no longer than the usual step", () => {
		const hours = ["09", "10", "11", "12"].map((hour) => `02T${hour}:00`);
		const evening = ["01T16:00", "01T17:00"];
		assert.deepEqual(spans([...evening, ...hours]), Array(6).fill(1));
		assert.deepEqual(
			spans(["01T15:30", "01T15:45", "01T16:00", "01T16:15", "01T17:15"]),
			Array(5).fill(0.25),
		);
		// Hours after quarters, and one that is missing.
		const quarters = ["00", "15", "30", "45"].map((min) => `02T08:${min}`);
		assert.deepEqual(spans([...quarters, ...hours, "02T14:00"]), [
			...Array(4).fill(0.25),
			...Array(5).fill(1),
		]);
		// What says its end is believed.
		const said = [
			...evening.map((start) => `2026-07-${start}`),
			...hours.map((start) => `2026-07-${start}`),
		].map((start, index) => ({
			start,
			...(index === 1 && { end: "2026-07-02T09:00" }),
			price: 0.3,
		}));
		assert.equal(rows(said)[1]?.end, rows(said)[2]?.start);
	});

	it("last to the next start where they are the blocks of a tariff", () => {
		assert.deepEqual(spans(["01T06:00", "01T22:00"]), [16, 16]);
		const week = [1, 2, 3, 4, 5, 6, 7].map((day) => `0${day}`);
		for (const [blocks, lengths] of [
			[
				["06", "22"],
				[16, 8],
			],
			[
				["00", "06", "22"],
				[6, 16, 2],
			],
			[
				["04", "07", "13", "16", "19", "22"],
				[3, 6, 3, 3, 3, 6],
			],
		] as const) {
			const starts = week.flatMap((day) =>
				blocks.map((hour) => `${day}T${hour}:00`),
			);
			assert.deepEqual(
				spans(starts).slice(0, -1),
				week.flatMap(() => lengths).slice(0, -1),
			);
		}
	});

	it("but valid to null hold until further notice", () => {
		const now = { value_inc_vat: 24.5, valid_from: at(-9000), valid_to: null };
		const before = {
			...{ value_inc_vat: 22, valid_from: at(-9999), valid_to: at(-9000) },
		};
		const [old, open] = rows({ results: [now, before] });
		assert.deepEqual([old?.price, old?.end], [0.22, T0 - 9000 * HOUR]);
		assert.equal(open?.price, 0.245);
		assert.ok(open.end > T0 + 10_000 * HOUR);
		// One that is followed lasts to the next.
		const next = { value_inc_vat: 30, valid_from: at(5), valid_to: null };
		assert.equal(rows([next, now])[0]?.end, T0 + 5 * HOUR);
	});
});

describe("rows of prices", () => {
	it("that are good stay beside what is not", () => {
		const [first, second, third] = hourly(0.1, 0.2, 0.3);
		for (const [bad, ...words] of [
			[{ ...second, price: "dear" }, 'prices[1].price is "dear"'],
			[{ ...second, price: "NaN" }, 'prices[1].price is "NaN"'],
			[{ ...second, price: Number.NaN }, 'prices[1].price is "NaN"'],
			[{ ...second, start: "soon" }, 'prices[1].start is "soon"'],
			[{ start: T0 + HOUR, end: T0 + 2 * HOUR }, "prices[1]", "has no price"],
			[{ ...second, unit: "furlongs" }, "prices[1].unit"],
			["x", 'prices[1] is "x"'],
			[null, "prices[1] is null"],
			[{ ...first, price: 0.5 }, "prices[1] begins when prices[0] does"],
		] as [unknown, ...string[]][]) {
			assert.deepEqual(told([first, bad, third], ...words), [first, third]);
		}
		// Many faults of a kind are one error.
		const bad = ["x", "y"].map((start) => ({ start, price: 0.1 }));
		told(
			[...bad, first],
			"prices[0].start",
			"1 more row is wrong",
			"the other rows are used",
		);
		assert.equal(told(bad, "prices[0].start", "no row is used"), undefined);
		// Of 24 hours beside a date nobody knows whether the first is 0 or 1.
		const hours = [0, 1].map((hour) => ({
			date: "2026-07-01",
			hour,
			price: 1,
		}));
		assert.equal(told(hours, "hour is 0", "no row is used"), undefined);
		told([{ start: T0, price: null }], "none has a price");
		// What is wrong in one of two lists is told, and the other used.
		const days = { today: [{ start: "x", price: 0.1 }], tomorrow: [first] };
		assert.deepEqual(told(days, "prices.today[0].start"), [first]);
	});

	it("that cannot be read end the row before them", () => {
		const list = [0, 1, 2].map((hour) => ({
			start: at(hour),
			price: hour === 1 ? "dear" : 0.1,
		}));
		assert.deepEqual(told(list, "prices[1].price"), [
			hourly(0.1)[0],
			hourly(0, 0, 0.1)[2],
		]);
	});
});

describe("prices of any shape, unit, time and hole", () => {
	/** A zone's day on which the clock changes, or not. */
	const days = [
		"2026-03-28T23:00Z",
		"2026-06-30T22:00Z",
		"2026-10-24T22:00Z",
	].map(Date.parse);
	const UNITS = [
		{ factor: 1, texts: ["EUR/kWh", "€", "GBP/kWh", "kWh", undefined] },
		{
			factor: 100,
			texts: ["ct/kWh", "c€/kWh", "snt/kWh", "Rp./kWh", "öre/kWh", "p/kWh"],
		},
		{ factor: 1000, texts: ["EUR/MWh", "€ / MWh", "SEK/MWh"] },
	].flatMap(({ factor, texts }) =>
		texts.map((unit) => ({ factor, unit, isKnown: true })),
	);
	const UNKNOWN = ["EUR/GWh", "taler/kWh", "kWh/EUR"].map((unit) => ({
		factor: 1,
		unit,
		isKnown: false,
	}));
	/** Units that nobody said: a hundredth or thousandth is not to be had. */
	const UNSAID = [100, 1000].map((factor) => ({
		factor,
		unit: undefined,
		isKnown: false,
	}));
	const TIMES = {
		"epoch ms": (ms: number) => ms,
		"epoch s": (ms: number) => ms / 1000,
		text: (ms: number) => String(ms / 1000),
		UTC: (ms: number) => new Date(ms).toISOString(),
		offset: (ms: number) => berlin.format(ms),
		"the site's": local,
	};
	const ENDS = {
		none: () => undefined,
		exact: (end: number) => end,
		"59:59": (end: number) => end - 1000,
		"999 ms": (end: number) => end - 1,
	};
	type Write = (ms: number) => unknown;
	type Model = readonly { start: number; end: number; price: number | null }[];
	const pair =
		(name: string) =>
		(model: Model, write: Write, end: Write, factor: number) =>
			model.map((row) => ({
				[name]: write(row.start),
				...(end(row.end) !== undefined && {
					[name === "from" ? "to" : "end"]: write(end(row.end) as number),
				}),
				price: row.price === null ? null : row.price * factor,
			}));
	const plainRows = pair("start");
	const SHAPES = {
		list: plainRows,
		time: pair("time"),
		timestamp: pair("timestamp"),
		from: pair("from"),
		home: (...given: Parameters<typeof plainRows>) => ({
			homes: { "My home": plainRows(...given) },
		}),
		days: (...given: Parameters<typeof plainRows>) => {
			const list = plainRows(...given);
			return {
				state: "0.3",
				attributes: {
					raw_today: list.slice(0, 24),
					raw_tomorrow: list.slice(24),
				},
			};
		},
		columns: (model: Model, write: Write, _: Write, factor: number) => ({
			unix_seconds: model.map(({ start }) => write(start)),
			price: model.map(({ price }) => (price === null ? null : price * factor)),
		}),
		text: (...given: Parameters<typeof plainRows>) => ({
			rates: plainRows(...given),
		}),
	};
	const model = fc
		.record({
			day: fc.constantFrom(...days),
			step: fc.constantFrom(QUARTER, 2 * QUARTER, HOUR),
			prices: fc.array(
				fc.option(fc.integer({ min: 30, max: 900 }), { freq: 8 }),
				{ minLength: 1, maxLength: 100 },
			),
		})
		.map(
			({ day, step, prices }): Model =>
				// The first has a price: how long the only one lasts nobody knows.
				[500, ...prices].map((price, index) => ({
					start: day + index * step,
					end: day + (index + 1) * step,
					price: price === null ? null : price / 1000,
				})),
		);
	const sent = fc.record({
		model,
		shape: fc.constantFrom(...Object.keys(SHAPES)),
		unit: fc.constantFrom(...UNITS, ...UNKNOWN, ...UNSAID),
		time: fc.constantFrom(...Object.keys(TIMES)),
		end: fc.constantFrom(...Object.keys(ENDS)),
		isText: fc.boolean(),
	});

	it("are right, or an error names what was not understood", () => {
		fc.assert(
			fc.property(sent, ({ model: wanted, shape, unit, time, end, isText }) => {
				const body = SHAPES[shape as keyof typeof SHAPES](
					wanted,
					TIMES[time as keyof typeof TIMES],
					ENDS[end as keyof typeof ENDS] as Write,
					unit.factor,
				);
				const value = Array.isArray(body)
					? { unit: unit.unit, prices: body }
					: { unit: unit.unit, ...body };
				const {
					value: list,
					errors,
					question,
				} = read(isText ? JSON.stringify(value) : value);
				if (unit.isKnown) {
					assert.deepEqual(errors, []);
					assert.equal(question, undefined);
					near(
						list?.rows ?? [],
						wanted.filter(({ price }) => price !== null) as PriceRow[],
					);
				} else {
					assert.equal(list, undefined);
					const text = String(errors[0]);
					assert.ok(text.includes(unit.unit ?? "per kWh"), text);
				}
			}),
			{ numRuns: 1500 },
		);
	});

	it("are the same in any order and repeated", () => {
		fc.assert(
			fc.property(
				model,
				fc.boolean(),
				fc.func(fc.integer()),
				(wanted, withEnds, order) => {
					const list = wanted.map(({ start, end, price }) => ({
						start,
						...(withEnds && { end }),
						price,
					}));
					const shuffled = [...list, ...list.slice(0, 5)].sort(
						(a, b) => order(a.start) - order(b.start),
					);
					assert.deepEqual(rows(shuffled), rows(list));
					let before = 0;
					for (const { start, end } of rows(list)) {
						assert.ok(start >= before && end > start);
						before = end;
					}
				},
			),
			{ numRuns: 300 },
		);
	});
});
