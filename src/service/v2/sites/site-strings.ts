import type { Text, Value } from "../../../texts/texts";
import { isBlank, isObject } from "../../../util/guards";
import { inputError, SolarYieldError } from "../../errors/solar-yield-error";
import { show } from "../schema-errors";
import type { Site } from "./site";
import { type SiteChange, type StringInput, sendable } from "./site-input";

/**
 * Guards against the loss of strings: an update replaces them all, and those left
 * out are deleted with their measurements (spec V2, String, rule 3).
 */

/**
 * The stored strings as an update sends them, each with its id.
 *
 * @param known id that must be among them
 */
export function keptStrings(site: Site, known?: string): StringInput[] {
	const { strings } = site.record;
	const list = (Array.isArray(strings) ? strings : []) as StringInput[];
	const nameless = list.findIndex(({ id }) => typeof id !== "string");
	if (!Array.isArray(strings) || nameless >= 0) {
		throw new SolarYieldError("RESPONSE", "sites.no_stored_strings", {
			what:
				nameless < 0
					? { key: "sites.no_strings" }
					: { key: "sites.no_string_id", values: { index: nameless } },
		});
	}
	if (known !== undefined && !list.some(({ id }) => id === known)) {
		throw inputError("sites.no_string", {
			id: show(known),
			strings: stringList(site),
		});
	}
	return list.map((string) => sendable(string));
}

/** Refuses what an update of `strings` would do by mistake (spec V2, String, rule 3). */
export function checkStrings(
	before: Site,
	strings: readonly StringInput[],
	mayRemove: boolean,
): void {
	const left = new Set(before.strings.map(({ string_id }) => string_id));
	for (const [index, { id }] of strings.entries()) {
		if (id == null) continue;
		if (left.delete(id)) continue;
		const isTwice = before.strings.some(({ string_id }) => string_id === id);
		throw inputError(isTwice ? "sites.string_twice" : "sites.foreign_string", {
			index,
			id: show(id),
			strings: stringList(before),
		});
	}
	if (left.size > 0 && !mayRemove) {
		const ids = [...left].map((id) => id ?? { key: "sites.without_id" });
		throw inputError("sites.would_remove", { ids });
	}
}

/** The strings of a site, for messages. */
export const stringList = ({ strings }: Site): Value =>
	strings.length === 0
		? { key: "sites.none" }
		: strings.map(({ string_id, power_kw, slope, orientation }) => ({
				key: "sites.string",
				values: {
					id: String(string_id),
					power_kw: String(power_kw),
					slope: String(slope),
					orientation: String(orientation),
				},
			}));

/** The id of the string that is meant: in the body, in the message, or the body itself. */
export function stringIdOf(body: unknown, stringId: unknown): string {
	const fields = isObject(body) ? body : { id: body };
	const named = [fields.id, fields.string_id, stringId].filter(
		(id) => !isBlank(id),
	);
	const [id] = named;
	if (typeof id !== "string") {
		throw inputError("sites.string_id", { id: show(id) });
	}
	const other = named.find((it) => it !== id);
	if (other !== undefined) {
		throw inputError("sites.string_ids", { id: show(id), other: show(other) });
	}
	return id;
}

/** A note for strings that were sent with their ids but are missing afterwards. */
export function lostStrings(site: Site, { strings }: SiteChange): Text[] {
	const known = new Set(site.strings.map(({ string_id }) => string_id));
	const sent = (strings ?? []).flatMap(({ id }) => id ?? []);
	const ids = sent.filter((id) => !known.has(id));
	return ids.length === 0
		? []
		: [{ key: "sites.lost_strings", values: { ids } }];
}
