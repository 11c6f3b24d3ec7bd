import assert from "node:assert/strict";
import { settle, settledToday } from "../../src/forecast/settled";
import { at, HOUR, place, QUARTER, quartersOf, valueRows } from "./answers";

const BERLIN = "Europe/Berlin";
const local = (time: string, date = "2026-07-01") =>
	at(`${date}T${time}+02:00`);

/** A forecast of the same power in every quarter. */
const flat = (
	watts: number | ((start: number) => number | null),
	starts = quartersOf(BERLIN, "2026-07-01", "2026-07-02"),
	zone = BERLIN,
) =>
	place({
		timezone: zone,
		values: valueRows(
			zone,
			starts,
			"local",
			typeof watts === "number" ? () => watts : watts,
		),
	});

describe("settle", () => {
	it("freezes what began before the new forecast was computed, as the old one had it", () => {
		const settled = settle([], flat(1000), local("12:00"), local("12:01"));
		assert.equal(settled.length, 48);
		assert.deepEqual(settled[0], [local("00:00"), 1000]);
		assert.deepEqual(settled.at(-1), [local("11:45"), 1000]);
	});

	it("does not change what has settled, however the past is rewritten", () => {
		const morning = settle([], flat(1000), local("06:00"), local("06:01"));
		const noon = settle(morning, flat(2000), local("12:00"), local("12:01"));
		const evening = settle(noon, flat(17), local("20:00"), local("20:01"));
		const byTime = new Map(evening);
		assert.equal(byTime.get(local("05:45")), 1000);
		assert.equal(byTime.get(local("06:00")), 2000);
		assert.equal(byTime.get(local("11:45")), 2000);
		assert.equal(byTime.get(local("12:00")), 17);
		assert.equal(byTime.get(local("19:45")), 17);
		assert.equal(byTime.has(local("20:00")), false);
		assert.equal(evening.length, 80);
	});

	it("stays in order of time", () => {
		const known = [
			[local("10:00"), 1],
			[local("01:00"), 2],
		] as const;
		const settled = settle(known, flat(5), local("12:00"), local("12:00"));
		const times = settled.map(([start]) => start);
		assert.deepEqual(
			times,
			[...times].sort((a, b) => a - b),
		);
		assert.equal(new Map(settled).get(local("01:00")), 2);
	});

	it("forgets yesterday at the site's midnight", () => {
		const today = settle([], flat(1000), local("23:00"), local("23:00"));
		const tomorrow = settle(
			today,
			flat(500),
			local("00:30", "2026-07-02"),
			local("00:31", "2026-07-02"),
		);
		assert.deepEqual(tomorrow, [
			[local("00:00", "2026-07-02"), 500],
			[local("00:15", "2026-07-02"), 500],
		]);
	});

	it("settles no quarter that the old forecast does not know", () => {
		const old = flat((start) => (start === local("09:00") ? null : 1000));
		const settled = new Map(settle([], old, local("12:00"), local("12:00")));
		assert.equal(settled.size, 47);
		assert.equal(settled.has(local("09:00")), false);
		const later = new Map(
			settle([...settled], flat(300), local("13:00"), local("13:00")),
		);
		assert.equal(later.get(local("09:00")), 300);
	});

	it("settles nothing that is still to come, even if a clock runs ahead", () => {
		for (const computed of [local("18:00"), at("9999-12-31T00:00:00Z")]) {
			const settled = settle([], flat(1000), computed, local("12:00"));
			assert.equal(settled.at(-1)?.[0], local("11:45"));
		}
	});

	it("holds 92 and 100 quarters of the days on which clocks change", () => {
		for (const [date, quarters] of [
			["2026-03-29", 92],
			["2026-10-25", 100],
		] as const) {
			const starts = quartersOf(BERLIN, date);
			const end = (starts.at(-1) as number) + QUARTER - 1;
			assert.equal(settle([], flat(1, starts), end, end).length, quarters);
			assert.equal(
				settledToday([], flat(1, starts), end + 1 - QUARTER).length,
				quarters - 1,
			);
		}
	});
});

describe("settledToday", () => {
	it("names each past quarter by its end", () => {
		const today = settledToday([], flat(1000), local("01:00"));
		assert.deepEqual(today, [
			[local("00:15"), 1000],
			[local("00:30"), 1000],
			[local("00:45"), 1000],
			[local("01:00"), 1000],
		]);
		assert.equal(settledToday([], flat(1000), local("01:00") - 1).length, 3);
		assert.deepEqual(settledToday([], flat(1000), local("00:00")), []);
	});

	it("prefers what has settled, 0 included, and fills in the rest", () => {
		const known = [[local("00:15"), 0]] as const;
		assert.deepEqual(settledToday(known, flat(7), local("00:45")), [
			[local("00:15"), 7],
			[local("00:30"), 0],
			[local("00:45"), 7],
		]);
	});

	it("leaves out what nobody knows", () => {
		const starts = quartersOf(BERLIN, "2026-07-01").slice(2);
		assert.deepEqual(settledToday([], flat(7, starts), local("00:45")), [
			[local("00:45"), 7],
		]);
	});

	it("begins at the site's midnight, in zones of quarter hours too", () => {
		const zone = "Asia/Kathmandu";
		const starts = quartersOf(zone, "2026-01-01");
		const today = settledToday(
			[],
			flat(1, starts, zone),
			at("2025-12-31T18:15:00Z") + HOUR,
		);
		assert.deepEqual(
			today.map(([end]) => end),
			[1, 2, 3, 4].map((n) => at("2025-12-31T18:15:00Z") + n * QUARTER),
		);
	});
});
