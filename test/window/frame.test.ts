import assert from "node:assert/strict";
import { Zone } from "../../src/util/zone";
import { frameAfter, frameAt, frameChange } from "../../src/window/frame";
import { readWindowSettings } from "../../src/window/settings";
import { at, DAY } from "./support";

const zone = (name: string) => Zone.of(name) as Zone;
const frame = (name: string, instant: string, from = "", to = "") => {
	const site = zone(name);
	const settings = readWindowSettings({ from, to });
	const { day, start, end } = frameAt(settings, site, at(instant));
	return [
		new Date(day * DAY).toISOString().slice(0, 10),
		site.format(start),
		site.format(end),
	];
};

describe("the time of a day in which an appliance may run", () => {
	it("is the whole day: of 23, 24, 24.5 and 25 hours", () => {
		assert.deepEqual(frame("Europe/Berlin", "2026-03-29T12:00:00+02:00"), [
			"2026-03-29",
			"2026-03-29T00:00:00+01:00",
			"2026-03-30T00:00:00+02:00",
		]);
		assert.deepEqual(frame("Europe/Berlin", "2026-12-31T23:59:00+01:00"), [
			"2026-12-31",
			"2026-12-31T00:00:00+01:00",
			"2027-01-01T00:00:00+01:00",
		]);
		assert.deepEqual(
			frame("Australia/Lord_Howe", "2026-04-05T12:00:00+10:30"),
			["2026-04-05", "2026-04-05T00:00:00+11:00", "2026-04-06T00:00:00+10:30"],
		);
	});

	it("is by the site's clock, in zones of :30 and :45 as well", () => {
		assert.deepEqual(
			frame("Asia/Kathmandu", "2026-02-28T23:00:00Z", "08:00", "18:00"),
			["2026-03-01", "2026-03-01T08:00:00+05:45", "2026-03-01T18:00:00+05:45"],
		);
		assert.deepEqual(frame("Asia/Kolkata", "2026-02-28T12:00:00Z", "08:10"), [
			"2026-02-28",
			"2026-02-28T08:10:00+05:30",
			"2026-03-01T00:00:00+05:30",
		]);
	});

	it("passes midnight where its end is not after its start", () => {
		const night = (instant: string) =>
			frame("Europe/Berlin", instant, "22:00", "06:00");
		const first = [
			"2026-06-20",
			"2026-06-20T22:00:00+02:00",
			"2026-06-21T06:00:00+02:00",
		];
		assert.deepEqual(night("2026-06-20T12:00:00+02:00"), first);
		assert.deepEqual(night("2026-06-21T05:59:00+02:00"), first);
		assert.equal(night("2026-06-21T06:00:00+02:00")[0], "2026-06-21");
		assert.deepEqual(
			frame("Europe/Berlin", "2026-06-21T05:59:00+02:00", "06:00", "06:00"),
			["2026-06-20", "2026-06-20T06:00:00+02:00", "2026-06-21T06:00:00+02:00"],
		);
		assert.deepEqual(
			frame("Europe/Berlin", "2026-06-21T05:59:00+02:00", "08:00", "00:00"),
			["2026-06-21", "2026-06-21T08:00:00+02:00", "2026-06-22T00:00:00+02:00"],
		);
	});

	it("begins with the change where spring skips its start, with the earlier where autumn repeats it", () => {
		assert.deepEqual(
			frame("Europe/Berlin", "2026-03-29T12:00:00+02:00", "02:30", "04:00"),
			["2026-03-29", "2026-03-29T03:00:00+02:00", "2026-03-29T04:00:00+02:00"],
		);
		assert.deepEqual(
			frame("Europe/Berlin", "2026-10-25T12:00:00+01:00", "02:30", "04:00"),
			["2026-10-25", "2026-10-25T02:30:00+02:00", "2026-10-25T04:00:00+01:00"],
		);
		const [, start, end] = frame(
			"Europe/Berlin",
			"2026-03-29T12:00:00+02:00",
			"02:15",
			"02:45",
		);
		assert.equal(start, end);
	});

	it("is followed by that of the next date, also where a date is missing", () => {
		const site = zone("Pacific/Apia");
		const whole = readWindowSettings({});
		// There was no 30 December 2011 in Samoa.
		const before = frameAt(whole, site, at("2011-12-29T12:00:00-10:00"));
		const after = frameAfter(whole, site, before);
		assert.equal(site.dateOf(after.start), "2011-12-31");
		assert.equal(before.end, after.start);
	});

	it("is today's until midnight, or until its end beyond", () => {
		const site = zone("Europe/Berlin");
		const noon = at("2026-06-20T12:00:00+02:00");
		const change = (from: string, to: string) => {
			const settings = readWindowSettings({ from, to });
			return site.format(
				frameChange(settings, site, frameAt(settings, site, noon)),
			);
		};
		assert.equal(change("08:00", "18:00"), "2026-06-21T00:00:00+02:00");
		assert.equal(change("22:00", "06:00"), "2026-06-21T06:00:00+02:00");
	});
});
