import { DAY_MS } from "../../util/time";
import { noise } from "./noise";
import { QuarterMemo } from "./quarters";

// The package ships CommonJS too, but its types speak of an ES module only.
const { getPosition } = require("suncalc") as typeof import("suncalc", { with: {
	"resolution-mode": "import",
}});

const RADIANS = Math.PI / 180;
const SOLAR_CONSTANT = 1361;

/** Where the sun stands in the middle of a quarter hour, and what reaches the ground from a cloudless sky. */
export interface Sun {
	/** Degrees clockwise from north. */
	readonly azimuth: number;
	/** Degrees above the horizon, refraction included. */
	readonly altitude: number;
	/** Unit vector towards the sun: east, north, up. */
	readonly east: number;
	readonly north: number;
	readonly up: number;
	/** Irradiance outside the atmosphere on a plane that faces the sun, W/m2. */
	readonly extraterrestrial: number;
	/** Beam irradiance on a plane that faces the sun, cloudless, W/m2. */
	readonly clearBeam: number;
	/** Diffuse irradiance on the horizontal, cloudless, W/m2. */
	readonly clearDiffuse: number;
	/** Height of the terrain horizon in the sun's direction, degrees. */
	readonly terrain: number;
}

/** The sun over one place, kept per UTC day once computed. */
export class SunOverPlace {
	readonly #quarters = new QuarterMemo((middle) => this.#compute(middle));

	constructor(
		private readonly latitude: number,
		private readonly longitude: number,
		private readonly elevation: number,
		private readonly seed: number,
	) {}

	/** The sun in the quarter that begins at `start` (epoch ms, on the quarter). */
	at(start: number): Sun {
		return this.#quarters.at(start);
	}

	#compute(at: number): Sun {
		const { azimuth, altitude } = getPosition(
			new Date(at),
			this.latitude,
			this.longitude,
		);
		const up = Math.sin(altitude * RADIANS);
		const across = Math.cos(altitude * RADIANS);
		const yearAngle = (2 * Math.PI * (at / DAY_MS)) / 365.25;
		const extraterrestrial = SOLAR_CONSTANT * (1 + 0.033 * Math.cos(yearAngle));
		const shines = altitude > 0;
		return {
			azimuth,
			altitude,
			east: across * Math.sin(azimuth * RADIANS),
			north: across * Math.cos(azimuth * RADIANS),
			up,
			extraterrestrial,
			clearBeam: shines
				? extraterrestrial * clearTransmittance(altitude, this.elevation)
				: 0,
			clearDiffuse: shines ? 0.09 * extraterrestrial * Math.sqrt(up) : 0,
			terrain: terrainHorizon(this.seed, azimuth),
		};
	}
}

/**
 * Height of the terrain horizon in a direction, 0 to 5 degrees; a smooth ring
 * around the place.
 */
export function terrainHorizon(seed: number, azimuth: number): number {
	const angle = azimuth * RADIANS;
	const ridge =
		noise(seed + 11, 1.7 * Math.cos(angle) + 40) +
		noise(seed + 12, 1.7 * Math.sin(angle) + 40);
	return Math.max(0, ridge - 0.6) * 3.5;
}

/** Share of the beam that a cloudless atmosphere lets through (Meinel's formula for hazy air, with its correction for height). */
function clearTransmittance(altitude: number, elevation: number): number {
	const height = 0.00014 * Math.max(0, elevation);
	const airMass =
		1 /
		(Math.sin(altitude * RADIANS) + 0.50572 * (altitude + 6.07995) ** -1.6364);
	return (1 - height) * 0.67 ** (airMass ** 0.678) + height;
}
