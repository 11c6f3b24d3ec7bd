import { inputError } from "../../errors/solar-yield-error";

/** Longest id that is read or sent, characters; the spec shows none longer than a few dozen. */
export const LONGEST_ID = 200;

/**
 * Whether a text can be the id of a site, as it stands without blanks around it:
 * the spec says nothing of its characters, so all are allowed that a path can
 * carry (behaviour: The key). A web address is none, however often it is pasted for one.
 */
export function isSiteId(text: string): boolean {
	return (
		text.trim() !== "" &&
		text.length <= LONGEST_ID &&
		!/^\.{1,2}$/.test(text) &&
		!text.includes("://") &&
		isEncodable(text)
	);
}

/** Half a surrogate pair has no place in an address. */
function isEncodable(text: string): boolean {
	try {
		encodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/**
 * A site's id as one segment of a path (behaviour: The key).
 *
 * @throws SolarYieldError `INPUT` when no site can have it
 */
export function idSegment(id: string): string {
	if (!isSiteId(id)) {
		throw inputError("sites.impossible_id", {
			id: JSON.stringify(id.slice(0, 40)),
		});
	}
	return encodeURIComponent(id);
}
