import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mergeOverrides, readWindowSettings } from "../../src/window/settings";
import type {
	WindowForecast,
	WindowInputs,
	WindowState,
} from "../../src/window/state";
import {
	type Brought,
	type Step,
	stepAfter,
	tick,
} from "../../src/window/transitions";
import {
	at,
	forecastOf,
	HOUR,
	inputsOf,
	MINUTE,
	saved,
	state,
} from "./support";

const told = (
	before: WindowState,
	brought: Brought,
	inputs: WindowInputs,
	now: number,
) => stepAfter(before, brought, () => inputs, now);

/** 20 June 2026 in Berlin, by its clock. */
const clock = (time: string, date = "2026-06-20") =>
	at(`${date}T${time}+02:00`);

/** Sun from 10:00 to 16:00 with 1 kW, and more in some hours: {12: 3000} is 3 kW from 12:00 to 13:00. */
const sky =
	(hours: Readonly<Record<number, number>>) =>
	(start: number): number => {
		const hour = new Date(start + 2 * HOUR).getUTCHours();
		return hours[hour] ?? (hour >= 10 && hour < 16 ? 1000 : 0);
	};
const forecast = (
	hours: Readonly<Record<number, number>>,
	given: Partial<WindowForecast> = {},
) =>
	forecastOf("Europe/Berlin", ["2026-06-20", "2026-06-21"], sky(hours), given);

const NOON = forecast({ 12: 3000, 13: 3000 });
const LATER = forecast({ 14: 3000, 15: 3000 });
const two = inputsOf(NOON, { hours: 2 });

/** Begun at 12:00, at 12:30. */
const running = (): WindowState => {
	const { state: begun, output } = tick(state(), two, clock("12:00"));
	assert.ok(output.on);
	return saved(tick(begun, two, clock("12:30")).state);
};
const span = ({ output: { current } }: Step) =>
	current && [current.start, current.end];

describe("a window", () => {
	it("waits for its time, runs, and is done for the day", () => {
		const before = tick(state(), two, clock("09:10"));
		assert.equal(before.output.on, false);
		assert.deepEqual(before.output.why, {
			code: "waiting",
			from: clock("12:00"),
		});
		assert.equal(before.output.tickAt, clock("12:00"));
		assert.deepEqual(
			before.output.windows.map(({ start, end }) => [start, end]),
			[
				[clock("12:00"), clock("14:00")],
				[clock("12:00", "2026-06-21"), clock("14:00", "2026-06-21")],
			],
		);
		const begun = tick(before.state, two, clock("12:00") + 50);
		assert.deepEqual(span(begun), [clock("12:00"), clock("14:00")]);
		assert.equal(begun.output.tickAt, clock("14:00"));
		assert.deepEqual(begun.output.next?.start, clock("12:00", "2026-06-21"));
		const over = tick(begun.state, two, clock("14:00"));
		assert.equal(over.output.on, false);
		assert.deepEqual(over.output.why, { code: "done", ran_hours: 2 });
		assert.deepEqual(over.output.next?.start, clock("12:00", "2026-06-21"));
		const midnight = tick(over.state, two, clock("00:00", "2026-06-21"));
		assert.equal(midnight.output.why.code, "waiting");
	});

	it("gives back the same state where nothing changed", () => {
		const { state: before } = tick(state(), two, clock("09:10"));
		assert.equal(tick(before, two, clock("09:11")).state, before);
		const during = running();
		assert.equal(tick(during, two, clock("12:31")).state, during);
	});

	it("may begin in the running quarter, at once", () => {
		const step = tick(state(), two, clock("12:07") + 23_000);
		assert.deepEqual(span(step), [clock("12:07"), clock("14:07")]);
	});

	it("that has begun is held whatever forecasts say", () => {
		const step = tick(running(), inputsOf(LATER, { hours: 2 }), clock("12:31"));
		assert.deepEqual(span(step), [clock("12:00"), clock("14:00")]);
		assert.equal(
			tick(step.state, inputsOf(LATER, { hours: 2 }), clock("14:00")).output.on,
			false,
		);
	});

	it("that has begun is held without any forecast, and none begins", () => {
		const none = inputsOf(null, { hours: 2 });
		const step = tick(running(), none, clock("13:59"));
		assert.deepEqual(step.output.why, {
			code: "running",
			until: clock("14:00"),
		});
		const over = tick(step.state, none, clock("14:00"));
		assert.deepEqual(over.output.why, { code: "no-forecast", until: null });
		assert.equal(over.output.tickAt, clock("00:00", "2026-06-21"));
	});

	it("moves with forecasts until it begins", () => {
		const { state: before } = tick(state(), two, clock("09:00"));
		const step = tick(before, inputsOf(LATER, { hours: 2 }), clock("10:00"));
		assert.equal(step.output.next?.start, clock("14:00"));
	});

	it("in any quarters joins what follows, and never tells an earlier end", () => {
		const any = (given: WindowForecast) =>
			inputsOf(given, { hours: 2, pieces: "any" });
		const first = tick(
			state(),
			any(forecast({ 12: 3000, 14: 2000 })),
			clock("12:00"),
		);
		assert.deepEqual(span(first), [clock("12:00"), clock("13:00")]);
		assert.equal(first.output.next?.start, clock("14:00"));
		const longer = tick(first.state, any(NOON), clock("12:20"));
		assert.deepEqual(span(longer), [clock("12:00"), clock("14:00")]);
		const other = tick(
			longer.state,
			any(forecast({ 12: 3000, 14: 2000 })),
			clock("12:40"),
		);
		assert.deepEqual(span(other), [clock("12:00"), clock("14:00")]);
	});
});

describe("why a window is off", () => {
	const why = (
		given: WindowForecast | null,
		settings: Record<string, unknown>,
		time: string,
	) => tick(state(), inputsOf(given, settings), clock(time)).output.why;

	it("is the forecast: none, or over; an old one is used, and its age told", () => {
		assert.deepEqual(why(null, {}, "12:00"), {
			code: "no-forecast",
			until: null,
		});
		const old = forecast({}, { at: clock("05:00", "2026-06-18") });
		const { output } = tick(state(), inputsOf(old), clock("11:00"));
		assert.deepEqual([output.on, output.oldHours], [true, 54]);
		const rows = forecastOf("Europe/Berlin", ["2026-06-19"], sky({}));
		assert.deepEqual(why(rows, {}, "00:00"), {
			code: "no-forecast",
			until: clock("00:00"),
		});
	});

	it("is a lack of time, power, or sun, with what there is", () => {
		assert.deepEqual(why(NOON, { hours: 2, to: "18:00" }, "16:30"), {
			code: "short",
			by: "time",
			unit: "h",
			wanted: 2,
			missing: 2,
			found: 1.5,
		});
		assert.deepEqual(why(NOON, { hours: 3, minPowerW: 2500 }, "08:00"), {
			code: "short",
			by: "minPowerW",
			unit: "h",
			wanted: 3,
			missing: 3,
			found: 2,
		});
		assert.deepEqual(
			why(
				forecast({ 11: 3000, 14: 3000 }),
				{ hours: 2, minPowerW: 2500 },
				"08:00",
			),
			{
				code: "short",
				by: "runs",
				unit: "h",
				wanted: 2,
				missing: 2,
				found: 1,
			},
		);
		assert.deepEqual(why(NOON, { hours: 2 }, "18:00"), {
			code: "short",
			by: "sun",
			unit: "h",
			wanted: 2,
			missing: 2,
			found: 0,
		});
		const hole = forecastOf("Europe/Berlin", ["2026-06-20"], (start) =>
			start >= clock("10:00") && start < clock("16:00") ? null : 0,
		);
		assert.deepEqual(why(hole, { from: "09:00", to: "17:00" }, "08:00"), {
			code: "short",
			by: "forecast",
			unit: "h",
			wanted: 2,
			missing: 2,
			found: 1,
		});
	});

	it("is told while part of the hours can be had", () => {
		const { output } = tick(
			state(),
			inputsOf(NOON, { hours: 3, pieces: "any", minPowerW: 2500 }),
			clock("08:00"),
		);
		assert.equal(output.why.code, "waiting");
		assert.deepEqual(output.shortage, {
			code: "short",
			by: "minPowerW",
			unit: "h",
			wanted: 3,
			missing: 1,
			found: 2,
		});
	});

	it("names tomorrow where the forecast reaches", () => {
		const { output } = tick(state(), two, clock("18:00"));
		assert.equal(output.next?.start, clock("12:00", "2026-06-21"));
		assert.equal(output.tickAt, clock("00:00", "2026-06-21"));
	});
});

describe("the little sun that is left of a day", () => {
	const example = JSON.parse(
		readFileSync("examples/03 - Boiler in the sunniest two hours.json", "utf8"),
	).find(({ type }: { type: string }) => type === "solar-yield-window");
	const SUN = { June: [5, 21], winter: [8, 16] } as const;
	const arch = (peak: number, [from, to]: readonly [number, number]) =>
		forecastOf("Europe/Berlin", ["2026-06-20", "2026-06-21"], (start) => {
			const hour = ((start + 2 * HOUR) % (24 * HOUR)) / HOUR;
			const height = Math.sin(((hour - from) / (to - from)) * Math.PI);
			return hour < from || hour > to ? 0 : peak * height ** 3;
		});

	for (const [season, peak, time, isOn] of [
		["June", 6000, "13:00", true],
		["June", 6000, "19:30", false],
		["June", 300, "13:00", true],
		["June", 300, "19:30", false],
		["winter", 900, "11:00", true],
		["winter", 900, "15:00", false],
	] as const) {
		it(`${isOn ? "begins" : "does not begin"} the example's boiler at ${time} of a day in ${season} with ${peak} W, also after a start`, () => {
			const asked = (more: object = {}) =>
				tick(
					state(),
					inputsOf(arch(peak, SUN[season]), { ...example, ...more }),
					clock(time),
				).output;
			const { on, why, next } = asked();
			assert.equal(on, isOn);
			if (isOn) return;
			assert.equal(why.code, "too-late");
			const best = season === "June" ? "12:00" : "11:00";
			assert.equal(next?.start, clock(best, "2026-06-21"));
			assert.equal(asked({ runAnyway: true }).on, true);
		});
	}
});

describe("what the appliance says", () => {
	it("on or off holds until it is taken back, or midnight", () => {
		const on = told(state(), { override: true }, two, clock("08:00"));
		assert.deepEqual(on.output.why, {
			code: "override",
			on: true,
			until: clock("00:00", "2026-06-21"),
		});
		assert.equal(tick(saved(on.state), two, clock("15:00")).output.on, true);
		const back = told(on.state, { override: null }, two, clock("10:00"));
		assert.equal(back.output.on, false);
		assert.deepEqual(back.output.why, { code: "done", ran_hours: 2 });
		const off = told(running(), { override: false }, two, clock("12:31"));
		assert.equal(off.output.on, false);
		assert.equal(tick(off.state, two, clock("13:00")).output.on, false);
		const next = tick(off.state, two, clock("12:00", "2026-06-21"));
		assert.equal(next.output.on, true);
	});

	const next = inputsOf(
		forecast({ 12: 3000, 13: 3000 }, { at: clock("18:00") }),
		{ hours: 2 },
	);

	it("done ends today's window, and leaves tomorrow's alone", () => {
		const step = told(running(), { done: true }, two, clock("12:40"));
		assert.equal(step.output.on, false);
		assert.deepEqual(step.output.why, { code: "done", ran_hours: null });
		assert.equal(step.output.next?.start, clock("12:00", "2026-06-21"));
		const again = tick(saved(step.state), two, clock("13:00"));
		assert.equal(again.output.on, false);
		const tomorrow = tick(again.state, next, clock("12:00", "2026-06-21"));
		assert.equal(tomorrow.output.on, true);
	});

	it("done in the morning leaves the day out", () => {
		const { state: done } = told(state(), { done: true }, two, clock("08:00"));
		const { output } = tick(saved(done), two, clock("12:00"));
		assert.deepEqual(output.why, { code: "done", ran_hours: null });
	});

	it("done in the evening is today's still", () => {
		const inputs = inputsOf(NOON, { hours: 2, to: "18:00" });
		const { state: done } = told(
			state(),
			{ done: true },
			inputs,
			clock("20:00"),
		);
		const { output } = tick(done, next, clock("12:00", "2026-06-21"));
		assert.equal(output.on, true);
	});

	it("hours that it ran already count", () => {
		const step = told(state(), { ran: HOUR }, two, clock("11:00"));
		assert.deepEqual(
			[step.output.next?.start, step.output.next?.end],
			[clock("12:00"), clock("13:00")],
		);
		const enough = told(step.state, { ran: 2 * HOUR }, two, clock("11:30"));
		assert.deepEqual(enough.output.why, { code: "done", ran_hours: 2 });
	});

	it("hours but for a few minutes are enough, by sun and by cost", () => {
		const day = { start: clock("00:00"), end: clock("23:00"), price: 0.3 };
		const { state: priced } = told(
			state(),
			{ prices: [day] },
			two,
			clock("00:00"),
		);
		for (const rank of ["sun", "cost"]) {
			for (const pieces of ["one", "any"]) {
				const inputs = inputsOf(NOON, { hours: 2, rank, pieces });
				const { output } = told(
					priced,
					{ ran: 113 * MINUTE },
					inputs,
					clock("12:00"),
				);
				assert.equal(output.on, false);
				assert.equal(output.why.code, "done");
			}
		}
	});

	it("more than was thought shortens the window, enough ends it", () => {
		const step = told(running(), { ran: HOUR }, two, clock("12:30"));
		assert.deepEqual(span(step), [clock("12:00"), clock("13:30")]);
		const enough = told(step.state, { ran: 2 * HOUR }, two, clock("12:40"));
		assert.equal(enough.output.on, false);
		assert.equal(enough.output.why.code, "done");
	});

	it("less than was thought is planned anew: the window itself goes on", () => {
		const step = told(running(), { ran: 0 }, two, clock("12:30"));
		assert.deepEqual(span(step), [clock("12:00"), clock("14:30")]);
		// A minute or two are no reason for another quarter.
		const near = told(running(), { ran: 28 * MINUTE }, two, clock("12:30"));
		assert.deepEqual(span(near), [clock("12:00"), clock("14:00")]);
	});
});

describe("changed settings", () => {
	it("leave a window alone that is still wanted", () => {
		const changed = inputsOf(NOON, {
			hours: 2,
			baseLoadW: 900,
			minPowerW: 2900,
			from: "11:00",
			rank: "cost",
		});
		assert.deepEqual(span(tick(running(), changed, clock("12:31"))), [
			clock("12:00"),
			clock("14:00"),
		]);
	});

	it("shorten it to fewer hours, and end it where they have run", () => {
		const shorter = tick(
			running(),
			inputsOf(NOON, { hours: 1 }),
			clock("12:31"),
		);
		assert.deepEqual(span(shorter), [clock("12:00"), clock("13:00")]);
		const over = tick(
			running(),
			inputsOf(NOON, { hours: 0.25 }),
			clock("12:31"),
		);
		assert.deepEqual(over.output.why.code, "done");
	});

	it("lengthen it where more hours follow best", () => {
		const longer = tick(
			running(),
			inputsOf(NOON, { hours: 3 }),
			clock("12:31"),
		);
		assert.deepEqual(span(longer), [clock("12:00"), clock("15:00")]);
	});

	it("end it at the new end of its time, or at once outside", () => {
		const cut = tick(
			running(),
			inputsOf(NOON, { hours: 2, to: "13:30" }),
			clock("12:31"),
		);
		assert.deepEqual(span(cut), [clock("12:00"), clock("13:30")]);
		const out = tick(
			running(),
			inputsOf(NOON, { hours: 2, from: "13:00" }),
			clock("12:31"),
		);
		assert.equal(out.output.on, false);
		// What ran counts: an hour and a half is left.
		assert.deepEqual(
			[out.output.next?.start, out.output.next?.end],
			[clock("13:00"), clock("14:30")],
		);
	});

	it("come with messages, and outlive a restart", () => {
		const { overrides, errors } = mergeOverrides(
			{},
			{ hours: "1", loadW: -4, rank: "cost" },
		);
		assert.deepEqual(
			errors.map(({ message }) => message),
			[
				"loadW is -4; give the appliance's power in W above 0, or leave it blank, with a point for decimals",
			],
		);
		const after = saved(
			told(state(), { overrides }, two, clock("08:00")).state,
		);
		const settings = readWindowSettings({ hours: 2 }, after.overrides);
		assert.equal(settings.hours, 1);
		assert.equal(settings.rank, "cost");
		assert.deepEqual(mergeOverrides(overrides, { hours: null }).overrides, {
			rank: "cost",
		});
	});
});

describe("a clock that is set", () => {
	it("forward beyond the end ends the window, and its hours have run", () => {
		const { output } = tick(running(), two, clock("15:00"));
		assert.deepEqual(output.why, { code: "done", ran_hours: 2 });
	});

	it("back by a little does not switch", () => {
		const begun = tick(state(), two, clock("12:00"));
		const back = tick(begun.state, two, clock("11:59"));
		assert.equal(back.output.on, true);
		const right = tick(saved(back.state), two, clock("12:00"));
		assert.deepEqual(span(right), [clock("12:00"), clock("14:00")]);
		assert.equal(right.state.held?.limit, null);
	});

	it("to 1970 at a start goes on until the right time comes, and ends in time", () => {
		const none = inputsOf(null, { hours: 2 });
		const dark = tick(running(), none, 60_000);
		assert.equal(dark.output.on, true);
		const right = tick(saved(dark.state), two, clock("13:10"));
		assert.deepEqual(span(right), [clock("12:00"), clock("14:00")]);
		assert.equal(tick(right.state, two, clock("14:00")).output.on, false);
	});

	it("back for good ends the window after its length", () => {
		const back = tick(running(), two, clock("08:00"));
		assert.equal(back.output.on, true);
		const near = tick(saved(back.state), two, clock("09:59"));
		assert.equal(near.output.on, true);
		const over = tick(near.state, two, clock("10:00"));
		assert.equal(over.output.on, false);
		assert.equal(over.output.why.code, "done");
	});

	it("back over midnight remembers what ran on both days", () => {
		const next = clock("00:10", "2026-06-21");
		const { state: done } = told(state(), { done: true }, two, clock("23:50"));
		const after = tick(done, two, next);
		assert.equal(after.output.why.code, "waiting");
		const back = tick(after.state, two, clock("23:55"));
		assert.deepEqual(back.output.why, { code: "done", ran_hours: null });
	});
});

describe("prices", () => {
	const rows = (prices: Readonly<Record<number, number>>) =>
		Array.from({ length: 24 }, (_, hour) => ({
			start: clock("00:00") + hour * HOUR,
			end: clock("01:00") + hour * HOUR,
			price: prices[hour] ?? 0.3,
		}));
	const cost = inputsOf(NOON, { hours: 1, rank: "cost", loadW: 2000 });

	it("decide with rank cost, also at night", () => {
		const priced = told(
			state(),
			{ prices: rows({ 3: 0.1 }) },
			two,
			clock("00:00"),
		).state;
		const night = told(priced, { feedIn: 0.12 }, two, clock("00:00")).state;
		const { output } = tick(night, cost, clock("00:00"));
		assert.equal(output.next?.start, clock("03:00"));
		assert.equal(output.lacksPrices, false);
		assert.equal(output.next?.cost?.toFixed(6), "0.200000");
		// What is not fed in costs less than the grid.
		const sunny = tick(
			told(priced, { feedIn: 0.08 }, two, clock("00:00")).state,
			cost,
			clock("00:00"),
		);
		assert.equal(sunny.output.next?.start, clock("12:00"));
		assert.equal(sunny.output.next?.cost?.toFixed(6), "0.160000");
	});

	it("outlive a restart, and those long past go", () => {
		const now = clock("00:00", "2026-06-22");
		const kept = saved(told(state(), { prices: rows({}) }, two, now).state);
		assert.equal(kept.prices.length, 0);
		assert.equal(
			saved(told(state(), { prices: rows({}) }, two, clock("12:00")).state)
				.prices.length,
			24,
		);
	});

	it("that do not reach far enough are told, and not the sun", () => {
		const now = clock("18:00");
		const short = told(
			state(),
			{ prices: rows({}).slice(18, 20) },
			two,
			now,
		).state;
		const given = inputsOf(NOON, { hours: 3, rank: "cost", loadW: 2000 });
		assert.deepEqual(tick(short, given, now).output.why, {
			code: "short",
			by: "price",
			unit: "h",
			wanted: 3,
			missing: 3,
			found: 2,
		});
	});

	it("that are missing leave the choice to the sun, and it is told", () => {
		const { output } = tick(state(), cost, clock("00:00"));
		assert.equal(output.next?.start, clock("12:00"));
		assert.equal(output.lacksPrices, true);
	});
});
