import assert from "node:assert/strict";
import { adviceOf, whatOf, withAdvice } from "../../src/service/errors/advice";
import {
	inputError,
	restated,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import { addTexts, isText, joinTexts, textIn } from "../../src/texts/texts";
import { languageFor } from "../../src/util/language";

addTexts(() => ({
	test: {
		plain: "It is so; do __what__",
		more: "__own__, and wait",
		most: "__own__ (soon)",
	},
}));
const PLAIN = { key: "test.plain", values: { what: "that" } };

describe("a text by its key", () => {
	it("is written in a language, with what stands in its places", () => {
		const missing = {
			key: "value.flag",
			values: { field: "sell", value: show(undefined) },
		};
		assert.equal(textIn(missing), "sell is missing; give true or false");
		assert.equal(
			textIn(missing, "de"),
			"sell ist nicht angegeben; geben Sie true oder false an",
		);
	});

	it("takes numbers, lists, texts in texts and times", () => {
		const what = [1.5, "two", { key: "value.missing" }];
		assert.equal(
			textIn({ key: "test.plain", values: { what } }),
			"It is so; do 1.5, two, missing",
		);
		const at = Date.parse("2026-11-30T12:00:00Z");
		const zone = "Europe/Berlin";
		for (const [language, value, text] of [
			["en-US", { at, zone }, "Nov 30, 13:00"],
			["de", { at, zone }, "30. Nov., 13:00"],
			["de", { at, zone, withYear: true }, "30. Nov. 2026, 13:00"],
			["en-US", { at, zone, dateOnly: true }, "Nov 30, 2026"],
			["de", { at, zone, dateOnly: true }, "30.11.2026"],
		] as const) {
			assert.equal(
				textIn({ key: "__at__", values: { at: value } }, language),
				text,
			);
		}
	});

	it("leaves what is filled in as it is, and a place without a value as well", () => {
		const what = "$& __what__ \\1";
		assert.equal(
			textIn({ key: "test.plain", values: { what } }),
			`It is so; do ${what}`,
		);
		assert.equal(textIn({ key: "test.plain" }), "It is so; do __what__");
	});

	it("stands for itself where no catalogue has it", () => {
		assert.equal(
			textIn({ key: "Invalid input: a.b" }, "de"),
			"Invalid input: a.b",
		);
		assert.equal(textIn({ key: "value.constructor" }), "value.constructor");
	});

	it("is told from other values", () => {
		assert.ok(isText(PLAIN));
		assert.ok(isText({ key: "test.plain" }));
		for (const other of [
			null,
			"test.plain",
			{ key: 1 },
			{ key: "a", label: "b" },
		]) {
			assert.ok(!isText(other));
		}
	});

	it("is joined with others", () => {
		assert.equal(
			textIn(joinTexts("value.several", [PLAIN, PLAIN, PLAIN])),
			"It is so; do that · It is so; do that · It is so; do that",
		);
	});
});

describe("advice", () => {
	const error = new SolarYieldError("RATE", PLAIN.key, PLAIN.values, {
		status: 429,
		retryAt: 0,
	});

	it("takes another's place, and may hold that", () => {
		assert.equal(adviceOf(error), "do that");
		const more = withAdvice(error, "test.more");
		assert.equal(more.message, "It is so; do that, and wait");
		assert.equal(
			withAdvice(more, "test.most").message,
			"It is so; do that, and wait (soon)",
		);
		assert.equal(
			withAdvice(more, "polling.send_again").message,
			"It is so; send the message again later",
		);
		assert.deepEqual([more.kind, more.cause], [error.kind, error.cause]);
	});

	it("is left out where something else follows", () => {
		assert.equal(textIn(whatOf(error)), "It is so");
		assert.equal(textIn(whatOf(withAdvice(error, "test.more"))), "It is so");
	});
});

describe("an error in a language", () => {
	it("has code and cause as they were", () => {
		const error = inputError("value.flag", { field: "sell", value: '"x; y"' });
		const german = restated(error, { language: "de" });
		assert.equal(
			german.message,
			'sell ist "x; y"; geben Sie true oder false an',
		);
		assert.equal(error.message, 'sell is "x; y"; give true or false');
		assert.deepEqual(
			[german.code, german.cause, german.text],
			[error.code, error.cause, error.text],
		);
	});

	it("shows its text to nobody", () => {
		assert.ok(!Object.keys(inputError("value.flag")).includes("text"));
	});
});

describe("a language", () => {
	it("is found by its tag, else it is English", () => {
		assert.deepEqual(["de", "de-AT", "en", "fr", undefined].map(languageFor), [
			"de",
			"de",
			"en-US",
			"en-US",
			"en-US",
		]);
	});
});
