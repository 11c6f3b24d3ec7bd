import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { DateTime, IANAZone } from "luxon";
import { Zone } from "../../src/forecast/zone";
import { dateDay, dateText, utcText } from "../../src/util/timestamp";
import { DAY, HOUR, MINUTE, QUARTER } from "../support/time";
import { worldReport } from "./world";

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

/** luxon's offset in ms: the independent source of all that is compared here. */
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

	for (const [name, date, start, hours] of DAYS) {
		it(`begins ${date} in ${name} at ${start} and has ${hours} h`, () => {
			const zone = zoneOf(name);
			const day = dateDay(date);
			assert.equal(utcText(zone.dayStart(day)), start);
			assert.equal(zone.dayStart(day + 1) - zone.dayStart(day), hours * HOUR);
			if (hours > 0) {
				assert.equal(zone.dateOf(at(start)), date);
				assert.equal(
					zone.dateOf(at(start) - 1),
					dateText(day - 1).replace("2011-12-30", "2011-12-29"),
				);
				assert.equal(zone.dateOf(zone.dayStart(day + 1) - 1), date);
			}
		});
	}

	it("finds the one, two or no instants of a wall-clock time", () => {
		const cases: [zone: string, wallClock: string, instants: string[]][] = [
			["Europe/Berlin", "2026-07-01T12:00", ["2026-07-01T10:00:00Z"]],
			["Europe/Berlin", "2026-03-29T01:45", ["2026-03-29T00:45:00Z"]],
			["Europe/Berlin", "2026-03-29T02:00", []],
			["Europe/Berlin", "2026-03-29T02:45", []],
			["Europe/Berlin", "2026-03-29T03:00", ["2026-03-29T01:00:00Z"]],
			["Europe/Berlin", "2026-10-25T01:45", ["2026-10-24T23:45:00Z"]],
			[
				"Europe/Berlin",
				"2026-10-25T02:00",
				["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"],
			],
			[
				"Europe/Berlin",
				"2026-10-25T02:45",
				["2026-10-25T00:45:00Z", "2026-10-25T01:45:00Z"],
			],
			["Europe/Berlin", "2026-10-25T03:00", ["2026-10-25T02:00:00Z"]],
			[
				"Australia/Lord_Howe",
				"2026-04-05T01:30",
				["2026-04-04T14:30:00Z", "2026-04-04T15:00:00Z"],
			],
			["Australia/Lord_Howe", "2026-04-05T02:00", ["2026-04-04T15:30:00Z"]],
			["Australia/Lord_Howe", "2026-10-04T02:15", []],
			[
				"Asia/Beirut",
				"2026-10-24T23:30",
				["2026-10-24T20:30:00Z", "2026-10-24T21:30:00Z"],
			],
			["Asia/Beirut", "2026-10-25T00:00", ["2026-10-24T22:00:00Z"]],
			["Pacific/Apia", "2011-12-29T23:45", ["2011-12-30T09:45:00Z"]],
			["Pacific/Apia", "2011-12-30T12:00", []],
			["Pacific/Apia", "2011-12-31T00:00", ["2011-12-30T10:00:00Z"]],
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
			["Asia/Kathmandu", "2026-07-01T12:15:00Z", "2026-07-01T12:15:00Z"],
			["America/St_Johns", "2026-07-01T12:00:00Z", "2026-07-01T11:30:00Z"],
			["Europe/Berlin", "2026-10-25T00:59:59Z", "2026-10-25T00:00:00Z"],
			["Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25T01:00:00Z"],
			["Europe/Berlin", "2026-03-29T01:10:00Z", "2026-03-29T01:00:00Z"],
			// Half an hour is skipped, or comes again: the hour begins at the change.
			["Australia/Lord_Howe", "2026-10-03T15:29:00Z", "2026-10-03T14:30:00Z"],
			["Australia/Lord_Howe", "2026-10-03T15:50:00Z", "2026-10-03T15:30:00Z"],
			["Australia/Lord_Howe", "2026-04-04T15:20:00Z", "2026-04-04T15:00:00Z"],
			["Australia/Lord_Howe", "2026-04-04T14:50:00Z", "2026-04-04T14:00:00Z"],
		];
		for (const [name, instant, start] of cases) {
			assert.equal(
				utcText(zoneOf(name).hourStart(at(instant))),
				start,
				`${name} ${instant}`,
			);
		}
	});

	it("writes times with the offset of that moment", () => {
		const cases: [zone: string, instant: string, text: string][] = [
			["Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29T01:59:59+01:00"],
			["Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00+02:00"],
			["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00+02:00"],
			["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00+01:00"],
			["Asia/Kathmandu", "2025-12-31T18:15:00Z", "2026-01-01T00:00:00+05:45"],
			["America/St_Johns", "2026-01-01T03:29:59Z", "2025-12-31T23:59:59-03:30"],
			["Pacific/Apia", "2025-12-31T11:00:00Z", "2026-01-01T00:00:00+13:00"],
			["UTC", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00"],
		];
		for (const [name, instant, text] of cases) {
			assert.equal(zoneOf(name).format(at(instant)), text);
		}
	});

	describe("agrees with luxon", () => {
		it("on offsets, to the minute", () => {
			fc.assert(
				fc.property(names, instants, (name, instant) => {
					assert.equal(
						zoneOf(name).offsetAt(instant),
						luxonOffset(name, instant),
					);
				}),
				{ numRuns: 1500 },
			);
		});

		it("on texts, dates and quarters of the day", () => {
			fc.assert(
				fc.property(names, instants, (name, instant) => {
					const zone = zoneOf(name);
					const time = DateTime.fromMillis(Math.floor(instant / 1000) * 1000, {
						zone: name,
					});
					assert.equal(
						zone.format(instant),
						time.toISO({ suppressMilliseconds: true })?.replace("Z", "+00:00"),
					);
					assert.equal(zone.dateOf(instant), time.toISODate());
					assert.equal(
						zone.quarterOfDay(instant),
						time.hour * 4 + Math.floor(time.minute / 15),
					);
				}),
				{ numRuns: 700 },
			);
		});

		it("on the first quarter of each day", () => {
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

		it("on all instants of a wall-clock time", () => {
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

		it("on the start of the clock hour", () => {
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
						utcText(zoneOf(name).hourStart(instant)),
						utcText(start),
						`${name} ${utcText(instant)}`,
					);
				}),
				{ numRuns: 150 },
			);
		});
	});

	it("stays right when more days are asked for than it remembers", () => {
		const zone = zoneOf("Europe/Berlin");
		const first = dateDay("2020-01-01");
		for (let day = first; day < first + 2500; day += 1) {
			const start = zone.dayStart(day);
			assert.equal(luxonClock("Europe/Berlin", start), day * DAY);
		}
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
				["--require", "tsx/cjs", join(__dirname, "world.ts")],
				{ env: { ...process.env, TZ: tz }, maxBuffer: 1 << 24 },
			);
			const report = JSON.parse(stdout);
			assert.equal(report.processZone, tz);
			assert.deepEqual(report.world, expected);
		});
	}
});
