import { readSiteId } from "../messages/selection";
import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";

/**
 * The site whose document a node sends, for formats that hold one. The first
 * site stays until the next deploy; a message that names another with
 * `msg.siteId` is answered for that one and changes nothing.
 *
 * @param followed undefined before the first forecast
 * @param siteId of the forecast
 * @param asked `msg.siteId`
 * @returns the site that is followed from now on
 * @throws SolarYieldError `INPUT` for another site that the message does not name
 */
export function followFirstSite(
	followed: string | undefined,
	siteId: string,
	asked: unknown,
): string {
	if (followed === undefined || followed === siteId) return siteId;
	if (readSiteId(asked) === siteId) return followed;
	throw inputError("export.one_site", {
		site: show(siteId),
		followed: show(followed),
	});
}
