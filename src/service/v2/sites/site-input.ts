import { z } from "zod";
import { inputError } from "../../errors/solar-yield-error";
import type { InlineSystem } from "../request-parameters";
import { firstIssue, show, zodText } from "../schema-errors";
import { SITE_BOUNDS, STRING_BOUNDS } from "./site-bounds";

/**
 * What users give for a site (spec V2, "Resources and their fields"), checked
 * before anything is sent. Unknown fields are passed on as they are. Each rule
 * says what to give instead.
 */

/** A number with bounds, and the key of what an error advises. */
const number = (
	key: string,
	{ least = -Infinity, most = Infinity, above = -Infinity } = {},
) => {
	const error = zodText(key);
	const schema = z.number({ error }).min(least, { error }).max(most, { error });
	return schema.gt(above, { error });
};

const oneOf = <const T extends readonly [string, ...string[]]>(options: T) =>
	z.enum(options, { error: zodText("give.one_of", { choices: options }) });

const truth = z.boolean({ error: zodText("give.flag") });

const STRING_FIELDS = {
	slope: number("give.slope", STRING_BOUNDS.slope),
	orientation: number("give.orientation", STRING_BOUNDS.orientation),
	power_kw: number("give.peak_power", { above: 0 }),
	gcr: number("give.ground_coverage", STRING_BOUNDS.gcr).nullish(),
	/** Its structure is not shown. */
	near_field_shading: z.unknown().optional(),
};
const OF_ID = { error: zodText("give.string_id") };

const NewString = z.looseObject(STRING_FIELDS, {
	error: zodText("give.string"),
});
const StringOfSite = NewString.extend({
	id: z.string(OF_ID).min(1, OF_ID).nullish(),
});
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
			{ error: zodText("give.object", { fields: Object.keys(leaves) }) },
		)
		.nullish();

/** Names by behaviour: Where the service's description is silent "config field names", enums by the spec's table. */
const CONFIG_GROUPS = {
	modules: group({
		technology: oneOf(["monosi", "multisi", "perc", "topcon", "cdte"]),
		temperature_coefficient: number("give.temperature_coefficient"),
		installation_year: z.int({ error: zodText("give.year") }),
	}),
	mounting: group({
		type: oneOf(["open", "mix", "isol"]),
		height_above_ground: number("give.metres", { least: 0 }),
	}),
	inverter: group({
		clip_max_percent: number("give.percent_above", { above: 0 }),
		clip_min_percent: number("give.percent_from", {
			least: 0,
		}),
	}),
	losses: group({
		cable: number("give.number"),
		conversion: number("give.number"),
		albedo: number("give.number"),
		snow_slide: number("give.number"),
		diffuse_model: z.string({ error: zodText("give.diffuse_model") }),
	}),
	shading: group({ use_terrain_horizon: truth, sky_obstruction: z.unknown() }),
	tracking: group({
		type: oneOf(["fixed", "single_axis", "dual_axis"]),
		axis_azimuth: number("give.degrees"),
		axis_tilt: number("give.degrees"),
		max_angle: number("give.degrees"),
		backtracking: truth,
	}),
};

const SITE_FIELDS = {
	latitude: number("give.latitude", SITE_BOUNDS.latitude),
	longitude: number("give.longitude", SITE_BOUNDS.longitude),
	name: z.string({ error: zodText("give.text") }).nullish(),
	config: z
		.looseObject(CONFIG_GROUPS, {
			error: zodText("give.object", { fields: Object.keys(CONFIG_GROUPS) }),
		})
		.nullish(),
};
const stringsOf = <T extends z.ZodType>(string: T) =>
	z.array(string, { error: zodText("give.strings") });

const NewSite = z.looseObject(
	{
		...SITE_FIELDS,
		strings: stringsOf(NewString).nullish(),
		temporary: truth.nullish(),
	},
	{
		error: zodText("give.new_site"),
	},
);
const SiteChange = z
	.looseObject(
		{
			...SITE_FIELDS,
			strings: stringsOf(StringOfSite),
		},
		{
			error: zodText("give.site_change"),
		},
	)
	.partial();

const System = z.looseObject(
	{
		...SITE_FIELDS,
		strings: stringsOf(StringOfSite).min(1, {
			error: zodText("give.one_string"),
		}),
	},
	{ error: zodText("give.system") },
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
		throw inputError("sites.no_json");
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
	const { path, value: found, words } = firstIssue(result.error, body, root);
	throw inputError("sites.wrong", {
		path: path || { key: "value.the_payload" },
		value: found,
		advice: words,
	});
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
 * A system that is not stored, for the inline endpoints, as an object or JSON text
 * (behaviour: Where the service's description is silent "inline bodies"); errors call
 * it `inline`.
 *
 * @throws SolarYieldError `INPUT` with the path of the bad field
 */
export function readInlineSystem(value: unknown): InlineSystem {
	let system = value;
	try {
		if (typeof value === "string") system = JSON.parse(value);
	} catch {
		throw inputError("sites.inline_no_json");
	}
	return sendable(check(System, system, "inline")) as InlineSystem;
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
		throw inputError("sites.new_string_id", { id: show(string.id) });
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
