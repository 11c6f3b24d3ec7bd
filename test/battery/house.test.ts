import assert from "node:assert/strict";
import {
	isKnown,
	LearnedLoad,
	learnedDays,
	learnedPower,
	noteHouse,
	nothingLearned,
} from "../../src/battery/house/learned-load";
import {
	learnedMargin,
	noForecasts,
	noteForeseen,
} from "../../src/battery/learned-margin";
import { planBattery } from "../../src/battery/plan";
import {
	DAY,
	HOUR,
	input,
	MIDNIGHT,
	MINUTE,
	QUARTER,
	settings,
	zone,
} from "./support";

const BERLIN = zone("Europe/Berlin");
/** W of the house at an instant: by its weekday and hour. */
const house = (at: number) => {
	const wall = new Date(BERLIN.wallClock(at));
	return 200 + 10 * wall.getUTCHours() + 100 * wall.getUTCDay();
};

function learn(
	from: number,
	days: number,
	power: (at: number) => number,
	start = nothingLearned(),
	step = 5 * MINUTE,
): LearnedLoad {
	let load = start;
	for (let at = from; at <= from + days * DAY; at += step) {
		load = noteHouse(load, power(at), at, BERLIN);
	}
	return load;
}

describe("load learned from the house", () => {
	it("is known after a week, by weekday and quarter hour of the site's clock", () => {
		const six = learn(MIDNIGHT, 6, house);
		assert.equal(isKnown(six), false);
		assert.ok(Math.abs(learnedDays(six) - 6) < 0.1);
		const week = learn(MIDNIGHT, 7, house);
		assert.equal(isKnown(week), true);
		for (let at = MIDNIGHT + 7 * DAY; at < MIDNIGHT + 14 * DAY; at += HOUR) {
			assert.equal(learnedPower(week, at, BERLIN), house(at));
		}
		// Half a year on the clock shows another hour of UTC.
		const winter = Date.UTC(2026, 11, 7, 12);
		assert.equal(learnedPower(week, winter, BERLIN), house(winter));
	});

	it("forgets slowly", () => {
		let load = learn(MIDNIGHT, 28, () => 1000);
		const means: number[] = [];
		for (let week = 0; week < 8; week += 1) {
			load = learn(MIDNIGHT + (28 + 7 * week) * DAY, 7, () => 500, load);
			means.push(learnedPower(load, MIDNIGHT + HOUR, BERLIN) as number);
		}
		assert.ok(means.every((mean, week) => mean < (means[week - 1] ?? 1000)));
		assert.ok((means[0] as number) > 800, String(means));
		assert.ok((means[7] as number) < 560, String(means));
	});

	it("weighs readings by how long they held, and gaps not at all", () => {
		let load = nothingLearned();
		load = noteHouse(load, 100, MIDNIGHT, BERLIN);
		load = noteHouse(load, 400, MIDNIGHT + 5 * MINUTE, BERLIN);
		// The next reading comes hours later: 400 W hold for a quarter hour.
		load = noteHouse(load, 900, MIDNIGHT + 5 * HOUR, BERLIN);
		assert.equal(learnedPower(load, MIDNIGHT, BERLIN), 300);
		assert.equal(learnedPower(load, MIDNIGHT + QUARTER, BERLIN), 400);
		assert.equal(learnedPower(load, MIDNIGHT + 2 * QUARTER, BERLIN), null);
		assert.equal(learnedPower(load, MIDNIGHT + 2 * HOUR, BERLIN), null);
	});

	it("stays sound over clocks that jump, and of one size", () => {
		let load = learn(MIDNIGHT, 1, house);
		for (const at of [
			MIDNIGHT - 400 * DAY,
			MIDNIGHT + 2 * DAY,
			MIDNIGHT + DAY,
			MIDNIGHT + 3000 * DAY,
		]) {
			load = noteHouse(load, 1e9, at, BERLIN);
			assert.deepEqual(
				LearnedLoad.parse(JSON.parse(JSON.stringify(load))),
				load,
			);
		}
		// The days on which the clock changes.
		for (const date of ["2026-03-28", "2026-10-24"]) {
			load = learn(Date.parse(date), 2, house, load, 20 * MINUTE);
			assert.ok(LearnedLoad.safeParse(load).success);
		}
		const size = JSON.stringify(learn(MIDNIGHT, 30, house)).length;
		assert.ok(size < 12_000, String(size));
	});

	it("takes the place of the standard profile once it is known, where the setting says so", () => {
		const loads = (learnedLoad: LearnedLoad | null, load: string) =>
			planBattery(
				{
					...input(new Array(8).fill(0), { zone: BERLIN }),
					load: null,
					learnedLoad,
				},
				settings({ load }),
			).plan.map((row) => row.load_w);
		const week = learn(MIDNIGHT - 7 * DAY, 7, () => 777);
		const profile = loads(null, "profile");
		assert.deepEqual(loads(week, "learned"), new Array(8).fill(777));
		assert.deepEqual(loads(week, "profile"), profile);
		assert.deepEqual(loads(null, "learned"), profile);
		assert.deepEqual(
			loads(
				learn(MIDNIGHT, 6, () => 777),
				"learned",
			),
			profile,
		);
	});
});

describe("the margin that past days teach", () => {
	const day = (number: number, power: number) =>
		Array.from({ length: 96 }, (_, quarter) => ({
			start: MIDNIGHT + number * DAY + quarter * QUARTER,
			pv_w: quarter > 30 && quarter < 70 ? power : 0,
			pv_min_w: null,
		}));
	const utc = zone("UTC");
	/** Days whose forecast is renewed to a share of it. */
	function past(shares: readonly number[], power = 4000) {
		let margin = noForecasts();
		for (const [number, share] of shares.entries()) {
			const morning = MIDNIGHT + number * DAY + 5 * HOUR;
			margin = noteForeseen(margin, day(number, power), morning, utc);
			margin = noteForeseen(
				margin,
				day(number, power * share),
				morning + 8 * HOUR,
				utc,
			);
		}
		return noteForeseen(
			margin,
			day(shares.length, power),
			MIDNIGHT + shares.length * DAY,
			utc,
		);
	}

	it("covers four days of five, from a week on, within bounds", () => {
		assert.equal(learnedMargin(past([0.5, 0.5, 0.5])), null);
		assert.equal(
			learnedMargin(past([1, 0.9, 0.8, 0.7, 1, 1, 1.2, 0.6, 1, 1])),
			20,
		);
		assert.equal(learnedMargin(past(new Array(10).fill(1.3))), 5);
		assert.equal(learnedMargin(past(new Array(10).fill(0.1))), 60);
		assert.equal(past(new Array(50).fill(1)).shortfalls.length, 30);
		// Days with hardly any sun say nothing.
		assert.equal(learnedMargin(past(new Array(10).fill(0.1), 20)), null);
	});
});
