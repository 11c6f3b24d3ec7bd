import assert from "node:assert/strict";
import fc from "fast-check";
import { Series } from "../../src/forecast/series";
import { Zone } from "../../src/util/zone";
import { frameAt } from "../../src/window/frame";
import type { Output, PlannedWindow } from "../../src/window/output";
import type {
	WindowForecast,
	WindowInputs,
	WindowState,
} from "../../src/window/state";
import { type Step, tick } from "../../src/window/transitions";
import { clockOf } from "../forecast/answers";
import { chance } from "../support/chance";
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
const RUNS = isLong ? 40 : 4;

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

/** The minutes of a world, asked as the node asks: when something is due or new, and each hour. */
function minutesOf(
	world: Pick<ReturnType<typeof worldOf>, "start" | "end" | "first"> & {
		inputsAt: (now: number) => WindowInputs;
	},
	through: (state: WindowState) => WindowState = (same) => same,
): Moment[] {
	const moments: Moment[] = [];
	let known = { now: 0, inputs: world.inputsAt(world.start), due: 0 };
	let step: Step | undefined;
	for (let now = world.start; now < world.end; now += MINUTE) {
		const inputs = world.inputsAt(now);
		if (
			!step ||
			now >= known.due ||
			inputs.forecast !== known.inputs.forecast
		) {
			step = tick(through(step?.state ?? world.first), inputs, now);
			const hour = (Math.floor(now / HOUR) + 1) * HOUR;
			const due = Math.min(step.output.tickAt ?? hour, hour);
			known = { now, inputs, due };
		}
		moments.push({ now, ...step });
	}
	return moments;
}

/** A scene's day; `through` may do to the state what a restart does. */
function live(it: Scene, through?: (state: WindowState) => WindowState) {
	const world = worldOf(it);
	return { moments: minutesOf(world, through), ...world };
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

describe("a day with forecasts that change each hour", () => {
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

	it("is the same through files", () => {
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

	it("is the same where it is asked each minute", () => {
		fc.assert(
			fc.property(scene, (it) => {
				const { moments, inputsAt, first } = live(it);
				let current = first;
				for (const { now, output } of moments) {
					const step = tick(current, inputsAt(now), now);
					current = step.state;
					assert.equal(step.output.on, output.on);
					assert.deepEqual(step.output.current, output.current);
				}
			}),
			{ numRuns: Math.ceil(RUNS / 10) },
		);
	});
});

/** What people wish, each through a week. */
const WISHES: Record<string, Record<string, unknown>> = {
	boiler: { hours: 2, loadW: 2000, from: "09:00", to: "20:00" },
	dishwasher: {
		hours: 2.5,
		rank: "cost",
		loadW: 900,
		from: "20:00",
		to: "07:00",
	},
	pump: {
		hours: 8,
		pieces: "any",
		loadW: 800,
		minRunMinutes: 60,
		maxStarts: 4,
	},
	car: {
		energyKwh: 20,
		pieces: "any",
		rank: "cost",
		loadW: 11_000,
		minLoadW: 4100,
		from: "12:00",
		to: "07:00",
	},
	"car by the sun": {
		energyKwh: 15,
		pieces: "any",
		loadW: 3600,
		minLoadW: 1400,
		sunOnly: true,
	},
	"heat pump": {
		hours: 12,
		minHours: 6,
		pieces: "any",
		rank: "cost",
		maxPrice: 22,
		loadW: 2500,
		minRunMinutes: 45,
		maxStarts: 6,
		maxPauseHours: 6,
	},
};

describe("a week with a new forecast each hour", () => {
	const date = "2026-06-15";
	const zone = Zone.of("Europe/Berlin") as Zone;
	const start = zone.dayStart(at(`${date}T00:00:00Z`) / DAY);
	const prices = Array.from({ length: 8 * 24 }, (_, hour) => ({
		start: start + hour * HOUR,
		end: start + (hour + 1) * HOUR,
		price: 10 + Math.round(25 * chance(hour)),
	}));
	const forecasts = Array.from({ length: 7 * 24 }, (_, hour) => {
		const power = (quarter: number) => {
			const minutes = (clockOf("Europe/Berlin", quarter) % DAY) / MINUTE;
			const height = Math.sin(((minutes - 300) / 960) * Math.PI);
			const day = 0.2 + 0.8 * chance(Math.floor((quarter - start) / DAY));
			const cloud = 1 - 0.5 * chance(quarter / QUARTER + hour * 31);
			return minutes < 300 || minutes >= 1260
				? 0
				: Math.round(7000 * height * day * cloud);
		};
		const today = dayAfter(date, Math.floor(hour / 24));
		return forecastOf("Europe/Berlin", [today, dayAfter(today, 2)], power);
	});

	for (const [name, wish] of Object.entries(WISHES)) {
		it(`serves the ${name}`, () => {
			const { settings } = inputsOf(null, wish);
			const moments = minutesOf(
				{
					start,
					end: start + 7 * DAY,
					first: state({ prices, feedIn: 8 }),
					inputsAt: (now) => ({
						settings,
						forecast: forecasts[Math.floor((now - start) / HOUR)] ?? null,
					}),
				},
				saved,
			);
			const runs = runsOf(moments).filter(({ end }) => end !== null);
			assert.ok(runs.length >= 3);
			for (const { first, end } of runs) {
				// An energy's last run is as long as what is still missing.
				const shortest = settings.energyKwh === null ? 7 : 1;
				const least = Math.max(settings.minRunMinutes, shortest) * MINUTE;
				assert.ok((end as number) - first.now >= least);
			}
			const days = new Map<number, Moment[]>();
			for (const moment of moments) {
				const { day } = frameAt(settings, zone, moment.now);
				days.set(day, [...(days.get(day) ?? []), moment]);
			}
			// The first may have begun before the week, the last is not over.
			for (const day of [...days.values()].slice(1, -1)) {
				const begun = runs.filter(({ first }) => day.includes(first)).length;
				assert.ok(begun <= (settings.maxStarts ?? 96));
				const isEnergy = settings.energyKwh !== null;
				const [asked, had] = isEnergy
					? [
							settings.energyKwh as number,
							day.reduce((sum, { output }) => sum + (output.powerW ?? 0), 0) /
								60_000,
						]
					: [settings.hours, day.filter(({ output }) => output.on).length / 60];
				const enough = isEnergy ? 0.2 : 0.125;
				assert.ok(had < asked + enough, `${had} of ${asked}`);
				if (had > asked - enough) continue;
				const { end } = frameAt(settings, zone, (day[0] as Moment).now);
				const before = day.find(({ now }) => now >= end - HOUR) as Moment;
				const { shortage, why } = before.output;
				const told = why.code === "too-late" ? asked : (shortage?.missing ?? 0);
				assert.ok(
					Math.abs(told - (asked - had)) < enough,
					`${had} of ${asked}`,
				);
			}
		}).timeout(300_000);
	}
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
