const { getPosition } = require("suncalc");

import type { Reading } from "../../src/learn/tally";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { chance } from "../../test/support/chance";
import { sum } from "./methods";

/** Days of a run, and the first of those that are judged. */
export const DAYS = 45;
export const FIRST_JUDGED = 30;
/** Peak power of the roof, W. */
export const PEAK_W = 8000;
const STEP_MS = 5 * MINUTE_MS;

/** How far whole days are foreseen wrongly, in the measure of `CLIMATES`. */
const SPELLS = 0.15;

/** Noise of variance 1 that changes over `span` ms. */
function noise(seed: number, time: number, span: number): number {
	const at = time / span;
	const first = Math.floor(at);
	const part = at - first;
	const [a, b] = [chance(seed, first) - 0.5, chance(seed, first + 1) - 0.5];
	return (
		(a * (1 - part) + b * part) * Math.sqrt(12 / (1 - 2 * part * (1 - part)))
	);
}

/** Weather: how cloudy it is, how much that changes, how well clouds are foreseen. */
const CLIMATES = {
	mixed: { mean: -0.2, spells: 0.9, hours: 0.35, quarters: 0.2 },
	sunny: { mean: -1, spells: 0.7, hours: 0.3, quarters: 0.15 },
	dull: { mean: 0.7, spells: 0.7, hours: 0.35, quarters: 0.15 },
	broken: { mean: -0.1, spells: 0.4, hours: 0.3, quarters: 0.55 },
} as const;

type Gives = (
	watts: number,
	day: number,
	hour: number,
	cloud: number,
) => number;

/** What a roof is beside what its forecast takes it for. */
interface Roof {
	/** Degrees clockwise by which it is turned. */
	turned?: number;
	/** Degrees above the horizon, over azimuths from and to, that hide the sun. */
	hill?: number[];
	/** What it gives, of W without the fault, by day of the run, hour and cloud (0 to 1). */
	gives?: Gives;
	/** What a meter shows in place of it, while a fault lasts; undefined says nothing. */
	shows?: (...of: Parameters<Gives>) => number | undefined;
	curtailed?: typeof isHeld;
	/** Whether clouds that are foreseen are as good as drawn, in place of a mean over what may come. */
	sharp?: boolean;
}

const isNoon = (hour: number) => hour >= 10.5 && hour < 14.5;
const isHeld = (day: number, hour: number) => day % 3 !== 0 && isNoon(hour);

const inClouds =
	(more: number): Gives =>
	(watts, _day, _hour, cloud) =>
		watts * (1 + more * Math.min(1, 3 * cloud));

/** By size of the error, 1 for tuning. */
export const ROOFS: Record<string, (size: number) => Roof> = {
	right: () => ({}),
	"right, sharp clouds": () => ({ sharp: true }),
	"12 % less": (size) => ({ gives: (watts) => (1 - 0.12 * size) * watts }),
	"hill in the east": (size) => ({ hill: [14 * size, 45, 140] }),
	"tree in the south": () => ({ hill: [50, 170, 200] }),
	"turned by 30°": (size) => ({ turned: 30 * size }),
	"cut at 70 %": (size) => ({
		gives: (watts) => Math.min((0.55 + 0.05 * size) * PEAK_W, watts),
	}),
	"soiled, washed": (size) => ({
		gives: (watts, day) => watts * (1 - 0.004 * size * (day % 34)),
	}),
	"20 % less in clouds": (size) => ({ gives: inClouds(-0.2 * size) }),
	"25 % more in clouds": (size) => ({ gives: inClouds(0.25 * size) }),
	"12 % less, snow, dead meter": (size) => ({
		gives: (watts) => (1 - 0.12 * size) * watts,
		shows: (watts, day) => {
			if (day >= 8 && day < 12) return 0.04 * watts;
			if (day >= 17 && day < 20) return 0;
			return day >= 23 && day < 25 ? 1234 : watts;
		},
	}),
	"12 % less, held at noon, marked": (size) => ({
		gives: (watts) => (1 - 0.12 * size) * watts,
		shows: (watts, day, hour) =>
			isHeld(day, hour) ? Math.min(0.3 * PEAK_W, watts) : watts,
		curtailed: isHeld,
	}),
};

const RAD = Math.PI / 180;

/** Power of modules of 32° that face `facing`, behind clouds of 0 to 1, W. */
function power(
	{ azimuth, altitude }: { azimuth: number; altitude: number },
	cloud: number,
	facing: number,
	[elevation = 0, from = 0, to = 0]: Roof["hill"] = [],
) {
	if (altitude <= 0) return 0;
	const height = Math.sin(altitude * RAD);
	const air = 1 / (height + 0.15 * (altitude + 3.885) ** -1.253);
	const clear = 1353 * 0.7 ** (air ** 0.678);
	const sky = 80 * Math.sqrt(height);
	const diffuse =
		(1 - cloud) * sky +
		(0.2 * cloud + 0.5 * cloud * (1 - cloud)) * (clear * height + sky);
	const incidence =
		height * Math.cos(32 * RAD) +
		Math.cos(altitude * RAD) *
			Math.sin(32 * RAD) *
			Math.cos((azimuth - facing) * RAD);
	const isHidden = altitude < elevation && azimuth >= from && azimuth < to;
	const beam = isHidden ? 0 : clear * (1 - cloud) ** 2 * Math.max(0, incidence);
	return (PEAK_W / 1000) * 0.95 * (beam + diffuse * (isHidden ? 0.8 : 0.93));
}

const smooth = (value: number) => 1 / (1 + Math.exp(-2.5 * value));
/** What a forecast does not know, in standard deviations: the middles of five equal parts. */
const DRAWS = [-1.28, -0.52, 0, 0.52, 1.28];

/** Makes a run of a roof that is not what its forecast takes it for. */
export function makeWorld(
	roof: Roof,
	climate: keyof typeof CLIMATES,
	place: { zone: string; latitude: number; longitude: number },
	date: string,
	seed: number,
) {
	const zone = Zone.of(place.zone) as Zone;
	const first = Date.parse(date) / DAY_MS;
	const { mean, spells, hours, quarters } = CLIMATES[climate];
	const known = (time: number, skill: number) =>
		mean +
		spells * noise(seed + 1, time, 2.5 * DAY_MS) +
		skill * hours * noise(seed + 2, time, 7 * HOUR_MS);
	const doubt = (skill: number) =>
		Math.hypot(SPELLS, hours * Math.sqrt(1 - skill ** 2), quarters);
	const cloudAt = (time: number) =>
		smooth(
			known(time, 0.7) +
				SPELLS * noise(seed + 7, time, 1.5 * DAY_MS) +
				hours * 0.71 * noise(seed + 3, time, 5 * HOUR_MS) +
				quarters *
					(0.7 * noise(seed + 4, time, 1.3 * HOUR_MS) +
						0.7 * noise(seed + 5, time, 25 * MINUTE_MS)),
		);
	const noon = place.latitude > 0 ? 180 : 0;
	/** What the roof gives, or what its forecast takes it for, W. */
	const powerAt = (time: number, cloud: number, day?: number) => {
		const sun = getPosition(new Date(time), place.latitude, place.longitude);
		if (day === undefined) return power(sun, cloud, noon);
		const watts = power(sun, cloud, noon + (roof.turned ?? 0), roof.hill);
		return roof.gives?.(watts, day, hourOf(zone, time), cloud) ?? watts;
	};
	/** W foreseen: the mean of what may come. */
	const foresee = (time: number, skill: number, day?: number) => {
		const draws = roof.sharp ? [noise(seed + 6, time, 5 * HOUR_MS)] : DRAWS;
		const powers = draws.map((draw) => {
			const cloud = smooth(known(time, skill) + doubt(skill) * draw);
			return powerAt(time, cloud, day);
		});
		return Math.round(sum(powers) / draws.length);
	};
	const give = (time: number, day: number) => powerAt(time, cloudAt(time), day);
	const days = Array.from({ length: DAYS }, (_, day) => {
		const start = zone.dayStart(first + day);
		const end = zone.dayStart(first + day + 1);
		const starts = Array.from(
			{ length: (end - start) / QUARTER_MS },
			(_, index) => start + index * QUARTER_MS,
		);
		const middles = starts.map((at) => at + QUARTER_MS / 2);
		return {
			/** Epoch ms of the first quarter, and the hour of each. */
			start,
			hours: starts.map((at) => hourOf(zone, at)),
			/** W by quarter: foreseen before 6:00 and on the day before, by who knows the roof, and given. */
			foreseen: middles.map((at) => foresee(at, 0.7)),
			ahead: middles.map((at) => foresee(at, 0.3)),
			ideal: middles.map((at) => foresee(at, 0.7, day)),
			given: starts.map((at) => {
				const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((step) =>
					give(at + step * STEP_MS, day),
				);
				return (a / 2 + b + c + d / 2) / 3;
			}),
			/** What the roof's meter shows at each step of five minutes, W; undefined = nothing. */
			shown: Array.from({ length: (end - start) / STEP_MS }, (_, step) => {
				const time = start + step * STEP_MS;
				const watts = give(time, day);
				const hour = hourOf(zone, time);
				return {
					time,
					watts: roof.shows ? roof.shows(watts, day, hour, 0) : watts,
					curtailed: roof.curtailed?.(day, hour) ?? false,
				};
			}),
		};
	});
	return { ...place, seed, zone, days };
}
export type World = ReturnType<typeof makeWorld>;
export type Day = World["days"][number];

const hourOf = (zone: Zone, time: number) =>
	(time - zone.dayStart(zone.dayOf(time))) / HOUR_MS;

/** Consumption of a house, W: a base, mornings and evenings, and what is switched on by the half hour. */
const load =
	(base: number) =>
	(time: number, { seed, zone }: World) => {
		const hour = hourOf(zone, time);
		const isUp = (hour > 6.5 && hour < 8.5) || (hour > 17 && hour < 22);
		const half = Math.floor(time / (HOUR_MS / 2));
		const isOn = chance(seed + 11, half) < (isUp ? 0.3 : 0.08);
		return (
			base * (0.9 + 0.2 * chance(seed + 13, time / STEP_MS)) +
			(isOn ? 1800 * chance(seed + 12, half) : 0)
		);
	};
const [small, usual, large] = [load(150), load(300), load(500)];

type Meter = (world: World) => Reading[];
export const reading = (time: number, given: Partial<Reading>): Reading => ({
	time,
	string_id: null,
	power_w: null,
	energy_kwh: null,
	curtailed: false,
	...given,
});

type Change = (watts: number, time: number, world: World) => number;
/** Readings of a power every `minutes`, made of what the roof's meter shows. */
const powers =
	(minutes: number, change: Change = (watts) => watts): Meter =>
	(world) =>
		world.days.flatMap(({ shown }) =>
			shown.flatMap(({ time, watts, curtailed }) =>
				watts === undefined || time % (minutes * MINUTE_MS) !== 0
					? []
					: reading(time, { power_w: change(watts, time, world), curtailed }),
			),
		);

/** The same where a reading is sent that differs from the last alone. */
const onChange =
	(step: number): Meter =>
	(world) =>
		powers(
			5,
			(watts) => Math.round(watts / step) * step,
		)(world).filter(
			({ power_w }, index, all) => power_w !== all[index - 1]?.power_w,
		);

/** States of a counter in steps of kWh, every `minutes`. */
const counter =
	(step: number, minutes: number, change?: Change): Meter =>
	(world) => {
		let kwh = 1000 + chance(world.seed + 21);
		return powers(
			5,
			change,
		)(world).flatMap(({ time, power_w, curtailed }) => {
			kwh += (power_w ?? 0) / 12_000;
			const energy_kwh = Math.floor(kwh / step) * step;
			return time % (minutes * MINUTE_MS) === 0
				? reading(time, { energy_kwh, curtailed })
				: [];
		});
	};

/** A battery takes what the house does not need; when it is full, the roof is held down to the house's load. */
const zeroExport =
	(kwh: number): Meter =>
	(world) => {
		let stored = 0;
		return powers(5, (watts, time) => {
			const need = usual(time, world);
			const given = stored < kwh ? watts : Math.min(watts, need);
			stored = Math.min(kwh, Math.max(0, stored + (given - need) / 12_000));
			return given;
		})(world);
	};

const late =
	(minutes: number, meter = powers(5)): Meter =>
	(world) =>
		meter(world).map((given) => ({
			...given,
			time: given.time + minutes * MINUTE_MS,
		}));

const imported: Change = (watts, time, world) => usual(time, world) - watts;
const house: Change = (_, time, world) => usual(time, world);
const behind =
	(need: typeof usual): Change =>
	(watts, time, world) =>
		Math.max(0, watts - need(time, world));
const held = (isHeld: (day: number, hour: number) => boolean) =>
	powers(5, (watts, time, { zone }) =>
		isHeld(zone.dayOf(time), hourOf(zone, time))
			? Math.min(0.3 * PEAK_W, watts)
			: watts,
	);

/** Meters of the roof. */
export const METERS = {
	"W every 5 min": powers(5),
	"W every 15 min": powers(15),
	"10 W on change": onChange(10),
	"100 W on change": onChange(100),
	"0.01 kWh every 5 min": counter(0.01, 5),
	"0.1 kWh every 15 min": counter(0.1, 15),
	"1 kWh every 5 min": counter(1, 5),
	"1 kWh every 15 min": counter(1, 15),
	"1 kWh every hour": counter(1, 60),
	"0.01 kWh every hour": counter(0.01, 60),
	"0.1 kWh every 2 hours": counter(0.1, 120),
} satisfies Record<string, Meter>;

/** What is sent in place of a meter of the roof. */
export const OTHERS = {
	"grid, import above 0": powers(5, imported),
	"grid, export above 0": powers(5, (...at) => -imported(...at)),
	"import only": powers(5, (...at) => Math.max(0, imported(...at))),
	"the house's load": powers(5, house),
	"the house's load, 1 kWh every 15 min": counter(1, 15, house),
	"export behind a small load": powers(5, behind(small)),
	"export behind the load": powers(5, behind(usual)),
	"export behind a large load": powers(5, behind(large)),
	"export, 0.1 kWh every 15 min": counter(0.1, 15, behind(usual)),
	"an hour late": late(60),
	"two hours late": late(120),
	"an hour early": late(-60),
	"an hour late, 0.1 kWh every 15 min": late(60, counter(0.1, 15)),
	"zero export behind 5 kWh": zeroExport(5),
	"zero export behind 10 kWh": zeroExport(10),
	"noons held at a level": held((_, hour) => isNoon(hour)),
	"some noons held at a level": held(isHeld),
	"kW for W": powers(5, (watts) => watts / 1000),
	"W every 30 min": powers(30),
} satisfies Record<string, Meter>;

/** Places and dates: of each pair the first is for tuning, the second for judging alone. */
export const PLACES = [
	[
		{ zone: "Europe/Berlin", latitude: 52.5, longitude: 13.4 },
		{ zone: "Europe/London", latitude: 53.5, longitude: -2.2 },
	],
	[
		{ zone: "Europe/Madrid", latitude: 40.4, longitude: -3.7 },
		{ zone: "Europe/Rome", latitude: 43.8, longitude: 11.3 },
	],
	[
		{ zone: "America/Denver", latitude: 39.7, longitude: -105 },
		{ zone: "Australia/Adelaide", latitude: -34.9, longitude: 138.6 },
	],
] as const;
export const SEASONS = {
	spring: ["2026-03-01", "2028-02-20"],
	summer: ["2026-06-01", "2028-06-10"],
	autumn: ["2026-09-05", "2028-09-15"],
	winter: ["2026-11-25", "2028-12-01"],
} as const;
export { CLIMATES };
