import type { BatteryPlan } from "../../src/battery/payload";
import type { PlanInput } from "../../src/battery/plan-inputs";
import type { BatterySettings } from "../../src/battery/settings";
import { HOUR, QUARTER } from "./support";

/** Cheaper than node:assert where a test asks half a million times. */
export function holds(condition: boolean, says: () => string): void {
	if (!condition) throw new Error(says());
}

export function near(
	name: string,
	found: number,
	wanted: number,
	tolerance: number,
): void {
	holds(
		Math.abs(found - wanted) <= tolerance,
		() => `${name} is ${found}, not ${wanted}`,
	);
}

/** Length of each row that lies ahead, in hours. */
function hoursOf({ quarters }: PlanInput, now: number): readonly number[] {
	return quarters.map(
		({ start }) => (start + QUARTER - Math.max(now, start)) / HOUR,
	);
}

/** Each row balances, follows from the one before, and keeps every limit; the sums are those of the rows. */
export function rowsHold(
	result: BatteryPlan,
	input: PlanInput,
	settings: BatterySettings,
): void {
	const hours = hoursOf(input, input.now);
	const oneWay = Math.sqrt(settings.efficiency);
	const low = Math.min(settings.minSoc, input.soc) - 1e-6;
	const high = Math.max(settings.maxSoc, input.soc) + 1e-6;
	const feedInMost = settings.feedInLimitW ?? Number.POSITIVE_INFINITY;
	let before = input.soc;
	let fromGrid = 0;
	let toGrid = 0;
	let lost = 0;
	near("rows", result.plan.length, input.quarters.length, 0);
	for (const [index, row] of result.plan.entries()) {
		const says = () => JSON.stringify({ index, row, before });
		const length = hours[index] as number;
		const start = input.quarters[index]?.start as number;
		const { pv_w, load_w, battery_w, grid_w, curtailed_w, soc } = row;
		holds(
			Date.parse(row.start) === start &&
				Date.parse(row.end) === start + QUARTER,
			says,
		);
		near("balance", pv_w - curtailed_w + grid_w, load_w + battery_w, 1e-8);
		holds(soc >= low && soc <= high, says);
		holds(battery_w <= settings.maxChargeW + 1e-3, says);
		holds(battery_w >= -settings.maxDischargeW - 1e-3, says);
		holds(curtailed_w >= 0 && curtailed_w <= pv_w, says);
		holds(grid_w >= -feedInMost - 1e-3, says);
		holds(curtailed_w === 0 || grid_w <= -feedInMost + 1e-3, says);
		// The battery gives to the house only, and only `price` buys for it.
		holds(battery_w >= 0 || grid_w >= -2e-3, says);
		holds(
			battery_w <= 0 || grid_w <= 2e-3 || settings.strategy === "price",
			says,
		);
		const moved = (battery_w / 1000) * length;
		near(
			"stored",
			((soc - before) / 100) * settings.capacityKwh,
			moved > 0 ? moved * oneWay : moved / oneWay,
			2e-6,
		);
		before = soc;
		fromGrid += (Math.max(0, grid_w) / 1000) * length;
		toGrid += (Math.max(0, -grid_w) / 1000) * length;
		lost += (curtailed_w / 1000) * length;
	}
	near("from grid", result.energy_from_grid_kwh ?? -1, fromGrid, 1e-5);
	near("to grid", result.energy_to_grid_kwh ?? -1, toGrid, 1e-5);
	near("curtailed", result.curtailed_kwh ?? -1, lost, 1e-5);
}

/** What the inverter is told allows what is planned, within the settings. */
export function limitsHold(
	{ now, plan }: BatteryPlan,
	settings: BatterySettings,
): void {
	const says = () => JSON.stringify({ now, row: plan[0] });
	const charge = now.charge_limit_w ?? -1;
	const discharge = now.discharge_limit_w ?? -1;
	const grid = now.grid_charge_w ?? -1;
	const planned = plan[0]?.battery_w ?? Number.NaN;
	holds(charge >= 0 && charge <= settings.maxChargeW, says);
	holds(discharge >= 0 && discharge <= settings.maxDischargeW, says);
	holds(planned <= charge + 0.02 && -planned <= discharge + 0.02, says);
	holds(grid >= 0 && grid <= charge + 0.02, says);
	holds((now.mode === "grid-charge") === grid > 0, says);
}

/** Sums over the rows as they would be without a battery, kWh. */
export function withoutBattery(
	result: BatteryPlan,
	input: PlanInput,
	settings: BatterySettings,
): { bought: number; lost: number } {
	const hours = hoursOf(input, input.now);
	let bought = 0;
	let lost = 0;
	for (const [index, { pv_w, load_w }] of result.plan.entries()) {
		const kilo = (hours[index] as number) / 1000;
		bought += Math.max(0, load_w - pv_w) * kilo;
		lost +=
			Math.max(
				0,
				pv_w - load_w - (settings.feedInLimitW ?? Number.POSITIVE_INFINITY),
			) * kilo;
	}
	return { bought, lost };
}

/**
 * Cost of the priced rows with the plan and without a battery, the plan's less
 * what is kept beyond the start for after the prices; and the last priced state
 * of charge.
 */
export function costs(
	result: BatteryPlan,
	input: PlanInput,
	settings: BatterySettings,
): { planned: number; without: number; soc: number } {
	const hours = hoursOf(input, input.now);
	const until = result.priced_until ? Date.parse(result.priced_until) : 0;
	const prices = input.prices ?? [];
	const limit = settings.feedInLimitW ?? Number.POSITIVE_INFINITY;
	let planned = 0;
	let without = 0;
	let soc = input.soc;
	let cheapest = Number.POSITIVE_INFINITY;
	let reaches = true;
	for (const [index, row] of result.plan.entries()) {
		const start = input.quarters[index]?.start as number;
		reaches = start < until;
		if (!reaches) break;
		const price =
			prices.find((other) => start < other.end)?.price ?? Number.NaN;
		const kilo = (hours[index] as number) / 1000;
		const cost = (grid: number) =>
			grid * kilo * (grid > 0 ? price : settings.feedInPrice);
		planned += cost(row.grid_w);
		without += cost(Math.max(row.load_w - row.pv_w, -limit));
		cheapest = Math.min(cheapest, price);
		soc = row.soc;
	}
	const kept =
		(Math.max(0, soc - Math.min(input.soc, settings.maxSoc)) / 100) *
		settings.capacityKwh;
	if (!reaches && until > 0) {
		planned -= kept * Math.max(0, cheapest) * Math.sqrt(settings.efficiency);
	}
	return { planned, without, soc };
}
