import assert from "node:assert/strict";
import { forecastStatus } from "../../nodes/forecast/status";
import { historyStatus } from "../../nodes/history/status";
import type { SourceSnapshot } from "../../src/polling/source/snapshots";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { translator } from "../support/catalogue";

/** A forecast node's state without a forecast, at 14:10 in Berlin. */
const NOW = Date.parse("2026-11-27T13:10:00Z");
const stateAt = (at: number, change: object = {}) =>
	({
		forecast: undefined,
		zone: Zone.of("Europe/Berlin"),
		site: { state: "active" },
		plan: { at, reason: "retry", what: "forecast" },
		stale: false,
		failure: { kind: "NETWORK", message: "" },
		asking: false,
		now: NOW,
		...change,
	}) as unknown as SourceSnapshot;

describe("a time in a status", () => {
	const textAt = (at: number, change: object = {}) =>
		forecastStatus(stateAt(at, change), false, translator("en-US")).text;

	it("has its date where the time alone could be another day's", () => {
		for (const [ahead, text] of [
			[MINUTE, "offline, retry 14:11"],
			// Over midnight, but as near as a person expects.
			[11 * HOUR, "offline, retry 01:10"],
			[13 * HOUR, "offline, retry Nov 28, 03:10"],
			// The time of a minute ago, a day later.
			[24 * HOUR - MINUTE, "offline, retry Nov 28, 14:09"],
			[24 * HOUR, "offline, retry Nov 28, 14:10"],
			[6 * 24 * HOUR, "offline, retry Dec 3, 14:10"],
		] as const) {
			assert.equal(textAt(NOW + ahead), text);
		}
	});

	it("of the same day has none, however far it is", () => {
		const morning = Date.parse("2026-11-27T00:10:00Z");
		const evening = Date.parse("2026-11-27T22:30:00Z");
		assert.equal(textAt(evening, { now: morning }), "offline, retry 23:30");
	});

	it("is this machine's, by its zone's name, where the site's is not known", () => {
		const before = process.env.TZ;
		process.env.TZ = "Asia/Tokyo";
		assert.equal(
			textAt(NOW + HOUR, { zone: undefined }),
			"offline, retry 23:10 Asia/Tokyo",
		);
		if (before === undefined) delete process.env.TZ;
		else process.env.TZ = before;
	});
});

describe("a clock that is off, in a status", () => {
	it("is said by how much, in the largest unit of which there are two", () => {
		for (const [offset, english, german] of [
			[5 * MINUTE, "clock 5 min slow", "Uhr geht 5 min nach"],
			[-5 * MINUTE, "clock 5 min fast", "Uhr geht 5 min vor"],
			[119 * MINUTE, "clock 119 min slow", "Uhr geht 119 min nach"],
			[-3 * HOUR, "clock 3 h fast", "Uhr geht 3 h vor"],
			[365 * 24 * HOUR, "clock 365 d slow", "Uhr geht 365 d nach"],
		] as const) {
			const state = stateAt(NOW, { clockOffsetMs: offset });
			for (const [language, text] of [
				["en-US", english],
				["de", german],
			] as const) {
				const status = forecastStatus(state, false, translator(language));
				assert.ok(status.text?.includes(text), status.text);
			}
		}
	});
});

describe("an energy in a status", () => {
	it("is written as the language does", () => {
		const state = { sent: 31, count: 31, kwh: 1234.56, cached: true };
		for (const [language, text] of [
			["en-US", "days: 31 · 1234.6 kWh · without a request"],
			["de", "Tage: 31 · 1234,6 kWh · ohne Abfrage"],
		] as const) {
			assert.equal(
				historyStatus(state, false, translator(language)).text,
				text,
			);
		}
	});
});
