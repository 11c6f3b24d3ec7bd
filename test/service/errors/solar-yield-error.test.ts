import assert from "node:assert/strict";
import {
	inputError,
	SolarYieldError,
} from "../../../src/service/errors/solar-yield-error";

describe("SolarYieldError", () => {
	const error = new SolarYieldError(
		"QUOTA",
		"It is so; do that",
		{},
		{
			status: 429,
			detail: "limit",
			retryAt: Date.UTC(2026, 8, 1),
		},
	);

	it("carries code and plain facts", () => {
		assert.equal(error.code, "SOLAR_YIELD_QUOTA");
		assert.deepEqual(error.cause, {
			code: "SOLAR_YIELD_QUOTA",
			status: 429,
			detail: "limit",
			retry_at: "2026-09-01T00:00:00.000Z",
		});
		assert.deepEqual(JSON.parse(JSON.stringify(error.cause)), error.cause);
	});

	it("is its message alone as text", () => {
		assert.equal(String(error), "It is so; do that");
		assert.equal(`${error}`, error.message);
	});

	it("is an Error with a stack", () => {
		assert.ok(error instanceof Error);
		assert.match(error.stack ?? "", /solar-yield-error\.test/);
	});

	it("has null for what is not known", () => {
		assert.deepEqual(inputError("Wrong; mend it").cause, {
			code: "SOLAR_YIELD_INPUT",
			status: null,
			detail: null,
			retry_at: null,
		});
	});
});
