import assert from "node:assert/strict";
import { readInput, readingFromMessage } from "../../nodes/learn/input";
import { measured } from "../../src/learn/state";
import {
	at,
	bow,
	DAY,
	HOUR,
	MINUTE,
	message,
	QUARTER,
	Watched,
} from "./support";

const NOON = at("2026-06-01T10:00:00Z");

/** A house with a forecast of 8 kW at noon. */
function watched(foreseen: (at: number) => number = bow): Watched {
	const house = new Watched();
	const start = house.dayStart("2026-06-01");
	house.foresee(message(start, start + 2 * DAY, foreseen), start);
	return house;
}

/** What is known of the quarters of a date, W, from one that begins at `from` on. */
function quarters(house: Watched, from = NOON, stringId: string | null = null) {
	const record = house
		.days(stringId)
		.find(({ start }) => from >= start && from < start + DAY);
	const first = (from - (record?.start ?? 0)) / QUARTER;
	return Array.from({ length: 8 }, (_, index) => {
		const watts = record && measured(record, first + index);
		return watts == null ? null : Math.round(watts);
	});
}

describe("readings of a meter become means of quarter hours", () => {
	for (const [what, powers, expected] of [
		[
			"at a steady rate",
			(read) => {
				for (let time = NOON; time <= NOON + 2 * QUARTER; time += 10_000) {
					read(time, time < NOON + QUARTER ? 1000 : 3000);
				}
			},
			// The ten seconds of the step lie in the first.
			[1011, 3000, null],
		],
		[
			"weighted by time where readings come on change",
			(read) => {
				read(NOON, 1000);
				read(NOON + 12 * MINUTE, 1000);
				for (let second = 0; second <= 180; second += 1) {
					read(NOON + 12 * MINUTE + second * 1000, 2000);
				}
			},
			[1200, null],
		],
		[
			"every quarter hour, halfway between two readings",
			(read) => {
				for (const index of [0, 1, 2])
					read(NOON + index * QUARTER, 1000 * index);
			},
			[500, 1500, null],
		],
		[
			"not across a gap, and not from a part",
			(read) => {
				for (const minute of [0, 60, 65]) read(NOON + minute * MINUTE, 1000);
			},
			[null, null, null, null, null],
		],
		[
			"from lists that come late and between others",
			(read) => {
				const steps = [0, 7, -180, -165, -150, 8, 16].map((m) => m * MINUTE);
				for (const step of steps) read(NOON + step, step < 0 ? 700 : 2000);
			},
			[2000, null],
		],
	] as [
		string,
		(read: (time: number, watts: number) => void) => void,
		unknown[],
	][]) {
		it(what, () => {
			const house = watched();
			powers((time, power_w) => house.read(time, { power_w }, NOON + 5 * HOUR));
			assert.deepEqual(quarters(house).slice(0, expected.length), expected);
		});
	}

	it("from a counter, coarse as it may be, through a reset", () => {
		const house = watched(() => 2400);
		// 2.4 kW in steps of 0.1 kWh, told each minute; it begins anew after an hour.
		for (let minute = 0; minute <= 150; minute += 1) {
			const energy_kwh = Math.floor((minute % 61) * 0.4 + 1e-9) / 10;
			house.read(NOON + minute * MINUTE, { energy_kwh });
		}
		const known = quarters(house).filter((watts) => watts !== null);
		assert.ok(known.length >= 4, String(quarters(house)));
		for (const watts of known) {
			assert.ok(Math.abs(watts - 2400) < 150, String(watts));
		}
		assert.deepEqual(house.codes(), []);
	});

	it("from a counter's sum by the course of the forecast", () => {
		const house = watched((at) => (at < NOON + HOUR ? 1000 : 4000));
		for (const [minute, energy_kwh] of [
			[0, 10],
			[5, 11],
			[125, 13.5],
		] as const) {
			house.read(NOON + minute * MINUTE, { energy_kwh });
			// A step that is fine beside that.
			house.read(NOON + (minute + 0.5) * MINUTE, {
				energy_kwh: energy_kwh + 0.01,
			});
		}
		const known = quarters(house);
		const [before, after] = [known[2] as number, known[6] as number];
		assert.ok(Math.abs(after / before - 4) < 0.05, String(known));
		assert.ok(Math.abs(before - 500) < 60, String(known));
	});

	it("but for what cannot be", () => {
		const house = watched();
		house.read(NOON, { power_w: 3_000_000 });
		house.read(NOON, { energy_kwh: 100 });
		for (const minute of [1, 2]) {
			house.read(NOON + minute * MINUTE, { energy_kwh: 100 + 60 * minute });
		}
		assert.deepEqual(house.codes(), ["wrong_unit"]);
		assert.equal(house.learner.notes()[0]?.count, 3);
		assert.ok(quarters(house).every((watts) => watts === null));
	});
});

describe("readings in messages", () => {
	it("are read with their units and times", () => {
		const text = "2026-06-01T12:00:00+02:00";
		assert.deepEqual(
			readingFromMessage(
				{ power_w: "1250.5", time: text, string_id: "a", curtailed: true },
				NOON,
			),
			{
				time: NOON,
				string_id: "a",
				power_w: 1250.5,
				energy_kwh: null,
				curtailed: true,
			},
		);
		assert.equal(readingFromMessage({ energy_kwh: 3 }, NOON)?.time, NOON);
		assert.equal(readingFromMessage({ payload: 7 }, NOON), undefined);
	});

	for (const [unit, msg, power_w, energy_kwh] of [
		["W", { payload: 4000 }, 4000, null],
		["kW", { payload: " 4" }, 4000, null],
		["kWh", { payload: Buffer.from("1.5") }, null, 1.5],
		["Wh", { payload: 1500 }, null, 1.5],
		["kWh", { power_w: 4000, payload: "{of no concern" }, 4000, null],
	] as const) {
		it(`are ${JSON.stringify(msg)} where a number is in ${unit}`, () => {
			const { reading } = readInput(msg, unit, NOON);
			assert.equal(reading?.power_w, power_w);
			assert.equal(reading?.energy_kwh, energy_kwh);
		});
	}

	it("are none where a sensor says that it has none", () => {
		for (const says of ["unavailable", "Unknown", " none", "", "nan", "null"]) {
			assert.equal(readingFromMessage({ power_w: says }, NOON), undefined);
			const beside = readingFromMessage({ energy_kwh: says, power_w: 5 }, NOON);
			assert.equal(beside?.power_w, 5);
			watched().list([{ time: NOON, power_w: says }], NOON);
		}
	});

	it("are refused with the field, the value and what to do", () => {
		for (const [message, text] of [
			[{ power_w: "3 kW" }, /msg\.power_w is "3 kW"; give a number/],
			[{ power_w: Number.NaN }, /msg\.power_w/],
			[{ energy_kwh: true }, /msg\.energy_kwh is true/],
			[{ power_w: 1, time: "12:00" }, /msg\.time is "12:00"; give a time/],
			[{ power_w: 1, time: 12 }, /msg\.time is 12/],
			[
				{ power_w: 1, time: NOON + HOUR },
				/msg\.time is \d+; .*check the clocks/,
			],
			// In microseconds, as some databases write them.
			[{ power_w: 1, time: 1000 * NOON }, /msg\.time is/],
			[{ power_w: 1, string_id: 3 }, /msg\.string_id is 3/],
			[{ power_w: 1, curtailed: "yes" }, /msg\.curtailed is "yes"/],
		] as const) {
			assert.throws(() => readingFromMessage(message, NOON), {
				code: "SOLAR_YIELD_INPUT",
				message: text,
			});
		}
	});
});

describe("readings of a site", () => {
	it("before any forecast wait for it", () => {
		const house = new Watched();
		for (let time = NOON; time <= NOON + HOUR; time += 5 * MINUTE) {
			house.read(time, { power_w: 900 });
		}
		const start = house.dayStart("2026-06-01");
		house.foresee(message(start, start + 2 * DAY, bow), NOON + 2 * HOUR);
		assert.deepEqual(quarters(house).slice(0, 5), [900, 900, 900, 900, null]);
	});

	it("of a string that the forecast does not show are refused, with those it shows", () => {
		const house = new Watched();
		const start = house.dayStart("2026-06-01");
		// What is known of the past tells nothing of the strings.
		house.foresee(message(start - DAY, start, bow), NOON);
		house.read(NOON - DAY, { power_w: 5, string_id: "east" }, NOON);
		const strings = { east: bow, west: bow };
		house.foresee(message(start, start + 2 * DAY, bow, { strings }), NOON);
		for (const string_id of ["east", "west"]) {
			house.read(NOON, { power_w: 5, string_id });
		}
		assert.throws(() => house.read(NOON, { power_w: 5, string_id: "eats" }), {
			code: "SOLAR_YIELD_INPUT",
			message:
				/msg\.string_id is "eats".* are \["east","west"\]; give one of these/,
		});
		assert.throws(() => watched().read(NOON, { power_w: 5, string_id: "a" }), {
			message: /are \[\]; .*choose the group Strings/,
		});
	});

	it("reach the date that they are of, today or long ago, but not longer than is kept", () => {
		const house = watched();
		for (const days of [400, 40, 0]) {
			const from = NOON - days * DAY;
			for (let time = from; time <= from + HOUR; time += MINUTE) {
				house.read(time, { power_w: 900 }, NOON + HOUR);
			}
			assert.equal(quarters(house, from)[3], 900);
		}
		const first = () => house.days()[0]?.start;
		for (let day = 199; day >= 0; day -= 1) {
			for (const minute of [0, 5]) {
				const time = NOON - day * DAY + minute * MINUTE;
				house.read(time, { power_w: 1 }, NOON + HOUR);
			}
		}
		assert.equal(house.days().length, 120);
		const known = first();
		for (const minute of [0, 5]) {
			const time = NOON - 300 * DAY + minute * MINUTE;
			house.read(time, { power_w: 1 }, NOON + HOUR);
		}
		assert.equal(first(), known);
	});

	it("keep the quarter that was complete first", () => {
		const house = watched();
		for (const watts of [1000, 5000]) {
			const rows = [0, 5, 10, 15, 20].map((minute) => ({
				time: NOON + minute * MINUTE,
				power_w: watts,
			}));
			house.list(rows, NOON + HOUR);
		}
		assert.equal(quarters(house)[0], 1000);
	});

	it("lose a wrong row of a list alone", () => {
		const house = watched();
		const rows = [0, 5, 10, 15].map((minute) => ({
			time: NOON + minute * MINUTE,
			power_w: minute === 5 ? "x" : 900,
		}));
		assert.throws(() => house.list([...rows, 5], NOON + HOUR), {
			message: /^payload\[1\]\.power_w is "x".*\(2 of 5 rows were left out/,
		});
		assert.equal(quarters(house)[0], 900);
	});

	for (const [date, length] of [
		["2026-03-29", 92],
		["2026-10-25", 100],
		["2026-12-31", 96],
	] as const) {
		it(`fill the ${length} quarters of ${date}`, () => {
			const house = new Watched();
			house.pass(date, 1, () => 500);
			const [record] = house.days();
			assert.equal(record?.covered.length, length);
			// The last reading is of five minutes before midnight.
			assert.ok(
				record?.covered.slice(0, -1).every((share) => Number(share) > 0.99),
			);
		});
	}
});
