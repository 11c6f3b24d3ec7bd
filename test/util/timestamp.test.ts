import assert from "node:assert/strict";
import fc from "fast-check";
import { DateTime } from "luxon";
import {
	dateDay,
	dateText,
	readDate,
	readHttpDate,
	readInstant,
	readWallClock,
} from "../../src/util/timestamp";

const DAY_MS = 86_400_000;
const utc = (...parts: Parameters<typeof Date.UTC>) => Date.UTC(...parts);

const calendarDay = fc.integer({
	min: Date.UTC(1900, 0, 1) / DAY_MS,
	max: Date.UTC(2199, 11, 31) / DAY_MS,
});
const clock = fc.record({
	hour: fc.integer({ min: 0, max: 23 }),
	minute: fc.integer({ min: 0, max: 59 }),
	second: fc.integer({ min: 0, max: 59 }),
	fraction: fc.stringMatching(/^\d{0,9}$/),
});
const two = (value: number) => String(value).padStart(2, "0");

describe("readInstant", () => {
	const good: [text: string, instant: number][] = [
		["2026-03-29T00:15:00+01:00", utc(2026, 2, 28, 23, 15)],
		["2026-03-29T00:15:00Z", utc(2026, 2, 29, 0, 15)],
		["2026-03-29T00:15Z", utc(2026, 2, 29, 0, 15)],
		["2026-03-29T00:15+0100", utc(2026, 2, 28, 23, 15)],
		["2026-03-29T00:15:00+01", utc(2026, 2, 28, 23, 15)],
		["2026-07-01T12:00:00+0545", utc(2026, 6, 1, 6, 15)],
		["2026-07-01T12:00:00+05:45", utc(2026, 6, 1, 6, 15)],
		["2026-01-01T00:00:00-03:30", utc(2026, 0, 1, 3, 30)],
		["2025-12-31T23:45:00-12:00", utc(2026, 0, 1, 11, 45)],
		["2026-01-01T00:15:00+14:00", utc(2025, 11, 31, 10, 15)],
		["2026-07-01T12:00:00-00:00", utc(2026, 6, 1, 12)],
		["2024-02-29T12:00:00Z", utc(2024, 1, 29, 12)],
		["2026-07-01T12:00:00.000Z", utc(2026, 6, 1, 12)],
		["2026-07-01T12:00:00.5+02:00", utc(2026, 6, 1, 10, 0, 0, 500)],
		["2026-07-01T12:00:00,123456789Z", utc(2026, 6, 1, 12, 0, 0, 123)],
		["2026-07-01T23:59:59.999Z", utc(2026, 6, 1, 23, 59, 59, 999)],
	];
	for (const [text, instant] of good) {
		it(`reads ${text}`, () => {
			assert.equal(readInstant(text), instant);
		});
	}

	const bad = [
		"",
		"T",
		"Z",
		"2026-07-01",
		"2026-07-01Z",
		"2026-02-30T12:00:00Z",
		"2025-02-29T12:00:00Z",
		"2100-02-29T12:00:00Z",
		"2026-04-31T00:00:00Z",
		"2026-13-01T00:00:00Z",
		"2026-00-10T00:00:00Z",
		"2026-01-00T00:00:00Z",
		"2026-01-01T24:00:01Z",
		"2026-01-01T24:00:00.001Z",
		"2026-01-01T24:00:00.0001Z",
		"2026-01-01T24:01Z",
		"2026-01-01T25:00:00Z",
		"2026-02-30T24:00:00Z",
		"2026-01-01T12:60:00Z",
		"2026-01-01T12:00:60Z",
		"2026-01-01T12Z",
		"2026-01-01T12:Z",
		"2026-01-01T1:00:00Z",
		"2026-01-01T12:00:0Z",
		"2026-01-01T12:00:00.Z",
		"2026-01-01T120000Z",
		"2026-01-01T12:00:00",
		"2026-01-01  12:00:00Z",
		"2026-01-01_12:00:00Z",
		"2026-01-01\t12:00:00Z",
		"2026-01-01t12:00:00Z",
		"2026-01-01T12:00:00z",
		" 2026-01-01T12:00:00Z",
		"2026-01-01T12:00:00Z ",
		"2026-01-01T12:00:00 Z",
		"2026-01-01T12:00:00 +01:00",
		"2026-01-01T12:00:00ZZ",
		"2026-01-01T12:00:00+01:00Z",
		"2026-01-01T12:00:00+24:00",
		"2026-01-01T12:00:00+01:60",
		"2026-01-01T12:00:00+1:00",
		"2026-01-01T12:00:00+1",
		"2026-01-01T12:00:00+010",
		"2026-01-01T12:00:00+01:0",
		"2026-01-01T12:00:00+01:00:00",
		"2026-01-01T12:00:00+01-00",
		"2026-01-01T12:00:00−01:00",
		"2026-01-01T12:00:00+01:00[Europe/Berlin]",
		"2026-1-1T12:00:00Z",
		"26-01-01T12:00:00Z",
		"0026-01-01T12:00:00Z",
		"+002026-01-01T12:00:00Z",
		"2026/01/01T12:00:00Z",
		"20260101T120000Z",
		"2026-W01-1T12:00:00Z",
		"２０２６-01-01T12:00:00Z",
		"Thu, 01 Jan 2026 12:00:00 GMT",
		"1767268800000",
		"now",
	];
	for (const text of bad) {
		it(`refuses ${JSON.stringify(text)}`, () => {
			assert.equal(readInstant(text), Number.NaN);
		});
	}

	it("takes 24:00 for the next midnight, at the end of a month, of a year and of a day in any offset", () => {
		for (const [text, ms] of [
			["2026-06-10T24:00:00Z", utc(2026, 5, 11)],
			["2026-06-10 24:00:00Z", utc(2026, 5, 11)],
			["2026-06-10T24:00Z", utc(2026, 5, 11)],
			["2026-06-10T24:00:00.000Z", utc(2026, 5, 11)],
			["2026-02-28T24:00:00+01:00", utc(2026, 1, 28, 23)],
			["2028-02-28T24:00:00-03:30", utc(2028, 1, 29, 3, 30)],
			["2026-12-31T24:00:00+0545", utc(2026, 11, 31, 18, 15)],
		] as const) {
			assert.equal(readInstant(text), ms, text);
		}
	});

	it("takes a blank for T", () => {
		for (const rest of [
			"12:00:00Z",
			"12:00Z",
			"12:00:00.5+01:00",
			"23:45-0330",
		]) {
			assert.equal(
				readInstant(`2026-07-01 ${rest}`),
				readInstant(`2026-07-01T${rest}`),
			);
			assert.ok(readInstant(`2026-07-01 ${rest}`) > 0, rest);
		}
	});

	it("cuts a fraction off, however near the next second it is", () => {
		assert.equal(
			readInstant("2026-01-01T00:14:59.99999999999999999999Z"),
			utc(2026, 0, 1, 0, 14, 59, 999),
		);
	});

	it("remembers what it has read of one text for no other", () => {
		const day = ["2026-03-28", "2026-03-29", "2026-02-30", "2026-03-2"];
		const time = [
			"T00:15",
			"T23:45",
			"T24:00",
			" 24:00",
			"T24:15",
			"T12:6",
			" 12:00",
			"T12.00",
		];
		const rest = ["Z", "+01:00", "+0100", "+01", ":00Z", ":30Z", ".5Z", ""];
		const texts = day.flatMap((d) =>
			time.flatMap((t) => rest.map((r) => d + t + r)),
		);
		const alone = new Map(
			texts.map((text) => {
				readInstant("1999-12-31T00:00:00.123-11:45");
				return [text, readInstant(text)];
			}),
		);
		assert.equal(alone.get("2026-03-29T00:15+01"), utc(2026, 2, 28, 23, 15));
		for (const first of texts) {
			for (const second of texts) {
				readInstant(first);
				assert.equal(readInstant(second), alone.get(second), first);
			}
		}
	});

	it("remembers the right date when dates alternate", () => {
		const texts = [
			"2026-03-28T23:45:00Z",
			"2026-03-29T00:00:00Z",
			"2026-03-28T23:45:00Z",
			"2026-02-30T00:00:00Z",
			"2026-03-29T00:00:00Z",
			"2026-03-2",
			"2026-03-29",
			"2026-03-28T00:00:00+01:00",
		];
		const expected = [
			utc(2026, 2, 28, 23, 45),
			utc(2026, 2, 29),
			utc(2026, 2, 28, 23, 45),
			Number.NaN,
			utc(2026, 2, 29),
			Number.NaN,
			Number.NaN,
			utc(2026, 2, 27, 23),
		];
		for (let round = 0; round < 3; round += 1) {
			assert.deepEqual(texts.map(readInstant), expected);
		}
	});

	it("reads each millisecond of a fraction as it is written", () => {
		for (let ms = 0; ms < 1000; ms += 1) {
			const text = `2026-07-01T12:00:00.${String(ms).padStart(3, "0")}Z`;
			assert.equal(readInstant(text) % 1000, ms);
		}
	});

	it("agrees with luxon on every time with an offset", () => {
		const offset = fc.oneof(
			fc.constant("Z"),
			fc
				.tuple(
					fc.constantFrom("+", "-"),
					fc.integer({ min: 0, max: 14 }),
					fc.constantFrom(0, 15, 30, 45),
					fc.constantFrom(":", "", "hours"),
				)
				.map(([sign, hours, minutes, form]) =>
					form === "hours"
						? sign + two(hours)
						: `${sign}${two(hours)}${form}${two(minutes)}`,
				),
		);
		fc.assert(
			fc.property(
				calendarDay,
				clock,
				offset,
				fc.boolean(),
				(day, { hour, minute, second, fraction }, zone, withSeconds) => {
					const seconds = withSeconds
						? `:${two(second)}${fraction ? `.${fraction}` : ""}`
						: "";
					const text = `${dateText(day)}T${two(hour)}:${two(minute)}${seconds}${zone}`;
					assert.equal(
						readInstant(text),
						DateTime.fromISO(text, { zone: "utc" }).toMillis(),
						text,
					);
				},
			),
			{ numRuns: 2000 },
		);
	});

	it("reads nothing that luxon reads otherwise, whatever the text", () => {
		const start = fc.constantFrom(
			"2026-03-29T00:15:00+01:00",
			"2026-03-29T00:15:00Z",
			"2024-02-29T23:45:00.25-03:30",
		);
		const edit = fc.tuple(
			fc.nat({ max: 28 }),
			fc.nat({ max: 2 }),
			fc.stringMatching(/^[0-9TZ:+.,-]{0,2}$/),
		);
		fc.assert(
			fc.property(start, fc.array(edit, { maxLength: 3 }), (text, edits) => {
				let changed = text;
				for (const [at, cut, put] of edits) {
					changed = changed.slice(0, at) + put + changed.slice(at + cut);
				}
				const instant = readInstant(changed);
				if (Number.isNaN(instant)) return;
				const known = DateTime.fromISO(changed, { setZone: true });
				assert.ok(known.isValid, changed);
				assert.equal(instant, known.toMillis(), changed);
			}),
			{ numRuns: 5000 },
		);
	});
});

describe("readWallClock", () => {
	it("reads a time without an offset as of its own clock", () => {
		assert.equal(readWallClock("2026-10-25T02:30:00"), utc(2026, 9, 25, 2, 30));
		assert.equal(readWallClock("2026-10-25T02:30"), utc(2026, 9, 25, 2, 30));
	});

	it("takes a blank for T, and 24:00 for the next midnight", () => {
		assert.equal(readWallClock("2026-10-25 02:30:00"), utc(2026, 9, 25, 2, 30));
		assert.equal(readWallClock("2026-10-25T24:00:00"), utc(2026, 9, 26));
		assert.equal(readWallClock("2026-12-31 24:00"), utc(2027, 0, 1));
	});

	it("refuses an offset, a missing time and times that do not exist", () => {
		for (const text of [
			"",
			"2026-10-25",
			"2026-10-25T",
			"2026-10-25T02:30:00Z",
			"2026-10-25T02:30:00+01:00",
			"2026-10-25_02:30:00",
			"2026-10-25T24:00:01",
			"2026-02-30T02:30:00",
		]) {
			assert.equal(readWallClock(text), Number.NaN, text);
		}
	});
});

describe("dates", () => {
	it("turns days into texts and back", () => {
		fc.assert(
			fc.property(calendarDay, (day) => {
				assert.equal(dateDay(dateText(day)), day);
				assert.equal(
					dateText(day),
					DateTime.fromMillis(day * DAY_MS, { zone: "utc" }).toISODate(),
				);
			}),
		);
	});

	it("knows leap years", () => {
		assert.equal(dateText(dateDay("2024-02-29") + 1), "2024-03-01");
		assert.equal(dateText(dateDay("2025-12-31") + 1), "2026-01-01");
		assert.equal(dateDay("2025-02-29"), Number.NaN);
		assert.equal(dateDay("1900-02-29"), Number.NaN);
		assert.ok(Number.isFinite(dateDay("2000-02-29")));
	});

	it("refuses what is no date, and more than a date", () => {
		for (const text of [
			"",
			"2026-7-1",
			"2026-07-01T00:00:00",
			"2026-07-011",
			"01.07.2026",
			"2026-07-0x",
			"-026-07-01",
		]) {
			assert.equal(dateDay(text), Number.NaN, text);
		}
	});

	it("reads the date that a longer text begins with", () => {
		assert.equal(readDate("2026-07-01T12:00:00Z"), utc(2026, 6, 1));
	});
});

describe("readHttpDate", () => {
	it("reads the form of HTTP headers and ISO with an offset", () => {
		assert.equal(
			readHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"),
			utc(1994, 10, 6, 8, 49, 37),
		);
		assert.equal(
			readHttpDate("2026-08-12T15:30:08Z"),
			utc(2026, 7, 12, 15, 30, 8),
		);
	});

	it("refuses texts that would be read in the zone of the process, and others", () => {
		for (const text of [
			"",
			"0",
			"120",
			"Sun, 06 Nov 1994 08:49:37",
			"Sun, 06 Nov 1994 08:49:37 +0100",
			"2026-08-12T15:30:08",
			"2026-08-12",
			"GMT",
			"1 GMT",
			"Wed, 30 Feb 2026 12:00:00 GMT",
			"Wed, 11 Feb 2026 24:00:00 GMT",
			"Wed, 11 Foo 2026 12:00:00 GMT",
			"tomorrow GMT",
		]) {
			assert.equal(readHttpDate(text), Number.NaN, text);
		}
	});
});
