import { z } from "zod";
import { inputError } from "../../errors/solar-yield-error";
import type { InlineSystem } from "../request-parameters";
import { pathText, show } from "../schema-errors";
import { SITE_BOUNDS, STRING_BOUNDS } from "./site-bounds";

/**
 * What users give for a site (spec V2, "Resources and their fields"), checked
 * before anything is sent. Unknown fields are passed on as they are. Each rule
 * says what to give instead.
 */

/** A number with bounds, and the words that an error ends in. */
function number(
	words: string,
	{
		least,
		most,
		above,
	}: { least?: number; most?: number; above?: number } = {},
) {
	const error = `give ${words}`;
	let schema = z.number({ error });
	if (least !== undefined) schema = schema.min(least, { error });
	if (most !== undefined) schema = schema.max(most, { error });
	if (above !== undefined) schema = schema.gt(above, { error });
	return schema;
}

const oneOf = <const T extends readonly [string, ...string[]]>(options: T) =>
	z.enum(options, { error: `give one of ${options.join(", ")}` });

const truth = z.boolean({ error: "give true or false" });

const STRING_FIELDS = {
	slope: number(
		"the tilt in degrees, from 0 (flat) to 90 (upright)",
		STRING_BOUNDS.slope,
	),
	orientation: number(
		"the compass direction in degrees, from 0 to 360: 90 is east, 180 south, 270 west (from −180 … 180 with 0 in the south add 180)",
		STRING_BOUNDS.orientation,
	),
	power_kw: number("the peak power in kW, above 0", { above: 0 }),
	gcr: number(
		"the ground coverage ratio, from 0 to 1, or leave it out",
		STRING_BOUNDS.gcr,
	).nullish(),
	/** Its structure is not shown. */
	near_field_shading: z.unknown().optional(),
};
const stringId = z
	.string({
		error: "give the id of a stored string, or leave it out for a new one",
	})
	.min(1, {
		error: "give the id of a stored string, or leave it out for a new one",
	})
	.nullish();

const objectWords = (fields: string) => `give an object with ${fields}`;
const STRING_WORDS = objectWords("slope, orientation and power_kw");

const NewString = z.looseObject(STRING_FIELDS, { error: STRING_WORDS });
const StringOfSite = z.looseObject(
	{ ...STRING_FIELDS, id: stringId },
	{ error: STRING_WORDS },
);
const StringChange = NewString.partial();

/** A string as it is sent; angles in degrees, power in kW. */
export type StringInput = z.infer<typeof StringOfSite>;
type StringChange = z.infer<typeof StringChange>;

/** A group of config: known leaves checked, null for the system's default. */
const group = (leaves: Record<string, z.ZodType>) =>
	z
		.looseObject(
			Object.fromEntries(
				Object.entries(leaves).map(([name, leaf]) => [name, leaf.nullish()]),
			),
			{ error: objectWords(Object.keys(leaves).join(", ")) },
		)
		.nullish();

/** Names by behaviour: Where the service's description is silent "config field names", enums by the spec's table. */
const CONFIG_GROUPS = {
	modules: group({
		technology: oneOf(["monosi", "multisi", "perc", "topcon", "cdte"]),
		temperature_coefficient: number("a number, in % per °C, such as -0.35"),
		installation_year: z.int({ error: "give a year, such as 2019" }),
	}),
	mounting: group({
		type: oneOf(["open", "mix", "isol"]),
		height_above_ground: number("metres, 0 or more", { least: 0 }),
	}),
	inverter: group({
		clip_max_percent: number("% of the DC rated power, above 0", { above: 0 }),
		clip_min_percent: number("% of the DC rated power, 0 or more", {
			least: 0,
		}),
	}),
	losses: group({
		cable: number("a number"),
		conversion: number("a number"),
		albedo: number("a number"),
		snow_slide: number("a number"),
		diffuse_model: z.string({ error: "give the name of a diffuse model" }),
	}),
	shading: group({ use_terrain_horizon: truth, sky_obstruction: z.unknown() }),
	tracking: group({
		type: oneOf(["fixed", "single_axis", "dual_axis"]),
		axis_azimuth: number("degrees"),
		axis_tilt: number("degrees"),
		max_angle: number("degrees"),
		backtracking: truth,
	}),
};

const SITE_FIELDS = {
	latitude: number("degrees north, from -90 to 90", SITE_BOUNDS.latitude),
	longitude: number("degrees east, from -180 to 180", SITE_BOUNDS.longitude),
	name: z.string({ error: "give a text" }).nullish(),
	config: z
		.looseObject(CONFIG_GROUPS, {
			error: objectWords(Object.keys(CONFIG_GROUPS).join(", ")),
		})
		.nullish(),
};
const stringsOf = <T extends z.ZodType>(string: T) =>
	z.array(string, { error: "give a list of strings" });

const NewSite = z.looseObject(
	{
		...SITE_FIELDS,
		strings: stringsOf(NewString).nullish(),
		temporary: truth.nullish(),
	},
	{
		error: objectWords(
			"latitude, longitude, and name, strings and config if you like",
		),
	},
);
const SiteChange = z
	.looseObject(
		{
			...SITE_FIELDS,
			strings: stringsOf(StringOfSite),
		},
		{
			error: objectWords(
				"what is to change: name, latitude, longitude, strings, config",
			),
		},
	)
	.partial();

const System = z.looseObject(
	{
		...SITE_FIELDS,
		strings: stringsOf(StringOfSite).min(1, {
			error: "give a list of at least one string",
		}),
	},
	{ error: objectWords("latitude, longitude, strings and config") },
);

export type NewSite = z.infer<typeof NewSite>;
export type SiteChange = z.infer<typeof SiteChange>;

/**
 * A copy as it would travel in a request.
 *
 * @throws SolarYieldError `INPUT` when it cannot be written as JSON
 */
function asJson(value: unknown): unknown {
	try {
		return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
	} catch {
		throw inputError(
			"The payload cannot be sent, since it holds itself or values that JSON has no form for; give plain values",
		);
	}
}

function check<T>(
	schema: z.ZodType<T>,
	value: unknown,
	...root: readonly string[]
): T {
	const body = asJson(value);
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const path = issue?.path ?? [];
	let found: unknown = body;
	for (const part of path) {
		found = (found as Record<PropertyKey, unknown> | undefined)?.[part];
	}
	throw inputError(
		`${pathText([...root, ...path]) || "The payload"} is ${show(found)}; ${issue?.message ?? "correct it"}`,
	);
}

const without = (object: object, ...names: string[]) =>
	Object.fromEntries(
		Object.entries(object).filter(([name]) => !names.includes(name)),
	);

/**
 * A string without what only reads carry: its position, the other names of its
 * id, and fields that are not set.
 */
export function sendable<T extends object>(string: T): T {
	return Object.fromEntries(
		Object.entries(without(string, "string_index", "string_id")).filter(
			([, value]) => value !== null && value !== undefined,
		),
	) as T;
}

/**
 * Body of `POST /v2/sites`. Ids of strings are left out: the service assigns them.
 *
 * @throws SolarYieldError `INPUT` with the path of the bad field
 */
export function readNewSite(value: unknown): NewSite {
	const site = check(NewSite, value);
	return site.strings
		? {
				...site,
				strings: site.strings.map(
					(string) => without(sendable(string), "id") as typeof string,
				),
			}
		: site;
}

/**
 * A system that is not stored, for the inline endpoints (behaviour: Where the service's description is silent "inline
 * bodies"); errors call it `inline`.
 *
 * @throws SolarYieldError `INPUT` with the path of the bad field
 */
export function readSystem(value: unknown): InlineSystem {
	return sendable(check(System, value, "inline")) as InlineSystem;
}

/**
 * Body of `PATCH /v2/sites/{site_id}`; fields that are missing are not to change.
 *
 * @throws SolarYieldError `INPUT` with the path of the bad field
 */
export function readSiteChange(value: unknown): SiteChange {
	return check(SiteChange, value);
}

/**
 * One new string.
 *
 * @throws SolarYieldError `INPUT` with the path of the bad field
 */
export function readNewString(value: unknown): StringInput {
	const string = check(StringOfSite, value);
	if (string.id != null) {
		throw inputError(
			`id is ${show(string.id)}; leave it out, the service gives a new string its id (to change a stored one use update-string)`,
		);
	}
	return sendable(string);
}

/**
 * Changes of one string; fields that are missing are not to change.
 *
 * @throws SolarYieldError `INPUT` with the path of the bad field
 */
export function readStringChange(value: unknown): StringChange {
	return without(
		check(StringChange, value),
		"id",
		"string_id",
		"string_index",
	) as StringChange;
}
