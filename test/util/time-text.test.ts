import assert from "node:assert/strict";
import { timeText } from "../../src/util/time-text";

describe("a time for people", () => {
	const INSTANT = Date.parse("2026-12-01T00:00:59.999Z");

	it("is the site's, to the minute, in their language", () => {
		for (const [zone, language, text] of [
			["Europe/Berlin", "en-US", "Dec 1, 01:00"],
			["Europe/Berlin", "de", "1. Dez., 01:00"],
			["Asia/Kolkata", "en-US", "Dec 1, 05:30"],
			["Asia/Kathmandu", "de", "1. Dez., 05:45"],
			["America/St_Johns", "en-US", "Nov 30, 20:30"],
		] as const) {
			assert.equal(timeText(INSTANT, { zone, language }), text);
		}
	});

	it("says UTC where it is, and midnight is 00:00", () => {
		assert.equal(timeText(INSTANT, { zone: "UTC" }), "Dec 1, 00:00 UTC");
		assert.equal(timeText(INSTANT, { zone: "Etc/UTC" }), "Dec 1, 00:00 UTC");
		assert.equal(timeText(INSTANT, { zone: "Africa/Abidjan" }), "Dec 1, 00:00");
	});

	it("has a year where it is asked for", () => {
		const zone = "Europe/Berlin";
		for (const [language, text] of [
			["en-US", "Jan 1, 1970, 01:00"],
			["de", "1. Jan. 1970, 01:00"],
		] as const) {
			assert.equal(timeText(0, { zone, language, withYear: true }), text);
		}
	});

	it("is this machine's where the zone is not known", () => {
		assert.equal(timeText(INSTANT, { zone: "Mars/Base" }), timeText(INSTANT));
		assert.equal(timeText(INSTANT, { zone: null }), timeText(INSTANT));
	});
});
