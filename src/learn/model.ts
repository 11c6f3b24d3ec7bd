import { QUARTER_MS } from "../util/time";
import { AZIMUTH_STEP, ELEVATION_STEP } from "./grid";
import { type Judged, type LitQuarter, total } from "./judge";
import type { NoteCode } from "./notes";
import { type Position, QUARTERS, sunOfDay } from "./sun";

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
const LEAST_CORRELATION = 0.65;
/** A full battery leaves less of the evening, to the morning; what a tree hides comes back. */
const EVENING_SHARE = 0.65;
/** Clear, to cloudy, as the share of the most that was foreseen at this hour lately. */
const CLEAR = 0.9;
const CLOUDY = 0.5;
const CLEAR_FADES = 0.99;
/** A level: a power that is held within 1.5 % on three dates, when 5 % more was foreseen in many quarters. */
const LEVEL_WIDTH = 0.015;
const LEVEL_DAYS = 3;
const LEVEL_OVER = 1.05;
const LEVEL_OVER_SHARE = 0.4;

/** Of what was measured with what was foreseen. */
function correlation(points: readonly LitQuarter[]) {
	const mean = (of: (point: LitQuarter) => number) =>
		total(points, of) / points.length;
	const x = mean((it) => it.watts);
	const y = mean((it) => it.measured);
	const xx = mean((it) => (it.watts - x) ** 2);
	const yy = mean((it) => (it.measured - y) ** 2);
	return mean((it) => (it.watts - x) * (it.measured - y)) / Math.sqrt(xx * yy);
}

/** What dates say of one factor: of each what was measured × expected (a) and expected² (b), W², as sums and sums of products. */
class Evidence {
	a = 0;
	b = 0;
	aa = 0;
	ab = 0;
	bb = 0;
	/** Adds the sums of a date. */
	add(a: number, b: number) {
		this.a += a;
		this.b += b;
		this.aa += a * a;
		this.ab += a * b;
		this.bb += b * b;
	}

	/** Dates by weight: Kish's effective number. */
	get days() {
		return this.b ** 2 / (this.bb || 1);
	}

	/**
	 * The factor by least squares through the origin, drawn back towards another by
	 * what its standard error from date to date (clustered, Liang and Zeger 1986)
	 * leaves of its distance (positive-part James-Stein, Efron and Morris 1973).
	 *
	 * @param prior evidence for the other, W²
	 * @param doubt at this many standard errors nothing is left
	 * @param few standard error that a single date has at least
	 */
	factor(towards: number, prior: number, doubt: number, few: number) {
		const { a, b, aa, ab, bb, days } = this;
		if (days < 1.5) return towards;
		const factor = (prior * towards + a) / (prior + b);
		const scatter =
			(aa - 2 * factor * ab + factor ** 2 * bb) / (prior + b) ** 2;
		const chance =
			doubt ** 2 * ((scatter * days) / (days - 1) + (few / days) ** 2);
		const distance = factor - towards;
		return distance ** 2 > chance ? factor - chance / distance : towards;
	}
}

export type Model = ReturnType<typeof learnFrom>;

/**
 * How one meter differs from its forecast: a factor for clear and one for cloudy
 * quarters, times one for the sun's place in the sky, and a limit. Without
 * evidence beyond chance a factor is exactly 1.
 *
 * @param judged the dates before today, oldest first
 * @param peak most power ever foreseen, W
 * @param today days since 1970-01-01
 */
export function learnFrom(
	judged: readonly Judged[],
	peak: number,
	today: number,
	position: Position,
) {
	const { fine, kind } = teachersOf(judged);
	const { level, limit, isHeld } = levelOf(fine);
	/** The most that was foreseen lately, by quarter of the UTC day. */
	const most = new Float64Array(QUARTERS);
	for (const { record } of judged) {
		const first = Math.floor(record.start / QUARTER_MS);
		record.foreseen.forEach((watts, index) => {
			const quarter = (first + index) % QUARTERS;
			most[quarter] = Math.max(CLEAR_FADES * (most[quarter] ?? 0), watts ?? 0);
		});
	}
	/** How cloudy the sky of a forecast is, from 0 to 1. */
	const cloudOf = (quarter: number, watts: number) => {
		const share = watts / Math.max(watts, most[quarter % QUARTERS] ?? 0);
		return Math.min(1, Math.max(0, (CLEAR - share) / (CLEAR - CLOUDY)));
	};
	let sunDay = 0;
	let sun = sunOfDay(position, sunDay);
	/** Tells the four points of the grid around the sun in a quarter, each with its share. */
	const around = (take: Take, quarter: number) => {
		const day = Math.floor(quarter / QUARTERS);
		if (day !== sunDay) sun = sunOfDay(position, day);
		sunDay = day;
		const x = (sun[2 * (quarter % QUARTERS)] ?? 0) / AZIMUTH_STEP;
		const y = (sun[2 * (quarter % QUARTERS) + 1] ?? 0) / ELEVATION_STEP;
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
		count: number,
		sharesOf: (take: Take, quarter: number, cloud: number) => void,
		factorAt: (cloud: number) => number,
	) => {
		const all: Evidence[] = [];
		const [a, b] = [new Float64Array(count), new Float64Array(count)];
		for (const { record, lit } of fine) {
			a.fill(0);
			b.fill(0);
			const weight = 2 ** ((record.day - today + 1) / HALF_LIFE_DAYS);
			for (const { quarter, watts, measured } of lit) {
				if (watts >= level) continue;
				const cloud = cloudOf(quarter, watts);
				const expected = watts * factorAt(cloud);
				const take: Take = (number, share) => {
					const by = weight * share * expected;
					a[number] = (a[number] ?? 0) + by * measured;
					b[number] = (b[number] ?? 0) + by * expected;
				};
				sharesOf(take, quarter, cloud);
			}
			for (let number = 0; number < count; number += 1) {
				const sum = b[number] ?? 0;
				if (sum === 0) continue;
				const it = all[number] ?? new Evidence();
				it.add(a[number] ?? 0, sum);
				all[number] = it;
			}
		}
		return all;
	};
	const prior = (peak / 3) ** 2;
	const skies = gather(
		3,
		(take, _quarter, cloud) => {
			take(0, 1);
			take(1, 1 - cloud);
			take(2, cloud);
		},
		() => 1,
	);
	const all = skies[0]?.factor(1, prior, 2, 0.3) ?? 1;
	const [clear = all, cloudy = all] = skies
		.slice(1)
		.map((it) => it.factor(all, prior, 2.5, 0.3));
	const skyFactor = (cloud: number) => clear + cloud * (cloudy - clear);
	const places = gather(POINTS, around, skyFactor);
	/** The places that were seen. */
	const sky = places.map((it) => ({
		factor: it.factor(1, prior / 2, 1.7, 0.2),
		days: it.days,
	}));

	/** Mean over the points around the sun. */
	const meanAt = (of: "factor" | "days", unseen: number, quarter: number) => {
		let sum = 0;
		around((place, share) => {
			sum += share * (sky[place]?.[of] ?? unseen);
		}, quarter);
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
			const quarter = at / QUARTER_MS;
			const factor =
				meanAt("factor", 1, quarter) * skyFactor(cloudOf(quarter, watts));
			const corrected = watts * clamp(factor);
			return Math.min(limit ?? corrected, corrected);
		},
		/** Dates, by weight, that have taught about where the sun stands in the quarter that begins at `at`. */
		daysAt: (at: number) => meanAt("days", 0, at / QUARTER_MS),
		/** The points of the sky that are known, with the factor of a clear quarter. */
		map: () =>
			sky.flatMap(({ factor, days }, place) => ({
				azimuth: Math.floor(place / COLUMN) * AZIMUTH_STEP,
				elevation: (place % COLUMN) * ELEVATION_STEP,
				factor: clamp(clear * factor),
				days,
			})),
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
	/** The brighter half: on other days a battery takes all. */
	const bright = [...fine]
		.sort((a, b) => b.due - a.due)
		.slice(0, Math.ceil(fine.length / 2));
	const isMuch = bad.length > MOST_FAILED * looks.length;
	/** Energy measured to foreseen of a third of each day's light. */
	const third = (index: number) =>
		total(bright, ({ thirds }) => thirds[index]?.[0] ?? 0) /
		total(bright, ({ thirds }) => thirds[index]?.[1] ?? 0);
	const isElse =
		fine.length >= LEAST_DAYS &&
		third(2) < EVENING_SHARE * third(0) &&
		correlation(bright.flatMap(({ lit }) => lit)) < LEAST_CORRELATION;
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

const clamp = (factor: number) =>
	Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor));
