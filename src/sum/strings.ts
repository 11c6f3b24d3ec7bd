import type { StringSeries } from "../forecast/forecast";
import { stringNames } from "../forecast/string-names";
import type { SolarFacts } from "../messages/facts";
import type { ForecastInput } from "../messages/input/forecast-input";
import type { Row } from "../service/v2/forecast-answer";
import type { StringMeta } from "../service/v2/sites/site";
import { rounded, type SumRow } from "./sum-rows";

/** A string of the sum, with the site that it belongs to. */
interface SumString {
	readonly meta: StringMeta;
	readonly series: StringSeries["series"] | undefined;
}

type Identity = Pick<StringMeta, "string_id" | "string_index">;

/** What tells the strings of one site apart: an id, or a position where there is none. */
const keyOf = ({ string_id, string_index }: Identity) =>
	JSON.stringify(string_id ?? string_index);

/** `<site_id>.<string_id>`, and the position where a string has no id, of each string by its key. */
function sumIds(
	{ site_id }: SolarFacts,
	strings: readonly Identity[],
): Map<string, string> {
	const distinct = new Map(strings.map((string) => [keyOf(string), string]));
	const names = stringNames([...distinct.values()]);
	return new Map(
		[...distinct.keys()].map((key, at) => [key, `${site_id}.${names[at]}`]),
	);
}

/** The strings of all parts, counted anew. */
export function sumStrings(parts: readonly ForecastInput[]): SumString[] {
	const strings = parts.flatMap(({ forecast, solar }) => {
		const { strings = [] } = forecast;
		const known = new Map(solar.strings.map((meta) => [keyOf(meta), meta]));
		const series = new Map(strings.map((it) => [keyOf(it), it.series]));
		const ids = sumIds(solar, [...solar.strings, ...strings]);
		return [...ids].map(([key, id]) => ({
			id,
			meta: known.get(key),
			series: series.get(key),
		}));
	});
	return strings.map(({ id, meta, series }, string_index) => ({
		meta: {
			string_id: id,
			string_index,
			slope: meta?.slope ?? null,
			orientation: meta?.orientation ?? null,
			power_kw: meta?.power_kw ?? null,
		},
		series,
	}));
}

/**
 * Rows of the strings at the quarters of the sum, each cut by the share that the
 * limit leaves.
 */
export function stringRows(
	strings: readonly SumString[],
	rows: readonly SumRow[],
	write: (start: number) => string,
): Row[] {
	return strings.flatMap(({ meta: { string_id, string_index }, series }) =>
		rows.flatMap(({ start, share }) => {
			const row = series?.rowAt(start);
			if (!series || !row) return [];
			const copy: Record<string, unknown> = {
				...structuredClone(row),
				timestamp: write(start),
				string_index,
				string_id,
			};
			for (const [field, value] of Object.entries(row)) {
				if (field.startsWith("pv_power") && typeof value === "number") {
					copy[field] = rounded(value * share);
				}
			}
			return [copy];
		}),
	);
}
