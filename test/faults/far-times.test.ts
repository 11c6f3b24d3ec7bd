import assert from "node:assert/strict";
import { forecastPart } from "../../src/battery/forecast-adapter";
import { FORMAT_NAMES, readExportOptions } from "../../src/export";
import { nowValues } from "../../src/forecast/now";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { makeForecast } from "../export/forecasts";
import { exportForecast } from "../support/export-forecast";

const made = makeForecast({
	zone: "Europe/Berlin",
	date: "2026-06-10",
	days: 2,
	peaks: [8000, 4000],
});
const { forecast, solar } = made;

describe("times far from all others", () => {
	// Hosts without a clock of their own begin in 1970.
	for (const nowMs of [0, Date.UTC(1999, 0, 1), Date.UTC(2200, 0, 1)]) {
		const when = new Date(nowMs).toISOString().slice(0, 10);

		it(`of a host whose clock says ${when}: values of now are few`, () => {
			const now = nowValues(forecast, solar, nowMs);
			assert.ok(now.days.length <= 63, `${now.days.length} days`);
			assert.equal(now.power_now_w, null);
			assert.equal(now.energy_today_kwh, null);
		});

		it(`of a host whose clock says ${when}: exports are no longer than the forecast`, () => {
			for (const format of FORMAT_NAMES) {
				try {
					const messages = exportForecast(
						format,
						readExportOptions(format, {}),
						{ forecast, facts: solar, nowMs },
					);
					assert.ok(messages.length <= 400, `${format}: ${messages.length}`);
				} catch (error) {
					assert.ok(error instanceof SolarYieldError, String(error));
				}
			}
		});
	}

	it("of a daily row: the days listed end", () => {
		const { body } = made;
		const input = forecastFromInput({
			payload: { ...body, daily: [{ date: "9999-12-31", pv_energy_kwh: 1 }] },
			solar,
		});
		const now = nowValues(input.forecast, solar, Date.UTC(2026, 5, 10, 10));
		assert.ok(now.days.length <= 63);
		assert.equal(now.days[0]?.date, "2026-06-10");
	});

	const withRow = (timestamp: string) => {
		const { body } = made;
		const values = [...(body.values as object[]), { timestamp, pv_power: 1 }];
		const payload = { ...body, daily: [], values, strings: null };
		return forecastFromInput({ payload, solar });
	};

	it("of a row: decades from the others it is refused", () => {
		for (const timestamp of ["9990-06-01T12:00:00Z", "2066-06-01T12:00:00Z"]) {
			assert.throws(
				() => withRow(timestamp),
				(error) =>
					error instanceof SolarYieldError &&
					error.kind === "INPUT" &&
					/values.*(from 1971 to 2198|at most 3 years)/.test(error.message),
			);
		}
	});

	it("of rows without an offset: they are refused before a zone is asked for each of their days", () => {
		const values = Array.from({ length: 50_000 }, (_, n) => ({
			timestamp: `${1971 + (n % 227)}-0${1 + (n % 9)}-1${n % 10}T12:00:00`,
			pv_power: 1,
		}));
		assert.throws(
			() => forecastFromInput({ payload: { timezone: "Asia/Gaza", values } }),
			{ code: "SOLAR_YIELD_INPUT", message: /values.*at most 3 years/ },
		);
	});

	it("of a row: a plan looks no further than the service can foresee", () => {
		const input = withRow("2029-06-01T12:00:00Z");
		const { quarters } = forecastPart(
			input.forecast,
			Date.UTC(2026, 5, 10, 10),
		);
		assert.ok(quarters.length <= 10 * 96, `${quarters.length} quarters`);
	});
});
