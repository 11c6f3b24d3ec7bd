import assert from "node:assert/strict";
import { stringNames } from "../../src/forecast/string-names";
import { stringLevels } from "../../src/messages/topic";

const of = (...ids: (string | null)[]) =>
	ids.map((string_id, string_index) => ({ string_id, string_index }));

describe("names of strings", () => {
	for (const [what, ids, names] of [
		["ids", ["a", "b"], ["a", "b"]],
		["positions", [null, null], ["0", "1"]],
		["an id that is another's position", ["1", null], ["1", "_1"]],
		["a position that is another's id", [null, "0"], ["_0", "0"]],
		["both, twice", [null, "0", "_0"], ["__0", "0", "_0"]],
	] as const) {
		it(`are told apart: ${what}`, () => {
			assert.deepEqual(stringNames(of(...ids)), names);
			assert.deepEqual(stringLevels(of(...ids)), names);
		});
	}

	it("are told apart as levels of topics, too, and who needs no change keeps its own", () => {
		assert.deepEqual(stringLevels(of("a/b", "a_b", "a b")), [
			"_a_b",
			"a_b",
			"__a_b",
		]);
		assert.deepEqual(stringNames(of("a/b", "a_b")), ["a/b", "a_b"]);
	});
});
