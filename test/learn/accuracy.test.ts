import assert from "node:assert/strict";
import { DAY, HOUR, MINUTE, message, QUARTER, Watched } from "./support";

const START = "2026-05-01";

/** A day of forecasts that come at hours of the site, each of a constant power. */
function forecasts(house: Watched, day: number, at: Record<number, number>) {
	const start = house.dayStart(START, day);
	for (const [hour, watts] of Object.entries(at).sort(
		([a], [b]) => Number(a) - Number(b),
	)) {
		house.foresee(
			message(start, start + 2 * DAY, () => watts),
			start + Number(hour) * HOUR,
		);
	}
}

/** Readings of a constant power over a date. */
function meterDay(house: Watched, day: number, watts: number) {
	const start = house.dayStart(START, day);
	for (let time = start; time <= start + DAY; time += 5 * MINUTE) {
		house.read(time, { power_w: watts }, Math.min(time, start + DAY - 1));
	}
}

const metersOf = (house: Watched, now: number) =>
	house.learner.report(now, "en-US").meters;
const errors = (house: Watched, day: number) => {
	const [meter] = metersOf(house, house.dayStart(START, day) + HOUR);
	assert.ok(meter);
	return meter.periods;
};

describe("accuracy", () => {
	it("counts the last forecast of the day before, and the last before 6:00", () => {
		const house = new Watched();
		forecasts(house, 0, { 1: 900, 23.5: 1500 });
		forecasts(house, 1, { 0.5: 1600, 5.9: 1200, 6.1: 1100, 12: 1000 });
		meterDay(house, 1, 1000);
		forecasts(house, 2, { 1: 1000 });
		const { same_day, day_ahead } = errors(house, 2).yesterday;
		assert.equal(same_day?.raw.forecast_kwh, 28.8);
		assert.equal(day_ahead?.raw.forecast_kwh, 36);
		assert.equal(same_day?.raw.energy_kwh, 24);
	});

	it("is what the definitions say", () => {
		const house = new Watched();
		forecasts(house, 0, { 1: 1000 });
		meterDay(house, 0, 800);
		forecasts(house, 1, { 0.5: 1200 });
		meterDay(house, 1, 1000);
		forecasts(house, 2, { 1: 1000 });
		const { yesterday, days_7 } = errors(house, 2);
		assert.deepEqual(yesterday.same_day?.raw, {
			from: "2026-05-02",
			to: "2026-05-02",
			days: 1,
			quarters: 96,
			energy_kwh: 24,
			forecast_kwh: 28.8,
			bias_percent: 20,
			mae_w: 200,
			nrmse_percent: 20,
			// As good as "as yesterday", which was 200 W lower.
			skill_percent: 0,
		});
		assert.equal(yesterday.day_ahead?.raw.bias_percent, 0);
		assert.equal(days_7.same_day?.raw.days, 2);
		assert.equal(days_7.same_day?.raw.from, "2026-04-26");
		assert.equal(days_7.same_day?.raw.forecast_kwh, 52.8);
	});

	it("shows what the correction is worth", () => {
		const house = new Watched();
		house.pass(START, 40, (watts) => 0.8 * watts);
		const { days_7, days_30 } = errors(house, 40);
		for (const horizon of ["same_day", "day_ahead"] as const) {
			const of = days_7[horizon];
			assert.ok(of);
			assert.ok(Math.abs((of.raw.bias_percent as number) - 25) < 1);
			assert.ok(Math.abs(of.corrected.bias_percent as number) < 2);
			assert.ok(
				(of.corrected.nrmse_percent as number) <
					(of.raw.nrmse_percent as number) / 5,
			);
			assert.ok((of.corrected.mae_w as number) < (of.raw.mae_w as number));
			assert.equal(days_30[horizon]?.raw.days, 30);
		}
	});

	it("counts readings that come a day late", () => {
		const house = new Watched();
		forecasts(house, 0, { 1: 1000 });
		forecasts(house, 1, { 0.5: 1000 });
		const start = house.dayStart(START, 0);
		const now = house.dayStart(START, 1) + 8 * HOUR;
		assert.deepEqual(metersOf(house, now), []);
		for (let time = start; time <= start + DAY; time += 10 * MINUTE) {
			house.read(time, { power_w: 500 }, now);
		}
		assert.equal(errors(house, 1).yesterday.same_day?.raw.bias_percent, 100);
	});

	it("leaves out what the meter cannot be right about", () => {
		const house = new Watched();
		house.pass(START, 10, (watts, day) => (day === 8 ? 0 : watts));
		const of = errors(house, 10).days_7.same_day;
		assert.ok(of);
		assert.ok(Math.abs(of.raw.bias_percent as number) < 1.5);
	});

	it("knows nothing before it was read", () => {
		const house = new Watched();
		assert.deepEqual(metersOf(house, 0), []);
		forecasts(house, 0, { 1: 1000 });
		assert.deepEqual(metersOf(house, house.dayStart(START)), []);
	});

	it("compares days of 23 and 25 hours by the sun", () => {
		for (const date of ["2026-03-28", "2026-10-24"]) {
			const house = new Watched();
			house.pass(date, 3, (watts) => watts);
			const now = house.dayStart(date, 3);
			// Each day is as the one before, at the same sun: nothing is better than that.
			const { same_day } = metersOf(house, now)[0]?.periods.yesterday ?? {};
			const skill = same_day?.raw.skill_percent as number;
			assert.ok(skill < 50, `${date}: ${skill}`);
		}
	});

	it("lists the energies of the last 30 dates", () => {
		const house = new Watched();
		house.pass(START, 40, (watts) => 0.8 * watts);
		const [meter] = metersOf(house, house.dayStart(START, 40));
		assert.equal(meter?.days.length, 30);
		const last = meter?.days.at(-1);
		assert.equal(last?.date, "2026-06-09");
		assert.ok(Math.abs((last?.measured_kwh as number) / 48.9 - 1) < 0.02);
		assert.ok(Math.abs((last?.forecast_kwh as number) / 61.1 - 1) < 0.02);
		assert.ok(
			Math.abs(
				(last?.corrected_kwh as number) / (last?.measured_kwh as number) - 1,
			) < 0.02,
		);
	});

	it("shows today's quarters, measured so far and foreseen", () => {
		const house = new Watched();
		forecasts(house, 0, { 1: 1000 });
		const start = house.dayStart(START);
		const noon = start + 12 * HOUR;
		for (let time = start; time <= noon; time += 5 * MINUTE) {
			house.read(time, { power_w: 800 });
		}
		const [meter] = metersOf(house, noon);
		assert.equal(meter?.today.length, 96);
		for (const [index, quarter] of (meter?.today ?? []).entries()) {
			assert.deepEqual(quarter, {
				time: new Date(start + (index + 1) * QUARTER).toISOString(),
				measured_w: index < 48 ? 800 : null,
				forecast_w: 1000,
			});
		}
	});

	it("does not count a date of which hours were left out", () => {
		const house = new Watched();
		house.pass(START, 10, (watts, day, time) =>
			day === 8 && new Date(time).getUTCHours() > 12 ? null : watts,
		);
		assert.equal(errors(house, 10).days_7.same_day?.raw.days, 6);
		assert.deepEqual(house.codes(), ["gap"]);
	});
});
