import { inputError, SolarYieldError } from "../../errors/solar-yield-error";
import { show } from "../schema-errors";
import type { Site } from "./site";
import { type SiteChange, type StringInput, sendable } from "./site-input";

/**
 * Guards against the loss of strings: an update replaces them all, and those left
 * out are deleted with their measurements (spec V2, String, rule 3).
 */

/** The stored strings as an update sends them, each with its id. */
export function keptStrings(site: Site): StringInput[] {
	const { strings } = site.record;
	const list = (Array.isArray(strings) ? strings : []) as StringInput[];
	const nameless = list.findIndex(({ id }) => typeof id !== "string");
	if (!Array.isArray(strings) || nameless >= 0) {
		throw new SolarYieldError(
			"RESPONSE",
			`The service's answer has ${nameless < 0 ? "no strings" : `no id for strings[${nameless}]`}, so a change of the strings would lose them and their measurements; change them in the service's web app`,
		);
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
		if (!left.delete(id)) {
			const isTwice = before.strings.some(({ string_id }) => string_id === id);
			throw inputError(
				`strings[${index}].id is ${show(id)}, ${isTwice ? "which is named twice" : `which is none of the site's strings (${stringList(before)})`}; leave the id out for a new string`,
			);
		}
	}
	if (left.size > 0 && !mayRemove) {
		const ids = [...left].map((id) => id ?? "one without an id").join(", ");
		throw inputError(
			`The update would remove stored strings and their measurements: ${ids}; send them along with their ids, use add-string or update-string, or set msg.removeStrings to true`,
		);
	}
}

/** Refuses an id that is none of the site's strings. */
export function checkKnown(site: Site, id: string): void {
	if (!site.strings.some(({ string_id }) => string_id === id)) {
		throw inputError(
			`The site has no string ${show(id)}; its strings are ${stringList(site)}`,
		);
	}
}

/** The strings of a site, for messages. */
export const stringList = ({ strings }: Site) =>
	strings.length === 0
		? "none"
		: strings
				.map(
					({ string_id, power_kw, slope, orientation }) =>
						`${string_id}: ${power_kw} kW, slope ${slope}, orientation ${orientation}`,
				)
				.join(", ");

/** The id of the string that is meant: in the body, in the message, or the body itself. */
export function stringIdOf(body: unknown, stringId: unknown): string {
	const fields =
		typeof body === "object" && body !== null
			? (body as Record<string, unknown>)
			: { id: body };
	const named = [fields.id, fields.string_id, stringId].filter(
		(id) => id !== undefined && id !== null && id !== "",
	);
	const [id] = named;
	if (typeof id !== "string") {
		throw inputError(
			`The string's id is ${show(id)}; give it as id in the payload or as msg.stringId`,
		);
	}
	const other = named.find((it) => it !== id);
	if (other !== undefined) {
		throw inputError(
			`The string is named ${show(id)} and ${show(other)}; give one id`,
		);
	}
	return id;
}

/** A note for strings that were sent with their ids but are missing afterwards. */
export function lostStrings(site: Site, { strings }: SiteChange): string[] {
	const known = new Set(site.strings.map(({ string_id }) => string_id));
	const lost = (strings ?? []).filter(({ id }) => id != null && !known.has(id));
	return lost.length === 0
		? []
		: [
				`The service has not kept the strings ${lost.map(({ id }) => id).join(", ")}, although they were sent with their ids; tell the service`,
			];
}
