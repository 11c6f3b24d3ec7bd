import assert from "node:assert/strict";
import fc from "fast-check";
import {
	INPUT_NAMES,
	readFeedIn,
	readInputs,
	readLoad,
	readSoc,
	readTargets,
} from "../../src/battery/inputs";
import { targetTimes } from "../../src/battery/inputs/targets";
import type { ReadResult } from "../../src/messages/value-readers";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { good, HOUR, zone } from "./support";

const T0 = Date.UTC(2026, 6, 1, 10);

const names = (error: unknown, words: readonly string[]) => {
	assert.ok(error instanceof SolarYieldError);
	assert.equal(error.code, "SOLAR_YIELD_INPUT");
	for (const word of words) {
		assert.ok(error.message.includes(word), `${error.message} ⊉ ${word}`);
	}
	return true;
};
const refused = (run: () => unknown, ...words: string[]) =>
	assert.throws(run, (error: unknown) => names(error, words));
/** One error with these words; what was good of the value is returned. */
function told<Value>(read: ReadResult<Value>, ...words: string[]) {
	assert.equal(read.errors.length, 1, String(read.errors));
	names(read.errors[0], words);
	return read.value;
}

const NEEDED = { capacityKwh: "10", maxChargeW: "5000", maxDischargeW: "4000" };
const readAll = (msg: Record<string, unknown>) =>
	readInputs(msg, { configured: NEEDED, changes: {} });

describe("battery input soc", () => {
	it("is a percentage, as number or text, clamped within 5", () => {
		assert.equal(readSoc(0), 0);
		assert.equal(readSoc("55.5"), 55.5);
		assert.equal(readSoc(100.00000000000003), 100);
		assert.equal(readSoc(105), 100);
		assert.equal(readSoc(-5), 0);
		assert.equal(readSoc(0.65), 0.65);
	});

	it("is refused beyond, by field and value", () => {
		refused(() => readSoc(140), "soc is 140", "percent, 0 to 100");
		refused(() => readSoc(105.01), "soc is 105.01");
		refused(() => readSoc(-5.01), "soc is -5.01");
		refused(() => readSoc("80 %"), 'soc is "80 %"');
		refused(() => readSoc(null), "soc is null");
		refused(() => readSoc(true), "soc is true");
	});
});

describe("battery input load", () => {
	it("is a power, 24 hourly powers, or rows in any order", () => {
		assert.equal(good(readLoad(undefined)), null);
		assert.deepEqual(good(readLoad("350")), {
			kind: "constant",
			power_w: 350,
		});
		assert.deepEqual(good(readLoad(Array(24).fill("2"))), {
			kind: "hourly",
			power_w: Array(24).fill(2),
		});
		assert.deepEqual(
			good(
				readLoad([
					{
						start: new Date(T0 + 2 * HOUR),
						end: `${T0 + 3 * HOUR}`,
						power_w: "0",
						source: "meter",
					},
					{ start: "2026-07-01T12:00:00+02:00", end: T0 + HOUR, power_w: 100 },
				]),
			),
			{
				kind: "spans",
				rows: [
					{ start: T0, end: T0 + HOUR, power_w: 100 },
					{ start: T0 + 2 * HOUR, end: T0 + 3 * HOUR, power_w: 0 },
				],
			},
		);
	});

	it("is refused by field and value, and keeps its good rows", () => {
		const row = (from: number, power_w: unknown, hours = 1) => ({
			start: T0 + from * HOUR,
			end: T0 + (from + hours) * HOUR,
			power_w,
		});
		assert.equal(told(readLoad(-5), "load is -5", "from 0"), undefined);
		told(readLoad({ w: 5 }), 'load is {"w":5}');
		told(readLoad([]), "load has 0 values", "24");
		told(readLoad([1, 2]), "load has 2 values");
		told(readLoad([...Array(23).fill(1), -1]), "load[23] is -1");
		told(readLoad([row(0, -7)]), "load[0].power_w is -7");
		for (const [rows, word] of [
			[[row(0, 5), row(1, -7)], "load[1].power_w is -7"],
			[[row(0, 5), row(0, 7)], "load[1] begins when load[0] does"],
			[[row(0, 5), "x"], 'load[1] is "x"'],
		] as const) {
			const value = told(readLoad(rows), word);
			assert.deepEqual(value?.kind === "spans" && value.rows, [row(0, 5)]);
		}
	});
});

describe("battery input feedIn", () => {
	it("is a number or rows; zero and negative are ordinary", () => {
		assert.equal(good(readFeedIn("-0.02")), -0.02);
		assert.equal(good(readFeedIn(0)), 0);
		assert.equal(good(readFeedIn(null)), null);
		told(readFeedIn(""), 'feedIn is ""');
		told(readFeedIn([]), "feedIn is []");
		assert.deepEqual(
			good(readFeedIn([{ start: T0, end: T0 + HOUR, value: -0.1 }])),
			[{ start: T0, end: T0 + HOUR, price: -0.1 }],
		);
		told(readFeedIn("much"), 'feedIn is "much"');
		told(readFeedIn(Number.NaN), "feedIn is null");
		told(readFeedIn("0,08"), 'feedIn is "0,08"', "with a point");
	});
});

describe("battery input targets", () => {
	it("is a state of charge by a time of each day or an instant", () => {
		assert.deepEqual(
			good(
				readTargets([
					{ soc: "80", by: "7:00" },
					{ soc: 50, by: "2026-07-01T18:00:00+02:00" },
				]),
			),
			[
				{ soc: 80, by: { clock: 7 * HOUR } },
				{ soc: 50, by: { instant: T0 + 6 * HOUR } },
			],
		);
		assert.deepEqual(good(readTargets(null)), []);
		assert.equal(good(readTargets({ soc: 80, by: "07:00" })).length, 1);
		told(readTargets([{ soc: 80, by: "25:00" }]), 'targets[0].by is "25:00"');
		told(readTargets([{ soc: 140, by: "07:00" }]), "targets[0].soc is 140");
		const value = told(
			readTargets([
				{ soc: 80, by: "07:00" },
				{ soc: 80, at: "07:00" },
			]),
			"targets[1].at is not known",
			"soc, by",
		);
		assert.equal(value?.length, 1);
	});

	it("is due on each day by the site's clock, also where the clock changes", () => {
		const due = (clock: number, from: string, to: string) =>
			targetTimes(
				[{ soc: 80, by: { clock } }],
				Date.parse(from),
				Date.parse(to),
				zone("Europe/Berlin"),
			).map(({ by }) => new Date(by).toISOString().slice(0, 16));
		assert.deepEqual(due(7 * HOUR, "2026-03-28T05:00Z", "2026-03-30T05:00Z"), [
			"2026-03-28T06:00",
			"2026-03-29T05:00",
			"2026-03-30T05:00",
		]);
		// 02:30 does not exist on 29 March, and exists twice on 25 October.
		assert.deepEqual(
			due(2.5 * HOUR, "2026-03-28T12:00Z", "2026-03-29T12:00Z"),
			["2026-03-29T01:00"],
		);
		assert.deepEqual(
			due(2.5 * HOUR, "2026-10-24T12:00Z", "2026-10-25T12:00Z"),
			["2026-10-25T00:30"],
		);
		assert.deepEqual(due(24 * HOUR, "2026-12-31T12:00Z", "2027-01-01T12:00Z"), [
			"2026-12-31T23:00",
		]);
	});
});

describe("battery inputs of one message", () => {
	/** Good and bad values of each input, and a word that its errors name. */
	const GOOD: Record<string, readonly unknown[]> = {
		soc: [0, "55", 100.00000000000003],
		house_w: [0, "321.5"],
		load: [300, null, [{ start: T0, end: T0 + HOUR, power_w: 5 }]],
		prices: [
			[{ start: T0, total: 0.3 }],
			{ data: [{ start_timestamp: T0, marketprice: 80, unit: "Eur/MWh" }] },
			null,
		],
		feedIn: [-0.01, [{ start: T0, value: 0 }], null],
		targets: [[{ soc: 80, by: "07:00" }], null],
		settings: [{ minSoc: 20 }, { strategy: null }, null],
	};
	const BAD: Record<string, readonly unknown[]> = {
		soc: [140, "full", {}],
		house_w: [-500, "much"],
		load: [-1, [1, 2], { a: 1 }, [{ start: T0 }]],
		prices: [
			"",
			[],
			0.3,
			"dear",
			[{ start: "today", price: 1 }],
			[{ start: T0 }],
			{},
		],
		feedIn: ["much", [{ start: 0, value: 1 }], true, "", []],
		targets: [[{ soc: 80 }], 5, [{ soc: 80, by: "07:00", min: 5 }]],
		settings: [{ minsoc: 20 }, { minSoc: "low" }, "minSoc", [1]],
	};

	it("loses no good input to a bad one, and each error names its field and what to give", () => {
		const part = fc.record(
			Object.fromEntries(
				INPUT_NAMES.map((name) => [
					name,
					fc.oneof(
						fc
							.constantFrom(...(GOOD[name] as unknown[]))
							.map((value) => ({ value, isGood: true })),
						fc
							.constantFrom(...(BAD[name] as unknown[]))
							.map((value) => ({ value, isGood: false })),
					),
				]),
			),
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(part, (given) => {
				const entries = Object.entries(given) as [
					string,
					{ value: unknown; isGood: boolean },
				][];
				const { values, errors } = readAll(
					Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
				);
				for (const [name, { value, isGood }] of entries) {
					if (!isGood) {
						const own = errors.filter(({ message }) =>
							message.startsWith(name),
						);
						assert.ok(own.length > 0, `${name} ${JSON.stringify(value)}`);
						for (const { message } of own) assert.match(message, /; \w/);
						continue;
					}
					const alone = readAll({ [name]: value });
					assert.deepEqual(alone.errors, []);
					assert.deepEqual(
						values[name as keyof typeof values],
						alone.values[name as keyof typeof values],
					);
				}
			}),
			{ numRuns: 500 },
		);
	});

	it("are absent where a sensor has no value, and no error", () => {
		for (const word of ["unavailable", "Unknown", " none", "null", "NaN"]) {
			const msg = Object.fromEntries(INPUT_NAMES.map((name) => [name, word]));
			assert.deepEqual(readAll(msg), {
				values: {},
				absent: INPUT_NAMES,
				errors: [],
				asked: [],
			});
		}
		// Nothing takes back what was given, but a reading gives nothing back.
		for (const nothing of ["", " ", null]) {
			const msg = Object.fromEntries(
				INPUT_NAMES.map((name) => [name, nothing]),
			);
			const { values, absent, errors } = readAll(msg);
			assert.deepEqual(absent, ["soc", "house_w"]);
			// An empty text is no wish to do without the prices that are known.
			const kept = nothing === null ? [] : ["prices", "feedIn"];
			assert.deepEqual(
				errors.map(({ message }) => message.split(" ", 1)[0]),
				kept,
			);
			assert.equal(
				Object.keys(values).length,
				INPUT_NAMES.length - 2 - kept.length,
			);
		}
	});

	it("never throws, whatever comes", () => {
		const anything = fc.record(
			Object.fromEntries(INPUT_NAMES.map((name) => [name, fc.jsonValue()])),
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(anything, (msg) => {
				const { values, absent, errors } = readAll(msg);
				for (const name of INPUT_NAMES.filter((known) => known in msg)) {
					assert.ok(
						name in values ||
							absent.includes(name) ||
							errors.some(({ message }) => message.startsWith(name)),
						`${name} is neither read nor told`,
					);
				}
			}),
			{ numRuns: 500 },
		);
	});
});
