import assert from "node:assert/strict";
import { ownError } from "../../nodes/shared/handler";
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
