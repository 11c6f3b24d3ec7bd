import assert from "node:assert/strict";
import {
	localTime,
	profilePower,
} from "../../src/battery/house/standard-profile";
import { DAY, HOUR, zone } from "./support";

const berlin = zone("Europe/Berlin");
/** Mean power of a week from a Monday, in kWh per day. */
function week(monday: number): number {
	let energy = 0;
	for (let hour = 0; hour < 7 * 24; hour += 1) {
		energy += profilePower(localTime(berlin, monday + hour * HOUR), 12) / 1000;
	}
	return energy / 7;
}

describe("default load profile", () => {
	it("gives loadKwhPerDay on the mean of a week in each season", () => {
		// Mondays, local midnight.
		for (const monday of [
			"2026-01-12T00:00:00+01:00",
			"2026-07-06T00:00:00+02:00",
			"2026-04-13T00:00:00+02:00",
			"2026-10-05T00:00:00+02:00",
		]) {
			assert.ok(Math.abs(week(Date.parse(monday)) - 12) < 1e-9);
		}
	});

	it("is low at night, high in the evening, and later on a Sunday morning", () => {
		const at = (text: string) =>
			profilePower(localTime(berlin, Date.parse(text)), 12);
		assert.ok(at("2026-01-14T03:00:00+01:00") < 250);
		assert.ok(at("2026-01-14T19:00:00+01:00") > 800);
		assert.ok(
			at("2026-01-18T07:00:00+01:00") < at("2026-01-14T07:00:00+01:00") / 2,
		);
	});

	it("follows the wall clock of the site, also over a change of clocks", () => {
		const noonBefore = profilePower(
			localTime(berlin, Date.parse("2026-10-24T12:00:00+02:00")),
			10,
		);
		// A Saturday and a Sunday differ; the Saturday after has the winter offset.
		const noonAfter = profilePower(
			localTime(berlin, Date.parse("2026-10-31T12:00:00+01:00")),
			10,
		);
		assert.equal(noonBefore, noonAfter);
		const kathmandu = zone("Asia/Kathmandu");
		assert.deepEqual(localTime(kathmandu, Date.parse("2026-02-28T18:15:00Z")), {
			hour: 0,
			weekday: 7,
			month: 3,
			day: 1,
		});
	});

	it("counts the seasons and 24 December as the profile does", () => {
		const local = (month: number, day: number, weekday = 3) =>
			profilePower({ hour: 19, weekday, month, day }, 10);
		assert.equal(local(3, 20), local(11, 1));
		assert.notEqual(local(3, 20), local(3, 21));
		assert.equal(local(3, 21), local(10, 31));
		assert.notEqual(local(5, 14), local(5, 15));
		assert.equal(local(5, 15), local(9, 14));
		assert.equal(local(9, 15), local(5, 14));
		assert.equal(local(12, 24), local(12, 23, 6));
		assert.notEqual(local(12, 25), local(12, 24));
		assert.equal(local(12, 24, 7), local(12, 23, 7));
	});

	it("has nothing to give for a load of 0", () => {
		assert.equal(profilePower(localTime(berlin, DAY * 20_000), 0), 0);
	});
});
