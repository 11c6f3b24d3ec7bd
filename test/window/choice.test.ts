import assert from "node:assert/strict";
import fc from "fast-check";
import { planDay } from "../../src/window/plan";
import { readWindowSettings } from "../../src/window/settings";
import { tick } from "../../src/window/transitions";
import { clockOf, dateOf } from "../forecast/answers";
import {
	bestOf,
	bestRun,
	frame,
	judge,
	type Puzzle,
	type Wish,
	type World,
} from "./brute-force";
import {
	at,
	DATES,
	DAY,
	forecastOf,
	HOUR,
	inputsOf,
	MINUTE,
	QUARTER,
	state,
} from "./support";

/** Times of day in steps of 5 min. */
const clockTime = fc.oneof(
	fc.constant(""),
	fc.integer({ min: 0, max: 287 }).map((steps) => {
		const two = (value: number) => String(value).padStart(2, "0");
		return `${two(Math.floor(steps / 12))}:${two((steps % 12) * 5)}`;
	}),
);

const scene = fc.record({
	date: fc.constantFrom(...DATES),
	/** Minutes after the day's begin at which it is asked. */
	asked: fc.integer({ min: 0, max: 264 }).map((it) => it * 5),
	peak: fc.constantFrom(0, 300, 1000, 4000, 9000),
	clouds: fc.array(fc.integer({ min: 0, max: 10 }), {
		minLength: 23,
		maxLength: 23,
	}),
	/** Quarters of which nothing is known, counted from the first row. */
	gaps: fc.array(fc.integer({ min: 24, max: 72 }), { maxLength: 3 }),
	/** Hours of which the price is known, from the first row on. */
	priced: fc.constantFrom(0, 14, 24, 48),
	prices: fc.array(fc.integer({ min: -5, max: 40 }), {
		minLength: 17,
		maxLength: 17,
	}),
	feedIn: fc.constantFrom(0, 8, 30),
	wish: fc.record({
		hours: fc.constantFrom(0.25, 0.3, 1, 2, 2.5, 5, 9, 24),
		from: clockTime,
		to: clockTime,
		minPowerW: fc.constantFrom(null, null, 100, 800, 2000),
		loadW: fc.constantFrom(null, 500, 2000),
		baseLoadW: fc.constantFrom(0, 250, 700),
		rank: fc.constantFrom("sun" as const, "cost" as const),
	}),
});
type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

/** A scene as brute force sees it, and as the code does. */
function play(it: Scene) {
	const [zone, date] = it.date;
	const dayAfter = new Date(at(`${date}T00:00:00Z`) + DAY)
		.toISOString()
		.slice(0, 10);
	const power = (start: number): number => {
		const minutes = (clockOf(zone, start) % DAY) / MINUTE;
		if (minutes < 360 || minutes >= 1200) return 0;
		const cloud = it.clouds[(start / QUARTER) % it.clouds.length] as number;
		const height = Math.sin(((minutes - 345) / 870) * Math.PI);
		// Never quite dark by day: a gap there is no darkness.
		return it.peak === 0
			? 0
			: Math.max(1, Math.round((it.peak * height * (10 - cloud)) / 10));
	};
	const first = quarterStart(zone, date);
	const gaps = new Set(
		it.peak === 0 ? [] : it.gaps.map((index) => first + index * QUARTER),
	);
	const isDay = (start: number) => power(start) > 0;
	const pv = (start: number) => {
		const last = dateOf(zone, start);
		if (last !== date && last !== dayAfter) return null;
		return gaps.has(start) && isDay(start) ? null : power(start);
	};
	const hourly = (start: number) =>
		it.prices[Math.floor((start - first) / HOUR) % it.prices.length] as number;
	const world: World = {
		zone,
		pv,
		price: (start) =>
			start >= first && start < first + it.priced * HOUR ? hourly(start) : null,
		feedIn: it.feedIn,
	};
	const now = first + it.asked * MINUTE;
	const forecast = forecastOf(zone, [date, dayAfter], pv);
	const prices = Array.from({ length: it.priced }, (_, hour) => ({
		start: first + hour * HOUR,
		end: first + (hour + 1) * HOUR,
		price: hourly(first + hour * HOUR),
	}));
	const { output } = tick(
		state({ prices, feedIn: it.feedIn }),
		inputsOf(forecast, { ...it.wish, runAnyway: true }),
		now,
	);
	return { world, now, output, date, zone, first };
}

function quarterStart(zone: string, date: string): number {
	let start = at(`${date}T00:00:00Z`) - DAY;
	while (dateOf(zone, start) < date) start += QUARTER;
	return start;
}

/** Today's frame as brute force finds it, and what of it lies ahead. */
function ahead(world: World, wish: Wish, date: string, now: number) {
	const yesterday = new Date(at(`${date}T00:00:00Z`) - DAY)
		.toISOString()
		.slice(0, 10);
	const before = frame(world, wish, yesterday);
	const isBefore = wish.to !== "" && wish.to <= (wish.from || "00:00");
	const [start, end] =
		isBefore && now < before[1] ? before : frame(world, wish, date);
	const asked = Math.ceil(wish.hours * 4) * QUARTER;
	const length = Math.min(asked, Math.floor((end - start) / QUARTER) * QUARTER);
	return { from: Math.max(now, start), end, length };
}

describe("the best time", () => {
	it("is that of brute force in one piece: all minutes of 500 random days tried", () => {
		fc.assert(
			fc.property(scene, (it) => {
				const { world, now, output, date } = play(it);
				const { from, end, length } = ahead(world, it.wish, date, now);
				const best =
					length > 0 ? bestRun(world, it.wish, from, end, length) : undefined;
				const today = output.windows
					.filter((window) => window.start < end)
					.map((window) => [window.start, window.end]);
				assert.deepEqual(today, best ? [best] : []);
				assert.equal(output.on, best?.[0] === now);
				if (!best) {
					assert.ok(output.shortage || length === 0);
					assert.notEqual(output.why.code, "waiting");
				}
			}),
			{ numRuns: 500 },
		);
	});
});

const puzzle = fc
	.record({
		pv: fc.array(fc.constantFrom(null, 0, 0, 400, 900, 1700, 3000), {
			minLength: 7,
			maxLength: 7,
		}),
		price: fc.array(fc.constantFrom(null, -4, 3, 10, 11, 25), {
			minLength: 7,
			maxLength: 7,
		}),
		feedIn: fc.constantFrom(0, 8),
		held: fc.constantFrom(0, 0, 0, 1, 3),
		pause: fc.integer({ min: 0, max: 4 }),
		energyKwh: fc.constantFrom(null, 0.3, 0.9, 1.2, 2.6, 9),
		given: fc.record({
			hours: fc.constantFrom(0.25, 0.75, 1, 1.5, 2),
			pieces: fc.constantFrom("any", "any", "one"),
			rank: fc.constantFrom("sun", "cost"),
			minHours: fc.constantFrom(0, 0, 0.5, 1),
			minLoadW: fc.constantFrom(null, 500, 1100),
			baseLoadW: fc.constantFrom(0, 300),
			minPowerW: fc.constantFrom(null, null, 600),
			maxPrice: fc.constantFrom(null, null, 10),
			minRunMinutes: fc.constantFrom(0, 30, 45),
			maxStarts: fc.constantFrom(null, 1, 2),
			maxPauseHours: fc.constantFrom(null, 0.25, 0.75),
			sunOnly: fc.constantFrom(false, false, true),
		}),
	})
	.map(({ given, energyKwh, held, pause, ...it }) => ({
		...it,
		held,
		pause: held > 0 ? 0 : pause,
		settings: readWindowSettings({
			...given,
			energyKwh,
			loadW: 2000,
			runAnyway: true,
		}),
	}));

describe("a plan by runs, starts, pauses, energies and deadlines", () => {
	it("is that of brute force: all choices of 1,000 random cases tried", () => {
		const noon = at("2026-06-20T12:00:00Z");
		const values = (pv: Puzzle["pv"]) =>
			forecastOf(
				"UTC",
				["2026-06-20"],
				(start) => pv[(start - noon) / QUARTER] ?? null,
			).values;
		fc.assert(
			fc.property(puzzle, (it) => {
				const end = noon + it.pv.length * QUARTER;
				const { windows } = planDay({
					settings: it.settings,
					outlook: {
						values: values(it.pv),
						prices: it.price.flatMap((price, index) => {
							const start = noon + index * QUARTER;
							const row = { start, end: start + QUARTER };
							return price === null ? [] : [{ ...row, price }];
						}),
						feedIn: it.feedIn,
					},
					frame: { day: 0, start: noon, end },
					from: noon,
					ran: 0,
					starts: 0,
					lackingKwh: null,
					held:
						it.held > 0 ? { until: noon + it.held * QUARTER, share: 1 } : null,
					lastOn: noon - it.pause * QUARTER,
				});
				const pieces = windows.flatMap(({ pieces }) => pieces);
				const shares = it.pv.map((_, index) => {
					const instant = noon + index * QUARTER;
					const on = pieces.find(
						({ start, end }) => start <= instant && instant < end,
					);
					return on?.share ?? 0;
				});
				assert.deepEqual(judge(it, shares), bestOf(it));
			}),
			{ numRuns: 1000 },
		);
	});
});
