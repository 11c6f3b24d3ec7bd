import { DAY_MS, QUARTER_MS } from "../util/time";
import { AZIMUTH_STEP, ELEVATION_STEP } from "./grid";
import { type Judged, judgeDay, type LitQuarter } from "./judge";
import type { NoteCode } from "./notes";
import type { Meter } from "./state";
import { type Position, sunOfDay } from "./sun";

/** Bounds of any factor. */
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 2;
/** Distance of the keys of the sky's points from one azimuth to the next. */
const COLUMN = 20;

/** Days after which what was seen counts half. */
const HALF_LIFE_DAYS = 20;
/** Fewer days that taught correct nothing. */
const LEAST_DAYS = 5;
/** Where more than this share of the last dates look like no roof, nothing teaches. */
const LOOKED_DAYS = 30;
const MOST_FAILED = 0.35;
/** Below this correlation with its forecast a power follows something else. */
const LEAST_CORRELATION = 0.5;
/** A full battery leaves less of the evening, to the morning; what a tree hides comes back. */
const EVENING_SHARE = 0.7;
/** Clear, to cloudy, as the share of the most that was foreseen at this hour lately. */
const CLEAR = 0.9;
const CLOUDY = 0.5;
const CLEAR_FADES = 0.99;
/** A level: a power that is held within 1.5 % on three dates, when 5 % more was foreseen in many quarters. */
const LEVEL_WIDTH = 0.015;
const LEVEL_DAYS = 3;
const LEVEL_OVER = 1.05;
const LEVEL_OVER_SHARE = 0.4;

export function total<Item>(
	items: readonly Item[],
	of: (item: Item) => number,
) {
	let sum = 0;
	for (const item of items) sum += of(item);
	return sum;
}

/** Of what was measured with what was foreseen. */
function correlation(points: readonly LitQuarter[]) {
	const x = total(points, (it) => it.watts) / points.length;
	const y = total(points, (it) => it.measured) / points.length;
	const xy = total(points, (it) => (it.watts - x) * (it.measured - y));
	const xx = total(points, (it) => (it.watts - x) ** 2);
	return xy / Math.sqrt(xx * total(points, (it) => (it.measured - y) ** 2));
}

/** Sums of the date that begins at `start` for one factor: measured × foreseen, and foreseen². */
interface Sums {
	start: number;
	a: number;
	b: number;
}

/** Dates behind sums, by weight: Kish's effective number. */
const daysIn = (dates: readonly Sums[]) =>
	total(dates, ({ b }) => b) ** 2 / (total(dates, ({ b }) => b ** 2) || 1);

/**
 * A factor by least squares through the origin, drawn back towards another by
 * what its standard error from date to date (clustered, Liang and Zeger 1986)
 * leaves of its distance (positive-part James-Stein, Efron and Morris 1973).
 *
 * @param prior evidence for the other, W²
 * @param doubt at this many standard errors nothing is left
 * @param few standard error that a single date has at least
 */
function factorOf(
	dates: readonly Sums[],
	towards: number,
	prior: number,
	doubt: number,
	few: number,
) {
	const n = daysIn(dates);
	if (n < 1.5) return towards;
	const whole = prior + total(dates, ({ b }) => b);
	const factor = (prior * towards + total(dates, ({ a }) => a)) / whole;
	const scatter =
		total(dates, ({ a, b }) => (a - factor * b) ** 2) / whole ** 2;
	const chance = doubt ** 2 * ((scatter * n) / (n - 1) + (few / n) ** 2);
	const distance = factor - towards;
	return distance ** 2 > chance ? factor - chance / distance : towards;
}

export type Model = ReturnType<typeof learnFrom>;

/**
 * How one meter differs from its forecast: a factor for clear and one for cloudy
 * quarters, times one for the sun's place in the sky, and a limit. Without
 * evidence beyond chance a factor is exactly 1.
 *
 * @param until the last date that may teach, days since 1970-01-01
 */
export function learnFrom(
	{ days, peak }: Meter,
	until: number,
	position: Position,
) {
	const judged = days
		.filter(({ day }) => day <= until)
		.map((record) => judgeDay(record, peak));
	const { fine, kind } = teachersOf(judged);
	const { level, limit, isHeld } = levelOf(fine);
	/** The most that was foreseen lately, by quarter of the UTC day. */
	const most: number[] = [];
	for (const { record } of judged) {
		for (const [index, watts] of record.foreseen.entries()) {
			const quarter = quarterOf(record.start + index * QUARTER_MS);
			most[quarter] = Math.max(CLEAR_FADES * (most[quarter] ?? 0), watts ?? 0);
		}
	}
	/** How cloudy the sky of a forecast is, from 0 to 1. */
	const cloudOf = (at: number, watts: number) => {
		const share = watts / Math.max(watts, most[quarterOf(at)] ?? 0);
		return Math.min(1, Math.max(0, (CLEAR - share) / (CLEAR - CLOUDY)));
	};
	/** The four points of the grid around the sun in a quarter, each with its share. */
	const around = (at: number): [place: number, share: number][] => {
		const sun = sunOfDay(position, Math.floor(at / DAY_MS));
		const x = (sun[2 * quarterOf(at)] ?? 0) / AZIMUTH_STEP;
		const y = (sun[2 * quarterOf(at) + 1] ?? 0) / ELEVATION_STEP;
		const next = Math.floor(x + 1) % (360 / AZIMUTH_STEP);
		const here = COLUMN * Math.floor(x) + Math.floor(y);
		const there = COLUMN * next + Math.floor(y);
		return [
			[here, (1 - (x % 1)) * (1 - (y % 1))],
			[here + 1, (1 - (x % 1)) * (y % 1)],
			[there, (x % 1) * (1 - (y % 1))],
			[there + 1, (x % 1) * (y % 1)],
		];
	};

	const taught = fine.flatMap(({ record: { day, start }, lit }) =>
		lit.flatMap(({ index, watts, measured }) => {
			if (watts >= level) return [];
			const at = start + index * QUARTER_MS;
			const weight = 2 ** ((day - until) / HALF_LIFE_DAYS);
			return { start, weight, at, watts, measured, cloud: cloudOf(at, watts) };
		}),
	);
	/** Gathers the sums of each date by what a quarter is evidence for, beside the power expected in it. */
	const gather = <Cell>(
		cellsOf: (point: (typeof taught)[number]) => [cell: Cell, share: number][],
		factor: (cloud: number) => number,
	) => {
		const cells = new Map<Cell, Sums[]>();
		for (const point of taught) {
			const { start, measured } = point;
			const expected = point.watts * factor(point.cloud);
			for (const [cell, share] of cellsOf(point)) {
				const dates = cells.get(cell) ?? [];
				if (dates.length === 0) cells.set(cell, dates);
				if (dates.at(-1)?.start !== start) dates.push({ start, a: 0, b: 0 });
				const sums = dates[dates.length - 1] as Sums;
				sums.a += point.weight * share * expected * measured;
				sums.b += point.weight * share * expected ** 2;
			}
		}
		return (cell: Cell) => cells.get(cell) ?? [];
	};
	const prior = (peak / 2) ** 2;
	const skies = gather(
		({ cloud }) => [
			["all", 1],
			["clear", 1 - cloud],
			["cloudy", cloud],
		],
		() => 1,
	);
	const all = factorOf(skies("all"), 1, prior, 2, 0.3);
	const clear = factorOf(skies("clear"), all, prior, 2.5, 0.3);
	const cloudy = factorOf(skies("cloudy"), all, prior, 2.5, 0.3);
	const skyFactor = (cloud: number) => clear + cloud * (cloudy - clear);
	const places = gather(({ at }) => around(at), skyFactor);
	/** Asked for again with each quarter and forecast. */
	const known = new Map<number, number>();
	const factorAt = (place: number) => {
		const factor =
			known.get(place) ?? factorOf(places(place), 1, prior / 2, 1.7, 0.2);
		known.set(place, factor);
		return factor;
	};

	return {
		judged,
		/** What the meter seems to be, where it is no meter of the roof: then nothing teaches. */
		kind,
		/** Whether the power is held at a level at times. */
		isHeld,
		/** Power that the inverter, or the grid, does not let pass, W; null where none shows. */
		limit,
		/** Dates that taught, their quarters, and the start of the first. */
		days: fine.length,
		quarters: taught.length,
		since: fine[0]?.record.start,
		/** A power as corrected, W, of the W foreseen for the quarter that begins at `at`, epoch ms. */
		correct(at: number, watts: number) {
			if (taught.length === 0 || watts <= 0) return watts;
			const place = total(around(at), ([it, share]) => share * factorAt(it));
			const corrected = watts * clamp(place * skyFactor(cloudOf(at, watts)));
			return Math.min(limit ?? corrected, corrected);
		},
		/** Dates, by weight, that have taught about where the sun stands in the quarter that begins at `at`. */
		daysAt: (at: number) =>
			total(around(at), ([place, share]) => share * daysIn(places(place))),
		/** The points of the sky that are known, with the factor of a clear quarter. */
		map: () =>
			Array.from({ length: (COLUMN * 360) / AZIMUTH_STEP }, (_, place) => ({
				azimuth: Math.floor(place / COLUMN) * AZIMUTH_STEP,
				elevation: (place % COLUMN) * ELEVATION_STEP,
				factor: clamp(clear * factorAt(place)),
				days: daysIn(places(place)),
			})).filter(({ days }) => days > 0),
	};
}

/** The dates that may teach, none where the meter seems to be something else than the roof's. */
function teachersOf(judged: readonly Judged[]) {
	const looks = judged
		.map(({ verdict }) => verdict)
		.filter((verdict) => !["unknown", "dead", "odd_day"].includes(verdict))
		.slice(-LOOKED_DAYS);
	const bad = looks.filter((verdict) => verdict !== "fine");
	const often = (verdict: string) => bad.filter((it) => it === verdict).length;
	const [worst] = bad.sort((a, b) => often(b) - often(a));
	const fine = judged.filter(({ verdict }) => verdict === "fine");
	const isMuch = bad.length > MOST_FAILED * looks.length;
	/** Energy measured to foreseen of a third of each day's light. */
	const third = (index: number) => {
		const points = fine.flatMap(({ lit }) =>
			lit.slice((index * lit.length) / 3, ((index + 1) * lit.length) / 3),
		);
		const sum = total(points, ({ measured }) => measured);
		return sum / total(points, ({ watts }) => watts);
	};
	const isElse =
		fine.length >= LEAST_DAYS &&
		correlation(fine.flatMap(({ lit }) => lit)) < LEAST_CORRELATION &&
		third(2) < EVENING_SHARE * third(0);
	const kind = isMuch ? worst : isElse ? "held_down" : undefined;
	return {
		fine: kind || fine.length < LEAST_DAYS ? [] : fine,
		kind: kind as NoteCode | undefined,
	};
}

/**
 * Looks for a level at which the power is held. Where nothing is above it, it is
 * a limit; else something holds the roof down at times. `level` is the W from
 * which on what was foreseen does not teach: what is held says nothing of what
 * the roof could give, and the rest of it is no fair sample.
 */
function levelOf(fine: readonly Judged[]) {
	const powerOf = ({ held }: Judged) =>
		Math.max(0, ...held.map(({ measured }) => measured));
	const powers = fine.map(powerOf).filter((power) => power > 0);
	const limit = powers.sort((a, b) => a - b)[powers.length >> 1] ?? 0;
	const near = fine.filter(
		(day) => Math.abs(powerOf(day) - limit) < LEVEL_WIDTH * limit,
	);
	const held = near.flatMap((day) => day.held);
	const over = held.filter(({ watts }) => watts > LEVEL_OVER * limit);
	const isLevel =
		near.length >= LEVEL_DAYS && over.length > LEVEL_OVER_SHARE * held.length;
	const isHeld =
		isLevel && fine.some(({ top }) => top > (1 + 2 * LEVEL_WIDTH) * limit);
	return {
		level: isLevel ? 0.95 * limit : Number.POSITIVE_INFINITY,
		limit: isLevel && !isHeld ? limit : null,
		isHeld,
	};
}

const quarterOf = (at: number) => Math.floor((at % DAY_MS) / QUARTER_MS);

const clamp = (factor: number) =>
	Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor));
