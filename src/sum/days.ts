import {
	bandUntil,
	dailyRow,
	ENERGY_OF,
	type Forecast,
} from "../forecast/forecast";
import type { DailyRow } from "../service/v2/forecast-answer";
import { QUARTER_MS } from "../util/time";
import { rounded, type SumRow } from "./sum-rows";

/** Energy that the limit takes from each date by the field of `daily`, kWh. */
type Losses = ReadonlyMap<string, ReadonlyMap<string, number>>;

export function lossesOf(rows: readonly SumRow[], { zone }: Forecast): Losses {
	const losses = new Map<string, Map<string, number>>();
	for (const { start, lost } of rows) {
		const date = zone.dateOf(start);
		const day = losses.get(date) ?? new Map<string, number>();
		losses.set(date, day);
		for (const [field, watts] of lost) {
			const energy = ENERGY_OF[field];
			if (energy === undefined) continue;
			day.set(energy, (day.get(energy) ?? 0) + (watts * QUARTER_MS) / 3.6e9);
		}
	}
	return losses;
}

/** Days that all parts have: energies added less what the limit takes, the rest where all agree. */
export function sumDays(
	parts: readonly Forecast[],
	losses: Losses,
): DailyRow[] {
	const [first, ...others] = parts;
	const hasBand = parts.every((part) => bandUntil(part) !== null);
	return (first?.daily ?? []).flatMap((row) => {
		const rows = others.map((part) => dailyRow(part, row.date));
		if (rows.some((other) => other === undefined)) return [];
		const all = [row, ...rows] as Record<string, unknown>[];
		const sum: Record<string, unknown> = { date: row.date };
		for (const field of Object.keys(row)) {
			if (field === "date" || field === "__proto__") continue;
			const values = all.map((each) => each[field]);
			if (field.startsWith("pv_energy_kwh")) {
				if (!hasBand && /_(?:min|max)$/.test(field)) continue;
				if (!values.every((value) => typeof value === "number")) continue;
				const energy = values.reduce((total, value) => total + value, 0);
				const loss = losses.get(row.date)?.get(field) ?? 0;
				sum[field] = rounded(Math.max(0, energy - loss));
			} else if (values.every((value) => value === values[0])) {
				sum[field] = values[0];
			}
		}
		return [sum as DailyRow];
	});
}
