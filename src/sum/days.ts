import { bandUntil, dailyRow, type Forecast } from "../forecast/forecast";
import type { DailyRow } from "../service/v2/forecast-answer";
import { added, agreed, rounded, type SumRows } from "./sum-rows";

/** Days that all parts have: energies added less what the limit takes, the rest where all agree. */
export function sumDays(
	parts: readonly Forecast[],
	losses: SumRows["losses"],
): DailyRow[] {
	const [first, ...others] = parts;
	const hasBand = parts.every((part) => bandUntil(part) !== null);
	return (first?.daily ?? []).flatMap((row) => {
		const { date } = row;
		const all = [row, ...others.map((part) => dailyRow(part, date))];
		if (all.includes(undefined)) return [];
		const sum: Record<string, unknown> = { date };
		for (const field of Object.keys(row)) {
			if (field === "date" || field === "__proto__") continue;
			const values = all.map(
				(each) => (each as Record<string, unknown>)[field],
			);
			const isEnergy = field.startsWith("pv_energy_kwh");
			if (isEnergy && !hasBand && /_(?:min|max)$/.test(field)) continue;
			const value = isEnergy ? added(values) : agreed(values);
			if (value === null || value === undefined) continue;
			const lost = losses.get(date)?.[field] ?? 0;
			sum[field] = isEnergy
				? rounded(Math.max(0, Number(value) - lost))
				: value;
		}
		return [sum as DailyRow];
	});
}
