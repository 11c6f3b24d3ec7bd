import assert from "node:assert/strict";
import {
	closeTallies,
	exportState,
	importState,
	noteList,
	readingFromMessage,
	readingsFromList,
} from "../../src/learn";
import { meterOf } from "../../src/learn/learn-state";
import { Tally } from "../../src/learn/readings/tally";
import {
	at,
	bow,
	DAY,
	forecast,
	HOUR,
	MINUTE,
	QUARTER,
	Watched,
} from "./support";

const NOON = at("2026-06-01T10:00:00Z");

const NONE = {
	string_id: null,
	power_w: null,
	energy_kwh: null,
	curtailed: false,
};
const addPower = (tally: Tally, time: number, power_w: number, peak: number) =>
	tally.addPower({ ...NONE, time, power_w }, { peak });
const addCounter = (
	tally: Tally,
	time: number,
	energy_kwh: number,
	peak: number,
) => tally.addCounter({ ...NONE, time, energy_kwh }, { peak });

describe("readings of a meter become means of quarter hours", () => {
	const tallied = (add: (tally: Tally) => void) => {
		const tally = new Tally();
		add(tally);
		return tally.takeQuarters(true);
	};

	it("at a steady rate", () => {
		const quarters = tallied((tally) => {
			for (let time = NOON; time <= NOON + 2 * QUARTER; time += 10_000) {
				addPower(tally, time, time < NOON + QUARTER ? 1000 : 3000, 0);
			}
		});
		assert.deepEqual(
			quarters.map(({ start }) => start),
			[NOON, NOON + QUARTER],
		);
		// The ten seconds of the step lie in the first.
		assert.ok(Math.abs((quarters[0]?.watts as number) - 1011) <= 1);
		assert.equal(quarters[1]?.watts, 3000);
	});

	it("weighted by time where readings come on change", () => {
		const quarters = tallied((tally) => {
			addPower(tally, NOON, 1000, 0);
			addPower(tally, NOON + 12 * MINUTE, 1000, 0);
			for (let second = 0; second <= 180; second += 1) {
				addPower(tally, NOON + 12 * MINUTE + second * 1000, 2000, 0);
			}
		});
		assert.equal(quarters.length, 1);
		assert.ok(Math.abs((quarters[0]?.watts as number) - 1200) < 5);
	});

	it("every quarter hour, halfway between two readings", () => {
		const quarters = tallied((tally) => {
			[0, 1000, 2000].forEach((watts, index) => {
				addPower(tally, NOON + index * QUARTER, watts, 0);
			});
		});
		assert.deepEqual(
			quarters.map(({ watts }) => watts),
			[500, 1500],
		);
	});

	it("not across a gap, and not from a part", () => {
		assert.deepEqual(
			tallied((tally) => {
				addPower(tally, NOON, 1000, 0);
				addPower(tally, NOON + HOUR, 1000, 0);
				addPower(tally, NOON + HOUR + 5 * MINUTE, 1000, 0);
			}),
			[],
		);
	});

	it("from lists that come late and between others", () => {
		const tally = new Tally();
		for (let minute = 0; minute <= 7; minute += 1) {
			addPower(tally, NOON + minute * MINUTE, 2000, 0);
		}
		const late = NOON - 3 * HOUR;
		for (let minute = 0; minute <= 30; minute += 5) {
			addPower(tally, late + minute * MINUTE, 700, 0);
		}
		for (let minute = 8; minute <= 16; minute += 1) {
			addPower(tally, NOON + minute * MINUTE, 2000, 0);
		}
		const quarters = new Map(
			tally.takeQuarters(true).map(({ start, watts }) => [start, watts]),
		);
		assert.equal(quarters.get(late), 700);
		assert.equal(quarters.get(late + QUARTER), 700);
		assert.equal(quarters.get(NOON), 2000);
	});

	it("from a counter, coarse as it may be, through a reset", () => {
		const tally = new Tally();
		// 2.4 kW in steps of 0.1 kWh, told each minute; it begins anew after an hour.
		const faults: (string | undefined)[] = [];
		for (let minute = 0; minute <= 120; minute += 1) {
			const kwh = Math.floor((minute % 61) * 0.4 + 1e-9) / 10;
			faults.push(addCounter(tally, NOON + minute * MINUTE, kwh, 8000));
		}
		assert.deepEqual(
			faults.filter((fault) => fault),
			["counter_reset"],
		);
		const quarters = tally.takeQuarters(true);
		assert.ok(quarters.length >= 7, String(quarters.length));
		for (const { watts } of quarters) {
			assert.ok(Math.abs(watts - 2400) < 250, String(watts));
		}
	});

	it("from a counter that says the same for hours only once it moves", () => {
		const tally = new Tally();
		for (let hour = 0; hour < 9; hour += 1) {
			addCounter(tally, NOON + hour * HOUR, 5, 8000);
		}
		assert.equal(addCounter(tally, NOON + 9 * HOUR, 5.5, 8000), undefined);
		assert.deepEqual(tally.takeQuarters(true), []);
	});

	it("and say so where they are too far apart by day, not by night", () => {
		const tally = new Tally();
		const powers = [0, 3000, 3100, 3200, 2, 0, 1, 900].map((watts, index) =>
			addPower(tally, NOON + index * 30 * MINUTE, watts, 8000),
		);
		assert.deepEqual(
			powers.map((fault) => fault ?? ""),
			["", "", "gap", "gap", "", "", "", ""],
		);
		const counter = [5, 5, 5.1, 9].map((kwh, index) =>
			addCounter(tally, NOON + index * 2 * HOUR, kwh, 8000),
		);
		assert.deepEqual(counter, [undefined, undefined, undefined, "gap"]);
		assert.deepEqual(tally.takeQuarters(true), []);
	});

	it("but for what cannot be", () => {
		const tally = new Tally();
		assert.equal(addPower(tally, NOON, 3_000_000, 8000), "too_high");
		assert.equal(addPower(tally, NOON, -500, 8000), "negative");
		assert.equal(addPower(tally, NOON, -12, 8000), undefined);
		assert.equal(addPower(tally, NOON - MINUTE, 5, 8000), "out_of_order");
		assert.equal(addCounter(tally, NOON, 100, 8000), undefined);
		assert.equal(addCounter(tally, NOON, 101, 8000), "counter_jump");
		assert.equal(addCounter(tally, NOON + MINUTE, 160, 8000), "counter_jump");
		assert.equal(addCounter(tally, NOON, 160, 8000), "out_of_order");
	});
});

describe("readings in messages", () => {
	it("are read with their units and times", () => {
		assert.deepEqual(
			readingFromMessage(
				{
					power_w: "1250.5",
					time: "2026-06-01T12:00:00+02:00",
					string_id: "a",
					curtailed: true,
				},
				0,
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

	it("are none where a sensor says that it has none", () => {
		for (const says of ["unavailable", "Unknown", " none", "", "nan", "null"]) {
			assert.equal(readingFromMessage({ power_w: says }, NOON), undefined);
			assert.equal(
				readingFromMessage({ energy_kwh: says, power_w: 5 }, NOON)?.power_w,
				5,
			);
			const { readings, refused } = readingsFromList(
				[
					{ time: NOON, power_w: says },
					{ time: NOON, power_w: 7 },
				],
				NOON,
			);
			assert.deepEqual([readings.length, refused], [1, 0], says);
		}
	});

	it("are refused with the field, the value and what to do", () => {
		for (const [message, text] of [
			[{ power_w: "3 kW" }, /msg\.power_w is "3 kW"; give a number/],
			[{ power_w: Number.NaN }, /msg\.power_w/],
			[{ energy_kwh: true }, /msg\.energy_kwh is true/],
			[{ power_w: 1, time: "12:00" }, /msg\.time is "12:00"; give a time/],
			[{ power_w: 1, time: 12 }, /msg\.time is 12/],
			[{ power_w: 1, string_id: 3 }, /msg\.string_id is 3/],
			[{ power_w: 1, string_id: "" }, /msg\.string_id/],
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
	const watched = () => {
		const house = new Watched();
		const start = house.dayStart("2026-06-01");
		house.foresee(forecast(start, start + 2 * DAY, bow), start);
		return house;
	};

	it("before any forecast are noted and left out", () => {
		const house = new Watched();
		house.read(NOON, { power_w: 100 });
		assert.deepEqual(house.codes(), ["no_forecast"]);
		assert.deepEqual(house.state.meters, []);
	});

	it("of the future or of last year are noted and left out", () => {
		const house = watched();
		// In microseconds, as some databases write them.
		for (const time of [NOON + HOUR, 1000 * NOON]) {
			house.read(time, { power_w: 100 }, NOON);
		}
		house.read(NOON - 400 * DAY, { power_w: 100 }, NOON);
		assert.deepEqual(house.codes(), ["future", "too_old"]);
		const future = house.state.notes.find(({ code }) => code === "future");
		// When they came: what they say of themselves is wrong.
		assert.deepEqual([future?.first, future?.last], [NOON, NOON]);
		assert.deepEqual(importState(exportState(house.state)), house.state);
	});

	it("of a string that the site has not are left out, and told with those it has", () => {
		const house = new Watched();
		const start = house.dayStart("2026-06-01");
		const strings = { east: bow, west: bow };
		// What is known of the past tells nothing of the strings.
		house.foresee(forecast(start - DAY, start, bow), NOON);
		house.read(NOON - DAY, { power_w: 5, string_id: "east" }, NOON);
		assert.deepEqual(house.codes(), []);
		house.foresee(forecast(start, start + 2 * DAY, bow, { strings }), NOON);
		for (const string_id of ["east", "eats", "eats", "str_2"]) {
			house.read(NOON, { power_w: 5, string_id });
		}
		assert.deepEqual(
			house.state.meters.map(({ string_id }) => string_id),
			[null, "east"],
		);
		assert.deepEqual(
			noteList(house.state).map(({ count, text }) => [count, text]),
			[
				[
					2,
					"Readings of string eats were left out, for the site has no such string; give msg.string_id as one of: east, west.",
				],
				[
					1,
					"Readings of string str_2 were left out, for the site has no such string; give msg.string_id as one of: east, west.",
				],
			],
		);
	});

	it("of a string are taken once the forecast has it, whatever the others are called", () => {
		const house = new Watched();
		const start = house.dayStart("2026-06-01");
		for (const strings of [{ "east,west": bow }, { east: bow, west: bow }]) {
			house.foresee(forecast(start, start + 2 * DAY, bow, { strings }), start);
		}
		house.read(NOON, { power_w: 5, string_id: "west" });
		assert.deepEqual(house.codes(), []);
		assert.ok(meterOf(house.state, "west"));
	});

	it("of a string where the forecast shows none are left out, and told so", () => {
		const house = watched();
		house.read(NOON, { power_w: 5, string_id: "east" });
		assert.deepEqual(house.codes(), ["no_strings"]);
		assert.equal(meterOf(house.state, "east"), undefined);
		assert.match(
			noteList(house.state, "de")[0]?.text as string,
			/des Strings east .* Gruppe Strings wählen/,
		);
	});

	it("of ever new strings leave room for other notes", () => {
		const house = watched();
		for (let index = 0; index < 500; index += 1) {
			house.read(NOON + index * MINUTE, { power_w: 1, string_id: `s${index}` });
		}
		assert.ok(house.state.notes.length <= 200);
		house.read(NOON, { power_w: -4000 });
		assert.ok(house.codes().includes("negative"));
		assert.deepEqual(importState(exportState(house.state)), house.state);
	});

	it("reach the date that they are of, today or long ago", () => {
		const house = watched();
		const old = NOON - 40 * DAY;
		for (let time = old; time <= old + HOUR; time += MINUTE) {
			house.read(time, { power_w: 900 }, NOON);
		}
		for (let time = NOON; time <= NOON + HOUR; time += MINUTE) {
			house.read(time, { power_w: 1800 });
		}
		house.state = closeTallies(house.state, house.tallies);
		const meter = meterOf(house.state, null);
		const [past] = meter?.past ?? [];
		assert.equal(past?.start, house.dayStart("2026-04-22"));
		assert.deepEqual(
			past?.metered.filter((watts) => watts !== null),
			[900, 900, 900, 900],
		);
		assert.equal(
			meter?.today?.metered.filter((watts) => watts === 1800).length,
			4,
		);
	});

	it("keep the quarter that was complete first", () => {
		const house = watched();
		for (const watts of [1000, 5000]) {
			for (let time = NOON; time <= NOON + 20 * MINUTE; time += MINUTE) {
				house.read(time, { power_w: watts }, NOON + HOUR);
			}
			house.state = closeTallies(house.state, house.tallies);
		}
		const index = (NOON - house.dayStart("2026-06-01")) / QUARTER;
		assert.equal(meterOf(house.state, null)?.today?.metered[index], 1000);
	});

	for (const [date, quarters] of [
		["2026-03-29", 92],
		["2026-10-25", 100],
		["2026-12-31", 96],
	] as const) {
		it(`fill the ${quarters} quarters of ${date}`, () => {
			const house = new Watched();
			house.pass(date, 1, () => 500);
			const [record] = meterOf(house.state, null)?.past ?? [];
			assert.equal(record?.metered.length, quarters);
			// The last reading is of five minutes before midnight.
			assert.ok(record?.metered.slice(0, -1).every((watts) => watts === 500));
		});
	}

	it("are of at most a hundred meters", () => {
		const house = new Watched();
		const start = house.dayStart("2026-06-01");
		// No string is known of yet.
		house.foresee(forecast(start - DAY, start, bow), start);
		for (let index = 0; index < 99; index += 1) {
			house.read(NOON, { power_w: 1, string_id: `s${index}` });
		}
		assert.throws(() => house.read(NOON, { power_w: 1, string_id: "more" }), {
			code: "SOLAR_YIELD_INPUT",
			message: /msg\.string_id is "more"/,
		});
	});
});
