import assert from "node:assert/strict";
import fc from "fast-check";
import { overBounds } from "../../../src/service/http/json-limits";

/** Depth of a parsed document, counted another way. */
function depthOf(value: unknown): number {
	return value !== null && typeof value === "object"
		? 1 + Math.max(0, ...Object.values(value).map(depthOf))
		: 0;
}

const nestsTooDeeply = (text: string) => {
	const words = overBounds(text);
	if (words) assert.match(words, /too_deep/);
	return words !== null;
};

const nested = (depth: number, open = "[", close = "]") =>
	open.repeat(depth) + close.repeat(depth);

describe("bounds of an answer", () => {
	it("lets a hundred levels through, and no more", () => {
		for (const [open, close] of [
			["[", "]"],
			['{"a":', "}"],
		] as const) {
			const make = (depth: number) =>
				open === "["
					? nested(depth)
					: `${open.repeat(depth)}1${close.repeat(depth)}`;
			assert.equal(nestsTooDeeply(make(100)), false);
			assert.equal(nestsTooDeeply(make(101)), true);
			assert.equal(nestsTooDeeply(make(1_000_000)), true);
		}
	});

	it("does not count what stands in texts", () => {
		const text = JSON.stringify({
			name: `"\\${"[".repeat(500)}`,
			values: [[]],
		});
		assert.equal(nestsTooDeeply(text), false);
		assert.equal(
			nestsTooDeeply(`{"a":"${"[".repeat(500)}","b":${nested(200)}}`),
			true,
		);
	});

	it("does not count lists side by side", () => {
		assert.equal(nestsTooDeeply(`[${"[[]],".repeat(5_000)}[]]`), false);
	});

	it("answers for any JSON as its depth says", () => {
		fc.assert(
			fc.property(
				fc.json({ maxDepth: 6 }),
				fc.nat(110),
				fc.constantFrom("[", "[{},{},", '[{"a": 1}, ', "[ [] ,\n[],"),
				fc.constantFrom(undefined, 2),
				(text, extra, open, blanks) => {
					const value = JSON.parse(
						open.repeat(extra) + text + "]".repeat(extra),
					);
					assert.equal(
						nestsTooDeeply(JSON.stringify(value, null, blanks)),
						depthOf(value) > 100,
					);
				},
			),
			{ numRuns: 500 },
		);
	});

	it("answers for anything else, too", () => {
		for (const text of ["", '"', '"\\', "]]]]", "[".repeat(101), '{"']) {
			assert.equal(nestsTooDeeply(text), text.length > 100);
		}
	});

	it("lets a million parts through, and no more", () => {
		for (const part of ["{}", "[]"]) {
			const list = (parts: number) =>
				`[${`${part},`.repeat(parts - 2)}${part}]`;
			assert.equal(overBounds(list(1_000_000)), null);
			assert.match(overBounds(list(1_000_001)) ?? "", /too_many_parts/);
		}
		assert.equal(overBounds(JSON.stringify(["[".repeat(2_000_000)])), null);
		assert.equal(overBounds(`[${"0,".repeat(2_000_000)}0]`), null);
	});
});
