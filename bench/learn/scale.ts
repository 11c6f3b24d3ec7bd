import { createLearner } from "../../src/learn/learner";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { messageOf } from "./run";
import { PEAK_W, reading } from "./world";

const SITES = 100;
/** Days before the measured one, each of a reading a quarter and two forecasts. */
const DAYS_BEFORE = 40;

/** CPU seconds that a day of 1,000 sites takes: a reading a minute, a forecast an hour. */
export function runScale(): number {
	const zone = Zone.of("Europe/Berlin") as Zone;
	const first = zone.dayStart(Date.UTC(2026, 5, 1) / DAY_MS);
	const power = (time: number) => {
		const hour = ((time - first) % DAY_MS) / HOUR_MS;
		return PEAK_W * Math.max(0, Math.sin((hour - 6) * (Math.PI / 12)));
	};
	const sites = Array.from({ length: SITES }, (_, site) => ({
		zone,
		latitude: 47 + site / 10,
		longitude: 6 + site / 20,
		learner: createLearner(),
		/** The last message as it was read: any node keeps it. */
		kept: {} as object,
	}));
	/** Runs a day; without readings and learning its forecasts are read alone, which is no part of learning: each node behind a forecast does it. */
	const run = (day: number, minutes: number, hours: number, isRead = false) => {
		const start = first + day * DAY_MS;
		const watts = Array.from({ length: 3 * 96 }, (_, index) =>
			Math.round(power(start + index * QUARTER_MS)),
		);
		for (const site of sites) {
			const { learner } = site;
			const message = messageOf(site, start, watts);
			for (let minute = 0; minute < 24 * 60; minute += minutes) {
				const time = start + minute * MINUTE_MS;
				const isDue = minute % (60 * hours) === 0;
				if (isRead && isDue) site.kept = forecastFromInput(message);
				if (isRead) continue;
				if (isDue) learner.takeForecast(message, message.payload, time);
				const power_w = 0.9 * power(time) * (1 + 0.1 * Math.sin(minute));
				learner.takeReading(reading(time, { power_w }), time);
			}
		}
	};
	for (let day = 0; day < DAYS_BEFORE; day += 1) run(day, 15, 12);
	const seconds = [true, false].map((isRead) => {
		const before = process.cpuUsage();
		run(DAYS_BEFORE, 1, 1, isRead);
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1e6;
	});
	const [reads = 0, whole = 0] = seconds;
	return ((whole - reads) * 1000) / SITES;
}
