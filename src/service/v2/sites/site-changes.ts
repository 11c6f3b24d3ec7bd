import { isDeepStrictEqual } from "node:util";
import type { Text } from "../../../texts/texts";
import { isObject } from "../../../util/guards";
import { inputError } from "../../errors/solar-yield-error";
import { show } from "../schema-errors";
import type { Site } from "./site";
import {
	RELOCATION_MS,
	TEMPORARY_MS,
	temporaryUntil,
	utcDate,
} from "./site-dates";
import type { NewSite, SiteChange } from "./site-input";
import { stringList } from "./site-strings";

type Json = Readonly<Record<string, unknown>>;

/** The values of an object by their path; a list is one value. */
function leaves(
	value: unknown,
	path: string,
	into = new Map<string, unknown>(),
): Map<string, unknown> {
	if (isObject(value)) {
		for (const [name, inner] of Object.entries(value)) {
			leaves(inner, path === "" ? name : `${path}.${name}`, into);
		}
	} else if (value !== undefined) into.set(path, value);
	return into;
}

const STRING_POSITIONS = ["id", "string_index"];

/** Settings of a site by path: `name`, `config.losses.albedo`, `strings[str_a].slope`. */
function settings(record: Json): Map<string, unknown> {
	const { name, latitude, longitude, config, strings } = record;
	const found = leaves({ name, latitude, longitude, config }, "");
	for (const string of Array.isArray(strings) ? strings : []) {
		if (!isObject(string) || typeof string.id !== "string") continue;
		const rest = Object.fromEntries(
			Object.entries(string).filter(
				([field]) => !STRING_POSITIONS.includes(field),
			),
		);
		leaves(rest, `strings[${string.id}]`, found);
	}
	return found;
}

/** A setting that has changed. */
interface UnaskedChange {
	/** `config.losses.albedo`, `strings[str_a].gcr` */
	readonly path: string;
	readonly before: unknown;
	readonly after: unknown;
}

/**
 * Settings that a change did not name and that are other than before (behaviour: Where the service's description is silent
 * "whether PATCH merges config"). A removed string is no change of its settings.
 *
 * @param sent the body of the change
 */
export function unaskedChanges(
	before: Site,
	after: Site,
	sent: Json,
): UnaskedChange[] {
	const old = settings(before.record);
	const present = settings(after.record);
	const asked = [...settings(sent).keys()];
	if (asked.includes("latitude") || asked.includes("longitude")) {
		asked.push("latitude", "longitude");
	}
	const gone = before.strings
		.map(({ string_id }) => string_id)
		.filter((id) => !after.strings.some(({ string_id }) => string_id === id))
		.map((id) => `strings[${id}]`);
	const isAsked = (path: string) =>
		asked.some((it) => path === it || path.startsWith(`${it}.`)) ||
		gone.some((it) => path.startsWith(`${it}.`));
	return [...old]
		.filter(
			([path, value]) =>
				!isAsked(path) && !isDeepStrictEqual(value, present.get(path) ?? null),
		)
		.map(([path, value]) => ({
			path,
			before: value,
			after: present.get(path),
		}));
}

/** An unasked change, as a sentence. */
export const unaskedNote = ({ path, before, after }: UnaskedChange): Text => ({
	key: after == null ? "sites.unset" : "sites.unasked",
	values: { path, before: show(before), after: show(after) },
});

/**
 * Changes in a whole record that is sent back: the fields, and of `config` the
 * leaves, that differ from the stored record. A read carries the service's defaults,
 * which must not be stored as if they had been chosen
 * (behaviour: Where the service's description is silent "reads return config merged with defaults").
 */
function differences(stored: Json, given: Json): Json {
	return Object.fromEntries(
		Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
			const known = stored[name];
			if (isDeepStrictEqual(value ?? null, known ?? null)) return [];
			return isObject(value) && isObject(known)
				? [[name, differences(known, value)]]
				: [[name, value]];
		}),
	);
}

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
	const body = (
		id == null ? given : differences(before.record, given)
	) as SiteChange;
	const { latitude, longitude } = before.record;
	const isHere =
		(body.latitude ?? latitude) === latitude &&
		(body.longitude ?? longitude) === longitude;
	// A location that stays must not count as the change of these 30 days.
	const { latitude: _latitude, longitude: _longitude, ...rest } = body;
	return isHere ? (rest as SiteChange) : body;
}

/** Strings that the service added by itself, and the end of a temporary site. */
export function creationNotes(site: Site, input: NewSite, now: number): Text[] {
	const notes: Text[] = [];
	const own = site.strings.length - (input.strings?.length ?? 0);
	if (!input.strings || input.strings.length === 0) {
		notes.push({ key: "sites.default_string" });
	} else if (own > 0) {
		notes.push({
			key: own === 1 ? "sites.added_string" : "sites.added_strings",
			values: { count: own, strings: stringList(site) },
		});
	}
	if (input.temporary) {
		const end = temporaryUntil(site) ?? now + TEMPORARY_MS;
		notes.push({ key: "sites.temporary", values: { date: utcDate(end) } });
	}
	return notes;
}

/** The date from which the location can be changed again. */
export const relocationNote = (
	now: number,
	lastRelocation: number | null,
): Text => ({
	key: "sites.relocation",
	values: {
		date: utcDate(now + RELOCATION_MS),
		last: lastRelocationText(lastRelocation),
	},
});

/** The last relocation that was noted, as a part of a sentence. */
export const lastRelocationText = (at: number | null): Text =>
	at === null
		? { key: "sites.never_moved" }
		: { key: "sites.moved_on", values: { date: utcDate(at) } };

/** The date until which a deleted site can be restored. */
export const deletionNote = (
	restoreUntil: number | null,
	wasDeletedBefore: boolean,
): Text => ({
	key: wasDeletedBefore ? "sites.deleted_before" : "sites.deleted",
	values: {
		until:
			restoreUntil === null
				? { key: "sites.within_30_days" }
				: { key: "sites.until", values: { time: utcDate(restoreUntil) } },
	},
});
