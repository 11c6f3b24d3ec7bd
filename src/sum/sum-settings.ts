import { readSiteId } from "../messages/selection";
import { readNumber } from "../messages/value-readers";
import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isBlank } from "../util/guards";

/** Properties of a sum in a flow file. */
export interface RawSumSettings {
	/** Site ids, one per line or with commas between them. */
	readonly sites?: unknown;
	readonly sumId?: unknown;
	readonly name?: unknown;
	readonly acLimitW?: unknown;
}

/** How forecasts are added. */
export interface SumSettings {
	/** The sites that are added, in this order; null for all that come. */
	readonly sites: readonly string[] | null;
	/** Site id of the sum. */
	readonly sumId: string;
	/** Name of the sum, null for its id. */
	readonly name: string | null;
	/** Power above which the sum is cut, W; null for none. */
	readonly acLimitW: number | null;
}

/** Largest limit that is taken for one, W: a thousand megawatts. */
const MOST_W = 1e9;

function readSites(value: unknown): string[] | null {
	if (isBlank(value)) return null;
	if (typeof value !== "string") {
		throw inputError("sum.sites", { value: show(value) });
	}
	const ids = value
		.split(/[\r\n,;]+/)
		.map((line) => readSiteId(line))
		.filter((id) => id !== undefined);
	const twice = ids.find((id, index) => ids.indexOf(id) !== index);
	if (twice !== undefined) {
		throw inputError("sum.site_twice", { id: show(twice) });
	}
	return ids;
}

/**
 * Reads the settings of a sum; blank is the default.
 *
 * @throws SolarYieldError `INPUT` naming the property, its value and what to give
 */
export function readSumSettings(raw: RawSumSettings): SumSettings {
	const sites = readSites(raw.sites);
	const sumId = readSiteId(raw.sumId) ?? "sum";
	if (sites?.includes(sumId)) {
		throw inputError("sum.own_id", { id: show(sumId) });
	}
	return {
		sites,
		sumId,
		name: isBlank(raw.name) ? null : String(raw.name).trim(),
		acLimitW: isBlank(raw.acLimitW)
			? null
			: readNumber("acLimitW", raw.acLimitW, {
					unit: "W",
					above: 0,
					most: MOST_W,
				}),
	};
}
