import type { ForecastAnswer } from "./forecast-answer";
import { responseError, show } from "./schema-errors";

/**
 * Refuses an answer of another site, as a cache or a proxy may send it; one that names
 * none is taken as it comes.
 *
 * @throws SolarYieldError `RESPONSE`
 */
export function checkSameSite(
	{ envelope: { site_id } }: Pick<ForecastAnswer, "envelope">,
	siteId: string,
): void {
	if (site_id == null || String(site_id) === siteId) return;
	throw responseError("value.other_site", {
		id: show(site_id),
		asked: show(siteId),
	});
}
