import { micro } from "../util/rounding";
import {
	dateDay,
	dateText,
	HOUR_MS,
	MINUTE_MS,
	QUARTER_MS,
	readInstant,
} from "../util/time";
import { Band } from "./band";
import { dailyRow, type Forecast, siteDayEnergy } from "./forecast";
import { dayEnergy, energy, type Series } from "./series";
import { settledStarts } from "./settled";
import { stringNames } from "./string-names";

/** A planned request that is this late makes the forecast stale (behaviour: Failures). */
const OVERDUE_MS = HOUR_MS;

/**
 * The payload of `solar-yield-now` (behaviour: Messages). Powers are means of the quarter
 * that holds the instant, in W; energies in kWh; clock hours and days are the
 * site's; times are ISO 8601 with an offset, `…_local` `HH:MM` in the site's zone, for
 * people. What is unknown is null.
 */
export type NowPayload = ReturnType<typeof nowValues>;
export type NowDay = NowPayload["days"][number];
export type NowString = NowPayload["strings"][number];

/** What is known of a forecast besides its rows: `msg.solar` has it. */
interface ForecastFacts {
	/** UTC; when the answer was received, null where nobody says. */
	readonly fetched_at: string | null;
	/** UTC; when the next request is planned, null when none is. */
	readonly next_request_at: string | null;
	readonly stale: boolean;
	/** Today's past quarters as last foreseen before they began: [end in epoch ms, W]. */
	readonly settled: readonly (readonly [endMs: number, watts: number])[];
}

/** `HH:MM` of a stamp of the site. */
const clockTime = (stamp: string | null) => stamp?.slice(11, 16) ?? null;

/** Energy to the milliwatt hour. */
const kwh = (energy: number | null) => (energy === null ? null : micro(energy));

/** Peak and production of a local date: null where there is none, or where an unknown quarter could change it. */
interface Daylight {
	readonly watts: number | null;
	readonly at: string | null;
	readonly start: string | null;
	readonly end: string | null;
}

/** W by the start of quarters. */
type Watts = ReadonlyMap<number, number>;

function daylight(series: Series, day: number, filled?: Watts): Daylight {
	const { zone } = series;
	const dayEnd = zone.dayStart(day + 1);
	const gaps: number[] = [];
	let peak = { at: Number.NaN, watts: 0 };
	let from = Number.NaN;
	let to = Number.NaN;
	for (let start = zone.dayStart(day); start < dayEnd; start += QUARTER_MS) {
		const watts = series.valueAt(start, "pv_power") ?? filled?.get(start);
		if (watts === undefined) gaps.push(start);
		else if (watts > 0) {
			if (watts > peak.watts) peak = { at: start, watts };
			if (Number.isNaN(from)) from = start;
			to = start + QUARTER_MS;
		}
	}
	const text = (instant: number, known: boolean) =>
		known && !Number.isNaN(instant) ? zone.format(instant) : null;
	return {
		watts: gaps.length === 0 ? peak.watts : null,
		at: text(peak.at, gaps.length === 0),
		start: text(from, !gaps.some((gap) => gap < from)),
		end: text(to, !gaps.some((gap) => gap >= to)),
	};
}

/** Most days listed: a clock that starts in 1970 would list tens of thousands. */
const MOST_DAYS = 62;

/** Each date from today to the last one of which anything is known. */
function comingDays(forecast: Forecast, today: number): number[] {
	const last = Math.max(
		...forecast.daily.map((row) => dateDay(row.date)),
		...forecast.values
			.days()
			.filter(
				(day) => day >= today && dayEnergy(forecast.values, day) !== null,
			),
	);
	const days: number[] = [];
	const end = Math.min(last, today + MOST_DAYS);
	for (let day = today; day <= end; day = forecast.zone.dayAfter(day)) {
		days.push(day);
	}
	return days;
}

/**
 * Whether it is too late to trust a forecast: the poller's word, or the time that has
 * passed since the next request was to be made; where nobody says when that is, since
 * the service has a newer forecast.
 */
function isStale(
	{ next_poll_at }: Forecast,
	facts: ForecastFacts,
	horizonEnd: number,
	nowMs: number,
): boolean {
	const planned =
		facts.next_request_at == null
			? (next_poll_at ?? Number.NaN)
			: readInstant(facts.next_request_at);
	return facts.stale || horizonEnd <= nowMs || nowMs - planned > OVERDUE_MS;
}

/**
 * What a forecast says of an instant (behaviour: Messages, `solar-yield-now`): nothing is
 * interpolated, nothing unknown is made up.
 *
 * @param facts `msg.solar` that came with the forecast
 * @param nowMs epoch ms
 */
export function nowValues(
	forecast: Forecast,
	facts: ForecastFacts,
	nowMs: number,
) {
	const { zone, values, strings = [] } = forecast;
	const today = zone.dayOf(nowMs);
	const tomorrow = zone.dayAfter(today);
	const dayStart = zone.dayStart(today);
	const dayEnd = zone.dayStart(today + 1);
	const settled = settledStarts(facts.settled);
	const filled = new Map(settled);
	const band = new Band(forecast);
	const light = daylight(values, today, filled);
	const nextLight = daylight(values, tomorrow);
	const names = stringNames(strings);
	const hour = zone.hourOf(nowMs);
	const nextHour = zone.hourOf(hour.end);
	const horizonEnd = (values.starts.at(-1) ?? nowMs - QUARTER_MS) + QUARTER_MS;

	const power = (instant: number, field = "pv_power") =>
		values.valueAt(instant, field);
	const between = (from: number, to: number, series = values) =>
		kwh(energy(series, from, to).energy_kwh);
	const { temp, weather_code = null } = values.rowAt(nowMs) ?? {};
	const dayValues = (day: number) => {
		const date = dateText(day);
		return {
			date,
			pv_energy_kwh: kwh(siteDayEnergy(forecast, day, "pv_power", settled)),
			pv_energy_kwh_min: kwh(band.dayEnergy(day, "pv_power_min")),
			pv_energy_kwh_max: kwh(band.dayEnergy(day, "pv_power_max")),
			weather_code: dailyRow(forecast, date)?.weather_code ?? null,
		};
	};
	const [ofToday, ofTomorrow] = [dayValues(today), dayValues(tomorrow)];

	return {
		power_now_w: power(nowMs),
		power_in_30min_w: power(nowMs + HOUR_MS / 2),
		power_in_1h_w: power(nowMs + HOUR_MS),
		power_now_min_w: band.power(nowMs, "pv_power_min"),
		power_now_max_w: band.power(nowMs, "pv_power_max"),
		power_clearsky_now_w: power(nowMs, "pv_power_clearsky"),
		energy_this_hour_kwh: between(hour.start, hour.end),
		energy_next_hour_kwh: between(nextHour.start, nextHour.end),
		energy_today_kwh: ofToday.pv_energy_kwh,
		energy_today_min_kwh: ofToday.pv_energy_kwh_min,
		energy_today_max_kwh: ofToday.pv_energy_kwh_max,
		energy_so_far_today_kwh: kwh(
			energy(values, dayStart, nowMs, { filled }).energy_kwh,
		),
		energy_remaining_today_kwh: between(nowMs, dayEnd),
		energy_tomorrow_kwh: ofTomorrow.pv_energy_kwh,
		energy_tomorrow_min_kwh: ofTomorrow.pv_energy_kwh_min,
		energy_tomorrow_max_kwh: ofTomorrow.pv_energy_kwh_max,
		energy_today_settled_kwh: kwh(
			dayEnergy(values, today, { settled: filled }),
		),
		peak_power_today_w: light.watts,
		peak_time_today: light.at,
		peak_time_today_local: clockTime(light.at),
		peak_power_tomorrow_w: nextLight.watts,
		peak_time_tomorrow: nextLight.at,
		peak_time_tomorrow_local: clockTime(nextLight.at),
		production_start_today: light.start,
		production_start_today_local: clockTime(light.start),
		production_end_today: light.end,
		production_end_today_local: clockTime(light.end),
		production_start_tomorrow: nextLight.start,
		production_start_tomorrow_local: clockTime(nextLight.start),
		production_end_tomorrow: nextLight.end,
		production_end_tomorrow_local: clockTime(nextLight.end),
		temp_now: typeof temp === "number" ? temp : null,
		weather_code_now: weather_code,
		/** Today first, then each date up to the last that is known. */
		days: comingDays(forecast, today).map(dayValues),
		strings: strings.map(({ series }, index) => ({
			/** `string_index` as text where the string has no id (inline). */
			string_id: names[index] as string,
			power_now_w: series.valueAt(nowMs, "pv_power"),
			energy_today_kwh: kwh(dayEnergy(series, today)),
			energy_remaining_today_kwh: between(nowMs, dayEnd, series),
		})),
		computed_at: zone.format(forecast.computed_at),
		next_poll_at: zone.format(forecast.next_poll_at),
		fetched_at: facts.fetched_at,
		/** Whole minutes since `computed_at`. */
		age_minutes:
			forecast.computed_at === null
				? null
				: Math.max(0, Math.floor((nowMs - forecast.computed_at) / MINUTE_MS)),
		stale: isStale(forecast, facts, horizonEnd, nowMs),
		/** Today's quarters without a known power. */
		gaps: energy(values, dayStart, dayEnd, { filled }).gaps,
		/** Hours from now to the end of the last row. */
		horizon_hours: Math.max(
			0,
			Math.round(((horizonEnd - nowMs) / HOUR_MS) * 100) / 100,
		),
	};
}
