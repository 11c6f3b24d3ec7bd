import type { Forecast } from "../../src/forecast/forecast";
import { Series } from "../../src/forecast/series";
import type { Zone } from "../../src/forecast/zone";
import {
	addForecast,
	addReading,
	createLearnState,
	type LearnState,
	type Tallies,
} from "../../src/learn";
import type { ForecastInput } from "../../src/messages/input/forecast-input";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../src/util/time";
import { type Day, PEAK_W, type World } from "./world";

const SITE = "site_bench";

/** A forecast as a message brings it, of quarters one after another. */
export function forecastOf(
	zone: Zone,
	position: { readonly latitude: number; readonly longitude: number },
	start: number,
	watts: readonly number[],
	computedAt: number,
): ForecastInput {
	const forecast: Forecast = {
		site_id: SITE,
		zone,
		interval: "end",
		computed_at: computedAt,
		next_poll_at: null,
		included: ["default"],
		available: null,
		daily: [],
		values: new Series(
			zone,
			watts.map((_, index) => start + index * QUARTER_MS),
			watts.map((pv_power) => ({ pv_power })),
		),
		strings: undefined,
		extra: {},
	};
	return {
		forecast,
		solar: {
			site_id: SITE,
			site_name: null,
			timezone: zone.name,
			demo: false,
			interval: "end",
			interval_minutes: 15,
			computed_at: null,
			next_poll_at: null,
			next_request_at: null,
			reason: "",
			fetched_at: null,
			cached: false,
			stale: false,
			missing: [],
			gaps: 0,
			band_until: null,
			settled: [],
			strings: [
				{
					string_id: "str_0",
					string_index: 0,
					slope: 32,
					orientation: 180,
					power_kw: PEAK_W / 1000,
				},
			],
			...position,
		} as ForecastInput["solar"],
	};
}

/** The corrected forecasts of each day, as they stood before it. */
export interface Corrected {
	readonly sameDay: readonly number[];
	readonly dayAhead: readonly number[];
}

/** Lets a day pass: forecasts as they come, and readings of a meter. */
function passDay(
	given: LearnState,
	tallies: Tallies,
	world: World,
	day: Day,
): LearnState {
	const { zone, place } = world;
	const forecast = (watts: readonly number[], now: number) => {
		state = addForecast(
			state,
			forecastOf(zone, place, day.start, watts, now),
			now,
		);
	};
	let state = given;
	const six = zone.firstInstantFrom(
		zone.dayOf(day.start) * DAY_MS + 6 * HOUR_MS,
	);
	// Forecasts come each hour; of those only what settles from them is known.
	forecast(day.dayAhead, day.start - MINUTE_MS);
	forecast(day.settled, day.start + 1000);
	let isMorning = true;
	for (const [index, watts] of day.metered.entries()) {
		const start = day.start + index * QUARTER_MS;
		if (isMorning && start >= six) {
			isMorning = false;
			forecast(day.sameDay, six - MINUTE_MS);
			forecast(day.settled, six);
		}
		if (watts === null) continue;
		for (const time of [start + 1000, start + QUARTER_MS - 1000]) {
			state = addReading(
				state,
				tallies,
				{
					time,
					string_id: null,
					power_w: watts,
					energy_kwh: null,
					curtailed: false,
				},
				time,
			);
		}
	}
	return state;
}

/** What this package makes of a world's forecasts, day by day. */
export function correctWorld(world: World): Corrected[] {
	let state = createLearnState();
	const tallies: Tallies = new Map();
	const days: Corrected[] = [];
	const take = () => {
		const record = state.meters[0]?.past.at(-1);
		days.push({
			sameDay: (record?.same_day?.corrected ?? []).map((watts) => watts ?? 0),
			dayAhead: (record?.day_ahead?.corrected ?? []).map((watts) => watts ?? 0),
		});
	};
	for (const [index, day] of world.days.entries()) {
		state = passDay(state, tallies, world, day);
		if (index > 0) take();
	}
	const last = world.days.at(-1) as Day;
	const end = last.start + last.actual.length * QUARTER_MS;
	state = addForecast(
		state,
		forecastOf(world.zone, world.place, end, [0, 0, 0, 0], end),
		end,
	);
	take();
	return days;
}
