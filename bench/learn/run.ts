import { createLearner } from "../../src/learn/learner";
import type { Reading } from "../../src/learn/tally";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { METHODS, sum } from "./methods";
import { DAYS, type Day, FIRST_JUDGED, PEAK_W, type World } from "./world";

/** Output 1 of a forecast node: two dates from `start` on. */
export function messageOf(
	{ zone, latitude, longitude }: Pick<World, "zone" | "latitude" | "longitude">,
	start: number,
	watts: number[],
) {
	const solar = {
		site_id: "site_bench",
		timezone: zone.name,
		latitude,
		longitude,
		interval: "end",
		strings: [
			{
				string_id: "a",
				string_index: 0,
				slope: 32,
				orientation: 180,
				power_kw: PEAK_W / 1000,
			},
		],
	};
	const values = watts.map((pv_power, index) => ({
		timestamp: new Date(start + (index + 1) * QUARTER_MS).toISOString(),
		pv_power,
	}));
	return {
		topic: "pv/site_bench/forecast",
		solar,
		payload: {
			site_id: solar.site_id,
			timezone: zone.name,
			included: ["default"],
			daily: [],
			values,
		},
	};
}

export type Run = ReturnType<typeof run>;

/** Sends the learner each day's forecasts and readings; the corrected forecasts of 6:00 (W by quarter). */
function learn({ days, ...world }: World, readings: Reading[]) {
	const learner = createLearner();
	let next = 0;
	const readUntil = (time: number) => {
		for (; (readings[next]?.time ?? Number.NaN) <= time; next += 1) {
			const reading = readings[next] as Reading;
			learner.takeReading(reading, reading.time);
		}
	};
	const corrected = days.map((day, index) => {
		const tomorrow = days[index + 1]?.ahead ?? day.ahead;
		const say = (watts: number[], time: number) => {
			readUntil(time);
			const { payload, ...message } = messageOf(world, day.start, [
				...watts,
				...tomorrow,
			]);
			learner.takeForecast({ ...message, payload }, payload, time);
		};
		say(day.ahead, day.start + MINUTE_MS);
		say(day.foreseen, day.start + 5 * HOUR_MS);
		const sent = learner.corrected(day.start + 5 * HOUR_MS, false);
		readUntil(day.start + DAY_MS);
		return day.hours.map((_, at) => Number(sent?.payload.values[at]?.pv_power));
	});
	return {
		corrected,
		notes: [...new Set(learner.notes().map(({ code }) => code))],
	};
}

const squares = (watts: number[], { given }: Day) =>
	sum(given.map((real, index) => ((watts[index] as number) - real) ** 2));

/** Runs a world with readings, beside the simple methods with the true meter. */
export function run(world: World, readings: Reading[]) {
	const { days } = world;
	const { corrected, notes } = learn(world, readings);
	const of: Record<string, number[]> = { ours: [], ideal: [] };
	for (const [index, day] of days.entries()) {
		of.ours?.push(squares(corrected[index] as number[], day));
		of.ideal?.push(squares(day.ideal, day));
		for (const [name, method] of Object.entries(METHODS)) {
			of[name] ??= [];
			of[name].push(squares(method(days.slice(0, index), day), day));
		}
	}
	const lit = days
		.slice(FIRST_JUDGED)
		.flatMap(({ given }) => given.filter((watts) => watts > 0)).length;
	const weeks = (method: string) =>
		Array.from({ length: Math.floor(DAYS / 7) }, (_, week) => {
			const part = (values: number[] = []) =>
				sum(values.slice(7 * week, 7 * week + 7));
			return Math.sqrt(part(of[method]) / part(of["as it came"]));
		});
	return {
		/** RMSE of the last 15 days, W, by method, `ours` and `ideal`. */
		rmse: Object.fromEntries(
			Object.entries(of).map(([name, values]) => [
				name,
				Math.sqrt(sum(values.slice(FIRST_JUDGED)) / lit),
			]),
		),
		/** RMSE to that of the forecast as it came, by week. */
		weeks: weeks("ours"),
		idealWeeks: weeks("ideal"),
		notes,
	};
}
