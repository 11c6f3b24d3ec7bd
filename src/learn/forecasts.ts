import type { Forecast } from "../forecast/forecast";
import type { Series } from "../forecast/series";
import type { Zone } from "../forecast/zone";
import type { ForecastInput } from "../messages/input/forecast-input";
import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { QUARTER_MS } from "../util/time";
import {
	advance,
	changeDay,
	keepHorizons,
	latestModel,
	settleToday,
	takeBack,
} from "./days";
import {
	createLearnState,
	type DayRecord,
	isStringId,
	type LearnState,
	type Meter,
	MOST_METERS,
	meterOf,
	meterWith,
	newMeter,
	recordWith,
	withMeter,
	withNote,
} from "./learn-state";

/** A forecast computed this long ago, by the service's clock, confirms the own one. */
const YOUNG_MS = 36 * 3_600_000;
/** Past dates of a forecast that are taken in where nothing is known of them. */
const MOST_PAST_DAYS = 366;

/**
 * Takes a forecast in: it stands from now on for the quarters that have not
 * begun. Rows of the past fill quarters of which no forecast was kept, so that
 * archived forecasts teach in one go with readings as old.
 *
 * @throws SolarYieldError `INPUT` when the forecast is of another site
 */
export function addForecast(
	given: LearnState,
	{ forecast, solar }: ForecastInput,
	now: number,
): LearnState {
	const { zone } = forecast;
	if (given.site_id !== null && given.site_id !== solar.site_id) {
		throw inputError("learn.other_site", {
			site: show(solar.site_id),
			other: show(given.site_id),
		});
	}
	let state = withStrings(place(given, zone, solar, now), forecast, now);
	if (!meterOf(state, null)) state = withMeter(state, newMeter(null));
	state = advance(checkClock(state, forecast, now), now);
	for (const meter of state.meters) {
		const { string_id } = meter;
		const series =
			string_id === null
				? forecast.values
				: forecast.strings?.find((string) => string.string_id === string_id)
						?.series;
		if (!series) continue;
		const rated = solar.strings
			.filter((string) => string_id === null || string.string_id === string_id)
			.reduce((sum, { power_kw }) => sum + 1000 * (power_kw ?? 0), 0);
		state = withMeter(state, stand(state, meter, zone, series, rated, now));
	}
	return state;
}

/** Takes back what a clock ahead has made of today, once a young forecast says that it is right again. */
function checkClock(
	state: LearnState,
	{ computed_at }: Forecast,
	now: number,
): LearnState {
	if (computed_at === null || computed_at > now) return state;
	const seen = state.computed_at ?? 0;
	const checked =
		computed_at > now - YOUNG_MS
			? takeBack(state, now, seen + YOUNG_MS)
			: state;
	return computed_at > seen ? { ...checked, computed_at } : checked;
}

/** With the strings of a forecast that lies ahead, of which alone a meter can be learned. */
function withStrings(
	state: LearnState,
	{ values, strings }: Forecast,
	now: number,
): LearnState {
	if ((values.starts.at(-1) ?? 0) < now) return state;
	const string_ids = (strings ?? [])
		.flatMap(({ string_id }) => (isStringId(string_id) ? string_id : []))
		.slice(0, MOST_METERS);
	const { string_ids: known } = state;
	const isKnown =
		known?.length === string_ids.length &&
		known.every((id, index) => id === string_ids[index]);
	return isKnown ? state : { ...state, string_ids };
}

const toTenth = (value: unknown, most: number): number | null =>
	typeof value === "number" && Math.abs(value) <= most
		? Math.round(value * 10) / 10
		: null;

/** With the place and the zone that a forecast names; a site that has moved begins anew. */
function place(
	state: LearnState,
	zone: Zone,
	solar: ForecastInput["solar"],
	now: number,
): LearnState {
	const latitude = toTenth(solar.latitude, 90) ?? state.latitude;
	const longitude = toTenth(solar.longitude, 180) ?? state.longitude;
	const isSame =
		state.timezone === zone.name &&
		state.latitude === latitude &&
		state.longitude === longitude;
	if (isSame && state.site_id !== null) return state;
	const distance = (a: number | null, b: number | null) =>
		a === null || b === null ? 0 : Math.abs(a - b);
	const hasMoved =
		state.timezone !== null &&
		(state.timezone !== zone.name ||
			distance(state.latitude, latitude) > 0.5 ||
			distance(state.longitude, longitude) > 0.5);
	const placed = {
		...(hasMoved ? createLearnState() : state),
		site_id: solar.site_id,
		timezone: zone.name,
		latitude,
		longitude,
	};
	if (hasMoved) return withNote(placed, "moved", null, now);
	return latitude === null || longitude === null
		? withNote(placed, "no_position", null, now)
		: placed;
}

function stand(
	state: LearnState,
	given: Meter,
	zone: Zone,
	series: Series,
	rated: number,
	now: number,
): Meter {
	const { starts, rows } = series;
	// A clock that has gone back does not take today back.
	const day = Math.max(zone.dayOf(now), given.today?.day ?? 0);
	const dayStart = zone.dayStart(day);
	let meter = keepHorizons(given, zone, now, (received) =>
		latestModel(state, given, received),
	);
	meter = settleToday(meter, now);
	let { peak } = meter;
	const end = zone.dayStart(day + 2);
	const watts = new Array<number | null>(
		Math.round((end - dayStart) / QUARTER_MS),
	).fill(null);
	let reachesOn = false;
	const afterEnd = series.indexFrom(end);
	for (let index = series.indexFrom(dayStart); index < afterEnd; index += 1) {
		const start = starts[index] as number;
		const value = rows[index]?.pv_power;
		const power =
			typeof value === "number" ? value : series.valueAt(start, "pv_power");
		if (power === null) continue;
		if (power > peak) peak = power;
		watts[Math.round((start - dayStart) / QUARTER_MS)] =
			power > 0 ? Math.round(power) : 0;
		if (start >= now) reachesOn = true;
	}
	for (let index = afterEnd; index < rows.length; index += 1) {
		const power = rows[index]?.pv_power;
		if (typeof power === "number" && power > peak) peak = power;
	}
	peak = Math.min(1e9, Math.max(peak, rated));
	if (peak !== meter.peak) meter = meterWith(meter, { peak });
	if (reachesOn) {
		const standing = { received: now, start: dayStart, watts };
		meter = settleToday(meterWith(meter, { standing }), now);
	}
	return fillPast(meter, zone, series, now);
}

/** Fills quarters that are over and of which no forecast was kept. */
function fillPast(
	given: Meter,
	zone: Zone,
	series: Series,
	now: number,
): Meter {
	const { starts } = series;
	const from = given.standing?.received === now ? given.standing.start : now;
	if (starts.length === 0 || (starts[0] as number) >= from) return given;
	let meter = given;
	const today = zone.dayOf(now);
	for (const day of series.days()) {
		if (day > today || day < today - MOST_PAST_DAYS) continue;
		const isToday = day === today;
		if (isToday && meter.standing?.received === now) continue;
		meter = changeDay(meter, zone, day, (record) =>
			filled(record, series, now),
		);
	}
	return meter;
}

function filled(record: DayRecord, series: Series, now: number): DayRecord {
	let foreseen: (number | null)[] | undefined;
	for (let index = 0; index < record.foreseen.length; index += 1) {
		const start = record.start + index * QUARTER_MS;
		if (start >= now) break;
		if (record.foreseen[index] !== null) continue;
		const power = series.valueAt(start, "pv_power");
		if (power === null) continue;
		foreseen ??= record.foreseen.slice();
		foreseen[index] = Math.round(Math.max(0, power));
	}
	return foreseen ? recordWith(record, { foreseen }) : record;
}
