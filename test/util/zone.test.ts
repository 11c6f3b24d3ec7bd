import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { IANAZone } from "luxon";
import {
	dateDay,
	dateText,
	isPossible,
	readInstant,
	readStamp,
	utcText,
} from "../../src/util/time";
import { readHttpDate, timeText, Zone } from "../../src/util/zone";
import { worldReport } from "../forecast/world";
import { DAY, HOUR, MINUTE, QUARTER } from "../support/time";

const at = (text: string) => Date.parse(text);

function zoneOf(name: string): Zone {
	const zone = Zone.of(name);
	assert.ok(zone, name);
	return zone;
}

const NAMES = [
	"UTC",
	"Europe/Berlin",
	"Europe/London",
	"Asia/Kathmandu",
	"Asia/Kolkata",
	"America/St_Johns",
	"America/New_York",
	"America/Havana",
	"America/Santiago",
	"America/Nuuk",
	"Atlantic/Azores",
	"Africa/Cairo",
	"Africa/Casablanca",
	"Asia/Beirut",
	"Asia/Tehran",
	"Australia/Lord_Howe",
	"Australia/Adelaide",
	"Antarctica/Troll",
	"Pacific/Apia",
	"Pacific/Chatham",
	"Pacific/Kiritimati",
	"Pacific/Pago_Pago",
];

/** Local date, start, length in hours, what is special. */
const DAYS: [zone: string, date: string, start: string, hours: number][] = [
	["Europe/Berlin", "2026-03-28", "2026-03-27T23:00:00Z", 24],
	["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", 23],
	["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", 25],
	["Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00Z", 24],
	["Europe/Berlin", "2026-12-31", "2026-12-30T23:00:00Z", 24],
	["Europe/Berlin", "2027-01-01", "2026-12-31T23:00:00Z", 24],
	["Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15:00Z", 24],
	["Asia/Kathmandu", "2026-07-01", "2026-06-30T18:15:00Z", 24],
	["America/St_Johns", "2026-03-08", "2026-03-08T03:30:00Z", 23],
	["America/St_Johns", "2026-11-01", "2026-11-01T02:30:00Z", 25],
	["America/St_Johns", "2026-12-31", "2026-12-31T03:30:00Z", 24],
	["Pacific/Apia", "2026-01-01", "2025-12-31T11:00:00Z", 24],
	["Pacific/Apia", "2026-07-01", "2026-06-30T11:00:00Z", 24],
	["Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", 24],
	["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", 0],
	["Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 24],
	["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00Z", 24.5],
	["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30:00Z", 23.5],
	// Midnight does not exist: the day begins at 01:00.
	["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", 23],
	["America/Havana", "2026-03-08", "2026-03-08T05:00:00Z", 23],
	["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z", 23],
	// Midnight comes twice: the day begins at the first.
	["America/Havana", "2026-11-01", "2026-11-01T04:00:00Z", 25],
	// The hour before midnight comes twice.
	["Africa/Cairo", "2026-10-29", "2026-10-28T21:00:00Z", 25],
	["Asia/Beirut", "2026-10-24", "2026-10-23T21:00:00Z", 25],
	["Antarctica/Troll", "2026-03-29", "2026-03-29T00:00:00Z", 22],
	["Pacific/Chatham", "2026-04-05", "2026-04-04T10:15:00Z", 25],
];

/** Instants around all changes of clocks, and any others, from 2010 to 2037. */
const instants = fc.oneof(
	fc.integer({
		min: at("2010-01-01T00:00:00Z"),
		max: at("2037-12-31T00:00:00Z"),
	}),
	fc
		.tuple(
			fc.constantFrom(...DAYS),
			fc.integer({ min: -40 * 60, max: 40 * 60 }),
		)
		.map(([[, , start], minutes]) => at(start) + minutes * MINUTE),
);
const names = fc.constantFrom(...NAMES);

/** luxon's offset in ms: all that is ours is compared with a search through its clock. */
const luxonOffset = (name: string, instant: number) =>
	IANAZone.create(name).offset(instant) * MINUTE;
const luxonClock = (name: string, instant: number) =>
	instant + luxonOffset(name, instant);

describe("Zone", () => {
	it("knows IANA names and no others", () => {
		assert.equal(Zone.of("Europe/Berlin")?.name, "Europe/Berlin");
		assert.equal(Zone.of("Europe/Berlin"), Zone.of("Europe/Berlin"));
		for (const name of [
			"",
			"Mars/Olympus",
			"local",
			"system",
			"CEST",
			"+25:00",
			"+01:07",
			"-05:00",
			"+02",
		]) {
			assert.equal(Zone.of(name), undefined, name);
		}
	});

	it("knows where a date begins and how long it is", () => {
		for (const [name, date, start, hours] of DAYS) {
			const zone = zoneOf(name);
			const day = dateDay(date);
			assert.equal(utcText(zone.dayStart(day)), start, `${name} ${date}`);
			assert.equal(zone.dayStart(day + 1) - zone.dayStart(day), hours * HOUR);
			if (hours > 0) {
				assert.equal(zone.dateOf(at(start)), date);
				assert.equal(
					zone.dateOf(at(start) - 1),
					dateText(day - 1).replace("2011-12-30", "2011-12-29"),
				);
				assert.equal(zone.dateOf(zone.dayStart(day + 1) - 1), date);
			}
		}
	});

	it("finds the one, two or no instants of a wall-clock time", () => {
		const cases: [zone: string, wallClock: string, instants: string[]][] = [
			["Europe/Berlin", "2026-03-29T02:00", []],
			["Europe/Berlin", "2026-03-29T03:00", ["2026-03-29T01:00:00Z"]],
			[
				"Europe/Berlin",
				"2026-10-25T02:00",
				["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"],
			],
			[
				"Australia/Lord_Howe",
				"2026-04-05T01:30",
				["2026-04-04T14:30:00Z", "2026-04-04T15:00:00Z"],
			],
			["Pacific/Apia", "2011-12-30T12:00", []],
		];
		for (const [name, wallClock, expected] of cases) {
			assert.deepEqual(
				zoneOf(name)
					.instantsOf(at(`${wallClock}Z`))
					.map(utcText),
				expected,
				`${name} ${wallClock}`,
			);
		}
	});

	it("takes a time that does not exist for the moment of the change", () => {
		assert.equal(
			utcText(
				zoneOf("Europe/Berlin").firstInstantFrom(at("2026-03-29T02:30Z")),
			),
			"2026-03-29T01:00:00Z",
		);
		assert.equal(
			utcText(zoneOf("Africa/Cairo").firstInstantFrom(at("2026-04-24T00:59Z"))),
			"2026-04-23T22:00:00Z",
		);
	});

	it("begins the clock hour where the site's clock does", () => {
		const cases: [zone: string, instant: string, start: string][] = [
			["Asia/Kathmandu", "2026-07-01T12:00:00Z", "2026-07-01T11:15:00Z"],
			// Half an hour is skipped, or comes again: the hour begins at the change.
			["Australia/Lord_Howe", "2026-10-03T15:29:00Z", "2026-10-03T14:30:00Z"],
			["Australia/Lord_Howe", "2026-04-04T14:50:00Z", "2026-04-04T14:00:00Z"],
		];
		for (const [name, instant, start] of cases) {
			assert.equal(
				utcText(zoneOf(name).hourOf(at(instant)).start),
				start,
				`${name} ${instant}`,
			);
		}
		// No instant has no hour, and looking for one ends.
		assert.ok(Number.isNaN(Zone.utc.hourOf(Number.NaN).end));
	});

	it("writes times with the offset of that moment", () => {
		const cases: [zone: string, instant: string, text: string][] = [
			["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00+02:00"],
			["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00+01:00"],
			["Asia/Kathmandu", "2025-12-31T18:15:00Z", "2026-01-01T00:00:00+05:45"],
			["UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00"],
		];
		for (const [name, instant, text] of cases) {
			assert.equal(zoneOf(name).format(at(instant)), text);
		}
	});

	describe("finds what a search through luxon's clock finds", () => {
		it("for the first quarter of each day", () => {
			fc.assert(
				fc.property(names, instants, (name, instant) => {
					const day = Math.floor(luxonClock(name, instant) / DAY);
					// The first quarter since two days before whose clock has come so far.
					let start = (day - 1) * DAY - 14 * HOUR;
					while (luxonClock(name, start) < day * DAY) start += QUARTER;
					assert.equal(
						utcText(zoneOf(name).dayStart(day)),
						utcText(start),
						`${name} ${dateText(day)}`,
					);
				}),
				{ numRuns: 80 },
			);
		});

		it("for all instants of a wall-clock time", () => {
			fc.assert(
				fc.property(names, instants, (name, instant) => {
					const wallClock =
						Math.floor(luxonClock(name, instant) / QUARTER) * QUARTER;
					for (const wanted of [wallClock, wallClock + HOUR]) {
						const expected: string[] = [];
						for (
							let t = wanted - 27 * HOUR;
							t <= wanted + 27 * HOUR;
							t += QUARTER
						) {
							if (luxonClock(name, t) === wanted) expected.push(utcText(t));
						}
						assert.deepEqual(
							zoneOf(name).instantsOf(wanted).map(utcText),
							expected,
							`${name} ${utcText(wanted)}`,
						);
					}
				}),
				{ numRuns: 40 },
			);
		});

		it("for the start of the clock hour", () => {
			fc.assert(
				fc.property(names, instants, (name, instant) => {
					const hour = (t: number) => Math.floor(luxonClock(name, t) / HOUR);
					// Back, minute by minute, as long as hour and offset are the same.
					let start = Math.floor(instant / MINUTE) * MINUTE;
					while (
						hour(start - MINUTE) === hour(instant) &&
						luxonOffset(name, start - MINUTE) === luxonOffset(name, instant)
					) {
						start -= MINUTE;
					}
					assert.equal(
						utcText(zoneOf(name).hourOf(instant).start),
						utcText(start),
						`${name} ${utcText(instant)}`,
					);
					const { end } = zoneOf(name).hourOf(instant);
					assert.notEqual(zoneOf(name).hourOf(end).start, start);
					assert.equal(zoneOf(name).hourOf(end - 1).start, start);
				}),
				{ numRuns: 150 },
			);
		});
	});

	it("keeps its name on another clock, on which days are that clock's", () => {
		const changes = [
			[at("2026-11-01T09:00:00Z"), -7 * HOUR],
			[at("2026-03-08T10:00:00Z"), -6.5 * HOUR],
		] as const;
		const zone = zoneOf("America/Vancouver").withClock(changes);
		assert.equal(zone.name, "America/Vancouver");
		for (const [date, start] of [
			["2025-01-01", "2025-01-01T06:30:00Z"],
			["2026-11-01", "2026-11-01T06:30:00Z"],
			["2026-11-02", "2026-11-02T07:00:00Z"],
			["2026-12-02", "2026-12-02T07:00:00Z"],
		] as const) {
			assert.equal(utcText(zone.dayStart(dateDay(date))), start);
		}
		const noon = at("2026-12-01T20:00:00Z");
		assert.equal(zone.format(noon), "2026-12-01T13:00:00-07:00");
		assert.equal(timeText(noon, { zone }), "Dec 1, 13:00");
	});
});

describe("a stamp", () => {
	it("is read in the forms that services write, and in no other", () => {
		const instant = at("2026-03-28T23:15:00Z");
		const forms: [text: string, ms: number, offset: number][] = [
			["2026-03-29T00:15:00+01:00", instant, HOUR],
			["2026-03-29 00:15:00+01:00", instant, HOUR],
			["2026-03-29T00:15+0100", instant, HOUR],
			["2026-03-29T00:15:00+01", instant, HOUR],
			["2026-03-28T23:15:00.000Z", instant, 0],
			["2026-03-28T23:15:00,5Z", instant + 500, 0],
			["2026-03-28T19:45:00-03:30", instant, -3.5 * HOUR],
			["2026-12-31T24:00:00+05:45", at("2026-12-31T18:15:00Z"), 5.75 * HOUR],
			["2026-03-28T23:15:00", instant, Number.NaN],
			["2026-03-28 24:00", at("2026-03-29T00:00:00Z"), Number.NaN],
			...[
				"",
				"2026-03-28",
				"20260328T231500Z",
				"2026-W13-6T23:15:00Z",
				"2026-03-28T23Z",
				"2026-03-28t23:15:00Z",
				" 2026-03-28T23:15:00Z",
				"2026-03-28T23:15:00+24:00",
				"2026-03-28T23:15:00+01:00[Europe/Berlin]",
				"2026-02-30T12:00:00Z",
				"2026-01-01T24:01Z",
				"2026-01-01T12:60:00Z",
				"1767268800000",
				"now",
			].map((text): [string, number, number] => [text, Number.NaN, Number.NaN]),
		];
		for (const [text, ms, offset] of forms) {
			assert.deepEqual(readStamp(text), { ms, offset }, text);
			const isInstant = !Number.isNaN(offset);
			assert.equal(readInstant(text), isInstant ? ms : Number.NaN, text);
		}
	});

	it("is read alike whichever stamp was read before", () => {
		const texts = ["2026-03-28", "2026-03-29", "2026-02-30", "2026-03-2"]
			.flatMap((day) =>
				["T00:15", "T23:45", "T24:00", " 24:00", " 12:00", "T12:6"].map(
					(time) => day + time,
				),
			)
			.flatMap((text) =>
				["Z", "+01:00", "+01", ":00Z", ":30Z", ".5Z", ""].map(
					(rest) => text + rest,
				),
			);
		const alone = texts.map((text) => {
			readStamp("1999-12-31T00:00:00.123-11:45");
			return readStamp(text);
		});
		for (const first of texts) {
			for (const [index, second] of texts.entries()) {
				readStamp(first);
				assert.deepEqual(readStamp(second), alone[index], `${first} ${second}`);
			}
		}
	});

	it("is plausible from 1971 to 2198", () => {
		assert.ok(isPossible(at("1971-01-01T00:00:00Z")));
		assert.ok(isPossible(at("2198-12-31T23:45:00Z")));
		assert.ok(!isPossible(at("1970-12-31T23:45:00Z")));
		assert.ok(!isPossible(at("2199-01-01T00:00:00Z")));
	});
});

describe("a date", () => {
	it("is one of the calendar, and nothing more", () => {
		assert.equal(dateText(dateDay("2024-02-29") + 1), "2024-03-01");
		assert.equal(dateText(dateDay("2025-12-31") + 1), "2026-01-01");
		assert.equal(dateText(dateDay("1066-10-14") - 1), "1066-10-13");
		for (const text of [
			"",
			"2025-02-29",
			"2026-7-1",
			"2026-07-01T00:00:00",
			"01.07.2026",
		]) {
			assert.equal(dateDay(text), Number.NaN, text);
		}
	});

	it("of a header is one of HTTP, or a stamp with an offset", () => {
		for (const text of [
			"Sun, 06 Nov 1994 08:49:37 GMT",
			"1994-11-06T08:49:37Z",
		]) {
			assert.equal(readHttpDate(text), at("1994-11-06T08:49:37Z"), text);
		}
		for (const text of ["", "120", "1994-11-06T08:49:37", "1 GMT"]) {
			assert.equal(readHttpDate(text), Number.NaN, text);
		}
	});
});

describe("a time for people", () => {
	const INSTANT = at("2026-12-01T00:00:59.999Z");

	it("is the site's, to the minute, in their language, and says UTC where it is", () => {
		for (const [zone, language, text] of [
			["Europe/Berlin", "en-US", "Dec 1, 01:00"],
			["Europe/Berlin", "de", "1. Dez., 01:00"],
			["America/St_Johns", "en-US", "Nov 30, 20:30"],
			["UTC", "en-US", "Dec 1, 00:00 UTC"],
			["Africa/Abidjan", "de", "1. Dez., 00:00"],
		] as const) {
			assert.equal(timeText(INSTANT, { zone, language }), text);
		}
	});

	it("has a year where it is asked for", () => {
		for (const [language, text] of [
			["en-US", "Jan 1, 1970, 01:00"],
			["de", "1. Jan. 1970, 01:00"],
		] as const) {
			assert.equal(
				timeText(0, { zone: "Europe/Berlin", language, withYear: true }),
				text,
			);
		}
	});

	it("is this machine's where the zone is not known", () => {
		assert.equal(timeText(INSTANT, { zone: "Mars/Base" }), timeText(INSTANT));
	});
});

describe("the zone of the process", () => {
	const run = promisify(execFile);
	let expected: unknown;
	before(() => {
		expected = JSON.parse(JSON.stringify(worldReport()));
	});
	for (const tz of ["UTC", "America/St_Johns", "Pacific/Apia"]) {
		it(`changes nothing when it is ${tz}`, async () => {
			const { stdout } = await run(
				process.execPath,
				["--require", "tsx/cjs", join(__dirname, "../forecast/world.ts")],
				{ env: { ...process.env, TZ: tz }, maxBuffer: 1 << 24 },
			);
			const report = JSON.parse(stdout);
			assert.equal(report.processZone, tz);
			assert.deepEqual(report.world, expected);
		});
	}
});
