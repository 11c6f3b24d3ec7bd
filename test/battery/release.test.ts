import assert from "node:assert/strict";
import fc from "fast-check";
import { releasePayload } from "../../src/battery/payload";
import { planBattery } from "../../src/battery/plan";
import {
	type Act,
	type Facts,
	judge,
	next,
	type Reason,
	type Send,
	type State,
	steadyUntil,
} from "../../src/battery/release";
import { HOUR, input, MIDNIGHT, MINUTE, QUARTER, settings } from "./support";

const NOW = MIDNIGHT;
const LIMITS = { maxAgeHours: 30, maxSocAgeMinutes: 30 };
const ALIVE: Facts = {
	computed_at: NOW - HOUR,
	row_ahead: true,
	soc_at: NOW - MINUTE,
	demo: false,
	now: NOW,
};
const DEATHS: readonly [Reason, Partial<Facts>, RegExp][] = [
	["no-forecast", { computed_at: null }, /no forecast/],
	["no-forecast", { computed_at: Number.NaN }, /no forecast/],
	["forecast-old", { computed_at: NOW - 30 * HOUR - 1 }, /30 h old/],
	["no-row-ahead", { row_ahead: false }, /no power for the present/],
	["no-soc", { soc_at: null }, /no state of charge/],
	["soc-old", { soc_at: NOW - 30 * MINUTE - 1 }, /30 min old/],
];

/** What is sent over a course of facts. */
function course(steps: readonly Partial<Facts>[], from: State = "start") {
	let state = from;
	return steps.map((step) => {
		const result = next(state, judge({ ...ALIVE, ...step }, LIMITS));
		state = result.state;
		return result.send;
	});
}

describe("a dead forecast or state of charge", () => {
	it("does not drive the battery, and the reason is named", () => {
		for (const [reason, change, text] of DEATHS) {
			const verdict = judge({ ...ALIVE, ...change }, LIMITS);
			assert.equal(verdict.act, "release");
			assert.equal(verdict.reason, reason);
			assert.match(verdict.text ?? "", text);
		}
	});

	it("is alive up to the very age that is allowed", () => {
		for (const change of [
			{},
			{ computed_at: NOW - 30 * HOUR },
			{ soc_at: NOW - 30 * MINUTE },
			// Computed ahead of our clock: as old as its time here.
			{ computed_at: NOW + HOUR, received: { at: NOW - 30 * HOUR } },
			// The wall clock was set back by a day: the monotonic one tells.
			{ soc_at: NOW + 24 * HOUR, soc_monotonic: 0, monotonic: 30 * MINUTE },
			{ soc_at: NOW - HOUR, soc_steady_until: NOW - 30 * MINUTE },
			{ soc_at: NOW - HOUR, soc_steady_until: NOW + HOUR },
		]) {
			assert.deepEqual(judge({ ...ALIVE, ...change }, LIMITS), {
				act: "drive",
				reason: null,
				text: null,
			});
		}
	});

	it("is dead when its age cannot be known, or one of two clocks says so", () => {
		for (const [reason, change] of [
			["soc-old", { soc_at: NOW + 1 }],
			["soc-old", { soc_at: NOW + 1, soc_steady_until: NOW + HOUR }],
			["soc-old", { soc_at: NOW, soc_monotonic: 0, monotonic: HOUR }],
			// The wall clock was set back by a day, and no plan makes that good.
			[
				"soc-old",
				{
					soc_at: NOW + 24 * HOUR,
					soc_monotonic: 0,
					monotonic: 3 * HOUR,
					soc_steady_until: NOW + 26 * HOUR,
				},
			],
			// The host slept: its monotonic clock stood still.
			["soc-old", { soc_at: NOW - HOUR, soc_monotonic: 0, monotonic: 1 }],
			[
				"soc-old",
				{ soc_at: NOW - HOUR, soc_steady_until: NOW - 30 * MINUTE - 1 },
			],
			["forecast-old", { computed_at: NOW + 1 }],
			[
				"forecast-old",
				{
					computed_at: NOW + 1000 * HOUR,
					received: { at: NOW - 30 * HOUR - 1 },
				},
			],
			[
				"forecast-old",
				{
					computed_at: NOW,
					received: { at: NOW, monotonic: 0 },
					monotonic: 31 * HOUR,
				},
			],
		] as const) {
			const verdict = judge({ ...ALIVE, ...change }, LIMITS);
			assert.equal(verdict.reason, reason, JSON.stringify(change));
			assert.equal(verdict.act, "release");
		}
	});

	it("ends in one release each, then silence until it is good again", () => {
		for (const [, dead] of DEATHS) {
			assert.deepEqual(course([{}, {}, dead, dead, dead, {}, dead, {}]), [
				"plan",
				"plan",
				"release",
				null,
				null,
				"plan",
				"release",
				"plan",
			]);
		}
	});

	it("is released once even if one way of dying follows another", () => {
		assert.deepEqual(course([{}, ...DEATHS.map(([, dead]) => dead)]), [
			"plan",
			"release",
			null,
			null,
			null,
			null,
			null,
		]);
	});

	it("is released once after a start too: a limit of before may be in force", () => {
		assert.deepEqual(course([{ soc_at: null }, { soc_at: null }, {}]), [
			"release",
			null,
			"plan",
		]);
	});

	it("gets the settings' own maxima and the reason", () => {
		const { now, plan, reason, ...rest } = releasePayload(
			settings({ maxChargeW: 3000, maxDischargeW: 2500 }),
			"the forecast is 31 h old",
		);
		assert.deepEqual(now, {
			mode: "release",
			charge_limit_w: 3000,
			discharge_limit_w: 2500,
			grid_charge_w: 0,
			grid_discharge_w: 0,
			feed_in_limit_w: null,
			store_above_w: null,
			pv_limit_w: null,
		});
		assert.equal(
			releasePayload(settings({ feedInLimitW: 600 }), "").now.feed_in_limit_w,
			600,
		);
		assert.deepEqual(plan, []);
		assert.equal(reason, "the forecast is 31 h old");
		assert.equal(rest.will_be_full, null);
		assert.deepEqual(
			Object.keys(releasePayload(settings(), "")).sort(),
			Object.keys(planBattery(input([0]), settings())).sort(),
		);
	});
});

describe("demo data", () => {
	const demo = { demo: true };

	it("is sent as demo, and when dead released without limits, once", () => {
		const dead = { demo: true, soc_at: null };
		assert.deepEqual(course([demo, demo, dead, dead, demo, dead]), [
			"demo",
			"demo",
			"release-demo",
			null,
			"demo",
			"release-demo",
		]);
		assert.deepEqual(releasePayload(settings(), "dead", false).now, {
			mode: "release",
			charge_limit_w: null,
			discharge_limit_w: null,
			grid_charge_w: null,
			grid_discharge_w: null,
			feed_in_limit_w: null,
			store_above_w: null,
			pv_limit_w: null,
		});
	});

	it("lifts first what a real plan has set", () => {
		assert.deepEqual(course([{}, demo, demo]), ["plan", "release", "demo"]);
		assert.deepEqual(course([{}, { demo: true, soc_at: null }, demo]), [
			"plan",
			"release",
			"demo",
		]);
		assert.deepEqual(course([demo, {}]), ["demo", "plan"]);
	});
});

describe("the course of what is sent", () => {
	it("never drives but on a verdict to drive, and never leaves a limit behind", () => {
		const acts = fc.constantFrom<Act>(
			"drive",
			"demo",
			"release",
			"release-demo",
		);
		fc.assert(
			fc.property(fc.array(acts, { maxLength: 40 }), (given) => {
				let state: State = "start";
				let inForce = false;
				let last: Send = null;
				for (const act of given) {
					const result = next(state, { act, reason: null, text: null });
					state = result.state;
					assert.equal(result.send === "plan", act === "drive");
					if (result.send === "plan") inForce = true;
					if (result.send === "release") inForce = false;
					if (act !== "drive") assert.equal(inForce, false);
					const release =
						result.send === "release" || result.send === "release-demo";
					if (release) {
						assert.ok(last !== "release" && last !== "release-demo");
					}
					last = result.send ?? last;
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe("a state of charge of a source that sends on change", () => {
	const steady = (socs: readonly number[], soc: number) => {
		const start = (index: number) => new Date(NOW + index * QUARTER);
		return steadyUntil(
			socs.map((after, index) => ({
				start: start(index).toISOString(),
				soc: after,
			})),
			soc,
		);
	};

	it("is good as long as the last plan foresaw no change of it", () => {
		assert.equal(steady([100, 100, 99.6, 99], 100), NOW + 3 * QUARTER);
		assert.equal(steady([100, 100], 100), NOW + QUARTER);
		assert.equal(steady([99, 99], 100), null);
		assert.equal(steady([], 100), null);
	});

	it("keeps a full battery's plan on a sunny day, and releases it when it should have been given from", () => {
		const sunny = input([...Array(8).fill(5000), ...Array(8).fill(0)], {
			soc: 100,
			load: 1000,
		});
		let until: number | null = null;
		const alive: boolean[] = [];
		for (let quarter = 0; quarter < 16; quarter += 1) {
			const now = NOW + quarter * QUARTER;
			const verdict = judge(
				{
					...ALIVE,
					now,
					soc_at: NOW,
					soc_steady_until: until,
				},
				LIMITS,
			);
			alive.push(verdict.act === "drive");
			if (verdict.act !== "drive") continue;
			const { plan } = planBattery({ ...sunny, now }, settings());
			until = steadyUntil(plan, 100) ?? until;
		}
		// Two hours of sun, and half an hour after the first quarter without.
		assert.deepEqual(alive, [...Array(11).fill(true), ...Array(5).fill(false)]);
	});
});
