import type { Config } from "../config";
import type { Sun } from "./sun";
import type { Weather } from "./weather";

const RADIANS = Math.PI / 180;

/** What a string is made of (spec, String). */
export interface StringSpec {
	readonly slope: number;
	readonly orientation: number;
	readonly power_kw: number;
	/** Row width over row distance, 0 to 1; absent or 0 = no rows. */
	readonly gcr?: number | null;
}

/** Irradiance on the horizontal and on a plane facing the sun, W/m2. */
export interface Irradiance {
	readonly ghi: number;
	readonly dhi: number;
	readonly bni: number;
}

/** What a string gives in a quarter hour. */
export interface StringOutput {
	/** AC power, W. */
	readonly power: number;
	/** The same without snow on the modules. */
	readonly powerWithoutSnow: number;
	/** Irradiance on the modules, W/m2, without and with shading. */
	readonly gti: number;
	readonly gtiShaded: number;
	/** DC power before temperature, cables, conversion and clipping, W. */
	readonly nominal: number;
	/** DC power at cell temperature, W. */
	readonly warm: number;
}

const DARK: StringOutput = {
	power: 0,
	powerWithoutSnow: 0,
	gti: 0,
	gtiShaded: 0,
	nominal: 0,
	warm: 0,
};

/** Heat that the modules give off, W/m2/K at rest and more per m/s of wind. */
const COOLING: Readonly<Record<string, readonly [number, number]>> = {
	open: [25, 6],
	mix: [20, 3.5],
	isol: [15, 1],
};

/** Efficiency lost in weak light: the share lost at 100 W/m2. */
const WEAK_LIGHT: Readonly<Record<string, number>> = {
	monosi: 0.05,
	multisi: 0.06,
	perc: 0.04,
	topcon: 0.03,
	cdte: 0.02,
};

/** Share left by dust on the glass and unequal modules. */
const UNAVOIDABLE = 0.97;

/** A cloudless sky dimmed by clouds: the beam fades first, the diffuse part grows. */
export function irradiance(sun: Sun, cloud: number): Irradiance {
	if (sun.clearBeam === 0) return { ghi: 0, dhi: 0, bni: 0 };
	const clear = sun.clearBeam * sun.up + sun.clearDiffuse;
	const ghi = clear * (1 - 0.75 * cloud ** 2.5);
	const bni = sun.clearBeam * (1 - cloud) ** 0.9;
	return { ghi, dhi: ghi - bni * sun.up, bni };
}

interface Vector {
	readonly east: number;
	readonly north: number;
	readonly up: number;
}

/** Unit vector in a direction: azimuth from north, angle above the horizon, degrees. */
function direction(azimuth: number, altitude: number): Vector {
	const across = Math.cos(altitude * RADIANS);
	return {
		east: across * Math.sin(azimuth * RADIANS),
		north: across * Math.cos(azimuth * RADIANS),
		up: Math.sin(altitude * RADIANS),
	};
}

function dot(a: Vector, b: Vector): number {
	return a.east * b.east + a.north * b.north + a.up * b.up;
}

/** Where the modules face, and the share of each row that the row before it shades. */
interface Facing {
	readonly normal: Vector;
	readonly rowShade: number;
}

type Mount = (sun: Sun) => Facing;

/** One string under one config; `ageYears` overrides the year of installation. */
export class ArrayModel {
	readonly #mount: Mount;
	readonly #obstructions: readonly Obstruction[];
	readonly #gcr: number;
	readonly #cooling: readonly [number, number];

	constructor(
		private readonly string: StringSpec,
		private readonly config: Config,
		private readonly ageYears: number,
	) {
		this.#gcr = string.gcr ?? 0;
		this.#mount = (MOUNTS[config.tracking.type] ?? fixedMount)(
			string,
			config.tracking,
			this.#gcr,
		);
		this.#obstructions = parseObstructions(config.shading.sky_obstruction);
		this.#cooling = COOLING[config.mounting.type] ?? [25, 6];
	}

	/** Power and irradiance of the string under a sun, an irradiance and the air around it. */
	output(sun: Sun, light: Irradiance, air: Weather): StringOutput {
		if (light.ghi <= 0) return DARK;
		const { losses, modules } = this.config;
		const { normal, rowShade } = this.#mount(sun);
		const incidence = Math.max(0, dot(normal, sun));
		const skyView = (1 + normal.up) / 2;
		const anisotropy = Math.min(1, light.bni / sun.extraterrestrial);
		const brightening =
			losses.diffuse_model === "perez"
				? 1 +
					Math.sqrt((light.bni * sun.up) / light.ghi) *
						((1 - normal.up) / 2) ** 1.5
				: 1;
		const beam = light.bni * incidence;
		const aureole =
			light.dhi * anisotropy * (incidence / Math.max(0.0872, sun.up));
		const sky = light.dhi * (1 - anisotropy) * skyView * brightening;
		const ground = light.ghi * losses.albedo * (1 - skyView);
		const gti = beam + aureole + sky + ground;

		const lit = this.#blocked(sun) ? 0 : 1 - rowShade;
		const open = 1 - 0.25 * this.#gcr * (1 - normal.up);
		const reflected =
			incidence > 0.05 ? Math.max(0, 1 - 0.05 * (1 / incidence - 1)) : 0;
		const gtiShaded = (beam + aureole) * lit + sky * open + ground * open;
		const useful =
			(beam + aureole) * lit * reflected + (sky + ground) * open * 0.96;

		const rated = this.string.power_kw * 1000;
		const weak =
			1 -
			(WEAK_LIGHT[modules.technology] ?? 0.04) * 2.7 * Math.exp(-useful / 100);
		const nominal = (rated * useful) / 1000;
		const [still, wind] = this.#cooling;
		const cell =
			air.temp +
			useful /
				(still +
					wind *
						air.wind *
						(1 + 0.01 * this.config.mounting.height_above_ground));
		const warm =
			nominal *
			weak *
			(1 + (modules.temperature_coefficient / 100) * (cell - 25)) *
			UNAVOIDABLE *
			0.995 ** this.ageYears;
		const ac = warm * (1 - losses.cable) * (1 - losses.conversion);
		const covered =
			Math.min(1, air.snow / 4) *
			0.92 *
			Math.max(0, 1 - losses.snow_slide * 2 * Math.sqrt(1 - normal.up ** 2));
		return {
			power: this.#clip(ac * (1 - covered)),
			powerWithoutSnow: this.#clip(ac),
			gti,
			gtiShaded,
			nominal,
			warm,
		};
	}

	/** Inverter limits, in % of DC rated power. */
	#clip(power: number): number {
		const percent = this.string.power_kw * 10;
		const { clip_min_percent, clip_max_percent } = this.config.inverter;
		return power < percent * clip_min_percent
			? 0
			: Math.min(power, percent * clip_max_percent);
	}

	#blocked(sun: Sun): boolean {
		if (this.config.shading.use_terrain_horizon && sun.altitude < sun.terrain)
			return true;
		if (this.#obstructions.length === 0) return false;
		return this.#obstructions.some(
			({ from, to, elevation }) =>
				sun.altitude < elevation &&
				(from <= to
					? sun.azimuth >= from && sun.azimuth <= to
					: sun.azimuth >= from || sun.azimuth <= to),
		);
	}
}

const fixedMount = (
	string: StringSpec,
	_tracking: Config["tracking"],
	gcr: number,
): Mount => {
	const normal = direction(string.orientation, 90 - string.slope);
	const slope = string.slope * RADIANS;
	const facing = direction(string.orientation, 0);
	return (sun) => {
		const towards = sun.east * facing.east + sun.north * facing.north;
		if (gcr <= 0 || towards <= 0) return { normal, rowShade: 0 };
		// Length of a row and its shadow, in rows' distances, seen from the side.
		const reach =
			gcr * (Math.cos(slope) + (Math.sin(slope) * towards) / sun.up);
		return { normal, rowShade: reach > 1 ? 1 - 1 / reach : 0 };
	};
};

const MOUNTS: Readonly<
	Record<
		string,
		(string: StringSpec, tracking: Config["tracking"], gcr: number) => Mount
	>
> = {
	fixed: fixedMount,
	single_axis: (_string, tracking, gcr) => {
		const rest = direction(tracking.axis_azimuth, 90 - tracking.axis_tilt);
		const side = direction(tracking.axis_azimuth + 90, 0);
		return (sun) => {
			const ideal = Math.atan2(dot(side, sun), dot(rest, sun));
			const facing = Math.abs(Math.cos(ideal));
			let rotation = ideal;
			let rowShade = 0;
			if (gcr > 0 && facing < gcr) {
				if (tracking.backtracking)
					rotation -= Math.sign(ideal) * Math.acos(facing / gcr);
				else rowShade = 1 - facing / gcr;
			}
			const limit = tracking.max_angle * RADIANS;
			rotation = Math.max(-limit, Math.min(limit, rotation));
			const c = Math.cos(rotation);
			const s = Math.sin(rotation);
			return {
				normal: {
					east: rest.east * c + side.east * s,
					north: rest.north * c + side.north * s,
					up: rest.up * c + side.up * s,
				},
				rowShade,
			};
		};
	},
	dual_axis: () => (sun) => ({ normal: sun, rowShade: 0 }),
};

interface Obstruction {
	readonly from: number;
	readonly to: number;
	readonly elevation: number;
}

/** Reads `start:end:elevation` triples from text joined by `_`, or a list of texts, triples or objects; skips the rest. */
function parseObstructions(value: unknown): readonly Obstruction[] {
	const parts =
		typeof value === "string"
			? value.split("_")
			: Array.isArray(value)
				? value
				: [];
	return parts.flatMap((part: unknown) => {
		const numbers =
			typeof part === "string"
				? part.split(":").map(Number)
				: typeof part === "object" && part !== null
					? Object.values(part).map(Number)
					: [];
		const [from, to, elevation] = numbers;
		return from !== undefined &&
			to !== undefined &&
			elevation !== undefined &&
			numbers.every(Number.isFinite)
			? [{ from, to, elevation }]
			: [];
	});
}
