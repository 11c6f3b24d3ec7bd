import assert from "node:assert/strict";
import { proposeWindows, type RunNeed } from "../../src/window/proposals";
import type { SlotFacts } from "../../src/window/search";
import { HOUR, MINUTE, QUARTER } from "./support";

const MIDNIGHT = Date.UTC(2026, 5, 20);
const at = (quarter: number) => MIDNIGHT + quarter * QUARTER;

const facts = (
	surplus: readonly number[],
	prices: readonly (number | null)[] = [],
	feedIn: number | null = 0,
): SlotFacts[] =>
	surplus.map((power, index) => ({
		start: at(index),
		end: at(index + 1),
		pv: power,
		surplus: power,
		price: prices[index] ?? null,
		feedIn,
		least: null,
	}));
const hours = (count: number, kwh: number | null = null): RunNeed => ({
	hours: count,
	kwh,
});
const energy = (kwh: number): RunNeed => ({ hours: null, kwh });
const starts = (...given: Parameters<typeof proposeWindows>) =>
	proposeWindows(...given).map(({ start }) => (start - MIDNIGHT) / QUARTER);

describe("times proposed for an appliance", () => {
	it("hold the most sun, best first, without overlap", () => {
		const sky = facts([0, 1000, 4000, 4000, 1000, 0, 2000, 2000, 0]);
		assert.deepEqual(starts(sky, hours(0.5), 5), [2, 6, 0, 4]);
		assert.deepEqual(starts(sky, hours(0.5), 2), [2, 6]);
		assert.deepEqual(proposeWindows(sky, hours(0.5), 1), [
			{ start: at(2), end: at(4), energy: 2, fromGrid: null },
		]);
	});

	it("leave alone what is taken, such as a window that has begun", () => {
		const sky = facts([0, 1000, 4000, 4000, 1000, 0, 2000, 2000, 0]);
		const taken = [{ start: at(3) + MINUTE, end: at(4) }];
		assert.deepEqual(starts(sky, hours(0.5), 5, taken), [1, 6, 4]);
	});

	it("say what an even draw takes from the grid", () => {
		// 2 kW for half an hour: the sun gives 0.25 and 0.5 kWh.
		assert.deepEqual(
			proposeWindows(facts([0, 1000, 4000, 400, 0]), hours(0.5, 1), 1),
			[{ start: at(1), end: at(3), energy: 0.75, fromGrid: 0.25 }],
		);
	});

	it("are the shortest in which the sun gives an energy, 6 h at most", () => {
		const [first, second] = proposeWindows(
			facts([1000, 1000, 1000, 1000, 0, 4000, 0]),
			energy(1),
			5,
		);
		assert.deepEqual(first, {
			start: at(5),
			end: at(6),
			energy: 1,
			fromGrid: 0,
		});
		assert.deepEqual([second?.start, second?.end], [at(0), at(4)]);
		const [long] = proposeWindows(facts(new Array(40).fill(100)), energy(2), 5);
		assert.equal((long?.end ?? 0) - (long?.start ?? 0), 6 * HOUR);
		// Where the sun does not give it, it ends with the sun.
		assert.deepEqual(proposeWindows(facts([0, 400, 800, 0, 0]), energy(2), 5), [
			{ start: at(1), end: at(3), energy: 0.3, fromGrid: 1.7 },
		]);
	});

	it("go by cost where there are prices; an unknown one is the last", () => {
		const prices = [0.4, 0.2, 0.1, 0.4];
		assert.deepEqual(
			starts(facts([0, 0, 0, 0], prices), hours(0.25, 1), 5),
			[2, 1, 0, 3],
		);
		// What feeding in would bring 0.3 for is dearer than the grid at 0.1.
		assert.equal(
			starts(facts([0, 0, 0, 4000], prices, 0.3), hours(0.25, 1), 1)[0],
			2,
		);
		assert.deepEqual(
			starts(
				facts([0, 0, 0, 0, 500, 0, 4000, 0], [0.5, 0.4]),
				hours(0.25, 1),
				5,
			),
			[6, 1, 0, 4],
		);
		assert.deepEqual(
			starts(facts([0, 0, 1000], [0.5, null, null]), energy(1), 5),
			[2],
		);
	});

	it("are none in the dark without prices, or where none fits", () => {
		assert.deepEqual(starts(facts([0, 0, 0]), hours(0.5), 5), []);
		assert.deepEqual(starts(facts([900, 900]), hours(1), 5), []);
		assert.deepEqual(starts([], energy(1), 5), []);
	});
});
