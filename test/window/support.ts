import { Series } from "../../src/forecast/series";
import { Zone } from "../../src/util/zone";
import { readWindowSettings } from "../../src/window/settings";
import {
	NEW_STATE,
	readState,
	type WindowForecast,
	type WindowInputs,
	type WindowState,
} from "../../src/window/state";
import { quartersOf } from "../forecast/answers";

export { DAY, HOUR, MINUTE, QUARTER } from "../support/time";

export const at = (text: string): number => Date.parse(text);

/** A forecast of some local dates, received at its first instant. */
export function forecastOf(
	zone: string,
	dates: readonly [first: string, last?: string],
	power: (start: number, index: number) => number | null,
	given: Partial<WindowForecast> = {},
): WindowForecast {
	const starts = quartersOf(zone, ...dates);
	const rows = starts.map((start, index) => ({
		pv_power: power(start, index),
	}));
	return {
		site: { id: "site_barn", topic: "solar-yield/site_barn", zone },
		values: new Series(Zone.of(zone) as Zone, starts, rows),
		at: starts[0] as number,
		...given,
	};
}

/** WindowInputs in Berlin on 20 and 21 June 2026: days of 96 quarters that begin at 22:00 UTC. */
export const inputsOf = (
	forecast: WindowForecast | null,
	settings: Record<string, unknown> = {},
): WindowInputs => ({ forecast, settings: readWindowSettings(settings) });

/** The state as it comes back from a disk. */
export const saved = (state: WindowState): WindowState =>
	readState(JSON.parse(JSON.stringify(state)));

export const state = (given: Partial<WindowState> = {}): WindowState => ({
	...NEW_STATE,
	...given,
});

/** Zones and dates whose days have 23, 23.5, 24, 24.5 and 25 hours, in zones of :00, :30 and :45. */
export const DATES: readonly [zone: string, date: string][] = [
	["Europe/Berlin", "2026-03-29"],
	["Europe/Berlin", "2026-10-25"],
	["Europe/Berlin", "2026-06-20"],
	["Europe/Berlin", "2026-12-31"],
	["America/St_Johns", "2026-03-08"],
	["America/St_Johns", "2026-11-01"],
	["Australia/Lord_Howe", "2026-04-05"],
	["Australia/Lord_Howe", "2026-10-04"],
	["Asia/Kathmandu", "2026-02-28"],
	["Pacific/Chatham", "2026-09-27"],
	["UTC", "2026-06-20"],
];
