import { Zone } from "../../src/forecast/zone";
import { hash, noise } from "../../src/simulator/chance";
import {
	lightOf,
	type Sun,
	stringOutput,
	sunAt,
} from "../../src/simulator/power";
import { WeatherCourse } from "../../src/simulator/weather";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { timezoneOf } from "../../test/support/service/sites";
/** Days that are simulated, and the first of those that count. */
export const DAYS = 45;
export const FIRST_JUDGED = 30;
/** Peak power of the simulated roof, W. */
export const PEAK_W = 10_000;
/**
 * The simulator's weather is foreseen better than any real one. With its errors
 * this many times as large the day-ahead error is that of real single roofs,
 * 25 to 40 % of the mean daylight power.
 */
const ERROR_SCALE = 3;

/** When the 45 days are. */
export interface Season {
	readonly name: string;
	/** First local date in the first year, days since 1970-01-01. */
	readonly firstDay: number;
}

const day = (text: string) => Date.parse(text) / DAY_MS;
export const SEASONS: readonly Season[] = [
	{ name: "spring", firstDay: day("2026-03-10") },
	{ name: "summer", firstDay: day("2026-06-05") },
	{ name: "autumn", firstDay: day("2026-09-20") },
];
/** Years of weather: fifteen days of one say little of a day's energy. */
export const YEARS = [0, 1, 2, 3];
/** The first local date of a season, days since 1970-01-01. */
export const firstDayOf = ({ firstDay }: Season, year: number) =>
	firstDay + Math.round(365.25 * year);

export const PLACES = [
	{ name: "Berlin", latitude: 52.5, longitude: 13.4 },
	{ name: "Munich", latitude: 48.1, longitude: 11.6 },
	{ name: "Madrid", latitude: 40.4, longitude: -3.7 },
	{ name: "London", latitude: 51.5, longitude: -0.1 },
	{ name: "Rome", latitude: 41.9, longitude: 12.5 },
	{ name: "Oslo", latitude: 59.9, longitude: 10.8 },
	{ name: "Vienna", latitude: 48.2, longitude: 16.4 },
	{ name: "Lyon", latitude: 45.8, longitude: 4.8 },
	{ name: "Warsaw", latitude: 52.2, longitude: 21.0 },
	{ name: "Dublin", latitude: 53.3, longitude: -6.3 },
	{ name: "Lisbon", latitude: 38.7, longitude: -9.1 },
	{ name: "Athens", latitude: 38.0, longitude: 23.7 },
	{ name: "Denver", latitude: 39.7, longitude: -105.0 },
	{ name: "Atlanta", latitude: 33.7, longitude: -84.4 },
	{ name: "Tokyo", latitude: 35.7, longitude: 139.7 },
	{ name: "Helsinki", latitude: 60.2, longitude: 24.9 },
] as const;

/** How the roof differs from what the forecast takes it for. */
export interface Truth {
	readonly name: string;
	/** Orientation that the forecast takes for true, degrees; 180 unless said. */
	readonly assumed?: number;
	/**
	 * Degrees by which the real modules are turned from what is assumed: to the
	 * west at every other place, else to the east. A forecast of 6:00 knows the
	 * morning better than the afternoon, so that either side alone would favour
	 * one way to correct it.
	 */
	readonly turned?: number;
	/** `start:end:elevation` of what stands before the real modules. */
	readonly obstruction?: string;
	/** What is really given, of a power without the fault. */
	readonly actual?: (watts: number, day: number, localHour: number) => number;
	/** What a meter reads, of what is given; null = no reading. For faults that end before the judged days. */
	readonly metered?: (
		watts: number,
		day: number,
		localHour: number,
	) => number | null;
}

const soil = (d: number) => 1 - 0.004 * (d < 34 ? d : d - 34);

export const TRUTHS: readonly Truth[] = [
	{ name: "constant 0.88", actual: (watts) => 0.88 * watts },
	{ name: "horizon 12° east", assumed: 100, obstruction: "45:150:12" },
	{ name: "orientation ±20°", turned: 20 },
	{ name: "clipping 70 %", actual: (watts) => Math.min(watts, 0.7 * PEAK_W) },
	{ name: "soiling, washed", actual: (watts, d) => watts * soil(d) },
	{ name: "nothing" },
	{
		name: "snow",
		metered: (watts, d) => (d >= 8 && d < 13 ? 0.04 * watts : watts),
	},
	{
		name: "dead meter",
		metered: (watts, d) =>
			d >= 10 && d < 16 ? 0 : d >= 20 && d < 23 ? 1234 : watts,
	},
	{
		name: "curtailed noon",
		metered: (watts, d, hour) =>
			d < 28 && d % 3 !== 0 && hour >= 10.5 && hour < 14.5
				? Math.min(watts, 0.45 * PEAK_W)
				: watts,
	},
];

/** One local date, a value per quarter hour, W. */
export interface Day {
	/** Epoch ms of the first quarter. */
	readonly start: number;
	readonly hours: readonly number[];
	/** As foreseen before the quarter, by the last forecast before 6:00, by the last of the day before. */
	readonly settled: readonly number[];
	readonly sameDay: readonly number[];
	readonly dayAhead: readonly number[];
	/** The same two of a forecast that knows the roof. */
	readonly sameDayIdeal: readonly number[];
	readonly dayAheadIdeal: readonly number[];
	readonly actual: readonly number[];
	readonly metered: readonly (number | null)[];
}

export interface World {
	readonly place: (typeof PLACES)[number];
	readonly zone: Zone;
	readonly days: readonly Day[];
}

/** What a roof gives under a cover of cloud, W, behind what stands before it (`from:to:elevation`). */
const roof =
	(orientation: number, obstruction = "0:0:0") =>
	(sun: Sun, cloud: number, air: { temp: number; wind: number }): number => {
		const [from, to, elevation] = obstruction.split(":").map(Number) as [
			number,
			number,
			number,
		];
		const light = lightOf(sun, cloud);
		const isHidden =
			sun.altitude < elevation && sun.azimuth >= from && sun.azimuth <= to;
		return stringOutput(
			{ slope: 32, orientation, power_kw: PEAK_W / 1000 },
			sun,
			isHidden ? { ...light, bni: 0 } : light,
			air,
		).power;
	};

/** Simulates a roof that is not what its forecast takes it for. */
export function simulate(
	site: (typeof PLACES)[number],
	firstDay: number,
	truth: Truth,
): World {
	const weather = new WeatherCourse(site);
	const zone = Zone.of(timezoneOf(site)) as Zone;
	const assumed = truth.assumed ?? 180;
	const known = roof(assumed);
	const real = roof(
		assumed + (PLACES.indexOf(site) % 2 === 0 ? 1 : -1) * (truth.turned ?? 0),
		truth.obstruction,
	);
	const seed = hash(PLACES.indexOf(site), firstDay);
	const foreseen = (start: number, issued: number, by = known) => {
		const middle = start + QUARTER_MS / 2;
		const sun = sunAt(site, middle);
		if (sun.altitude <= 0) return 0;
		const really = weather.at(middle, null);
		const told = weather.at(middle, issued);
		const cloud = Math.min(
			1,
			Math.max(0, really.cloud + ERROR_SCALE * (told.cloud - really.cloud)),
		);
		return Math.round(by(sun, cloud, told));
	};
	const given = (start: number) => {
		const middle = start + QUARTER_MS / 2;
		const sun = sunAt(site, middle);
		if (sun.altitude <= 0) return 0;
		const air = weather.at(middle, null);
		// Single clouds that no forecast knows of pass over.
		const broken = 4 * air.cloud * (1 - air.cloud);
		const passing = 0.5 * broken * (noise(seed, start / (0.4 * HOUR_MS)) - 0.5);
		const cloud = Math.min(1, Math.max(0, air.cloud + passing));
		return real(sun, cloud, air);
	};
	const days = Array.from({ length: DAYS }, (_, d): Day => {
		const start = zone.dayStart(firstDay + d);
		const end = zone.dayStart(firstDay + d + 1);
		const starts: number[] = [];
		for (let at = start; at < end; at += QUARTER_MS) starts.push(at);
		const hours = starts.map((at) => (zone.quarterOfDay(at) + 0.5) / 4);
		const happens = (watts: number, k: number) =>
			Math.round(truth.actual?.(watts, d, hours[k] as number) ?? watts);
		const ideal = (issued: number) =>
			starts.map((at, k) => happens(foreseen(at, issued, real), k));
		const actual = starts.map((at, k) => happens(given(at), k));
		const six =
			zone.firstInstantFrom((firstDay + d) * DAY_MS + 6 * HOUR_MS) - MINUTE_MS;
		return {
			start,
			hours,
			settled: starts.map((at) =>
				foreseen(at, Math.floor(at / HOUR_MS) * HOUR_MS),
			),
			sameDay: starts.map((at) => foreseen(at, six)),
			dayAhead: starts.map((at) => foreseen(at, start - MINUTE_MS)),
			sameDayIdeal: ideal(six),
			dayAheadIdeal: ideal(start - MINUTE_MS),
			actual,
			metered: actual.map((watts, k) =>
				truth.metered ? truth.metered(watts, d, hours[k] as number) : watts,
			),
		};
	});
	return { place: site, zone, days };
}
