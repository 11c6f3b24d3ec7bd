import assert from "node:assert/strict";
import fc from "fast-check";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import {
	readForecast,
	StringRow,
	ValueRow,
} from "../../../src/service/v2/forecast-answer";

const T0 = "2026-07-01T12:00:00+02:00";
const T1 = "2026-07-01T12:15:00+02:00";
const value = (more: object = {}) => ({ timestamp: T0, pv_power: 1, ...more });
const string = (more: object = {}) => ({
	timestamp: T0,
	string_index: 0,
	string_id: "str_a",
	pv_power: 1,
	...more,
});

function refusal(body: unknown): SolarYieldError {
	try {
		readForecast(body);
	} catch (error) {
		assert.ok(error instanceof SolarYieldError, String(error));
		assert.equal(error.code, "SOLAR_YIELD_RESPONSE");
		return error;
	}
	assert.fail("accepted");
}

describe("readForecast", () => {
	it("takes every optional field's absence, and null", () => {
		const bare = readForecast({ values: [{ timestamp: T0 }] });
		assert.deepEqual(bare.daily, []);
		assert.equal(bare.strings, undefined);
		const nulls = readForecast({
			site_id: null,
			timezone: null,
			computed_at: null,
			next_poll_at: null,
			included: null,
			available: null,
			daily: null,
			strings: null,
			values: [{ timestamp: T0, pv_power: null, temp: null }],
		});
		assert.deepEqual(nulls.daily, []);
		assert.equal(nulls.strings, undefined);
	});

	it("passes unknown fields on untouched", () => {
		const row = value({ fog: { depth: 3 }, gust: "strong" });
		const body = {
			values: [row],
			daily: [{ date: "2026-07-01", partial: true }],
			engine: { version: 7 },
		};
		const answer = readForecast(body);
		assert.equal(answer.values[0], row);
		assert.equal(answer.daily[0], body.daily[0]);
		assert.deepEqual(answer.envelope.engine, { version: 7 });
	});

	it("lets no answer set the prototype of anything", () => {
		const answer = readForecast(
			JSON.parse(
				`{"__proto__":{"evil":1},"values":[{"__proto__":{"evil":1},"timestamp":"${T0}"}],"daily":[{"__proto__":{"evil":1},"date":"2026-07-01"}]}`,
			),
		);
		const objects = [answer.envelope, answer.values[0], answer.daily[0]];
		for (const object of objects) {
			assert.equal((object as { evil?: unknown }).evil, undefined);
		}
		assert.equal(({} as { evil?: unknown }).evil, undefined);
	});

	it("passes an unreadable next_poll_at on: it costs no forecast", () => {
		for (const next of ["", "soon", 7, {}, [], true]) {
			const body = { next_poll_at: next, values: [value()] };
			assert.equal(readForecast(body).envelope.next_poll_at, next);
		}
	});

	const bad: [what: string, body: unknown, path: string][] = [
		["no body", null, "the body is null"],
		["a text", "text", 'the body is "text"'],
		["an array", [value()], "the body is "],
		["an error object", { detail: "no" }, "values is missing"],
		["values that are no array", { values: {} }, "values is {}"],
		["no rows", { values: [] }, "values holds no rows"],
		["a null row", { values: [value(), null] }, "values[1] is null"],
		["a text row", { values: ["x"] }, 'values[0] is "x"'],
		["an array row", { values: [[1]] }, "values[0] is [1]"],
		[
			"a row without a stamp",
			{ values: [{}] },
			"values[0].timestamp is missing",
		],
		[
			"the sixth stamp",
			{
				values: [
					...Array.from({ length: 5 }, () => value()),
					value({ timestamp: "2026-02-30T12:00:00Z" }),
				],
			},
			'values[5].timestamp is "2026-02-30T12:00:00Z"',
		],
		[
			"an empty stamp in the first row",
			{ values: [value({ timestamp: "" })] },
			'values[0].timestamp is ""',
		],
		[
			"a stamp behind 24:00",
			{ values: [value({ timestamp: "2026-07-01T24:15:00Z" })] },
			"values[0].timestamp",
		],
		[
			"a stamp off the quarter hour",
			{ values: [value({ timestamp: "2026-07-01T12:05:00Z" })] },
			"values[0].timestamp",
		],
		[
			"a stamp in seconds",
			{ values: [value({ timestamp: 1782900000 })] },
			"values[0].timestamp is 1782900000",
		],
		[
			"a power in words",
			{ values: [value(), value({ timestamp: T1, pv_power: "12.5" })] },
			'values[1].pv_power is "12.5"',
		],
		[
			"an endless power",
			{ values: [value({ pv_power: JSON.parse("1e999") })] },
			"values[0].pv_power",
		],
		[
			"the band's lower edge",
			{ values: [value({ pv_power_min: false })] },
			"values[0].pv_power_min is false",
		],
		[
			"the band's upper edge",
			{ values: [value({ pv_power_max: {} })] },
			"values[0].pv_power_max is {}",
		],
		[
			"the clear sky",
			{ values: [value({ pv_power_clearsky: [] })] },
			"values[0].pv_power_clearsky is []",
		],
		[
			"the temperature",
			{ values: [value({ temp: "mild" })] },
			'values[0].temp is "mild"',
		],
		[
			"strings that are no array",
			{ values: [value()], strings: "none" },
			'strings is "none"',
		],
		[
			"a string's stamp",
			{ values: [value()], strings: [string(), string({ timestamp: "" })] },
			'strings[1].timestamp is ""',
		],
		[
			"a string's missing index",
			{ values: [value()], strings: [{ timestamp: T0, pv_power: 1 }] },
			"strings[0].string_index is missing",
		],
		[
			"a string's negative index",
			{ values: [value()], strings: [string({ string_index: -1 })] },
			"strings[0].string_index is -1",
		],
		[
			"a string's broken index",
			{ values: [value()], strings: [string({ string_index: 0.5 })] },
			"strings[0].string_index is 0.5",
		],
		[
			"a string's empty id",
			{ values: [value()], strings: [string({ string_id: "" })] },
			'strings[0].string_id is ""',
		],
		[
			"a string's power",
			{ values: [value()], strings: [string({ pv_power: "1" })] },
			'strings[0].pv_power is "1"',
		],
		["daily that is no array", { values: [value()], daily: {} }, "daily is {}"],
		[
			"more days than there are",
			{
				values: [value()],
				daily: Array.from({ length: 1001 }, () => ({ date: "2026-07-01" })),
			},
			"at most 1000 days",
		],
		[
			"a day's date",
			{
				values: [value()],
				daily: [{ date: "2026-07-01" }, { date: "2026-07-32" }],
			},
			'daily[1].date is "2026-07-32"',
		],
		[
			"a day's missing date",
			{ values: [value()], daily: [{}] },
			"daily[0].date",
		],
		[
			"a day's energy",
			{
				values: [value()],
				daily: [{ date: "2026-07-01", pv_energy_kwh: "31" }],
			},
			'daily[0].pv_energy_kwh is "31"',
		],
		[
			"the time of computing",
			{ values: [value()], computed_at: "yesterday" },
			'computed_at is "yesterday"',
		],
		["the zone", { values: [value()], timezone: 1 }, "timezone is 1"],
		["the groups", { values: [value()], included: "all" }, 'included is "all"'],
		[
			"the plan's groups",
			{ values: [value()], available: ["default", 7] },
			"available[1] is 7",
		],
	];
	for (const [what, body, path] of bad) {
		it(`names ${what}`, () => {
			const { message, cause } = refusal(body);
			assert.ok(message.includes(path), message);
			assert.ok(cause.detail?.includes(path), cause.detail ?? "");
			assert.match(message, /; ./);
		});
	}

	it("shows long and deep values in short", () => {
		const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
		for (const timestamp of ["x".repeat(1_000_000), deep]) {
			const { message } = refusal({ values: [{ timestamp }] });
			assert.ok(message.length < 400, String(message.length));
		}
		assert.match(refusal({ values: [deep] }).message, /values\[0\]/);
	});

	it("does not let a good stamp stand in for a bad one, wherever it stands", () => {
		for (const timestamp of ["", "x", T0.replace("00:00+", "01:00+")]) {
			for (const rows of [
				[{ timestamp }, value()],
				[value(), { timestamp }],
				[value(), value(), { timestamp }],
			]) {
				refusal({ values: rows });
			}
		}
	});

	describe("accepts a row when, and only when, its schema does", () => {
		const stamp = fc.oneof(
			{ weight: 6, arbitrary: fc.constantFrom(T0, T1, "2026-07-01T10:00:00Z") },
			fc.constantFrom(
				"",
				"2026-07-01T12:15:00",
				"2026-07-01T12:15",
				"2026-07-01T12:15:00.000Z",
				"2026-07-01T12:15:00.001Z",
				"2026-07-01T12:05:00Z",
				"2026-07-01T12:05:00",
				"2026-07-01T12:00:00+05:45",
				"2026-07-01T12:00:00+05:40",
				"2026-07-01T24:00:00Z",
				"2026-06-31T12:00:00Z",
				"2026-07-01",
				"2026-07-01 12:00:00Z",
			),
			fc.string({ maxLength: 5 }),
		);
		const anything = fc.oneof(
			fc.constantFrom(
				null,
				undefined,
				true,
				Number.NaN,
				Number.POSITIVE_INFINITY,
				Number.NEGATIVE_INFINITY,
				-0,
				"",
				"1",
				1n,
			),
			fc.double(),
			fc.constant([]),
			fc.constant({}),
			fc.constant(new Date(0)),
		);
		const number = fc.oneof(
			{ weight: 5, arbitrary: fc.double({ noNaN: true, min: 0, max: 1e4 }) },
			{ weight: 2, arbitrary: fc.constant(null) },
			anything,
		);
		const index = fc.oneof(
			{ weight: 5, arbitrary: fc.nat({ max: 9 }) },
			fc.constantFrom(-1, 0.5, 2 ** 53, "0"),
			anything,
		);
		const id = fc.oneof(
			{ weight: 5, arbitrary: fc.constantFrom("str_a", "str_b", null) },
			fc.constantFrom(""),
			anything,
		);
		const row = fc.oneof(
			{
				weight: 12,
				arbitrary: fc.record(
					{
						timestamp: fc.oneof({ weight: 12, arbitrary: stamp }, anything),
						string_index: index,
						string_id: id,
						pv_power: number,
						pv_power_min: number,
						pv_power_max: number,
						pv_power_clearsky: number,
						temp: number,
						wind_speed: anything,
					},
					{ requiredKeys: ["timestamp", "string_index"] },
				),
			},
			anything,
		);
		const accepts = (body: unknown) => {
			try {
				readForecast(body);
				return true;
			} catch (error) {
				assert.ok(error instanceof SolarYieldError, String(error));
				assert.equal(error.kind, "RESPONSE");
				return false;
			}
		};
		const seen = { good: 0, bad: 0 };
		const both = (rows: readonly unknown[], block: "values" | "strings") => {
			const schema = block === "values" ? ValueRow : StringRow;
			const expected = rows.every((one) => schema.safeParse(one).success);
			seen[expected ? "good" : "bad"] += 1;
			const body =
				block === "values"
					? { values: rows }
					: { values: [{ timestamp: T0 }], strings: rows };
			assert.equal(accepts(body), expected);
		};

		const edges = [
			...[undefined, null, true, false, 0, -0, 1, -1, 0.5, 2 ** 53, 1e300],
			...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
			...[1e15, -1e15, 1.1e15, -1.1e15, 2 ** 53 - 1],
			...["x".repeat(200), "x".repeat(201), "☀️".repeat(101), "😀".repeat(150)],
			...["", "0", "1.5", "str_a", T0, T1, "2026-07-01T12:15:00", "noon"],
			...[1n, Symbol("x"), [], [1], {}, { a: 1 }, new Date(0), () => 1],
			...[new Number(1), new String(T0), new Map()],
			...[
				"1970-07-01T12:00:00Z",
				"9999-07-01T12:00:00",
				"2198-07-01T12:00:00Z",
			],
		];
		for (const [block, schema, good] of [
			["values", ValueRow, value()],
			["strings", StringRow, string()],
		] as const) {
			for (const field of Object.keys(schema.shape)) {
				it(`in ${block} whatever ${field} is`, () => {
					const counted = { good: 0, bad: 0 };
					const rows = edges.map((edge) => ({ ...good, [field]: edge }));
					const { [field]: _, ...without } = good as Record<string, unknown>;
					for (const one of [...rows, without]) {
						both([one], block);
						both([good, one], block);
						counted[schema.safeParse(one).success ? "good" : "bad"] += 1;
					}
					assert.ok(counted.good > 0 && counted.bad > 0, field);
				});
			}
		}

		for (const [block, good] of [
			["values", value()],
			["strings", string()],
		] as const) {
			it(`in ${block} a list that has a row's fields, as a message may bring`, () => {
				seen.bad = 0;
				both([Object.assign([], good)], block);
				assert.equal(seen.bad, 1);
			});
		}

		for (const block of ["values", "strings"] as const) {
			it(`in ${block}`, () => {
				fc.assert(
					fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), (rows) =>
						both(rows, block),
					),
					{ numRuns: 3000 },
				);
				assert.ok(seen.good > 200 && seen.bad > 200, JSON.stringify(seen));
			});
		}
	});
});
