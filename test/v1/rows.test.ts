import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { Zone } from "../../src/util/zone";
import { normaliseV1Rows } from "../../src/v1/rows";

const RECORDED = join(
	__dirname,
	"../fixtures/recorded-v1-forecast-2026-03-18.json",
);
function resolverOf(name: string): (wallClock: number) => number[] {
	const zone = Zone.of(name);
	assert.ok(zone);
	return (wallClock) => zone.instantsOf(wallClock);
}

function timestamps(stamps: string[], zone?: string): string[] | undefined {
	const values = stamps.map((dtm) => ({ dtm }));
	return normaliseV1Rows(
		{ values },
		zone === undefined ? undefined : resolverOf(zone),
	)?.map((it) => it.timestamp);
}

describe("V1 rows", () => {
	it("gives the recorded answer's 672 rows their UTC instants", () => {
		const body = JSON.parse(readFileSync(RECORDED, "utf8"));
		const rows = normaliseV1Rows(body);
		assert.equal(rows?.length, 672);
		const start = Date.UTC(2026, 2, 18);
		for (const [index, row] of rows.entries()) {
			assert.equal(row.time, start + index * 900_000);
			assert.equal(Date.parse(row.timestamp), row.time);
			assert.ok(row.timestamp.endsWith("Z"));
			const { dtm, ...columns } = body.values[index];
			const { time, timestamp, ...ours } = row;
			assert.deepEqual(ours, columns);
		}
	});

	it("reads a bare array, a blank or T, Z and offsets", () => {
		const rows = normaliseV1Rows([
			{ dtm: "2026-03-18 00:15:00" },
			{ dtm: "2026-03-18T00:30" },
			{ dtm: "2026-03-18 00:45:00Z" },
			{ dtm: "2026-03-18T02:00:00+01:00" },
			{ dtm: "2026-03-17 20:45:00-0430" },
			{ dtm: "2026-03-18 24:00:00" },
		]);
		assert.deepEqual(
			rows?.map((it) => it.timestamp.slice(11, 16)),
			["00:15", "00:30", "00:45", "01:00", "01:15", "00:00"],
		);
	});

	it("turns numeric text into numbers and leaves the rest", () => {
		assert.deepEqual(
			normaliseV1Rows({
				values: [
					{
						dtm: "2026-03-18 00:00:00",
						pv_watts: "12.50",
						temp: "-3",
						GHI: null,
						note: "n/a",
						blank: "",
						weather_code: 61,
						// Columns cannot take the place of the instant.
						time: 5,
						timestamp: "x",
					},
				],
			}),
			[
				{
					time: Date.UTC(2026, 2, 18),
					timestamp: "2026-03-18T00:00:00.000Z",
					pv_watts: 12.5,
					temp: -3,
					GHI: null,
					note: "n/a",
					blank: "",
					weather_code: 61,
				},
			],
		);
	});

	it("reads naive stamps in the zone asked for, with :45 offsets too", () => {
		assert.deepEqual(timestamps(["2026-07-01 00:00:00"], "Europe/Berlin"), [
			"2026-06-30T22:00:00.000Z",
		]);
		assert.deepEqual(timestamps(["2026-01-01 00:00:00"], "Asia/Kathmandu"), [
			"2025-12-31T18:15:00.000Z",
		]);
	});

	it("resolves the repeated autumn hour by order", () => {
		const local = [];
		for (let quarter = 0; quarter < 4 * 4; quarter++) {
			const pass = quarter < 8 ? quarter + 4 : quarter;
			local.push(
				`2026-10-25 ${String(Math.floor(pass / 4)).padStart(2, "0")}:${String((pass % 4) * 15).padStart(2, "0")}:00`,
			);
		}
		// 01:00 to 02:45, then 02:00 to 03:45 once more.
		assert.equal(local[4], local[8]);
		const rows = normaliseV1Rows(
			local.map((dtm) => ({ dtm })),
			resolverOf("Europe/Berlin"),
		);
		assert.deepEqual(
			rows?.map((it) => it.time),
			local.map((_, index) => Date.UTC(2026, 9, 24, 23) + index * 900_000),
		);
	});

	it("is undefined where there are no rows", () => {
		for (const body of [
			null,
			undefined,
			"text",
			7,
			{},
			[],
			{ values: [] },
			{ values: "none" },
			{ yearly: 950, monthly: [1, 2] },
			{ values: [{ month: 1, energy: 5 }] },
			[1, 2, 3],
		])
			assert.equal(normaliseV1Rows(body), undefined);
	});

	it("names the place of a malformed row", () => {
		const good = { dtm: "2026-03-18 00:00:00" };
		const cases: [body: unknown, path: string][] = [
			[
				{ values: [good, good, { dtm: "2026-02-30 00:00:00" }] },
				"values[2].dtm",
			],
			[{ values: [good, { dtm: "2026-03-18 24:00:01" }] }, "values[1].dtm"],
			[{ values: [good, { dtm: null }] }, "values[1].dtm"],
			[{ values: [good, { pv_watts: 1 }] }, "values[1].dtm"],
			[{ values: [good, 5] }, "values[1]"],
			[[good, { dtm: 1_773_792_000_000 }], "[1].dtm"],
		];
		for (const [body, path] of cases)
			assert.throws(
				() => normaliseV1Rows(body),
				(error) =>
					error instanceof SolarYieldError &&
					error.kind === "RESPONSE" &&
					error.message.includes(` ${path} `),
				path,
			);
	});
});
