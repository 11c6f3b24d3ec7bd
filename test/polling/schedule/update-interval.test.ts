import assert from "node:assert/strict";
import {
	newSiteMemory,
	type SiteMemory,
} from "../../../src/polling/memory/memory";
import { updateInterval } from "../../../src/polling/schedule/rhythm";
import { noteAnswer } from "../../../src/polling/step/site-transitions";
import { HOUR, MINUTE, SECOND } from "../../support/time";

const START = Date.UTC(2026, 5, 1);
const JITTER = 20 * SECOND;

/** What is remembered after an answer. */
const answered = (
	memory: SiteMemory,
	at: number,
	times: { computedAt: number; nextPollAt: number },
) =>
	noteAnswer(memory, {
		answeredAt: at,
		...times,
		said: times.nextPollAt,
		jitterMs: JITTER,
		isNew: true,
		isUnconfirmed: false,
		automatic: true,
	});

/** What is learnt from requests at these times of a service with slots of this length. */
function learn(
	times: readonly number[],
	slotMs: number,
	before: SiteMemory = newSiteMemory(),
	computedInAnswer = false,
): SiteMemory {
	let memory = before;
	for (const at of times) {
		const slot = Math.floor(at / slotMs) * slotMs;
		memory = answered(memory, at, {
			computedAt: computedInAnswer ? at : slot,
			nextPollAt: slot + slotMs,
		});
	}
	return memory;
}

const stepIn = (memory: SiteMemory) =>
	updateInterval(memory, (memory.nextPollAt ?? 0) + JITTER, undefined);

describe("the distance of forecasts", () => {
	for (const slotMs of [15 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]) {
		it(`is told by the first answer: ${slotMs / MINUTE} min`, () => {
			const memory = learn([START + 0.7 * slotMs], slotMs);
			assert.equal(stepIn(memory), slotMs);
		});
	}

	it("shows after the next slot where the first answer was computed for itself", () => {
		const first = START + 40 * MINUTE;
		let memory = learn([first], HOUR, newSiteMemory(), true);
		assert.equal(stepIn(memory), 20 * MINUTE);
		memory = learn([START + HOUR + JITTER], HOUR, memory, true);
		assert.equal(stepIn(memory), HOUR);
	});

	it("is not mistaken by requests in the middle of a slot", () => {
		let memory = learn([START + JITTER, START + HOUR + JITTER], HOUR);
		for (let refresh = 1; refresh < 12; refresh += 1) {
			memory = learn([START + HOUR + refresh * 5 * MINUTE], HOUR, memory);
			assert.equal(stepIn(memory), HOUR);
		}
	});

	it("is not mistaken by slots that were passed over", () => {
		const hours = [0, 3, 4, 9, 33, 35];
		const memory = learn(
			hours.map((hour) => START + hour * HOUR + JITTER),
			HOUR,
		);
		assert.equal(stepIn(memory), HOUR);
	});

	it("follows a change of plan", () => {
		const hourly = learn(
			[0, 1, 2].map((hour) => START + hour * HOUR + JITTER),
			HOUR,
		);
		const quarters = Array.from(
			{ length: 2 },
			(_, index) => START + 3 * HOUR + index * 15 * MINUTE + JITTER,
		);
		const quarterly = learn(quarters, 15 * MINUTE, hourly);
		assert.equal(stepIn(quarterly), 15 * MINUTE);
		const again = learn([START + 5 * HOUR + JITTER], HOUR, quarterly);
		assert.equal(stepIn(again), HOUR);
	});

	it("follows a service that names no fixed slots", () => {
		let memory = newSiteMemory();
		for (let at = START; at < START + 3 * HOUR; ) {
			const nextPollAt = at + 15 * MINUTE;
			memory = answered(memory, at, { computedAt: at, nextPollAt });
			at = nextPollAt + JITTER;
		}
		assert.equal(stepIn(memory), 15 * MINUTE + JITTER);
	});

	it("is the interval of an inline forecast, and what is waited where nothing is told", () => {
		const memory = { ...newSiteMemory(), answeredAt: START };
		assert.equal(updateInterval(memory, START + 6 * HOUR, 6 * HOUR), 6 * HOUR);
		assert.equal(updateInterval(memory, START + 2 * HOUR, undefined), 2 * HOUR);
	});
});
