import { isObject } from "../../util/guards";
import { type InvalidField, invalid, unprocessable } from "./http-error";

type Loc = readonly (string | number)[];
type Json = Readonly<Record<string, unknown>>;

/** A string as a client sends it. */
export interface StringBody {
	readonly id: string | null;
	readonly slope: number;
	readonly orientation: number;
	readonly power_kw: number;
	readonly gcr: number | null;
	/** Kept as sent; its structure is not shown. */
	readonly near_field_shading: unknown;
}

/** Fields of a site that a request sets; absent = not sent. */
export interface SiteBody {
	readonly name?: string;
	readonly latitude?: number;
	readonly longitude?: number;
	readonly strings?: readonly StringBody[];
	/** Groups of leaves as sent; null leaves and groups return to the default. */
	readonly config?: Json;
	readonly temporary?: boolean;
}

interface LeafRule {
	readonly oneOf?: readonly string[];
	readonly min?: number;
	readonly max?: number;
	readonly boolean?: true;
}

/** Leaves that are checked; any other leaf is stored as sent. */
const CONFIG_RULES: Readonly<
	Record<string, Readonly<Record<string, LeafRule>>>
> = {
	modules: {
		technology: { oneOf: ["monosi", "multisi", "perc", "topcon", "cdte"] },
		temperature_coefficient: { min: -1, max: 0 },
		installation_year: { min: 1950, max: 2100 },
	},
	mounting: {
		type: { oneOf: ["open", "mix", "isol"] },
		height_above_ground: { min: 0, max: 200 },
	},
	inverter: {
		clip_max_percent: { min: 10, max: 200 },
		clip_min_percent: { min: 0, max: 25 },
	},
	losses: {
		cable: { min: 0, max: 0.1 },
		conversion: { min: 0, max: 0.1 },
		albedo: { min: 0, max: 1 },
		snow_slide: { min: 0, max: 1 },
		diffuse_model: { oneOf: ["haydavies", "perez"] },
	},
	shading: { use_terrain_horizon: { boolean: true } },
	tracking: {
		type: { oneOf: ["fixed", "single_axis", "dual_axis"] },
		axis_azimuth: { min: 0, max: 360 },
		axis_tilt: { min: 0, max: 90 },
		max_angle: { min: 0, max: 90 },
		backtracking: { boolean: true },
	},
};

/** Reads the JSON body of a request; 422 when it is not an object. */
export function parseBody(text: string): Json {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		throw invalid(["body"], "Body is not valid JSON");
	}
	if (!isObject(body)) throw invalid(["body"], "Body should be a JSON object");
	return body;
}

/**
 * Checks the fields of a site (spec, Resources), all at once; unknown fields
 * are ignored. With `located`, latitude and longitude are required.
 */
export function readSiteBody(body: Json, located: boolean): SiteBody {
	const problems: InvalidField[] = [];
	const number = (
		loc: Loc,
		value: unknown,
		min: number,
		max: number,
		above = false,
	): number => {
		if (typeof value !== "number" || !Number.isFinite(value))
			problems.push({ loc, msg: "Input should be a number" });
		else if (value < min || value > max || (above && value === min))
			problems.push({
				loc,
				msg: above
					? `Input should be greater than ${min}`
					: `Input should be between ${min} and ${max}`,
			});
		return value as number;
	};
	const coordinate = (name: "latitude" | "longitude", bound: number) => {
		const value = body[name];
		if (value === undefined && !located) return {};
		if (value === undefined) {
			problems.push({ loc: ["body", name], msg: "Field required" });
			return {};
		}
		return { [name]: number(["body", name], value, -bound, bound) };
	};
	const typed = (name: "name" | "temporary", type: "string" | "boolean") => {
		const value = body[name];
		if (value === undefined || value === null) return {};
		if (typeof value !== type)
			problems.push({
				loc: ["body", name],
				msg: `Input should be a ${type}`,
			});
		return { [name]: value };
	};
	const string = (value: unknown, index: number): StringBody => {
		const loc = ["body", "strings", index] as const;
		if (!isObject(value)) {
			problems.push({ loc, msg: "Input should be an object" });
			return value as unknown as StringBody;
		}
		for (const name of ["slope", "orientation", "power_kw"])
			if (value[name] === undefined)
				problems.push({ loc: [...loc, name], msg: "Field required" });
		const field = (name: string, min: number, max: number, above = false) =>
			value[name] === undefined
				? Number.NaN
				: number([...loc, name], value[name], min, max, above);
		const id = value.id ?? null;
		if (id !== null && typeof id !== "string")
			problems.push({ loc: [...loc, "id"], msg: "Input should be a string" });
		return {
			id: id as string | null,
			slope: field("slope", 0, 90),
			orientation: field("orientation", 0, 360),
			power_kw: field("power_kw", 0, Number.MAX_VALUE, true),
			gcr: value.gcr == null ? null : field("gcr", 0, 1),
			near_field_shading: value.near_field_shading ?? null,
		};
	};

	const input = {
		...typed("name", "string"),
		...coordinate("latitude", 90),
		...coordinate("longitude", 180),
		...strings(),
		...config(),
		...typed("temporary", "boolean"),
	} as SiteBody;
	if (problems.length > 0) throw unprocessable(problems);
	return input;

	function strings() {
		const value = body.strings;
		if (value === undefined || value === null) return {};
		if (Array.isArray(value)) return { strings: value.map(string) };
		problems.push({
			loc: ["body", "strings"],
			msg: "Input should be an array",
		});
		return {};
	}

	function config() {
		const value = body.config;
		if (value === undefined || value === null) return {};
		const loc = ["body", "config"];
		if (isObject(value)) problems.push(...configProblems(loc, value));
		else problems.push({ loc, msg: "Input should be an object" });
		return { config: value };
	}
}

function configProblems(loc: Loc, config: Json): InvalidField[] {
	return Object.entries(config).flatMap(([group, leaves]): InvalidField[] => {
		if (leaves === null) return [];
		if (!isObject(leaves))
			return [{ loc: [...loc, group], msg: "Input should be an object" }];
		return Object.entries(leaves).flatMap(([leaf, value]) => {
			const rule = Object.hasOwn(CONFIG_RULES, group)
				? CONFIG_RULES[group]?.[leaf]
				: undefined;
			const msg = value === null || !rule ? null : leafProblem(rule, value);
			return msg === null ? [] : [{ loc: [...loc, group, leaf], msg }];
		});
	});
}

function leafProblem(rule: LeafRule, value: unknown): string | null {
	if (rule.oneOf)
		return rule.oneOf.includes(value as string)
			? null
			: `Input should be one of ${rule.oneOf.join(", ")}`;
	if (rule.boolean)
		return typeof value === "boolean" ? null : "Input should be a boolean";
	const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } =
		rule;
	return typeof value === "number" && value >= min && value <= max
		? null
		: `Input should be a number between ${min} and ${max}`;
}
