import assert from "node:assert/strict";
import fc from "fast-check";
import { type Forecast, placeForecast } from "../../../src/forecast/forecast";
import { Zone } from "../../../src/forecast/zone";
import { ExpectedPower } from "../../../src/polling/pacing/expected-power";
import { readForecast } from "../../../src/service/v2/forecast-answer";
import { DAY, HOUR, QUARTER } from "../../support/time";

const START = Date.UTC(2026, 5, 1);

/** Power from six to six, with its peak at noon. */
const sunny = (days: number, peak = 4000) =>
	Float64Array.from({ length: 96 * days }, (_, index) =>
		Math.max(0, peak * Math.sin((((index % 96) - 24) / 48) * Math.PI)),
	);

function forecastOf(
	zone: string,
	start: number,
	watts: readonly (number | null)[],
): Forecast {
	const answer = {
		site_id: "site",
		timezone: zone,
		computed_at: new Date(start + HOUR).toISOString(),
		included: ["default"],
		available: ["default"],
		daily: [],
		values: watts.map((pv_power, index) => ({
			timestamp: new Date(start + (index + 1) * QUARTER).toISOString(),
			pv_power,
		})),
	};
	return placeForecast(readForecast(answer));
}

describe("daylight", () => {
	it("is worth the power where there is some", () => {
		const power = new ExpectedPower(Zone.utc, START, sunny(2));
		const noon = START + 12 * HOUR;
		assert.ok(
			Math.abs(power.weightBetween(noon, noon + QUARTER) - 4000 / 4) < 1,
		);
	});

	it("is worth a little from two hours before the first power to the last, less by night", () => {
		const power = new ExpectedPower(Zone.utc, START, sunny(2));
		const weight = (hour: number) =>
			power.weightBetween(START + hour * HOUR, START + hour * HOUR + QUARTER);
		const isEqual = (a: number, b: number) => Math.abs(a - b) < 1e-6;
		assert.ok(isEqual(weight(4.25), weight(5.75)));
		assert.ok(weight(4.25) > 10 * weight(3.75));
		assert.ok(weight(3.75) > 0);
		assert.ok(isEqual(weight(18.5), weight(3.75)));
		assert.ok(weight(6.25) > weight(5.75));
	});

	it("adds up, within its days and beyond them", () => {
		const power = new ExpectedPower(Zone.utc, START, sunny(3));
		const time = fc.integer({ min: -10 * DAY, max: 40 * DAY });
		fc.assert(
			fc.property(time, time, time, (a, b, c) => {
				const [x, y, z] = [a, b, c].sort((p, q) => p - q) as [
					number,
					number,
					number,
				];
				const whole = power.weightBetween(START + x, START + z);
				const parts =
					power.weightBetween(START + x, START + y) +
					power.weightBetween(START + y, START + z);
				assert.ok(Math.abs(whole - parts) < 1e-3);
				assert.ok(whole >= 0);
			}),
		);
	});

	it("repeats the days it knows", () => {
		const power = new ExpectedPower(Zone.utc, START, sunny(3));
		for (let hour = 0; hour < 72; hour += 5) {
			const at = START + hour * HOUR;
			assert.ok(
				Math.abs(
					power.weightBetween(at, at + HOUR) -
						power.weightBetween(at + 9 * DAY, at + 9 * DAY + HOUR),
				) < 1e-6,
			);
		}
	});

	it("gives the worth up to a row of slots", () => {
		const power = new ExpectedPower(Zone.utc, START, sunny(2));
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 5 * DAY }),
				fc.integer({ min: -HOUR, max: DAY }),
				fc.integer({ min: 60_000, max: 3 * DAY }),
				(now, ahead, step) => {
					const from = START + now;
					const weights = power.weightsFrom(from, from + ahead, step, 8);
					for (const [index, worth] of weights.entries()) {
						const at = Math.max(from + ahead + index * step, from);
						assert.ok(Math.abs(worth - power.weightBetween(from, at)) < 1e-3);
					}
				},
			),
		);
	});

	it("knows whether power is passed over", () => {
		const power = new ExpectedPower(Zone.utc, START, sunny(2));
		const hasPower = (from: number, to: number) =>
			power.hasPower(START + from * HOUR, START + to * HOUR);
		assert.equal(hasPower(0, 5), false);
		assert.equal(hasPower(0, 7), true);
		assert.equal(hasPower(11, 11.25), true);
		assert.equal(hasPower(19, 29), false);
		assert.equal(hasPower(19, 31), true);
		assert.equal(hasPower(12, 12), false);
		assert.equal(ExpectedPower.unknown.hasPower(START, START + DAY), false);
	});

	it("counts every hour alike in polar night, and in polar day leaves none out", () => {
		const night = new ExpectedPower(Zone.utc, START, new Float64Array(192));
		assert.equal(night.mean, 0);
		assert.ok(
			Math.abs(night.weightBetween(START, START + 5 * HOUR) - 5) < 1e-9,
		);
		const light = new ExpectedPower(
			Zone.utc,
			START,
			Float64Array.from({ length: 192 }, () => 500),
		);
		assert.equal(light.mean, 500);
		assert.ok(
			Math.abs(light.weightBetween(START, START + DAY) - 12_000) < 1e-6,
		);
	});

	describe("of a forecast", () => {
		it("begins with the site's date on which it was computed", () => {
			const zone = "Pacific/Auckland";
			const start = Date.UTC(2026, 5, 1, 12);
			const past = Array(96).fill(9999);
			const watts = [...past, ...sunny(2)];
			const forecast = forecastOf(zone, start - DAY, watts);
			const power = ExpectedPower.of(forecast, start + 3 * HOUR);
			assert.equal(power.start, start);
			assert.equal(power.zone.name, zone);
			assert.equal(ExpectedPower.of(forecast, start), power);
		});

		it("takes a missing cloudy quarter to be like the one before", () => {
			const watts: (number | null)[] = [...sunny(1)];
			watts[48] = null;
			const power = ExpectedPower.of(
				forecastOf("Etc/GMT", START, watts),
				START + HOUR,
			);
			const noon = START + 12 * HOUR;
			assert.equal(
				power.weightBetween(noon, noon + QUARTER),
				power.weightBetween(noon - QUARTER, noon),
			);
		});

		it("makes do with the last date of one that has run out", () => {
			const forecast = forecastOf("Etc/GMT", START, [...sunny(2)]);
			const power = ExpectedPower.of(forecast, START + 40 * DAY);
			assert.equal(power.start, START + DAY);
			assert.ok(power.mean > 0);
		});

		it("bears dates of 23 and 25 hours", () => {
			for (const [month, day] of [
				[2, 29],
				[9, 25],
			] as const) {
				const start = Date.UTC(2026, month, day) - 2 * HOUR;
				const forecast = forecastOf("Europe/Berlin", start, [...sunny(3)]);
				const power = ExpectedPower.of(forecast, start + 4 * HOUR);
				assert.ok(power.mean > 1000);
				assert.ok(power.weightBetween(power.start, power.start + DAY) > 0);
			}
		});
	});
});
