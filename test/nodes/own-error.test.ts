import assert from "node:assert/strict";
import { ownError } from "../../nodes/shared/handler";
import { httpFailure } from "../../nodes/shared/http-failure";
import { FORMATS, type FormatName } from "../../src/export";
import { SolarYieldError } from "../../src/service/errors/solar-yield-error";

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

describe("an HTTP request that ends in an error", () => {
	const NOW = Date.parse("2026-06-10T10:00:00Z");

	it("is answered with a status, words, and a time to ask again", () => {
		const retryAt = NOW + 90_500;
		for (const [error, status, wait] of [
			[new SolarYieldError("INPUT", "no; do"), 400, undefined],
			[new SolarYieldError("INPUT", "no; do", {}, { retryAt }), 503, "91"],
			[new SolarYieldError("NOT_FOUND", "no; do"), 404, undefined],
			[new SolarYieldError("QUOTA", "no; do", {}, { retryAt }), 503, "91"],
			[
				new SolarYieldError("RATE", "no; do", {}, { retryAt: NOW - 9 }),
				503,
				"1",
			],
			[new SolarYieldError("NETWORK", "no; do"), 503, "60"],
		] as const) {
			const { statusCode, payload, headers } = httpFailure(error, NOW);
			assert.equal(statusCode, status);
			assert.deepEqual(payload, { error: "no; do" });
			assert.equal(headers["content-type"], "application/json");
			assert.equal(headers["retry-after"], wait);
		}
	});

	it("gets the body that the format's readers know", () => {
		const error = new SolarYieldError("INPUT", "no; do");
		const body = (format: FormatName) =>
			httpFailure(error, NOW, FORMATS[format].failure).payload as any;
		assert.deepEqual(body("evcc"), { error: "no; do" });
		assert.deepEqual(body("open-meteo"), { error: true, reason: "no; do" });
		assert.equal(body("solcast").response_status.message, "no; do");
		const gone = new SolarYieldError("NOT_FOUND", "no; do");
		const solcast: any = httpFailure(gone, NOW, FORMATS.solcast.failure);
		assert.equal(solcast.payload.response_status.error_code, "NotFound");
		const { result, message } = body("forecast-solar");
		assert.equal(result, null);
		assert.deepEqual(
			[message.code, message.type, message.text],
			[400, "error", "no; do"],
		);
	});
});
