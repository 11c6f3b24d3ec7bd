import type { StringSeries } from "../forecast/forecast";
import { stringNames } from "../forecast/string-names";
import type { ForecastInput } from "../messages/input/forecast-input";
import type { Row } from "../service/v2/forecast-answer";
import type { StringMeta } from "../service/v2/sites/site";
import { isPower, rounded, type SumRows } from "./sum-rows";

/** A string of the sum, with what is known of it at its site. */
interface SumString {
	readonly meta: StringMeta;
	readonly series: StringSeries["series"] | undefined;
}

type Identity = Pick<StringMeta, "string_id" | "string_index">;

/** Strings of one site by what tells them apart: an id, or a position where there is none. */
const byKey = <String extends Identity>(strings: readonly String[]) =>
	new Map(strings.map((it) => [it.string_id ?? it.string_index, it]));

/** The strings of all parts, counted anew; `<site_id>.<string_id>`, or the position where a string has no id. */
export function sumStrings(parts: readonly ForecastInput[]): SumString[] {
	const strings = parts.flatMap(({ forecast, solar }) => {
		const metas = byKey(solar.strings);
		const series = byKey(forecast.strings ?? []);
		const all = new Map<unknown, Identity>([...metas, ...series]);
		const names = stringNames([...all.values()]);
		return [...all.keys()].map((key, at) => ({
			string_id: `${solar.site_id}.${names[at]}`,
			meta: metas.get(key as string),
			series: series.get(key as string)?.series,
		}));
	});
	return strings.map(({ string_id, meta, series }, string_index) => ({
		meta: {
			string_id,
			string_index,
			slope: meta?.slope ?? null,
			orientation: meta?.orientation ?? null,
			power_kw: meta?.power_kw ?? null,
		},
		series,
	}));
}

/** Rows of the strings at the quarters of the sum, each cut by the share that the limit leaves. */
export const stringRows = (
	strings: readonly SumString[],
	rows: SumRows["rows"],
	write: (start: number) => string,
): Row[] =>
	strings.flatMap(({ meta: { string_id, string_index }, series }) =>
		rows.flatMap(({ start, share }) => {
			const row = series?.rowAt(start);
			if (!row) return [];
			const fields = Object.entries(structuredClone(row)).map(
				([field, value]) => [
					field,
					isPower(field) && typeof value === "number"
						? rounded(value * share)
						: value,
				],
			);
			return [
				{
					...Object.fromEntries(fields),
					timestamp: write(start),
					string_index,
					string_id,
				},
			];
		}),
	);
