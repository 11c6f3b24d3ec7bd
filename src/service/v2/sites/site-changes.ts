import { isDeepStrictEqual } from "node:util";
import type { Text } from "../../../texts/texts";
import { isObject } from "../../../util/guards";
import { inputError } from "../../errors/solar-yield-error";
import { show } from "../schema-errors";
import type { Site } from "./site";
import {
	RELOCATION_MS,
	restoreText,
	TEMPORARY_MS,
	temporaryUntil,
	utcDate,
} from "./site-dates";
import type { SiteChange } from "./site-input";
import { stringList } from "./site-strings";

type Json = Readonly<Record<string, unknown>>;

/** The values of an object by their path; a list is one value. */
const leaves = (value: unknown, path = ""): [string, unknown][] =>
	isObject(value)
		? Object.entries(value).flatMap(([name, inner]) =>
				leaves(inner, path === "" ? name : `${path}.${name}`),
			)
		: value === undefined
			? []
			: [[path, value]];

/** Settings of a site by path: `name`, `config.losses.albedo`, `strings[str_a].slope`. */
function settings({ name, latitude, longitude, config, strings }: Json) {
	const list = (Array.isArray(strings) ? strings : []).filter(isObject);
	const byId = list.map(({ id, string_index, ...rest }) => [
		`strings[${id}]`,
		rest,
	]);
	const place = { latitude, longitude };
	return new Map(
		leaves({ name, ...place, config, ...Object.fromEntries(byId) }),
	);
}

const isRelocation = (body: object) =>
	"latitude" in body || "longitude" in body;

/**
 * Settings that a change did not name and that are other than before, each as a
 * sentence (behaviour: Where the service's description is silent "whether PATCH merges
 * config"). A removed string is no change of its settings.
 *
 * @param sent the body of the change
 */
export function unaskedNotes(before: Site, after: Site, sent: Json): Text[] {
	const present = settings(after.record);
	const left = new Set(after.strings.map(({ string_id }) => string_id));
	const expected = [
		...settings(sent).keys(),
		...(isRelocation(sent) ? ["latitude", "longitude"] : []),
		...before.strings
			.filter(({ string_id }) => !left.has(string_id))
			.map(({ string_id }) => `strings[${string_id}]`),
	];
	return [...settings(before.record)]
		.filter(
			([path, value]) =>
				!expected.some((it) => path === it || path.startsWith(`${it}.`)) &&
				!isDeepStrictEqual(value, present.get(path) ?? null),
		)
		.map(([path, value]) => ({
			key: present.get(path) == null ? "sites.unset" : "sites.unasked",
			values: { path, before: show(value), after: show(present.get(path)) },
		}));
}

/**
 * Changes in a whole record that is sent back: the fields, and of `config` the
 * leaves, that differ from the stored record. A read carries the service's defaults,
 * which must not be stored as if they had been chosen
 * (behaviour: Where the service's description is silent "reads return config merged with defaults").
 */
const differences = (stored: Json, given: Json): Json =>
	Object.fromEntries(
		Object.entries(given)
			.filter(
				([name, value]) =>
					!isDeepStrictEqual(value ?? null, stored[name] ?? null),
			)
			.map(([name, value]) => {
				const known = stored[name];
				return isObject(value) && isObject(known)
					? [name, differences(known, value)]
					: [name, value];
			}),
	);

/**
 * The body of a change: what was given and is no mere repetition.
 *
 * @throws SolarYieldError `INPUT` when it is the record of another site
 */
export function changeOf(before: Site, given: SiteChange): SiteChange {
	const id = given.id ?? given.site_id;
	if (id != null && String(id) !== before.site_id) {
		throw inputError("sites.other_record", {
			id: show(id),
			other: show(before.site_id),
		});
	}
	// With its id it is a record that was read, with everything in it.
	const body: SiteChange =
		id == null ? given : differences(before.record, given);
	const { latitude, longitude, ...rest } = body;
	const { record } = before;
	const isHere =
		(latitude ?? record.latitude) === record.latitude &&
		(longitude ?? record.longitude) === record.longitude;
	// A location that stays must not count as the change of these 30 days.
	return isHere ? rest : body;
}

/** Strings that the service added by itself, and the end of a temporary site. */
export function creationNotes(
	site: Site,
	{ strings, temporary }: { strings?: unknown; temporary?: unknown },
	now = Date.now(),
): Text[] {
	const given = Array.isArray(strings) ? strings.length : 0;
	const own = site.strings.length - given;
	const end = temporaryUntil(site) ?? now + TEMPORARY_MS;
	return [
		given === 0 && { key: "sites.default_string" },
		given > 0 &&
			own > 0 && {
				key: own === 1 ? "sites.added_string" : "sites.added_strings",
				values: { count: own, strings: stringList(site) },
			},
		temporary === true && {
			key: "sites.temporary",
			values: { date: utcDate(end) },
		},
	].filter((note) => !!note);
}

/** The date from which the location can be changed again, after a change of it. */
export const relocationNotes = (body: object, now: number): Text[] =>
	isRelocation(body)
		? [
				{
					key: "sites.relocation",
					values: { date: utcDate(now + RELOCATION_MS) },
				},
			]
		: [];

/** The date until which a deleted site can be restored. */
export const deletionNote = (site: Site, wasDeletedBefore: boolean): Text => ({
	key: wasDeletedBefore ? "sites.deleted_before" : "sites.deleted",
	values: { until: restoreText(site) },
});
