import assert from "node:assert/strict";
import { readFeedIn } from "../../src/prices/reader";
import { at, hourly, read, rows, T0, told } from "./support";

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
