import { z } from "zod";
import { joinTexts, type Text } from "../../../texts/texts";
import { isObject } from "../../../util/guards";
import type { SolarYieldError } from "../../errors/solar-yield-error";
import { pathText, responseError, schemaError } from "../schema-errors";

/** Longest id: of a longer one nothing could be asked. */
const LONGEST = 200;

const optionalNumber = z.number().nullable().optional();

/** One string of a site record (spec V2, "String"). */
const SiteString = z.looseObject({
	id: z.string().max(LONGEST).nullable().optional(),
	string_index: z.int().nullable().optional(),
	slope: optionalNumber,
	orientation: optionalNumber,
	power_kw: optionalNumber,
});

/** A site record; the complete list of its fields is not shown (spec V2, "Site"). */
const SiteRecord = z.looseObject({
	id: z
		.union([z.string().max(LONGEST), z.number()])
		.nullable()
		.optional(),
	site_id: z
		.union([z.string().max(LONGEST), z.number()])
		.nullable()
		.optional(),
	name: z.string().nullable().optional(),
	timezone: z.string().nullable().optional(),
	latitude: optionalNumber,
	longitude: optionalNumber,
	status: z.string().nullable().optional(),
	deleted_at: z.string().nullable().optional(),
	temporary: z.boolean().nullable().optional(),
	strings: z.array(SiteString).nullable().optional(),
});

export type SiteState = "active" | "temporary" | "deleted" | "inactive";

/** A string as other people's flows see it: slope and orientation in degrees, power in kW. */
export interface StringMeta {
	readonly string_id: string | null;
	readonly string_index: number;
	readonly slope: number | null;
	readonly orientation: number | null;
	readonly power_kw: number | null;
}

/** A stored site as read from its record. */
export interface Site {
	readonly site_id: string;
	readonly name: string | null;
	readonly timezone: string | null;
	readonly state: SiteState;
	readonly deleted_at: string | null;
	readonly strings: readonly StringMeta[];
	/** The record as received. */
	readonly record: Readonly<Record<string, unknown>>;
}

/** State of a site: `deleted_at` goes before `status` (behaviour: Where the service's description is silent "site states"). */
function stateOf(record: z.infer<typeof SiteRecord>): SiteState {
	if (record.deleted_at) return "deleted";
	if (record.status === "inactive") return "inactive";
	return record.temporary || record.status === "temporary"
		? "temporary"
		: "active";
}

/**
 * Reads one site record (spec V2, "GET /v2/sites/{site_id}"); a record may
 * stand alone in `site`, `data` or `result`.
 *
 * @param fallbackId the id that was asked for, where the record names none
 * @throws SolarYieldError `RESPONSE` with the path of the bad field
 */
export function readSite(body: unknown, fallbackId?: string): Site {
	return readRecord(unwrap(body), fallbackId, []);
}

function unwrap(body: unknown): unknown {
	if (
		!isObject(body) ||
		"id" in body ||
		"site_id" in body ||
		"latitude" in body
	) {
		return body;
	}
	const inner = body.site ?? body.data ?? body.result;
	return inner !== null && typeof inner === "object" ? inner : body;
}

function readRecord(
	body: unknown,
	fallbackId: string | undefined,
	path: readonly PropertyKey[],
): Site {
	const result = SiteRecord.safeParse(body);
	if (!result.success) throw schemaError(result.error, body, path);
	const record = result.data;
	const id = record.id ?? record.site_id ?? fallbackId;
	if (id === undefined || id === "") {
		throw responseError("value.no_id", { path: pathText([...path, "id"]) });
	}
	return {
		site_id: String(id),
		name: record.name ?? null,
		timezone: record.timezone ?? null,
		state: stateOf(record),
		deleted_at: record.deleted_at ?? null,
		strings: (record.strings ?? []).map((string, position) => ({
			string_id: string.id ?? null,
			string_index: string.string_index ?? position,
			slope: string.slope ?? null,
			orientation: string.orientation ?? null,
			power_kw: string.power_kw ?? null,
		})),
		record: body as Record<string, unknown>,
	};
}

const LIST_KEYS = ["sites", "items", "results", "data"];

/** The sites of an account as the service lists them. */
export interface SiteList {
	readonly sites: readonly Site[];
	/** What is wrong with the list, in words for people. */
	readonly notes: readonly Text[];
}

/**
 * Reads the account's sites: a bare array, or the first array in an object
 * (behaviour: Where the service's description is silent "list of sites"). A record
 * with an unreadable field counts with what is readable of it, one without an id not
 * at all.
 *
 * @throws SolarYieldError `RESPONSE` when it is no list, or no record of it has an id
 */
export function readSiteList(body: unknown): SiteList {
	const list = Array.isArray(body)
		? body
		: isObject(body)
			? [...LIST_KEYS.map((key) => body[key]), ...Object.values(body)].find(
					Array.isArray,
				)
			: undefined;
	if (!list) throw responseError("sites.no_list");
	const sites: Site[] = [];
	const faults: SolarYieldError[] = [];
	for (const [index, record] of list.entries()) {
		try {
			sites.push(readRecord(record, undefined, [index]));
		} catch (error) {
			faults.push(error as SolarYieldError);
			const site = readableSite(record);
			if (site) sites.push(site);
		}
	}
	const [first] = faults;
	if (first && sites.length === 0) throw first;
	return {
		sites,
		notes: listNotes(faults.map(({ text }) => text.values?.what as Text)),
	};
}

/** A site of the readable fields of a record, undefined where it has no id. */
function readableSite(record: unknown): Site | undefined {
	if (!isObject(record)) return undefined;
	const readable = Object.fromEntries(
		Object.entries(SiteRecord.shape).map(([name, schema]) => {
			const value = record[name];
			return [name, schema.safeParse(value).success ? value : null];
		}),
	);
	// Whatever it says: a site that is to be deleted must not look like one in use.
	if (record.deleted_at) readable.deleted_at ??= String(record.deleted_at);
	try {
		return { ...readRecord(readable, undefined, []), record };
	} catch {
		return undefined;
	}
}

/** What is wrong with single records of a list, in words for people. */
function listNotes(faults: readonly Text[]): Text[] {
	if (faults.length === 0) return [];
	const shown = joinTexts("value.both", faults.slice(0, 3));
	const count = faults.length - 3;
	const others = count > 0 ? { key: "sites.and_more", values: { count } } : "";
	return [{ key: "sites.unreadable", values: { shown, others } }];
}
