/** System-wide settings of a site, complete: what was set, over the system defaults (spec, Config). */
export interface Config {
	readonly modules: {
		readonly technology: string;
		/** %/degC. */
		readonly temperature_coefficient: number;
		/** Year; null = new. */
		readonly installation_year: number | null;
	};
	readonly mounting: {
		readonly type: string;
		/** m. */
		readonly height_above_ground: number;
	};
	/** Bounds of its power, both in % of DC rated power. */
	readonly inverter: {
		readonly clip_max_percent: number;
		readonly clip_min_percent: number;
	};
	/** Fractions. */
	readonly losses: {
		readonly cable: number;
		readonly conversion: number;
		readonly albedo: number;
		readonly snow_slide: number;
		readonly diffuse_model: string;
	};
	readonly shading: {
		readonly use_terrain_horizon: boolean;
		/** Kept as sent; understood as `start:end:elevation` text joined by `_`, or a list of such triples. */
		readonly sky_obstruction: unknown;
	};
	/** Degrees. */
	readonly tracking: {
		readonly type: string;
		readonly axis_azimuth: number;
		readonly axis_tilt: number;
		readonly max_angle: number;
		readonly backtracking: boolean;
	};
}

/** What a site stores: only the leaves that were set. */
export type StoredConfig = Readonly<
	Record<string, Readonly<Record<string, unknown>>>
>;

const CONFIG_DEFAULTS: Config = {
	modules: {
		technology: "perc",
		temperature_coefficient: -0.35,
		installation_year: null,
	},
	mounting: { type: "open", height_above_ground: 0 },
	inverter: { clip_max_percent: 120, clip_min_percent: 0.1 },
	losses: {
		cable: 0.015,
		conversion: 0.025,
		albedo: 0.15,
		snow_slide: 0.3,
		diffuse_model: "perez",
	},
	shading: { use_terrain_horizon: true, sky_obstruction: null },
	tracking: {
		type: "fixed",
		axis_azimuth: 180,
		axis_tilt: 0,
		max_angle: 60,
		backtracking: true,
	},
};

/** The stored leaves over the defaults; unknown groups and leaves stay in it. */
export function mergeConfig(stored: StoredConfig): Config {
	return mergeLeaves(
		CONFIG_DEFAULTS as unknown as StoredConfig,
		stored,
	) as unknown as Config;
}

/** A change laid over what is stored, leaf by leaf; a null leaf or group returns to the default. */
export function mergeLeaves(
	base: StoredConfig,
	change: Readonly<Record<string, unknown>>,
): StoredConfig {
	const result = bare<Record<string, unknown>>();
	for (const [group, leaves] of Object.entries(base))
		result[group] = Object.assign(bare(), leaves);
	for (const [group, leaves] of Object.entries(change)) {
		if (leaves === null) {
			delete result[group];
			continue;
		}
		const merged = result[group] ?? bare<unknown>();
		for (const [leaf, value] of Object.entries(leaves as object)) {
			if (value === null) delete merged[leaf];
			else merged[leaf] = value;
		}
		result[group] = merged;
	}
	return result;
}

/** A record without a prototype, so that no name a client sends means anything. */
function bare<T>(): Record<string, T> {
	return Object.create(null) as Record<string, T>;
}
