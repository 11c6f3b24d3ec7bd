import assert from "node:assert/strict";
import { readExportOptions } from "../../src/export";
import { exportForecast } from "../support/export-forecast";
import { HOUR } from "../support/time";
import { type MadeForecast, makeForecast, type Plan } from "./forecasts";

/** Payloads are read as their readers do, unchecked. */
type Loose = any;

const DAY: Plan = {
	zone: "Europe/Berlin",
	date: "2026-07-01",
	days: 3,
	peaks: [8000, 4000],
};

function answer(
	made: MadeForecast,
	nowMs: number,
	query: Record<string, string> = { timezone: "auto" },
): Loose {
	return exportForecast("open-meteo", readExportOptions("open-meteo", {}), {
		forecast: made.forecast,
		facts: made.solar,
		nowMs,
		request: { path: "/v1/forecast", query },
	})[0]?.payload;
}

/**
 * Energy of each hour of the answer's clock in Wh, by its start, as the client
 * library open-meteo-solar-forecast reckons it: whole watts, a mean per hour, the
 * first row passed over.
 */
function energies({ utc_offset_seconds, minutely_15 }: Loose) {
	const offset = utc_offset_seconds * 1000;
	const hours = new Map<number, number[]>();
	for (const [index, end] of minutely_15.time.entries()) {
		if (index === 0) continue;
		const g = minutely_15.global_tilted_irradiance[index];
		const air =
			(minutely_15.temperature_2m[index] +
				minutely_15.temperature_2m[index - 1]) /
			2;
		const watts = Math.round(
			10_000 * (g / 1000) * (1 - 0.004 * (air + 0.0342 * g - 25)),
		);
		const start = end * 1000 - HOUR / 4;
		const hour = Math.floor((start + offset) / HOUR) * HOUR - offset;
		hours.set(hour, [...(hours.get(hour) ?? []), watts]);
	}
	return new Map(
		[...hours].map(([hour, watts]) => [
			hour,
			watts.reduce((sum, each) => sum + each, 0) / watts.length,
		]),
	);
}

/** Wh of a forecast in an hour, NaN where a quarter is not of it. */
function trueEnergy({ quarters }: MadeForecast, hour: number): number {
	const within = quarters.filter(
		({ start }) => start >= hour && start < hour + HOUR,
	);
	return within.length === 4
		? within.reduce((sum, { watts }) => sum + watts / 4, 0)
		: Number.NaN;
}

/** Half a percent, and what whole watts of a quarter hour make of an hour. */
function checkHours(made: MadeForecast, body: Loose): number {
	let checked = 0;
	for (const [hour, wh] of energies(body)) {
		const right = trueEnergy(made, hour);
		assert.ok(
			Math.abs(wh - right) <= Math.max(0.5, right * 0.005),
			`${new Date(hour).toISOString()}: ${wh} instead of ${right} Wh`,
		);
		checked += 1;
	}
	return checked;
}

describe("open-meteo", () => {
	for (const zone of [
		"Europe/Berlin",
		"Asia/Kathmandu",
		"America/St_Johns",
		"Pacific/Auckland",
	]) {
		it(`gives back the energy of every hour, past ones of today too, in ${zone}`, () => {
			const made = makeForecast({ ...DAY, zone });
			const now = (made.days[0]?.start ?? 0) + 15.3 * HOUR;
			const body = answer(made, now);
			assert.equal(checkHours(made, body), 72);
			assert.equal(body.timezone, zone);
			assert.equal(Math.min(...energies(body).keys()), made.days[0]?.start);
		});
	}

	for (const [what, peak] of [
		["a balcony of 300 W", 300],
		["18 kW", 18_000],
		["30 kW", 30_000],
		["a megawatt", 1_000_000],
	] as const) {
		it(`holds for ${what}`, () => {
			const made = makeForecast({ ...DAY, peaks: [peak, peak / 3] });
			const body = answer(made, (made.days[0]?.start ?? 0) + 10 * HOUR);
			assert.equal(checkHours(made, body), 72);
			assert.ok(
				body.minutely_15.global_tilted_irradiance.every(Number.isFinite),
			);
		});
	}

	it("answers UTC where no zone is asked for, and refuses another one", () => {
		const made = makeForecast(DAY);
		const now = (made.days[0]?.start ?? 0) + 15 * HOUR;
		for (const query of [{}, { timezone: "UTC" }, { timezone: "GMT" }]) {
			const body = answer(made, now, query as Record<string, string>);
			assert.equal(body.utc_offset_seconds, 0);
			checkHours(made, body);
		}
		assert.deepEqual(
			answer(made, now, { timezone: "Europe/Berlin" }),
			answer(made, now),
		);
		assert.throws(() => answer(made, now, { timezone: "Europe/Paris" }), {
			code: "SOLAR_YIELD_INPUT",
			message:
				/timezone is "Europe\/Paris"; ask for auto, Europe\/Berlin or UTC/,
		});
	});

	it("has as many days as are asked for and known", () => {
		const made = makeForecast({ ...DAY, days: 5 });
		const now = (made.days[2]?.start ?? 0) + 10 * HOUR;
		const count = (query: Record<string, string>) =>
			energies(answer(made, now, { timezone: "auto", ...query })).size / 24;
		assert.equal(count({}), 3);
		assert.equal(count({ forecast_days: "1" }), 1);
		assert.equal(count({ forecast_days: "16", past_days: "92" }), 5);
		assert.equal(count({ past_days: "1" }), 4);
		assert.throws(() => count({ forecast_days: "all" }), {
			code: "SOLAR_YIELD_INPUT",
			message: /forecast_days is "all"; ask for a whole number of days/,
		});
	});

	it("leaves out an hour of which a quarter is not known", () => {
		const made = makeForecast({
			...DAY,
			gaps: [{ at: 46, length: 6, absent: true }],
		});
		const body = answer(made, (made.days[0]?.start ?? 0) + 8 * HOUR);
		assert.equal(checkHours(made, body), 72 - 2);
	});

	it("has a date with daylight for every row, the closing midnight's too", () => {
		for (const peaks of [[8000], [0]]) {
			const made = makeForecast({ ...DAY, days: 1, peaks });
			const { daily, minutely_15, utc_offset_seconds } = answer(
				made,
				(made.days[0]?.start ?? 0) + 8 * HOUR,
			);
			assert.equal(daily.time.length, 2);
			assert.equal(
				minutely_15.time.at(-1) * 1000,
				made.days[0]?.end,
				"the last row ends the day",
			);
			for (const [index, time] of daily.time.entries()) {
				assert.equal((time + utc_offset_seconds) % 86_400, 0);
				assert.ok(daily.sunrise[index] < daily.sunset[index]);
			}
		}
	});

	it("an answer about days that are all over is an error", () => {
		const made = makeForecast(DAY);
		assert.throws(() => answer(made, (made.days[2]?.end ?? 0) + HOUR), {
			code: "SOLAR_YIELD_RESPONSE",
			message: /no whole step from now on/,
		});
	});
});
