import type { SentRow } from "../answers/forecast-rows";
import { stampText, type ZoneClock } from "../physics/zone-clock";
import { type Flows, Household } from "./household";
import type { V1Parameters } from "./request-parameters";
import type { System } from "./system";

/** The columns that a simulated house adds. */
export function flowColumns(flows: Flows): SentRow {
	return {
		consumption_watts: round(flows.consumption, 1),
		heat_pump_watts: round(flows.heatPump, 1),
		air_cool_watts: round(flows.airCooling, 1),
		battery_watts: round(flows.battery, 1),
		battery_soc: round(flows.charge, 1),
		grid_watts: round(flows.grid, 1),
	};
}

/** The house of a request; `at` sets the year that its heating is scaled to. */
export function householdOf(
	system: System,
	parameters: V1Parameters,
	at: number,
): Household {
	return new Household(
		parameters,
		system.place,
		Math.round(parameters.number("longitude") / 15),
		new Date(at).getUTCFullYear() - 1,
	);
}

/** `YYYY-MM-DD HH:MM:SS`, without a zone. */
export function dtm(clock: ZoneClock, at: number): string {
	return stampText(clock, at, "naive").replace("T", " ");
}

export function round(value: number, digits: number): number {
	return Math.round(value * 10 ** digits) / 10 ** digits + 0;
}
