import assert from "node:assert/strict";
import { SolarYieldError } from "../../../src/service/errors/solar-yield-error";
import { readForecast } from "../../../src/service/v2/forecast-answer";

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
		const long = "x".repeat(200);
		const { values, strings } = read({ pv_power: 1e12 }, { string_id: long });
		assert.equal(values[0]?.pv_power, 1e12);
		assert.equal(strings?.[0]?.[0]?.string_id, long);
		const { envelope } = readForecast({ site_id: long, values: [row] });
		assert.equal(envelope.site_id, long);
	});
});
