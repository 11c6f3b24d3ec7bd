import type {
	DailyRow,
	ForecastAnswer,
	Row,
} from "../service/v2/forecast-answer";
import { ALL_GROUPS, GROUP_NAMES, GROUPS } from "../service/v2/groups";
import { responseError, show } from "../service/v2/schema-errors";
import {
	dateText,
	HOUR_MS,
	isPossible,
	QUARTER_MS,
	readStamp,
} from "../util/time";
import { Zone } from "../util/zone";
import { type Interval, placeRows } from "./place-rows";
import { dayEnergy, type Series, type Settled } from "./series";

export type { Interval };

/** behaviour: Where the service's description is silent "interval meaning": the account may say otherwise. */
export const DEFAULT_INTERVAL: Interval = "end";

/** Rows of one string; `string_id` is null where the service gave none (inline). */
export interface StringSeries {
	readonly string_id: string | null;
	readonly string_index: number;
	readonly series: Series;
}

/**
 * One answer of the service, placed in time and never changed again.
 * Instants are epoch ms UTC.
 */
export interface Forecast {
	readonly site_id: string | null;
	readonly zone: Zone;
	readonly interval: Interval;
	/** Null where the answer does not say (historical), or says what cannot be. */
	readonly computed_at: number | null;
	/** Null when missing or unreadable. */
	readonly next_poll_at: number | null;
	/** The groups the answer holds; where it does not list them, those whose fields it has. */
	readonly included: readonly string[];
	/** Null when the answer does not list what the plan has. */
	readonly available: readonly string[] | null;
	/** Rows as received, ordered by date. */
	readonly daily: readonly DailyRow[];
	readonly values: Series;
	/** Undefined when the answer holds no `strings` block; else by `string_index`. */
	readonly strings: readonly StringSeries[] | undefined;
	/** Fields of the response that the spec does not know. */
	readonly extra: Row;
}

/** Facts of a site that an answer may lack. */
export interface Placement {
	/** IANA zone of the site, from the free site read; counts when the answer says "UTC" or nothing. */
	readonly siteZone?: string | null;
	readonly interval?: Interval;
}

const isUtc = (name: string) => /^(utc|etc\/utc|gmt|z)$/i.test(name);

/**
 * Places a checked answer in time (behaviour: Where the service's description is silent: interval meaning, day of a row,
 * timestamps, wire time zone, rows).
 *
 * @throws SolarYieldError `RESPONSE` when no zone is known, when no row of a
 * series names an instant of that zone, or when its rows lie years apart
 */
export function placeForecast(
	answer: ForecastAnswer,
	{ siteZone, interval = DEFAULT_INTERVAL }: Placement = {},
): Forecast {
	const { daily, envelope, values: rows, strings } = answer;
	const { site_id, timezone, computed_at, next_poll_at, ...more } = envelope;
	const { included, available, ...extra } = more;
	const place = zoneOf(timezone, siteZone);
	// Stamps without an offset are in the zone that the response names.
	const stampZone = Zone.of(timezone ?? "") ?? place;
	const zone = onClockOf(rows, place);
	const values = placeRows(rows, "values", zone, stampZone, interval);
	const computedAt = moment(computed_at, stampZone);
	return {
		site_id: site_id == null ? null : String(site_id),
		zone,
		interval,
		computed_at:
			computedAt !== null && isPossible(computedAt) ? computedAt : null,
		next_poll_at: moment(next_poll_at, stampZone),
		included: included ? named(included) : found(answer),
		available: available ?? null,
		daily: [...daily].sort((a, b) => (a.date < b.date ? -1 : 1)),
		values,
		strings: strings
			?.map((own) => {
				const { string_id = null, string_index } = own[0] as Row;
				return {
					string_id: string_id as string | null,
					string_index: string_index as number,
					series: placeRows(own, "strings", zone, stampZone, interval),
				};
			})
			.sort((a, b) => a.string_index - b.string_index),
		extra,
	};
}

/** Furthest that a law moves a clock: what differs more is another zone's clock. */
const MOST_MOVED_MS = 2 * HOUR_MS;

/**
 * A zone on the clock that rows show, where their offsets are not those of the engine's
 * data (a law of this autumn, an old Node.js): the rows are right. Stamps in UTC show
 * no clock (behaviour: Where the service's description is silent "timestamps").
 */
function onClockOf(rows: readonly Row[], zone: Zone): Zone {
	const stamps = rows
		.map((row) => readStamp(row.timestamp as string))
		.filter(({ offset }) => !Number.isNaN(offset));
	// A row that ends at a change may be written on either clock.
	const isOff = (by: number) =>
		stamps.some(({ ms, offset }) =>
			[ms, ms - QUARTER_MS].every(
				(at) => Math.abs(offset - zone.offsetAt(at)) > by,
			),
		);
	const isDenied =
		isOff(0) &&
		!isOff(MOST_MOVED_MS) &&
		stamps.some(({ offset }) => offset !== 0);
	if (!isDenied) return zone;
	stamps.sort((a, b) => b.ms - a.ms);
	return zone.withClock(stamps.map(({ ms, offset }) => [ms, offset]));
}

/** The groups that an answer lists, with those that `all` stands for. */
const named = (included: readonly string[]) =>
	included.includes("all")
		? [...new Set([...included, ...ALL_GROUPS])]
		: included;

/** The groups whose fields an answer has. */
const found = ({ values, strings }: ForecastAnswer) =>
	GROUP_NAMES.filter(
		(group) =>
			GROUPS[group].values.some((field) =>
				values.some((row) => row[field] !== undefined),
			) ||
			(group === "strings" && strings !== undefined && strings.length > 0),
	);

type Name = string | null | undefined;

function zoneOf(wire: Name, site: Name): Zone {
	const named = Zone.of(wire ?? "");
	const zone = named && !isUtc(named.name) ? named : Zone.of(site ?? "");
	if (zone ?? named) return (zone ?? named) as Zone;
	throw responseError("value.zone", { value: show(wire ?? undefined) });
}

function moment(text: unknown, zone: Zone): number | null {
	if (typeof text !== "string") return null;
	const { ms, offset } = readStamp(text);
	const instant = Number.isNaN(offset) ? zone.firstInstantFrom(ms) : ms;
	return Number.isNaN(instant) ? null : instant;
}

/** The `daily` row of a date. */
export function dailyRow(
	forecast: Forecast,
	date: string,
): DailyRow | undefined {
	return forecast.daily.find((row) => row.date === date);
}

/** The energy of a day that belongs to a power of its rows. */
export const ENERGY_OF: Readonly<Record<string, string>> = {
	pv_power: "pv_energy_kwh",
	pv_power_min: "pv_energy_kwh_min",
	pv_power_max: "pv_energy_kwh_max",
	pv_power_clearsky: "pv_energy_kwh_clearsky",
};

/**
 * Energy of a local date in kWh: from the rows when the date is complete, with
 * settled quarters where rows are missing; else as the service's `daily` says, unless
 * that is of a part of the day; else null (behaviour: Where the service's description is silent "day energy").
 *
 * @param day days since 1970-01-01
 * @param field a power field of `values`
 * @param settled past quarters as last foreseen, of `pv_power`
 */
export function siteDayEnergy(
	forecast: Forecast,
	day: number,
	field = "pv_power",
	settled?: Settled,
): number | null {
	const filled = settled && new Map(settled);
	const fromRows = dayEnergy(forecast.values, day, { field, filled });
	if (fromRows !== null) return fromRows;
	const row = dailyRow(forecast, dateText(day)) as
		| Record<string, unknown>
		| undefined;
	const energy = row?.[ENERGY_OF[field] ?? ""];
	return typeof energy === "number" && row?.partial !== true
		? Math.max(0, energy)
		: null;
}

/**
 * End of the band of variability: the end of the last quarter whose minimum and
 * maximum differ, null when none does (behaviour: Where the service's description is silent "band of variability").
 */
export function bandUntil({ values }: Forecast): number | null {
	const { fields, rows, starts } = values;
	if (!fields.has("pv_power_min")) return null;
	const known = starts.filter((_, index) => {
		const { pv_power_min: min, pv_power_max: max } = rows[index] as Row;
		return typeof min === "number" && typeof max === "number" && min !== max;
	});
	const last = known.at(-1);
	return last === undefined ? null : last + QUARTER_MS;
}
