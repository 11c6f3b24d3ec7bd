import { HOUR_MS } from "../../util/time";
import type { SentRow } from "../answers/forecast-rows";
import { ZoneClock } from "../physics/zone-clock";
import type { V1Parameters } from "./request-parameters";
import { dtm, flowColumns, householdOf, round } from "./row-columns";
import type { System } from "./system";

/** Monthly and yearly yield, and what was lost on the way when asked. */
export function yieldBody(
	system: System,
	parameters: V1Parameters,
	now: number,
): object {
	const year = lastYear(now);
	const cleanliness = parameters.flag("enable_soiling_model") ? 0.97 : 1;
	const monthly = months((month) => ({
		month: month + 1,
		pv_energy_kwh: 0,
		spec_energy_kwh: 0,
		ghi_kwh: 0,
		gti_kwh: 0,
	}));
	const total = { gti: 0, shaded: 0, nominal: 0, warm: 0, bare: 0, out: 0 };
	for (const { end, light, watts, spec, first } of system.quarters(
		Date.UTC(year, 0, 1),
		Date.UTC(year + 1, 0, 1),
		null,
	)) {
		const month = monthly[new Date(end - 1).getUTCMonth()];
		if (month === undefined || light.ghi === 0) continue;
		month.pv_energy_kwh += (watts * cleanliness) / 4000;
		month.spec_energy_kwh += (spec * cleanliness) / 4000;
		month.ghi_kwh += light.ghi / 4000;
		month.gti_kwh += first.gti / 4000;
		total.gti += first.gti;
		total.shaded += first.gtiShaded;
		total.nominal += first.nominal;
		total.warm += first.warm;
		total.bare += first.powerWithoutSnow;
		total.out += first.power;
	}
	const wired =
		total.warm *
		(1 - parameters.number("cable_loss_rate")) *
		(1 - parameters.number("conversion_loss_rate"));
	const lost = (before: number, after: number): number =>
		before > 0 ? round(100 * (1 - after / before), 2) : 0;
	const { month: _, ...yearly } = sumRows(monthly);
	return {
		year,
		yearly,
		...(parameters.flag("detailed_losses")
			? {
					losses_percent: {
						shading: lost(total.gti, total.shaded),
						reflection: lost(total.shaded, total.nominal),
						soiling: lost(1, cleanliness),
						temperature_and_modules: lost(total.nominal, total.warm),
						cable: round(100 * parameters.number("cable_loss_rate"), 2),
						conversion: round(
							100 * parameters.number("conversion_loss_rate"),
							2,
						),
						clipping: lost(wired, total.bare),
						snow: lost(total.bare, total.out),
					},
				}
			: {}),
		values: monthly.map((row) => roundRow(row)),
	};
}

/** A year of the house hour by hour, with sums. */
export function systemBody(
	system: System,
	parameters: V1Parameters,
	now: number,
): object {
	const year = lastYear(now);
	const begin = Date.UTC(year, 0, 1);
	const household = householdOf(system, parameters, begin);
	const clock = ZoneClock.of("UTC");
	const monthly = months((month) => ({
		month: month + 1,
		pv_energy_kwh: 0,
		consumption_kwh: 0,
		grid_import_kwh: 0,
		grid_export_kwh: 0,
	}));
	const values: SentRow[] = [];
	let watts = 0;
	for (const quarter of system.quarters(
		begin,
		Date.UTC(year + 1, 0, 1),
		null,
	)) {
		watts += quarter.watts / 4;
		if (quarter.end % HOUR_MS !== 0) continue;
		const flows = household.step(quarter.end - HOUR_MS, 1, watts, quarter.air);
		values.push({
			dtm: dtm(clock, quarter.end),
			pv_watts: round(watts, 1),
			temp: round(quarter.air.temp, 1),
			...flowColumns(flows),
		});
		const month = monthly[new Date(quarter.end - 1).getUTCMonth()];
		if (month !== undefined) {
			month.pv_energy_kwh += watts / 1000;
			month.consumption_kwh +=
				(flows.consumption + flows.heatPump + flows.airCooling) / 1000;
			month.grid_import_kwh += Math.max(0, flows.grid) / 1000;
			month.grid_export_kwh += Math.max(0, -flows.grid) / 1000;
		}
		watts = 0;
	}
	const { month: _, ...yearly } = sumRows(monthly);
	return { year, yearly, monthly: monthly.map((row) => roundRow(row)), values };
}

function months<T>(make: (month: number) => T): T[] {
	return Array.from({ length: 12 }, (_, month) => make(month));
}

function sumRows(
	rows: readonly Readonly<Record<string, number>>[],
): Record<string, number> {
	const sums: Record<string, number> = {};
	for (const row of rows)
		for (const [name, value] of Object.entries(row))
			sums[name] = (sums[name] ?? 0) + value;
	return roundRow(sums);
}

function roundRow(
	row: Readonly<Record<string, number>>,
): Record<string, number> {
	return Object.fromEntries(
		Object.entries(row).map(([name, value]) => [name, round(value, 2)]),
	);
}

function lastYear(now: number): number {
	return new Date(now).getUTCFullYear() - 1;
}
