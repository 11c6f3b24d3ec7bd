import type { SolarYieldClient } from "../service/client";
import { withAdvice } from "../service/errors/advice";
import { SolarYieldError } from "../service/errors/solar-yield-error";
import type { Site } from "../service/v2/sites/site";

/** A string as `POST /v2/sites` takes it; angles in degrees, power in kW. */
interface NewString {
	readonly slope: number;
	readonly orientation: number;
	readonly power_kw: number;
}

/** What `createExactly` made of a body. */
interface CreatedSite {
	readonly site: Site;
	/** Strings that the service had added by itself and that were taken out again. */
	readonly removed: number;
}

/** For each string asked for the id of one that is like it; undefined when one is not there. */
function idsOf(asked: readonly NewString[], site: Site): string[] | undefined {
	const left = [...site.strings];
	const ids = asked.map((string) => {
		const index = left.findIndex(
			(it) =>
				it.string_id !== null &&
				it.slope === string.slope &&
				it.orientation === string.orientation &&
				it.power_kw === string.power_kw,
		);
		return index < 0 ? undefined : left.splice(index, 1)[0]?.string_id;
	});
	return ids.every((id) => typeof id === "string") ? ids : undefined;
}

/**
 * Creates a site with these strings and no others. Whether the service adds its
 * default string (10 kWp) although strings are given is not shown (spec V2,
 * "POST /v2/sites"); where it does, the strings are set once more, each with its
 * id, so that the forecast is that of the system described.
 *
 * @throws SolarYieldError as the client's methods do; one after the creation names the site
 */
export async function createExactly(
	client: SolarYieldClient,
	body: { readonly strings: readonly NewString[] },
): Promise<CreatedSite> {
	const site = await client.createSite(body);
	const removed = site.strings.length - body.strings.length;
	const ids = removed > 0 ? idsOf(body.strings, site) : undefined;
	if (ids === undefined) return { site, removed: 0 };
	const strings = body.strings.map((string, index) => ({
		...string,
		id: ids[index],
	}));
	try {
		return {
			site: await client.updateSite(site.site_id, { strings }),
			removed,
		};
	} catch (error) {
		throw error instanceof SolarYieldError
			? withAdvice(error, "v1.created_anyway", { id: site.site_id })
			: error;
	}
}
