import assert from "node:assert/strict";
import fc from "fast-check";
import { type Forecast, placeForecast } from "../../../src/forecast/forecast";
import { ExpectedPower } from "../../../src/polling/pacing/expected-power";
import { readForecast } from "../../../src/service/v2/forecast-answer";
import { Zone } from "../../../src/util/zone";
import { DAY, HOUR, QUARTER } from "../../support/time";

const START = Date.UTC(2026, 5, 1);

/** Power from six to six, with its peak at noon. */
const sunny = (days: number, peak = 4000) =>
	Float64Array.from({ length: 96 * days }, (_, index) =>
		Math.max(0, peak * Math.sin((((index % 96) - 24) / 48) * Math.PI)),
	);

/** Worth of the time between two instants, Wh. */
const between = (power: ExpectedPower, from: number, to: number) =>
	power.until(to) - power.until(from);

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
		assert.ok(Math.abs(between(power, noon, noon + QUARTER) - 4000 / 4) < 1);
	});

	it("is worth a little by night", () => {
		const power = new ExpectedPower(Zone.utc, START, sunny(2));
		const night = between(power, START, START + 5 * HOUR);
		assert.ok(night > 0 && night < 10, String(night));
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
				const whole = between(power, START + x, START + z);
				const parts =
					between(power, START + x, START + y) +
					between(power, START + y, START + z);
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
					between(power, at, at + HOUR) -
						between(power, at + 9 * DAY, at + 9 * DAY + HOUR),
				) < 1e-6,
			);
		}
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
		assert.ok(Math.abs(between(night, START, START + 5 * HOUR) - 5) < 1e-9);
		const light = new ExpectedPower(
			Zone.utc,
			START,
			Float64Array.from({ length: 192 }, () => 500),
		);
		assert.ok(Math.abs(between(light, START, START + DAY) - 12_000) < 1e-6);
	});

	describe("of a forecast", () => {
		it("begins with the site's date on which it was computed", () => {
			const zone = "Pacific/Auckland";
			const start = Date.UTC(2026, 5, 1, 12);
			const past = Array(96).fill(9999);
			const watts = [...past, ...sunny(2)];
			const forecast = forecastOf(zone, start - DAY, watts);
			const power = ExpectedPower.of(forecast, start + 3 * HOUR);
			const own = new ExpectedPower(power.zone, start, sunny(2));
			assert.equal(power.zone.name, zone);
			for (let at = start; at < start + 4 * DAY; at += HOUR) {
				assert.ok(Math.abs(power.until(at) - own.until(at)) < 1e-6);
			}
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
				between(power, noon, noon + QUARTER),
				between(power, noon - QUARTER, noon),
			);
		});

		it("makes do with the last date of one that has run out", () => {
			const forecast = forecastOf("Etc/GMT", START, [...sunny(2)]);
			const power = ExpectedPower.of(forecast, START + 40 * DAY);
			const day = between(power, START + 40 * DAY, START + 41 * DAY);
			assert.ok(Math.abs(day - between(power, START, START + DAY)) < 1e-6);
			assert.ok(day > 1000);
		});

		it("bears dates of 23 and 25 hours", () => {
			for (const [month, day] of [
				[2, 29],
				[9, 25],
			] as const) {
				const start = Date.UTC(2026, month, day) - 2 * HOUR;
				const forecast = forecastOf("Europe/Berlin", start, [...sunny(3)]);
				const power = ExpectedPower.of(forecast, start + 4 * HOUR);
				assert.ok(between(power, start, start + DAY) > 1000);
			}
		});
	});
});
