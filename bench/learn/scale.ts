import { Zone } from "../../src/forecast/zone";
import {
	addForecast,
	addReading,
	createLearnState,
	type LearnState,
	type Reading,
	type Tallies,
} from "../../src/learn";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { forecastOf } from "./ours";
import { PEAK_W } from "./world";

const SITES = 1000;
/** Days before the measured ones: enough that all that is kept by day is there. */
const DAYS_BEFORE = 3;
/** The quickest counts: other programs only take time. */
const DAYS_MEASURED = 3;
const FORECAST_DAYS = 3;

/** CPU seconds that a day of 1,000 sites takes: a reading a minute, a forecast an hour. */
export function runScale(): {
	readings: number;
	forecasts: number;
	seconds: number;
} {
	const zone = Zone.of("Europe/Berlin") as Zone;
	const first = zone.dayStart(Date.UTC(2026, 5, 1) / DAY_MS);
	const power = (time: number) =>
		PEAK_W *
		Math.max(
			0,
			Math.sin((((time - first) % DAY_MS) / HOUR_MS - 6) * (Math.PI / 12)),
		);
	const states: LearnState[] = Array.from({ length: SITES }, () =>
		createLearnState(),
	);
	const tallies: Tallies[] = states.map(() => new Map());
	let seconds = Number.POSITIVE_INFINITY;
	for (let day = 0; day < DAYS_BEFORE + DAYS_MEASURED; day += 1) {
		const start = first + day * DAY_MS;
		const inputs = Array.from({ length: SITES }, (_, site) =>
			forecastOf(
				zone,
				{
					latitude: 47 + (site % 70) / 10,
					longitude: 6 + Math.floor(site / 70) / 2,
				},
				start,
				Array.from({ length: FORECAST_DAYS * 96 }, (_, index) =>
					Math.round(power(start + index * QUARTER_MS)),
				),
				start,
			),
		);
		const before = process.cpuUsage();
		for (let minute = 0; minute < 24 * 60; minute += 1) {
			const now = start + minute * MINUTE_MS;
			// One for all sites: to make what comes in is no part of learning.
			const reading: Reading = {
				time: now,
				string_id: null,
				power_w: 0.9 * power(now) * (1 + 0.1 * Math.sin(minute)),
				energy_kwh: null,
				curtailed: false,
			};
			for (let site = 0; site < SITES; site += 1) {
				let state = states[site] as LearnState;
				if (minute % 60 === 0) {
					state = addForecast(
						state,
						inputs[site] as (typeof inputs)[number],
						now,
					);
				}
				states[site] = addReading(
					state,
					tallies[site] as Tallies,
					reading,
					now,
				);
			}
		}
		const { user, system } = process.cpuUsage(before);
		if (day >= DAYS_BEFORE) seconds = Math.min(seconds, (user + system) / 1e6);
	}
	return { readings: SITES * 24 * 60, forecasts: SITES * 24, seconds };
}
