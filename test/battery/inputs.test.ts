import assert from "node:assert/strict";
import {
	readLoad,
	readNeed,
	readPrices,
	readSoc,
} from "../../src/battery/inputs";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";

const refused = (run: () => unknown, ...words: string[]) =>
	assert.throws(run, (error: unknown) => {
		assert.ok(error instanceof SolarYieldError);
		assert.equal(error.code, "SOLAR_YIELD_INPUT");
		for (const word of words) {
			assert.ok(error.message.includes(word), `${error.message} ⊉ ${word}`);
		}
		return true;
	});

const T0 = Date.UTC(2026, 6, 1, 10);
const HOUR = 3_600_000;

describe("battery input soc", () => {
	it("is a percentage, as number or text", () => {
		assert.equal(readSoc(0), 0);
		assert.equal(readSoc("55.5"), 55.5);
		refused(() => readSoc(140), "soc is 140", "from 0 to 100");
		refused(() => readSoc(-1), "soc is -1");
		refused(() => readSoc("80 %"), 'soc is "80 %"');
		refused(() => readSoc(null), "soc is null");
		refused(() => readSoc(true), "soc is true");
	});
});

describe("battery input load", () => {
	it("is a power, 24 hourly powers, or rows", () => {
		assert.equal(readLoad(undefined), null);
		assert.deepEqual(readLoad("350"), { kind: "constant", power_w: 350 });
		assert.deepEqual(readLoad(Array(24).fill("2")), {
			kind: "hourly",
			power_w: Array(24).fill(2),
		});
		assert.deepEqual(
			readLoad([
				{ start: "2026-07-01T12:00:00+02:00", end: T0 + HOUR, power_w: 100 },
				{
					start: new Date(T0 + 2 * HOUR),
					end: `${T0 + 3 * HOUR}`,
					power_w: "0",
				},
			]),
			{
				kind: "spans",
				rows: [
					{ start: T0, end: T0 + HOUR, power_w: 100 },
					{ start: T0 + 2 * HOUR, end: T0 + 3 * HOUR, power_w: 0 },
				],
			},
		);
	});

	it("is refused by field and value", () => {
		refused(() => readLoad(-5), "load is -5", "from 0");
		refused(() => readLoad({ w: 5 }), 'load is {"w":5}');
		refused(() => readLoad([]), "load has 0 values", "24");
		refused(() => readLoad([1, 2]), "load has 2 values");
		refused(() => readLoad([...Array(23).fill(1), -1]), "load[23] is -1");
		refused(
			() => readLoad([{ start: T0, end: T0 + HOUR, power_w: -7 }]),
			"load[0].power_w is -7",
		);
		refused(
			() => readLoad([{ start: T0, end: T0 + HOUR }]),
			"load[0].power_w is missing",
		);
	});
});

describe("battery input prices", () => {
	const row = (from: number, to: number, price: unknown = 0.3) => ({
		start: T0 + from * HOUR,
		end: T0 + to * HOUR,
		price,
	});

	it("may be negative, have holes, or be none at all", () => {
		assert.equal(readPrices(null), null);
		assert.equal(readPrices([]), null);
		assert.deepEqual(readPrices([row(0, 1, "-0.05"), row(2, 3)]), [
			{ start: T0, end: T0 + HOUR, price: -0.05 },
			{ start: T0 + 2 * HOUR, end: T0 + 3 * HOUR, price: 0.3 },
		]);
	});

	it("are refused by row, field and value", () => {
		refused(() => readPrices(0.3), "prices is 0.3");
		refused(() => readPrices([0.3]), "prices[0] is 0.3");
		refused(
			() => readPrices([row(1, 2), row(0, 1)]),
			"prices[1].start",
			"sort the rows",
		);
		refused(
			() => readPrices([row(0, 2), row(1, 3)]),
			"prices[1].start",
			"overlap",
		);
		refused(() => readPrices([row(1, 1)]), "prices[0].end", "not after");
		refused(() => readPrices([row(0, 1, "dear")]), 'prices[0].price is "dear"');
		refused(() => readPrices([row(0, 1, null)]), "prices[0].price is null");
	});

	it("want times that say their offset", () => {
		const at = (start: unknown) => () =>
			readPrices([{ start, end: T0 + 100 * HOUR, price: 1 }]);
		for (const bad of [
			"2026-07-01T12:00:00",
			"2026-02-30T12:00:00Z",
			"2026-07-01T25:00:00Z",
			"tomorrow",
			1_782_900_000,
			null,
			undefined,
			Number.NaN,
			new Date(Number.NaN),
		]) {
			refused(at(bad), "prices[0].start is", "offset");
		}
	});
});

describe("battery input need", () => {
	it("is energy, hours, or both", () => {
		assert.equal(readNeed(undefined), null);
		assert.deepEqual(readNeed({ kwh: "1.2" }), { kwh: 1.2, hours: null });
		assert.deepEqual(readNeed({ hours: 2, kwh: 1 }), { kwh: 1, hours: 2 });
		refused(() => readNeed({}), "need is {}");
		refused(() => readNeed(2), "need is 2");
		refused(() => readNeed({ kwh: 0 }), "need.kwh is 0");
		refused(() => readNeed({ hours: -1 }), "need.hours is -1");
	});
});
