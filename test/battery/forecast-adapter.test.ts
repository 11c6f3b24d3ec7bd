import assert from "node:assert/strict";
import { forecastPart } from "../../src/battery/forecast-adapter";
import { localTime } from "../../src/battery/house/standard-profile";
import { planBattery } from "../../src/battery/plan";
import { quartersAhead } from "../../src/battery/plan-inputs";
import { placeForecast } from "../../src/forecast/forecast";
import { readForecast } from "../../src/service/v2/forecast-answer";
import { HOUR, MINUTE, settings } from "./support";

/** Rows of two hours around noon; the stamp names the end of a quarter. */
const forecast = (rows: object[]) =>
	placeForecast(
		readForecast({
			site_id: "site_a",
			timezone: "Asia/Kathmandu",
			computed_at: "2026-06-20T10:00:00+05:45",
			included: ["default", "variability"],
			available: ["default", "variability"],
			daily: [],
			values: rows,
		}),
	);
const row = (
	timestamp: string,
	pv_power: number | null,
	pv_power_min: number | null,
	pv_power_max = pv_power,
) => ({ timestamp, pv_power, pv_power_min, pv_power_max });

const ROWS = [
	row("2026-06-20T12:00:00+05:45", 900, 500),
	row("2026-06-20T12:15:00+05:45", 1000, 600),
	row("2026-06-20T12:30:00+05:45", 2000, 700),
	row("2026-06-20T12:45:00+05:45", 3000, 3000),
	row("2026-06-20T13:15:00+05:45", 5000, 5000),
];
const NOON = Date.parse("2026-06-20T12:00:00+05:45");

describe("a forecast as input of a plan", () => {
	it("gives its quarters from the running one, gaps as null, and the end of its band", () => {
		const part = forecastPart(forecast(ROWS), NOON + MINUTE);
		assert.deepEqual(
			part.quarters.map(({ start, pv_w, pv_min_w }) => [
				(start - NOON) / MINUTE,
				pv_w,
				pv_min_w,
			]),
			[
				[0, 1000, 600],
				[15, 2000, 700],
				[30, 3000, 3000],
				[45, null, null],
				[60, 5000, 5000],
			],
		);
		assert.equal(part.band_until, NOON + 30 * MINUTE);
		assert.deepEqual(localTime(part.zone, NOON), {
			hour: 12,
			weekday: 6,
			month: 6,
			day: 20,
		});
	});

	it("plans up to the gap, cautiously within the band", () => {
		const { plan, cautious_until, gap_at } = planBattery(
			{
				...forecastPart(forecast(ROWS), NOON),
				now: NOON,
				soc: 50,
				load: null,
				prices: null,
			},
			settings({ safety: "cautious" }),
		);
		assert.deepEqual(
			plan.map(({ pv_w }) => pv_w),
			[600, 700, 3000],
		);
		assert.equal(cautious_until, "2026-06-20T12:30:00+05:45");
		assert.equal(gap_at, "2026-06-20T12:45:00+05:45");
	});

	it("has nothing ahead before its first row, in a gap and after its last", () => {
		for (const [now, count] of [
			[NOON - HOUR, 0],
			[NOON, 3],
			[NOON + 45 * MINUTE, 0],
			[NOON + 74 * MINUTE, 1],
			[NOON + 75 * MINUTE, 0],
			[NOON + 48 * HOUR, 0],
		] as const) {
			const { quarters } = forecastPart(forecast(ROWS), now);
			assert.equal(quartersAhead(quarters, now).quarters.length, count);
		}
	});
});
