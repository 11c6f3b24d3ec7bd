import { DAY_MS } from "../util/time";
import type { Point, Weather } from "./weather";

// The package ships CommonJS too, but its types speak of an ES module only.
const { getPosition } = require("suncalc") as typeof import("suncalc", { with: {
	"resolution-mode": "import",
}});

const RADIANS = Math.PI / 180;
const SOLAR_CONSTANT = 1361;
/** Share of the light that the ground throws back. */
const ALBEDO = 0.15;
/** Share left by dust, unequal modules, cables and conversion. */
const SYSTEM = 0.93;
/** Hills and houses around hide the sun below this height, degrees. */
export const HORIZON = 3;

/** Unit vector: east, north, up. */
type Direction = readonly [number, number, number];

/** A part of a system whose modules face the same way (spec V2, "String"). */
export interface StringSpec {
	/** Degrees, 0 is flat. */
	readonly slope: number;
	/** Degrees clockwise from north. */
	readonly orientation: number;
	readonly power_kw: number;
}

/** Where the sun stands, and what reaches the ground from a cloudless sky. */
export interface Sun {
	/** Degrees above the horizon. */
	readonly altitude: number;
	/** Degrees clockwise from north. */
	readonly azimuth: number;
	/** On a plane that faces the sun, W/m². */
	readonly beam: number;
	/** On the horizontal, W/m². */
	readonly diffuse: number;
}

/** On the horizontal, all and diffuse, and on a plane that faces the sun, W/m². */
export interface Light {
	readonly ghi: number;
	readonly dhi: number;
	readonly bni: number;
}

/** The sun at an instant, epoch ms. */
export function sunAt({ latitude, longitude }: Point, at: number): Sun {
	const { azimuth, altitude } = getPosition(new Date(at), latitude, longitude);
	if (altitude <= 0) return { altitude, azimuth, beam: 0, diffuse: 0 };
	const up = Math.sin(altitude * RADIANS);
	const year = (2 * Math.PI * (at / DAY_MS)) / 365.25;
	const outside = SOLAR_CONSTANT * (1 + 0.033 * Math.cos(year));
	// Meinel's formula for hazy air, with Kasten and Young's mass of air.
	const mass = 1 / (up + 0.50572 * (altitude + 6.07995) ** -1.6364);
	return {
		altitude,
		azimuth,
		beam: outside * 0.67 ** (mass ** 0.678),
		diffuse: 0.09 * outside * Math.sqrt(up),
	};
}

/** The light under a cover of cloud, 0 to 1: the beam fades first, the diffuse part grows. */
export function lightOf(
	{ altitude, beam, diffuse }: Sun,
	cloud: number,
): Light {
	const up = Math.max(0, Math.sin(altitude * RADIANS));
	const ghi = (beam * up + diffuse) * (1 - 0.75 * cloud ** 2.5);
	const bni = beam * (1 - cloud) ** 0.9;
	return { ghi, dhi: ghi - bni * up, bni };
}

/** What a string gives. */
interface Output {
	/** AC power, W, without snow. */
	readonly power: number;
	/** Light on the modules, W/m², without and with what the horizon hides. */
	readonly gti: number;
	readonly shaded: number;
}

/** What a string gives in a light and air. */
export function stringOutput(
	{ slope, orientation, power_kw }: StringSpec,
	{ azimuth, altitude }: Sun,
	light: Light,
	air: Pick<Weather, "temp" | "wind">,
): Output {
	if (light.ghi <= 0) return { power: 0, gti: 0, shaded: 0 };
	const sun = direction(azimuth, altitude);
	const normal = direction(orientation, 90 - slope);
	const incidence = Math.max(
		0,
		normal.reduce((sum, part, k) => sum + part * (sun[k] as number), 0),
	);
	const sky = (1 + normal[2]) / 2;
	const beam = light.bni * incidence;
	const rest = light.dhi * sky + light.ghi * ALBEDO * (1 - sky);
	const visible = altitude > HORIZON ? beam : 0;
	// Flat light is thrown back by the glass.
	const passing =
		incidence > 0.05 ? Math.max(0, 1 - 0.05 * (1 / incidence - 1)) : 0;
	const useful = visible * passing + rest * 0.96;
	const cell = air.temp + useful / (25 + 6 * air.wind);
	const weak = 1 - 0.108 * Math.exp(-useful / 100);
	const power = power_kw * useful * weak * SYSTEM * (1 - 0.0035 * (cell - 25));
	return {
		// Inverters start at a thousandth of their power.
		power: power < power_kw ? 0 : power,
		gti: beam + rest,
		shaded: visible + rest,
	};
}

/** The way towards an azimuth and a height above the horizon, degrees. */
function direction(azimuth: number, altitude: number): Direction {
	const across = Math.cos(altitude * RADIANS);
	return [
		across * Math.sin(azimuth * RADIANS),
		across * Math.cos(azimuth * RADIANS),
		Math.sin(altitude * RADIANS),
	];
}
