import { Band } from "../forecast/band";
import type { Forecast } from "../forecast/forecast";
import type { Series } from "../forecast/series";
import type { Row } from "../service/v2/forecast-answer";

const EDGES = ["pv_power_min", "pv_power_max"] as const;
/** Fields that identify a row. */
const IDENTITY = new Set([
	"timestamp",
	"string_index",
	"string_id",
	"__proto__",
]);

/** Watts and kilowatt hours without the noise of sums. */
export const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

/** A quarter hour of the sum. */
export interface SumRow {
	/** Epoch ms. */
	readonly start: number;
	/** W by field, null where a part does not know it; weather only where all parts agree. */
	readonly fields: Record<string, unknown>;
	/** Share of the power that is left below the limit, 1 without one. */
	readonly share: number;
	/** W cut off, by field. */
	readonly lost: ReadonlyMap<string, number>;
}

/** Equality of two fields, which may hold objects. */
const isSame = (a: unknown, b: unknown) =>
	a === b || JSON.stringify(a) === JSON.stringify(b);

/** The starts that all series have, ascending. */
function commonStarts(series: readonly Series[]): number[] {
	const [first, ...others] = series;
	const sets = others.map(({ starts }) => new Set(starts));
	return (first?.starts ?? []).filter((start) =>
		sets.every((set) => set.has(start)),
	);
}

/** The fields that every series has. */
function commonFields(series: readonly Series[]): string[] {
	const [first, ...others] = series;
	return [...(first?.fields ?? [])].filter(
		(field) =>
			!IDENTITY.has(field) && others.every(({ fields }) => fields.has(field)),
	);
}

/** Sum of a power over the parts in W, null where one does not know it. */
function sumAt(
	series: readonly Series[],
	start: number,
	field: string,
): number | null {
	let sum = 0;
	for (const each of series) {
		const watts = each.valueAt(start, field);
		if (watts === null) return null;
		sum += watts;
	}
	return sum;
}

/**
 * Rows where all parts have one, powers added and cut at the limit. Where a
 * part's band is unknown, least and most are the power itself, as the service
 * writes an unknown band.
 *
 * @param limit W, Infinity for none
 */
export function sumRows(parts: readonly Forecast[], limit: number): SumRow[] {
	const series = parts.map(({ values }) => values);
	const bands = parts.map((part) => new Band(part));
	const hasBand = bands.every(({ until }) => until !== null);
	const fields = commonFields(series).filter(
		(field) => hasBand || !EDGES.includes(field as (typeof EDGES)[number]),
	);
	return commonStarts(series).map((start) => {
		const rows = series.map((each) => each.rowAt(start) as Row);
		const knowsBand = bands.every((band) => band.knows(start));
		const lost = new Map<string, number>();
		const sums: Record<string, unknown> = {};
		let share = 1;
		for (const field of fields) {
			if (!field.startsWith("pv_power")) {
				const [first, ...others] = rows.map((row) => row[field]);
				if (first !== undefined && others.every((it) => isSame(it, first))) {
					sums[field] = first;
				}
				continue;
			}
			const isEdge = EDGES.includes(field as (typeof EDGES)[number]);
			const watts = sumAt(
				series,
				start,
				isEdge && !knowsBand ? "pv_power" : field,
			);
			sums[field] = watts === null ? null : Math.min(watts, limit);
			if (watts === null || watts <= limit) continue;
			lost.set(field, watts - limit);
			if (field === "pv_power") share = limit / watts;
		}
		return { start, fields: sums, share, lost };
	});
}
