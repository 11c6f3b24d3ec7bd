import assert from "node:assert/strict";
import { ownError } from "../../nodes/shared/handler";
import { forecastPart } from "../../src/battery/site";
import {
	exportForecast,
	FORMAT_NAMES,
	readExportOptions,
} from "../../src/export";
import { nowValues } from "../../src/forecast/now";
import { forecastFromInput } from "../../src/messages/forecast-input";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { httpExchange } from "../../src/service/http/axios-exchange";
import { normaliseBaseUrl } from "../../src/service/http/base-url";
import { readForecast } from "../../src/service/v2/forecast-answer";
import { makeForecast } from "../export/forecasts";

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
					/values.*(from 1971 to 2198|at most 10 years)/.test(error.message),
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
			{ code: "SOLAR_YIELD_INPUT", message: /values.*at most 10 years/ },
		);
	});

	it("of a row: a plan looks no further than the service can foresee", () => {
		const input = withRow("2035-06-01T12:00:00Z");
		const { quarters } = forecastPart(
			input.forecast,
			Date.UTC(2026, 5, 10, 10),
		);
		assert.ok(quarters.length <= 10 * 96, `${quarters.length} quarters`);
	});
});

describe("values that no sum and no message can hold", () => {
	const row = { timestamp: "2026-06-10T10:00:00Z", pv_power: 1 };
	const read = (more: object, string: object = {}) =>
		readForecast({
			values: [{ ...row, ...more }],
			strings: [{ ...row, string_index: 0, ...string }],
		});
	const refused = (work: () => unknown, field: RegExp) =>
		assert.throws(
			work,
			(error) =>
				error instanceof SolarYieldError &&
				error.kind === "RESPONSE" &&
				field.test(error.message) &&
				error.message.length < 500,
		);

	it("are refused by the name of their field", () => {
		for (const power of [1e308, -1e308, 1.1e15]) {
			refused(() => read({ pv_power: power }), /values\[0\]\.pv_power/);
			refused(() => read({}, { pv_power: power }), /strings\[0\]\.pv_power/);
		}
		const long = "x".repeat(201);
		refused(() => read({}, { string_id: long }), /strings\[0\]\.string_id/);
		refused(() => readForecast({ site_id: long, values: [row] }), /site_id/);
		refused(() => readForecast({ timezone: long, values: [row] }), /timezone/);
	});

	it("begin well beyond every real one", () => {
		read({ pv_power: 1e12 }, { string_id: "x".repeat(200) });
		readForecast({ site_id: "x".repeat(200), values: [row] });
	});
});

describe("an error that a message brings about", () => {
	it("is one of ours, whatever was thrown", () => {
		const trap = () => {
			throw Object.create(null);
		};
		for (const thrown of [
			undefined,
			null,
			"text",
			Symbol("s"),
			10n,
			Object.create(null),
			{ toString: trap },
			new Proxy({}, { get: trap, getPrototypeOf: trap }),
			Object.defineProperty(new Error("x"), "message", { get: trap }),
			Object.assign(new Error("x"), { message: { toString: trap } }),
			new Error("x".repeat(100_000)),
		]) {
			const error = ownError(thrown);
			assert.ok(error instanceof SolarYieldError);
			assert.equal(error.kind, "INPUT");
			assert.ok(error.message.length < 400);
		}
	});
});

describe("a key that was put into the field of the address", () => {
	it("is not repeated", () => {
		for (const key of [
			"sk-live-0123456789abcdef",
			"sk/fault+CANARY=0123456789/abc~-Z",
			"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
		]) {
			for (const work of [
				() => normaliseBaseUrl(key),
				() => httpExchange(key, key),
			]) {
				assert.throws(
					work,
					(error) =>
						error instanceof SolarYieldError && !error.message.includes(key),
				);
			}
		}
	});

	it("is told from an address that lacks only its beginning", () => {
		for (const text of [
			"api.example.com",
			"api.example.com:8443",
			"ftp://api.example.com",
		]) {
			assert.throws(
				() => normaliseBaseUrl(text),
				(error) => String(error).includes(text),
			);
		}
	});
});
