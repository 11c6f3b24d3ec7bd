import assert from "node:assert/strict";
import {
	newSiteMemory,
	type SiteMemory,
} from "../../../src/polling/memory/schemas";
import {
	learnStep,
	stepOf,
} from "../../../src/polling/schedule/update-interval";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 5, 1);
const SPREAD = 20 * SECOND;

/** What is learnt from requests at these times of a service with slots of this length. */
function learn(
	times: readonly number[],
	slotMs: number,
	memory: SiteMemory = newSiteMemory(),
	computedInAnswer = false,
): SiteMemory {
	for (const at of times) {
		const slot = Math.floor(at / slotMs) * slotMs;
		const answer = {
			answeredAt: at,
			computedAt: computedInAnswer ? at : slot,
			nextPollAt: slot + slotMs,
			spreadMs: SPREAD,
		};
		memory.steps = learnStep(memory, answer);
		memory.answeredAt = at;
		memory.nextPollAt = answer.nextPollAt;
	}
	return memory;
}

const stepIn = (memory: SiteMemory) =>
	stepOf(memory, (memory.nextPollAt ?? 0) + SPREAD, undefined);

describe("the distance of forecasts", () => {
	for (const slotMs of [15 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]) {
		it(`is told by the first answer: ${slotMs / MINUTE} min`, () => {
			const memory = learn([START + 0.7 * slotMs], slotMs);
			assert.equal(stepIn(memory), slotMs);
		});
	}

	it("shows after the next slot where the first answer was computed for itself", () => {
		const first = START + 40 * MINUTE;
		const memory = learn([first], HOUR, newSiteMemory(), true);
		assert.equal(stepIn(memory), 20 * MINUTE);
		learn([START + HOUR + SPREAD], HOUR, memory, true);
		assert.equal(stepIn(memory), HOUR);
	});

	it("is not mistaken by requests in the middle of a slot", () => {
		const memory = learn([START + SPREAD, START + HOUR + SPREAD], HOUR);
		for (let refresh = 1; refresh < 12; refresh += 1) {
			learn([START + HOUR + refresh * 5 * MINUTE], HOUR, memory);
			assert.equal(stepIn(memory), HOUR);
		}
	});

	it("is not mistaken by slots that were passed over", () => {
		const hours = [0, 3, 4, 9, 33, 35];
		const memory = learn(
			hours.map((hour) => START + hour * HOUR + SPREAD),
			HOUR,
		);
		assert.equal(stepIn(memory), HOUR);
	});

	it("follows a change of plan", () => {
		const hourly = learn(
			[0, 1, 2].map((hour) => START + hour * HOUR + SPREAD),
			HOUR,
		);
		const quarters = Array.from(
			{ length: 6 },
			(_, index) => START + 3 * HOUR + index * 15 * MINUTE + SPREAD,
		);
		learn(quarters, 15 * MINUTE, hourly);
		assert.equal(stepIn(hourly), 15 * MINUTE);
		learn([START + 5 * HOUR + SPREAD], HOUR, hourly);
		assert.equal(stepIn(hourly), HOUR);
	});

	it("follows a service that names no fixed slots", () => {
		const memory = newSiteMemory();
		for (let at = START; at < START + 3 * HOUR; ) {
			const nextPollAt = at + 15 * MINUTE;
			memory.steps = learnStep(memory, {
				answeredAt: at,
				computedAt: at,
				nextPollAt,
				spreadMs: SPREAD,
			});
			memory.answeredAt = at;
			memory.nextPollAt = nextPollAt;
			at = nextPollAt + SPREAD;
		}
		assert.equal(stepIn(memory), 15 * MINUTE + SPREAD);
	});

	it("is the interval of an inline forecast, and what is waited where nothing is told", () => {
		const memory = { ...newSiteMemory(), answeredAt: START };
		assert.equal(stepOf(memory, START + 6 * HOUR, 6 * HOUR), 6 * HOUR);
		assert.equal(stepOf(memory, START + 2 * HOUR, undefined), 2 * HOUR);
	});
});
