import { z } from "zod";
import { joinTexts, type Text } from "../../../texts/texts";
import { isObject } from "../../../util/guards";
import type { SolarYieldError } from "../../errors/solar-yield-error";
import { pathText, responseError, schemaError } from "../schema-errors";
import { LONGEST_ID } from "./site-id";

const optionalNumber = z.number().nullish();
const optionalText = z.string().nullish();
const id = z.union([z.string().max(LONGEST_ID), z.number()]).nullish();

/** One string of a site record (spec V2, "String"). */
const SiteString = z.looseObject({
	id: z.string().max(LONGEST_ID).nullish(),
	string_index: z.int().nullish(),
	slope: optionalNumber,
	orientation: optionalNumber,
	power_kw: optionalNumber,
});

/** A site record; the complete list of its fields is not shown (spec V2, "Site"). */
const SiteRecord = z.looseObject({
	id,
	site_id: id,
	name: optionalText,
	timezone: optionalText,
	latitude: optionalNumber,
	longitude: optionalNumber,
	status: optionalText,
	deleted_at: optionalText,
	temporary: z.boolean().nullish(),
	strings: z.array(SiteString).nullish(),
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
 * Reads one site record (spec V2, "GET /v2/sites/{site_id}").
 *
 * @param fallbackId the id that was asked for, where the record names none
 * @param path to the record, for errors
 * @throws SolarYieldError `RESPONSE` with the path of the bad field
 */
export function readSite(
	body: unknown,
	fallbackId?: string,
	path: readonly PropertyKey[] = [],
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
 * that cannot be read is left out, and told.
 *
 * @throws SolarYieldError `RESPONSE` when it is no list, or no record of it can be read
 */
export function readSiteList(body: unknown): SiteList {
	const list = [
		body,
		...(isObject(body) ? LIST_KEYS.map((key) => body[key]) : []),
	].find(Array.isArray);
	if (!list) throw responseError("sites.no_list");
	const sites: Site[] = [];
	const faults: SolarYieldError[] = [];
	for (const [index, record] of list.entries()) {
		try {
			sites.push(readSite(record, undefined, [index]));
		} catch (error) {
			faults.push(error as SolarYieldError);
		}
	}
	const [first] = faults;
	if (!first) return { sites, notes: [] };
	if (sites.length === 0) throw first;
	const whats = faults.map(({ text }) => text.values?.what as Text);
	const shown = joinTexts("value.both", whats.slice(0, 3));
	const count = whats.length - 3;
	const others = count > 0 ? { key: "sites.and_more", values: { count } } : "";
	return {
		sites,
		notes: [{ key: "sites.unreadable", values: { shown, others } }],
	};
}
