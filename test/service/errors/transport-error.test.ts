import assert from "node:assert/strict";
import { transportError } from "../../../src/service/errors/transport-error";

describe("a certificate that is not valid now", () => {
	for (const code of ["CERT_NOT_YET_VALID", "CERT_HAS_EXPIRED"]) {
		it(`(${code}) names this machine's clock, and what it says, before all else`, () => {
			// To the minute, as it is said.
			const before = Math.floor(Date.now() / 60_000) * 60_000;
			const { message, kind, cause } = transportError(
				{ code },
				"service.example",
			);
			assert.equal(kind, "NETWORK");
			assert.equal(cause.detail, code);
			const [, time, advice] =
				/^service\.example has .* time, (.+) \(\w+\); (.*)$/.exec(message) ??
				[];
			assert.ok(Date.parse(time ?? "") >= before, message);
			assert.match(advice ?? "", /^check this machine's clock first/);
		});
	}

	it("is another one's fault otherwise", () => {
		const { message } = transportError(
			{ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" },
			"service.example",
		);
		assert.match(message, /NODE_EXTRA_CA_CERTS/);
		assert.doesNotMatch(message, /clock/);
	});
});
