import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import {
	type RawRange,
	readHistoricalParams,
	readHistoricalRange,
} from "../../../src/service/v2/historical";
import { HOUSE, SiteWorld } from "./sites/support";

const NOW = Date.parse("2026-11-27T08:12:33Z");
const OCTOBER = { startDate: "2026-10-01", endDate: "2026-10-31" };

describe("historical requests", () => {
	it("carry range, groups and whatever else is given", async () => {
		const it = new SiteWorld();
		it.now = NOW;
		await it.client.historical(HOUSE, {
			range: OCTOBER,
			include: ["default", "weather"],
			params: { extra: "a b" },
		});
		const { body } = await it.client.historical(
			{
				latitude: 52,
				longitude: 13,
				strings: [{ slope: 30, orientation: 180, power_kw: 5 }],
			},
			{ range: { period: "2d" } },
		);
		assert.equal(JSON.parse(body).daily.length, 2);
		assert.deepEqual(
			it.sent.map(({ method, path, query }) => [method, path, query]),
			[
				[
					"GET",
					"/v2/historical/site_house",
					[
						["start_date", "2026-10-01"],
						["end_date", "2026-10-31"],
						["include", "default"],
						["include", "weather"],
						["extra", "a b"],
					],
				],
				["POST", "/v2/historical/inline", [["period", "2d"]]],
			],
		);
	});

	it("end in a PLAN error that names historical data", async () => {
		const it = new SiteWorld();
		it.fault = async () => ({ status: 403, headers: {}, body: "" });
		await assert.rejects(
			it.client.historical(HOUSE, { range: OCTOBER }),
			(error: SolarYieldError) =>
				error.kind === "PLAN" && /historical data/.test(error.message),
		);
	});
});

describe("range of a historical request", () => {
	const cases: [settings: RawRange, message: RawRange, range: object][] = [
		[{ period: "7d" }, {}, { period: "7d" }],
		[{ period: " 7d " }, { period: "" }, { period: "7d" }],
		[{ period: "7d" }, { period: "3m" }, { period: "3m" }],
		[{ period: "7d" }, OCTOBER, OCTOBER],
		[OCTOBER, {}, OCTOBER],
		[OCTOBER, { period: "1y" }, { period: "1y" }],
		[OCTOBER, { endDate: "2026-10-05" }, { ...OCTOBER, endDate: "2026-10-05" }],
		[{ ...OCTOBER, period: "" }, { startDate: null }, OCTOBER],
		[
			{},
			{ startDate: "2026-10-25", endDate: "2026-10-25" },
			{ startDate: "2026-10-25", endDate: "2026-10-25" },
		],
		// Already today in the east of the Pacific's date line.
		[
			{},
			{ startDate: "2026-11-27", endDate: "2026-11-28" },
			{ startDate: "2026-11-27", endDate: "2026-11-28" },
		],
	];
	for (const [settings, message, range] of cases) {
		it(`is ${JSON.stringify(range)} for ${JSON.stringify([settings, message])}`, () => {
			assert.deepEqual(readHistoricalRange(settings, message, NOW), range);
		});
	}

	const refused: [settings: RawRange, message: RawRange, words: RegExp][] = [
		[{}, {}, /^period is missing/],
		[{ period: "7" }, {}, /^period is "7"/],
		[{}, { period: 7 }, /^period is 7/],
		[{}, { period: { d: 7 } }, /^period is \{/],
		[{ ...OCTOBER, period: "7d" }, {}, /^period is "7d" and startDate/],
		[{}, { period: "7d", endDate: "2026-10-01" }, /and endDate is given/],
		[{}, { startDate: "2026-10-01" }, /^endDate is missing/],
		[{}, { endDate: "2026-10-01" }, /^startDate is missing/],
		[OCTOBER, { startDate: "2026-13-01" }, /^startDate is "2026-13-01"/],
		[OCTOBER, { startDate: 20261001 }, /^startDate is 20261001/],
		[OCTOBER, { endDate: "2026-09-30" }, /lies before startDate/],
		[
			{},
			{ startDate: "2026-11-28", endDate: "2026-11-29" },
			/lies in the future/,
		],
	];
	for (const [settings, message, words] of refused) {
		it(`is refused for ${JSON.stringify([settings, message])}`, () => {
			assert.throws(
				() => readHistoricalRange(settings, message, NOW),
				(error) =>
					error instanceof SolarYieldError &&
					error.kind === "INPUT" &&
					words.test(error.message) &&
					/; give|; history/.test(error.message),
			);
		});
	}

	it("goes with further parameters as text", () => {
		assert.deepEqual(readHistoricalParams({ a: 1, b: "x", c: true }), {
			a: "1",
			b: "x",
			c: "true",
		});
		assert.deepEqual(readHistoricalParams(undefined), {});
		for (const value of [{ include: "all" }, { a: {} }, [1], "a=1"]) {
			assert.throws(
				() => readHistoricalParams(value),
				/^SolarYieldError|params/,
			);
		}
	});
});
