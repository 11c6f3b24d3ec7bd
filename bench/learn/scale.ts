import { createLearner } from "../../src/learn/learner";
import type { Reading } from "../../src/learn/reading";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { messageOf } from "./run";
import { PEAK_W } from "./world";

const SITES = 1000;
/** Days before the measured one: enough that something is corrected. */
const DAYS_BEFORE = 8;

function secondsOf(work: () => void): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1e6;
}

/** CPU seconds that a day of 1,000 sites takes: a reading a minute, a forecast an hour. */
export function runScale(): number {
	const zone = Zone.of("Europe/Berlin") as Zone;
	const first = zone.dayStart(Date.UTC(2026, 5, 1) / DAY_MS);
	const power = (time: number) =>
		PEAK_W *
		Math.max(
			0,
			Math.sin((((time - first) % DAY_MS) / HOUR_MS - 6) * (Math.PI / 12)),
		);
	const learners = Array.from({ length: SITES }, () => createLearner());
	let seconds = 0;
	for (let day = 0; day <= DAYS_BEFORE; day += 1) {
		const start = first + day * DAY_MS;
		const watts = Array.from({ length: 3 * 96 }, (_, index) =>
			Math.round(power(start + index * QUARTER_MS)),
		);
		const readings = Array.from({ length: 24 * 60 }, (_, minute): Reading => {
			const time = start + minute * MINUTE_MS;
			return {
				time,
				string_id: null,
				power_w: 0.9 * power(time) * (1 + 0.1 * Math.sin(minute)),
				energy_kwh: null,
				curtailed: false,
			};
		});
		const messages = learners.map((_, site) =>
			messageOf(
				{
					zone,
					latitude: 47 + (site % 70) / 10,
					longitude: 6 + Math.floor(site / 70) / 2,
				},
				start,
				watts,
			),
		);
		// To read a message is no part of learning: each node behind a forecast does it.
		const reads = secondsOf(() => {
			for (const message of messages) {
				for (let hour = 0; hour < 24; hour += 1) forecastFromInput(message);
			}
		});
		const whole = secondsOf(() => {
			for (const [site, learner] of learners.entries()) {
				const message = messages[site] as (typeof messages)[number];
				for (const [minute, reading] of readings.entries()) {
					if (minute % 60 === 0) {
						learner.takeForecast(message, message.payload, reading.time);
					}
					learner.takeReading(reading, reading.time);
				}
			}
		});
		seconds = whole - reads;
	}
	return seconds;
}
