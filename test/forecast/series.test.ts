import assert from "node:assert/strict";
import fc from "fast-check";
import { dayEnergy, energy, Series } from "../../src/forecast/series";
import type { Row } from "../../src/service/v2/forecast-answer";
import { dateDay, dateText } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { at, DAY, HOUR, kwh, near, QUARTER, quartersOf, sun } from "./answers";

const BERLIN = "Europe/Berlin";
const zoneOf = (name: string) => Zone.of(name) as Zone;

function series(
	starts: readonly number[],
	row: (start: number, index: number) => Row,
	zone = BERLIN,
): Series {
	return new Series(zoneOf(zone), starts, starts.map(row));
}

describe("Series", () => {
	const starts = quartersOf(BERLIN, "2026-07-01", "2026-07-02");
	const whole = series(starts, (start) => ({ pv_power: sun(BERLIN, start) }));

	it("finds the quarter that holds an instant, its start included and its end not", () => {
		const noon = at("2026-07-01T10:00:00Z");
		const power = sun(BERLIN, noon);
		assert.equal(whole.valueAt(noon, "pv_power"), power);
		assert.equal(whole.valueAt(noon + QUARTER - 1, "pv_power"), power);
		assert.notEqual(whole.valueAt(noon + QUARTER, "pv_power"), power);
		assert.notEqual(whole.valueAt(noon - 1, "pv_power"), power);
	});

	it("knows nothing outside the dates it has", () => {
		const first = starts[0] as number;
		const last = starts.at(-1) as number;
		for (const instant of [
			first - 1,
			last + QUARTER,
			first - DAY,
			last + DAY,
		]) {
			assert.equal(whole.rowAt(instant), undefined);
			assert.equal(whole.valueAt(instant, "pv_power"), null);
		}
	});

	it("knows nothing of a field that the answer does not hold, day or night", () => {
		for (const start of starts) {
			assert.equal(whole.valueAt(start, "pv_power_min"), null);
			assert.equal(whole.valueAt(start, "temp"), null);
		}
	});

	it("holds nothing when it is empty", () => {
		const empty = series([], () => ({}));
		assert.equal(empty.valueAt(0, "pv_power"), null);
		assert.deepEqual(empty.days(), []);
		assert.deepEqual(energy(empty, 0, QUARTER), {
			energy_kwh: null,
			gaps: 1,
		});
	});

	describe("where a power is missing", () => {
		const night = at("2026-07-01T00:30:00Z");
		const noon = at("2026-07-01T10:30:00Z");
		/** Both days, but for what happens at one quarter of the first. */
		const without = (instant: number, how: "null" | "absent" | "no row") =>
			series(
				how === "no row" ? starts.filter((start) => start !== instant) : starts,
				(start) =>
					start !== instant
						? { pv_power: sun(BERLIN, start) }
						: how === "null"
							? { pv_power: null }
							: {},
			);

		for (const how of ["null", "absent", "no row"] as const) {
			it(`counts 0 where it is dark on another day (${how})`, () => {
				const dark = without(night, how);
				assert.equal(dark.valueAt(night, "pv_power"), 0);
				assert.ok(
					near(
						dayEnergy(dark, dateDay("2026-07-01")),
						kwh(starts.slice(0, 96).map((start) => sun(BERLIN, start))),
					),
				);
			});

			it(`leaves a gap where it is light on every other day (${how})`, () => {
				const gap = without(noon, how);
				assert.equal(gap.valueAt(noon, "pv_power"), null);
				assert.equal(dayEnergy(gap, dateDay("2026-07-01")), null);
				assert.notEqual(dayEnergy(gap, dateDay("2026-07-02")), null);
				assert.deepEqual(energy(gap, noon - HOUR, noon + HOUR), {
					energy_kwh: null,
					gaps: 1,
				});
			});
		}

		it("also in the first row", () => {
			const first = starts[0] as number;
			for (const how of ["null", "absent", "no row"] as const) {
				assert.equal(without(first, how).valueAt(first, "pv_power"), 0, how);
			}
		});

		it("needs another day: one day alone proves no darkness", () => {
			const day = series(starts.slice(0, 96), (start) => ({
				pv_power: start === night ? null : sun(BERLIN, start),
			}));
			assert.equal(day.valueAt(night, "pv_power"), null);
		});

		it("makes 0 of no temperature", () => {
			const cold = series(starts, (start) => ({
				pv_power: 0,
				temp: start === night ? null : 12,
			}));
			assert.equal(cold.valueAt(night, "temp"), null);
		});
	});

	it("lists the local dates that have rows", () => {
		const list = (zone: string, first: string, last: string) =>
			series(quartersOf(zone, first, last), () => ({}), zone)
				.days()
				.map(dateText);
		assert.deepEqual(list(BERLIN, "2026-10-24", "2026-10-26"), [
			"2026-10-24",
			"2026-10-25",
			"2026-10-26",
		]);
		assert.deepEqual(list("Asia/Kathmandu", "2025-12-31", "2026-01-01"), [
			"2025-12-31",
			"2026-01-01",
		]);
		assert.deepEqual(list("Pacific/Apia", "2011-12-29", "2011-12-31"), [
			"2011-12-29",
			"2011-12-31",
		]);
		const holes = series(
			[at("2026-07-01T00:00:00Z"), at("2026-07-05T12:00:00Z")],
			() => ({}),
		);
		assert.deepEqual(holes.days().map(dateText), ["2026-07-01", "2026-07-05"]);
	});
});

describe("energy", () => {
	const start = at("2026-07-01T10:00:00Z");
	const flat = series(
		[0, 1, 2, 3].map((quarter) => start + quarter * QUARTER),
		() => ({ pv_power: 1000 }),
	);

	it("makes 1 kWh of four quarters of 1000 W", () => {
		assert.deepEqual(energy(flat, start, start + HOUR), {
			energy_kwh: 1,
			gaps: 0,
		});
	});

	it("takes parts of quarters by their share of time", () => {
		assert.equal(
			energy(flat, start + QUARTER / 3, start + QUARTER).energy_kwh,
			1 / 6,
		);
		assert.equal(
			energy(flat, start + 60_000, start + 120_000).energy_kwh,
			1 / 60,
		);
	});

	it("is nothing between an instant and itself, or an earlier one", () => {
		for (const end of [start, start - HOUR]) {
			assert.deepEqual(energy(flat, start, end), {
				energy_kwh: 0,
				gaps: 0,
			});
		}
	});

	it("counts the quarters it does not know, parts of them too", () => {
		assert.deepEqual(energy(flat, start - 1, start + HOUR + 1), {
			energy_kwh: null,
			gaps: 2,
		});
	});

	it("adds up: two windows side by side are the one over both", () => {
		const starts = quartersOf(BERLIN, "2026-10-25");
		const day = series(starts, (time) => ({ pv_power: sun(BERLIN, time) }));
		const first = starts[0] as number;
		const length = starts.length * QUARTER;
		const part = fc.integer({ min: 0, max: length });
		fc.assert(
			fc.property(part, part, part, (...cuts) => {
				const [a, b, c] = cuts.sort((x, y) => x - y) as [
					number,
					number,
					number,
				];
				const between = (from: number, to: number) =>
					energy(day, first + from, first + to).energy_kwh as number;
				assert.ok(
					Math.abs(between(a, b) + between(b, c) - between(a, c)) < 1e-9,
				);
			}),
		);
	});
});

describe("dayEnergy", () => {
	const days: [zone: string, date: string, quarters: number][] = [
		["Europe/Berlin", "2026-03-29", 92],
		["Europe/Berlin", "2026-07-01", 96],
		["Europe/Berlin", "2026-10-25", 100],
		["Asia/Kathmandu", "2026-01-01", 96],
		["America/St_Johns", "2026-03-08", 92],
		["America/St_Johns", "2026-11-01", 100],
		["Pacific/Apia", "2026-12-31", 96],
		["Africa/Cairo", "2026-04-24", 92],
		["America/Havana", "2026-11-01", 100],
		["Australia/Lord_Howe", "2026-04-05", 98],
		["Australia/Lord_Howe", "2026-10-04", 94],
	];
	for (const [zone, date, quarters] of days) {
		it(`sums the ${quarters} quarters of ${date} in ${zone}`, () => {
			const starts = quartersOf(zone, date);
			assert.equal(starts.length, quarters);
			const day = dateDay(date);
			// Surrounded by other days, whose power must not slip in.
			const around = [
				...[...Array(8).keys()].map(
					(n) => (starts[0] as number) - (8 - n) * QUARTER,
				),
				...starts,
				...[...Array(8).keys()].map(
					(n) => (starts.at(-1) as number) + (n + 1) * QUARTER,
				),
			];
			const power = (start: number) =>
				starts.includes(start) ? 100 + sun(zone, start) : 1e6;
			const data = series(
				around,
				(start) => ({ pv_power: power(start) }),
				zone,
			);
			assert.ok(near(dayEnergy(data, day), kwh(starts.map(power))));
			// 100 W all day: 2.3, 2.4 or 2.5 kWh by the length of the day.
			const flat = series(starts, () => ({ pv_power: 100 }), zone);
			assert.ok(near(dayEnergy(flat, day), quarters / 40));
		});
	}
});
