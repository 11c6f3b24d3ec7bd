import { inputError } from "../../src/service/errors/solar-yield-error";
import type { NewSite } from "../../src/service/v2/sites/site-input";
import { readNewSite } from "../../src/service/v2/sites/site-input";

/**
 * The site of a node's `system`, which is JSON text.
 *
 * @throws SolarYieldError `INPUT` with the path of the bad field
 */
export function newSiteOf(system: unknown): NewSite {
	let site: unknown;
	try {
		site = JSON.parse(String(system));
	} catch {
		throw inputError("sites.system_no_json");
	}
	return readNewSite(site);
}
