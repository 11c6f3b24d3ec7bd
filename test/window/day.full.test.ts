import assert from "node:assert/strict";
import fc from "fast-check";
import { Series } from "../../src/forecast/series";
import { Zone } from "../../src/util/zone";
import { frameAt } from "../../src/window/frame";
import type { Output, PlannedWindow } from "../../src/window/output";
import {
	tick,
	type WindowForecast,
	type WindowInputs,
	type WindowState,
} from "../../src/window/transitions";
import { clockOf } from "../forecast/answers";
import { isLong } from "../support/long";
import {
	at,
	DATES,
	DAY,
	forecastOf,
	HOUR,
	inputsOf,
	MINUTE,
	QUARTER,
	saved,
	state,
} from "./support";

/** Days that are played through, more of them in the full form. */
const RUNS = isLong ? 100 : 20;

/** A date, wishes, and a sky that each hour's forecast sees in another way. */
const scene = fc.record({
	date: fc.constantFrom(...DATES),
	peak: fc.constantFrom(300, 1500, 6000),
	/** Minute of each hour at which a forecast comes; not all of them do. */
	minute: fc.integer({ min: 0, max: 59 }),
	clouds: fc.array(fc.integer({ min: 0, max: 10 }), {
		minLength: 97,
		maxLength: 97,
	}),
	lost: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 }),
	prices: fc.array(fc.integer({ min: -5, max: 40 }), {
		minLength: 17,
		maxLength: 17,
	}),
	settings: fc.record({
		hours: fc.constantFrom(0.25, 1, 2, 3.5, 8),
		pieces: fc.constantFrom("one" as const, "any" as const),
		from: fc.constantFrom("", "08:00", "09:20", "22:00"),
		to: fc.constantFrom("", "18:00", "06:00", "17:50"),
		minPowerW: fc.constantFrom(null, 500, 2000),
		loadW: fc.constantFrom(null, 1000),
		baseLoadW: fc.constantFrom(0, 300),
		rank: fc.constantFrom("sun" as const, "cost" as const),
	}),
});
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

const dayAfter = (date: string, days: number) =>
	new Date(at(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** The world of a scene: its instants, and the forecast that is known at each. */
function worldOf(it: Scene) {
	const [zone, date] = it.date;
	const site = Zone.of(zone) as Zone;
	const start = site.dayStart(at(`${date}T00:00:00Z`) / DAY);
	const forecasts = new Map<number, WindowForecast>();
	const forecastOfHour = (hour: number): WindowForecast => {
		const computedAt = start + hour * HOUR + it.minute * MINUTE;
		const power = (quarter: number) => {
			const minutes = (clockOf(zone, quarter) % DAY) / MINUTE;
			if (minutes < 360 || minutes >= 1200) return 0;
			const cloud = it.clouds[
				Math.abs(quarter / QUARTER + hour * 31) % it.clouds.length
			] as number;
			return Math.round(
				(it.peak * Math.sin(((minutes - 345) / 870) * Math.PI) * (12 - cloud)) /
					12,
			);
		};
		return forecastOf(zone, [dayAfter(date, -1), dayAfter(date, 2)], power, {
			at: computedAt,
		});
	};
	const forecastAt = (now: number): WindowForecast | null => {
		let hour = Math.floor((now - start - it.minute * MINUTE) / HOUR);
		while (it.lost.includes(hour)) hour -= 1;
		const known = forecasts.get(hour) ?? forecastOfHour(hour);
		forecasts.set(hour, known);
		return known;
	};
	const prices = Array.from({ length: 72 }, (_, hour) => ({
		start: start + (hour - 12) * HOUR,
		end: start + (hour - 11) * HOUR,
		price: it.prices[hour % it.prices.length] as number,
	}));
	const { settings } = inputsOf(null, { ...it.settings });
	return {
		site,
		settings,
		start,
		/** Through the night after the day, so that frames past midnight end. */
		end: site.dayStart(at(`${date}T00:00:00Z`) / DAY + 1) + 12 * HOUR,
		inputsAt: (now: number): WindowInputs => ({
			settings,
			forecast: forecastAt(now),
		}),
		first: state({ prices, feedIn: 8 }),
	};
}

interface Moment {
	readonly now: number;
	readonly state: WindowState;
	readonly output: Output;
}

/** The day asked every minute; `through` may do to the state what a restart does. */
function live(
	it: Scene,
	through: (state: WindowState) => WindowState = (same) => same,
): { moments: Moment[] } & ReturnType<typeof worldOf> {
	const world = worldOf(it);
	const moments: Moment[] = [];
	let current = world.first;
	for (let now = world.start; now < world.end; now += MINUTE) {
		const step = tick(through(current), world.inputsAt(now), now);
		current = step.state;
		moments.push({ now, ...step });
	}
	return { moments, ...world };
}

/** Times of being on, without a break. */
function runsOf(moments: readonly Moment[]) {
	const runs: { first: Moment; moments: Moment[]; end: number | null }[] = [];
	let run: (typeof runs)[number] | undefined;
	for (const moment of moments) {
		if (!moment.output.on) {
			if (run) run.end = moment.now;
			run = undefined;
			continue;
		}
		if (!run) {
			run = { first: moment, moments: [], end: null };
			runs.push(run);
		}
		run.moments.push(moment);
	}
	return runs;
}

describe("a day asked every minute, with forecasts that change each hour", () => {
	it("has one true and one false per window, and nothing flaps", () => {
		fc.assert(
			fc.property(scene, (it) => {
				const { moments } = live(it);
				for (const { first, moments: during, end } of runsOf(moments)) {
					let told = first.output.current?.end ?? Number.NaN;
					assert.equal(first.output.current?.start, first.now);
					for (const { now, output } of during) {
						const { current } = output;
						assert.equal(output.why.code, "running");
						// The end that was told is kept, or the next window follows at once.
						assert.ok(current && now < current.end);
						assert.ok(current.end >= told);
						told = current.end;
					}
					if (end === null) continue;
					assert.equal(end, told);
					assert.ok(
						end - first.now >=
							(it.settings.pieces === "one"
								? Math.min(it.settings.hours * HOUR, 1.5 * HOUR)
								: QUARTER / 2),
					);
				}
			}),
			{ numRuns: RUNS },
		);
	});

	it("adds up to the hours that were asked, or says why not", () => {
		fc.assert(
			fc.property(scene, (it) => {
				const { moments, settings, site } = live(it);
				const byDay = new Map<number, Moment[]>();
				for (const moment of moments) {
					const { day } = frameAt(settings, site, moment.now);
					byDay.set(day, [...(byDay.get(day) ?? []), moment]);
				}
				const days = [...byDay.values()];
				assert.ok(days.length >= 2);
				// The first may have begun before the scene, the last is not over.
				for (const day of days.slice(0, -1)) {
					const ran = day.filter(({ output }) => output.on).length * MINUTE;
					const asked = settings.hours * HOUR;
					assert.ok(ran - asked < QUARTER / 2, `${ran / MINUTE} min`);
					const last = day.at(-1) as Moment;
					const after = last.output.why;
					const isShort = asked - ran > QUARTER / 2;
					if (after.code === "done") {
						assert.ok(!isShort, `${ran / MINUTE} min and done`);
						assert.ok(Math.abs((after.ran_hours ?? 0) * HOUR - ran) <= 1);
					} else if (after.code === "running") {
						assert.equal(isShort, last.output.shortage !== null);
					} else {
						assert.ok(after.code === "short", after.code);
						assert.ok(
							Math.abs(after.missing * HOUR - (asked - ran)) <= QUARTER / 2,
						);
					}
				}
			}),
			{ numRuns: RUNS },
		);
	});

	it("is the same through files, at each minute", () => {
		fc.assert(
			fc.property(scene, (it) => {
				const outputs = ({ moments }: ReturnType<typeof live>) =>
					moments.map(({ output }) => JSON.stringify(output));
				assert.deepEqual(outputs(live(it, saved)), outputs(live(it)));
			}),
			{ numRuns: Math.ceil(RUNS / 5) },
		);
	});

	it("goes on after a kill at any minute of a run, and ends on time, with or without a forecast", () => {
		fc.assert(
			fc.property(
				scene,
				fc.nat(),
				fc.integer({ min: 1, max: 300 }),
				(it, pick, down) => {
					const { moments, inputsAt, settings } = live(it);
					const running = moments.filter(({ output }) => output.on);
					if (running.length === 0) return;
					const killed = running[pick % running.length] as Moment;
					const { start, end } = killed.output.current as PlannedWindow;
					const day = killed.state.held?.day;
					const ranOf = (state: WindowState) =>
						state.days.find((known) => known.day === day)?.ran ?? 0;
					const without = { settings, forecast: null };
					// Back at once, or after the end, and no forecast comes any more.
					let current = saved(killed.state);
					for (let now = killed.now; now < end; now += MINUTE) {
						const step = tick(current, without, now);
						assert.equal(step.output.on, true);
						assert.equal(step.output.current?.end, end);
						current = saved(step.state);
					}
					assert.equal(tick(current, without, end).output.on, false);
					// Down for a while, then with a forecast: no run is begun anew.
					const back = killed.now + down * MINUTE;
					const { output, state: after } = tick(
						saved(killed.state),
						inputsAt(back),
						back,
					);
					if (back < end) assert.ok((output.current?.end ?? 0) >= end);
					else assert.equal(ranOf(after), ranOf(killed.state) + end - start);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it("needs no look before the time it says", () => {
		fc.assert(
			fc.property(scene, (it) => {
				const { moments, inputsAt } = live(it);
				let due = 0;
				let forecast: WindowForecast | null = null;
				let lazy: Moment | undefined;
				for (const moment of moments) {
					const inputs = inputsAt(moment.now);
					if (moment.now >= due || inputs.forecast !== forecast) {
						forecast = inputs.forecast;
						const step = tick(
							lazy?.state ?? worldOf(it).first,
							inputs,
							moment.now,
						);
						lazy = { now: moment.now, ...step };
						due = step.output.tickAt ?? Number.POSITIVE_INFINITY;
					}
					assert.equal(lazy?.output.on, moment.output.on);
					assert.deepEqual(lazy?.output.current, moment.output.current);
				}
			}),
			{ numRuns: RUNS },
		);
	});
});

describe("a day on a clock that this machine's time zone data deny", () => {
	it("begins and ends its window by that clock", () => {
		const day = forecastOf("Europe/Berlin", ["2026-07-01"], () => 1000);
		const { starts, rows } = day.values;
		// As if Berlin had kept its winter time.
		const zone = (Zone.of("Europe/Berlin") as Zone).withClock([[0, HOUR]]);
		const inputs = inputsOf(
			{ ...day, values: new Series(zone, starts, rows) },
			{ hours: "1", from: "12:00", to: "13:00" },
		);
		const noon = at("2026-07-01T12:00:00+01:00");
		let known = state();
		const on: number[] = [];
		for (let now = noon - HOUR; now < noon + 3 * HOUR; now += MINUTE) {
			const next = tick(known, inputs, now);
			known = next.state;
			if (next.output.on) on.push(now);
		}
		assert.deepEqual([on[0], on.at(-1)], [noon, noon + HOUR - MINUTE]);
	});
});
