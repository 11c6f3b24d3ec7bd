import { createLearner } from "../../src/learn/learner";
import { forecastFromInput } from "../../src/messages/input/forecast-input";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { Zone } from "../../src/util/zone";
import { messageOf } from "../learn/run";
import { PEAK_W, reading } from "../learn/world";

/** CPU seconds that a day of 1,000 sites takes after 40 days: a reading a minute, a forecast an hour. */
const SITES = 100;
const DAYS_BEFORE = 40;

const zone = Zone.of("Europe/Berlin") as Zone;
const first = zone.dayStart(Date.UTC(2026, 5, 1) / DAY_MS);
const power = (time: number) => {
	const hour = ((time - first) % DAY_MS) / HOUR_MS;
	return PEAK_W * Math.max(0, Math.sin((hour - 6) * (Math.PI / 12)));
};
const seconds = (work: () => void) => {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1e6;
};
/** By hour of the day, of each site. */
const hours = Array.from({ length: 24 }, (): number[] => []);
/** The last message of each site as it was read: any node keeps it. */
const kept: object[] = [];
for (let site = 0; site < SITES; site += 1) {
	const place = { zone, latitude: 47 + site / 10, longitude: 6 + site / 20 };
	const learner = createLearner();
	for (let day = 0; day <= DAYS_BEFORE; day += 1) {
		const start = first + day * DAY_MS;
		const watts = Array.from({ length: 3 * 96 }, (_, index) =>
			Math.round(power(start + index * QUARTER_MS)),
		);
		const message = messageOf(place, start, watts);
		const step = (day < DAYS_BEFORE ? 15 : 1) * MINUTE_MS;
		for (const [hour, all] of hours.entries()) {
			const from = start + hour * HOUR_MS;
			const isDue = day === DAYS_BEFORE || hour % 12 === 0;
			// To read a message is no part of learning: each node behind a forecast does it.
			const read = seconds(() => {
				if (isDue) kept[site] = forecastFromInput(message);
			});
			const readings = Array.from({ length: HOUR_MS / step }, (_, index) => {
				const time = from + index * step;
				const power_w = 0.9 * power(time) * (1 + 0.1 * Math.sin(time));
				return reading(time, { power_w });
			});
			const whole = seconds(() => {
				if (isDue) learner.takeForecast(message, message.payload, from);
				for (const each of readings) learner.takeReading(each, each.time);
			});
			if (day === DAYS_BEFORE) all.push(whole - read);
		}
	}
}
// The middle of all sites: what else the machine does is no part of it.
const day = hours.map((all) => all.sort((a, b) => a - b)[SITES / 2] ?? 0);
console.log(1000 * day.reduce((a, b) => a + b));
