import { DAY_MS, QUARTER_MS } from "../util/time";
import { AZIMUTH_STEP, ELEVATION_STEP } from "./grid";
import { type Judged, judgeDay, type LitQuarter } from "./judge";
import type { NoteCode } from "./notes";
import type { Meter } from "./state";
import { type Position, sunOfDay } from "./sun";

/** Bounds of any factor. */
const LEAST_FACTOR = 0.2;
const MOST_FACTOR = 2;
/** Points of the sky's grid above each other, and all. */
const COLUMN = 8;
const POINTS = (COLUMN * 360) / AZIMUTH_STEP;
/** Is told what a quarter is evidence for, by number, and how much. */
type Take = (number: number, share: number) => void;

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

/** Sums of a date for one factor: measured × expected, and expected², W². */
type Sums = [start: number, a: number, b: number];

/** Dates behind sums, by weight: Kish's effective number. */
const daysIn = (dates: readonly Sums[]) =>
	total(dates, ([, , b]) => b) ** 2 / (total(dates, ([, , b]) => b ** 2) || 1);

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
	const whole = prior + total(dates, ([, , b]) => b);
	const factor = (prior * towards + total(dates, ([, a]) => a)) / whole;
	const scatter =
		total(dates, ([, a, b]) => (a - factor * b) ** 2) / whole ** 2;
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
	const most = new Array<number>(DAY_MS / QUARTER_MS).fill(0);
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
	let sunDay = 0;
	let sun = sunOfDay(position, sunDay);
	/** Tells the four points of the grid around the sun in a quarter, each with its share. */
	const around = (at: number, take: Take) => {
		const day = Math.floor(at / DAY_MS);
		if (day !== sunDay) sun = sunOfDay(position, day);
		sunDay = day;
		const x = (sun[2 * quarterOf(at)] ?? 0) / AZIMUTH_STEP;
		const y = (sun[2 * quarterOf(at) + 1] ?? 0) / ELEVATION_STEP;
		const here = COLUMN * Math.floor(x) + Math.floor(y);
		const there = (here + COLUMN) % POINTS;
		const [east, up] = [x % 1, y % 1];
		take(here, (1 - east) * (1 - up));
		take(here + 1, (1 - east) * up);
		take(there, east * (1 - up));
		take(there + 1, east * up);
	};

	/** Gathers what each date says of factors, by their number, beside the power that is expected without them. */
	const gather = (
		sharesOf: (at: number, take: Take, cloud: number) => void,
		factorAt: (cloud: number) => number,
	) => {
		const all: Sums[][] = [];
		for (const { record, lit } of fine) {
			const weight = 2 ** ((record.day - until) / HALF_LIFE_DAYS);
			for (const { index, watts, measured } of lit) {
				if (watts >= level) continue;
				const at = record.start + index * QUARTER_MS;
				const cloud = cloudOf(at, watts);
				const expected = watts * factorAt(cloud);
				const add: Take = (number, share) => {
					all[number] ??= [];
					const dates = all[number];
					let sums = dates[dates.length - 1];
					if (sums?.[0] !== record.start) {
						sums = [record.start, 0, 0];
						dates.push(sums);
					}
					sums[1] += weight * share * expected * measured;
					sums[2] += weight * share * expected ** 2;
				};
				sharesOf(at, add, cloud);
			}
		}
		return (number: number) => all[number] ?? [];
	};
	const prior = (peak / 3) ** 2;
	const skies = gather(
		(_, take, cloud) => {
			take(0, 1);
			take(1, 1 - cloud);
			take(2, cloud);
		},
		() => 1,
	);
	const all = factorOf(skies(0), 1, prior, 2, 0.3);
	const [clear = all, cloudy = all] = [1, 2].map((sky) =>
		factorOf(skies(sky), all, prior, 2.5, 0.3),
	);
	const skyFactor = (cloud: number) => clear + cloud * (cloudy - clear);
	const places = gather(around, skyFactor);
	/** Asked for again with each quarter and forecast. */
	const factors: number[] = [];
	const factorAt = (place: number) =>
		(factors[place] ??= factorOf(places(place), 1, prior / 2, 1.7, 0.2));

	/** Mean over the points around the sun. */
	const meanAt = (at: number, of: (place: number) => number) => {
		let sum = 0;
		around(at, (place, share) => {
			sum += share * of(place);
		});
		return sum;
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
		quarters: total(fine, ({ lit }) => lit.length),
		since: fine[0]?.record.start,
		/** A power as corrected, W, of the W foreseen for the quarter that begins at `at`, epoch ms. */
		correct(at: number, watts: number) {
			if (fine.length === 0 || watts <= 0) return watts;
			const factor = meanAt(at, factorAt) * skyFactor(cloudOf(at, watts));
			const corrected = watts * clamp(factor);
			return Math.min(limit ?? corrected, corrected);
		},
		/** Dates, by weight, that have taught about where the sun stands in the quarter that begins at `at`. */
		daysAt: (at: number) => meanAt(at, (place) => daysIn(places(place))),
		/** The points of the sky that are known, with the factor of a clear quarter. */
		map: () =>
			Array.from({ length: POINTS }, (_, place) => ({
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
