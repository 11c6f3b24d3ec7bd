import assert from "node:assert/strict";
import fc from "fast-check";
import { toText } from "../../src/learn/learner";
import { readLearned } from "../../src/learn/state";
import { bow, DAY, HOUR, HOUSE, MINUTE, message, Watched } from "./support";

const START = "2026-03-26";

/** What a flow may send by mistake, as a change of a right reading. */
const mistake = fc.oneof(
	{ weight: 6, arbitrary: fc.constant({}) },
	fc.record({ power_w: fc.double({ min: -1e9, max: 1e9, noNaN: true }) }),
	fc.record({ energy_kwh: fc.double({ min: -1e9, max: 1e9, noNaN: true }) }),
	fc.record({ curtailed: fc.constant(true) }),
	fc.record({ string_id: fc.constantFrom("a", "b", "__proto__") }),
);

const step = fc.record({
	/** Minutes that pass. */
	passed: fc.oneof(
		{ weight: 5, arbitrary: fc.integer({ min: 0, max: 20 }) },
		fc.integer({ min: -3000, max: 3000 }),
	),
	/** Minutes that the reading is late. */
	late: fc.oneof(
		{ weight: 5, arbitrary: fc.constant(0) },
		fc.integer({ min: -60, max: 500_000 }),
	),
	foresee: fc.boolean(),
	mistake,
});

describe("any messages", () => {
	const zone = fc.constantFrom(
		["Europe/Berlin", 48.1, 11.6],
		["Australia/Lord_Howe", -31.5, 159.1],
		["Asia/Kathmandu", 27.7, 85.3],
		["Antarctica/Troll", -72, 2.5],
	);

	it("leave a state that can be stored, and factors within bounds", () => {
		fc.assert(
			fc.property(
				zone,
				fc.array(step, { minLength: 20, maxLength: 120 }),
				([name, latitude, longitude], steps) => {
					const house = new Watched({
						...HOUSE,
						zone: name as string,
						latitude: latitude as number,
						longitude: longitude as number,
					});
					let now = house.dayStart(START);
					for (const { passed, late, foresee, mistake } of steps) {
						now += passed * MINUTE;
						if (foresee) {
							const start = house.zone.dayStart(house.zone.dayOf(now));
							house.foresee(
								message(
									start - DAY,
									start + 2 * DAY,
									(at) => bow(at, house.house),
									{ house: house.house },
								),
								now,
							);
						}
						const time = now - late * MINUTE;
						try {
							house.read(
								time,
								{ power_w: bow(time, house.house), ...mistake },
								now,
							);
						} catch (error) {
							assert.match(String(error), /is no string of the forecast/);
						}
					}
					const text = toText(house.learner.state);
					assert.equal(toText(readLearned(text)), text);
					const start = house.zone.dayStart(house.zone.dayOf(now));
					const { payload } = house.corrected(
						message(start, start + DAY, (at) => bow(at, house.house), {
							house: house.house,
						}),
						now,
					);
					for (const row of payload.values as Record<string, number>[]) {
						const raw = row.pv_power_raw as number;
						const power = row.pv_power as number;
						assert.ok(power <= 2 * raw + 0.01 && power >= 0);
					}
					house.learner.maps(now);
					house.learner.facts(now);
					house.learner.report(now, "de");
				},
			),
			{ numRuns: 60 },
		);
	});

	it("do no lasting harm", () => {
		fc.assert(
			fc.property(
				fc.array(step, { minLength: 50, maxLength: 300 }),
				(steps) => {
					const house = new Watched();
					house.pass(START, 1, (watts) => watts);
					let now = house.dayStart(START, 1);
					for (const { passed, late, mistake } of steps) {
						now += Math.max(0, passed) * MINUTE;
						const time = now - late * MINUTE;
						const of = { ...mistake, string_id: null };
						house.read(time, { power_w: bow(time), ...of }, now);
					}
					const date = new Date(now + 2 * DAY).toISOString().slice(0, 10);
					house.pass(date, 20, (watts) => watts);
					const start = house.zone.dayStart(Date.parse(date) / DAY + 20);
					const { payload } = house.corrected(
						message(start, start + DAY, (at) => bow(at + 7.5 * MINUTE)),
						start + HOUR,
					);
					for (const row of payload.values as Record<string, number>[]) {
						const raw = row.pv_power_raw as number;
						if (raw < 2000) continue;
						const factor = (row.pv_power as number) / raw;
						assert.ok(Math.abs(factor - 1) < 0.06, String(factor));
					}
				},
			),
			{ numRuns: 40 },
		);
	});
});
