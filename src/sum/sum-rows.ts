import { Band } from "../forecast/band";
import { ENERGY_OF, type Forecast } from "../forecast/forecast";
import type { Series } from "../forecast/series";
import type { Row } from "../service/v2/forecast-answer";
import { HOUR_MS, QUARTER_MS } from "../util/time";

/** Fields that identify a row. */
const IDENTITY = ["timestamp", "string_index", "string_id", "__proto__"];
export const isPower = (field: string) => field.startsWith("pv_power");
const isEdge = (field: string) => /^pv_power_(min|max)$/.test(field);

/** Watts and kilowatt hours without the noise of sums. */
export const rounded = (value: number) => Math.round(value * 1e6) / 1e6;

/** The value that all have, undefined where they differ. */
export const agreed = (values: readonly unknown[]): unknown =>
	values.every((it) => JSON.stringify(it) === JSON.stringify(values[0]))
		? values[0]
		: undefined;

/** A quarter hour of the sum. */
interface SumRow {
	/** Epoch ms. */
	readonly start: number;
	/** W by field, null where a part does not know it; weather only where all parts agree. */
	readonly fields: Record<string, unknown>;
	/** Share of the power that is left below the limit, 1 without one. */
	readonly share: number;
}

export interface SumRows {
	readonly rows: readonly SumRow[];
	/** Energy that the limit takes from each date by the field of `daily`, kWh, of every date with rows. */
	readonly losses: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/** A sum, null where a part is not known. */
export const added = (parts: readonly unknown[]): number | null =>
	parts.every((it) => typeof it === "number")
		? parts.reduce((sum, it) => sum + it, 0)
		: null;

/**
 * Rows where all parts have one, powers added and cut at the limit. Where a
 * part's band is unknown, least and most are the power itself, as the service
 * writes an unknown band.
 *
 * @param parts at least one
 * @param limit W, Infinity for none
 */
export function sumRows(parts: readonly Forecast[], limit: number): SumRows {
	const [{ zone }] = parts as [Forecast];
	const series = parts.map(({ values }) => values);
	const [first, ...others] = series as [Series, ...Series[]];
	const bands = parts.map((part) => new Band(part));
	const hasBand = bands.every(({ until }) => until !== null);
	const fields = [...first.fields].filter(
		(field) =>
			!IDENTITY.includes(field) &&
			(hasBand || !isEdge(field)) &&
			others.every((each) => each.fields.has(field)),
	);
	const losses = new Map<string, Record<string, number>>();
	const rows: SumRow[] = [];
	for (const [index, start] of first.starts.entries()) {
		const parts = [first.rows[index], ...others.map((it) => it.rowAt(start))];
		if (parts.includes(undefined)) continue;
		const knowsBand = bands.every((band) => band.knows(start));
		const date = zone.dateOf(start);
		const lost = losses.get(date) ?? {};
		losses.set(date, lost);
		const sums: Record<string, unknown> = {};
		let share = 1;
		for (const field of fields) {
			if (!isPower(field)) {
				const value = agreed(parts.map((row) => (row as Row)[field]));
				if (value !== undefined) sums[field] = value;
				continue;
			}
			const source = isEdge(field) && !knowsBand ? "pv_power" : field;
			const watts = added(series.map((it) => it.valueAt(start, source)));
			sums[field] = watts === null ? null : rounded(Math.min(watts, limit));
			if (watts === null || watts <= limit) continue;
			const energy = ENERGY_OF[field] ?? field;
			const kwh = ((watts - limit) * QUARTER_MS) / HOUR_MS / 1000;
			lost[energy] = (lost[energy] ?? 0) + kwh;
			if (field === "pv_power") share = limit / watts;
		}
		rows.push({ start, fields: sums, share });
	}
	return { rows, losses };
}
