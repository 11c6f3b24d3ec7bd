import assert from "node:assert/strict";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { explainV1Failure, v1Phase } from "../../src/v1/shutdown";

const DURING = Date.parse("2026-12-31T23:59:59.999Z");
const AFTER = Date.parse("2027-01-01T00:00:00Z");

describe("V1 shutdown", () => {
	it("warns in the last month and ends after its last day, UTC", () => {
		assert.equal(v1Phase(Date.parse("2026-11-30T23:59:59.999Z")), "legacy");
		assert.equal(v1Phase(Date.parse("2026-12-01T00:00:00Z")), "warning");
		assert.equal(v1Phase(DURING), "warning");
		assert.equal(v1Phase(AFTER), "ended");
	});

	const gone = [
		new SolarYieldError(
			"NOT_FOUND",
			"not found",
			{},
			{
				status: 404,
				detail: "no such path",
			},
		),
		new SolarYieldError("INPUT", "gone", {}, { status: 410 }),
		new SolarYieldError("NETWORK", "refused", {}, { retryAt: AFTER }),
		new SolarYieldError("TIMEOUT", "no answer"),
	];

	it("says after the end that V1 has ended and how to move, with the same facts", () => {
		for (const error of gone) {
			const explained = explainV1Failure(error, AFTER);
			assert.match(explained.message, /ended on Dec 31, 2026 .*to-v2/);
			assert.equal(explained.code, error.code);
			assert.deepEqual(explained.cause, error.cause);
		}
	});

	it("replaces advice that is for what asks again by itself, and keeps all else", () => {
		const facts = { status: 503, detail: "busy", retryAt: AFTER };
		for (const advice of [
			"try again later",
			"nothing needs to be done if it is rare",
		]) {
			const busy = new SolarYieldError(
				"SERVICE",
				`The service has a fault; a grave one (503); ${advice}`,
				{},
				facts,
			);
			const explained = explainV1Failure(busy, DURING);
			assert.equal(
				explained.message,
				"The service has a fault; a grave one (503); send the message again later",
			);
			assert.deepEqual(explained.cause, busy.cause);
		}
		const unknown = new SolarYieldError(
			"NOT_FOUND",
			"The service does not know what was asked for; check the site id and the base URL",
			{},
			{ status: 404 },
		);
		assert.match(
			explainV1Failure(unknown, DURING).message,
			/for; check the base URL of the account$/,
		);
	});
});
