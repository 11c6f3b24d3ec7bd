import { IANAZone } from "luxon";
import {
	type Forecast,
	type Placement,
	placeForecast,
} from "../../src/forecast/forecast";
import { type Row, readForecast } from "../../src/service/v2/forecast-answer";
import { DAY, HOUR, MINUTE, QUARTER } from "../support/time";

export { DAY, HOUR, QUARTER } from "../support/time";

export const at = (text: string): number => Date.parse(text);

const clocks = new Map<string, Map<number, number>>();

/** luxon's wall clock, ms: what is expected never comes from the code under test. */
export function clockOf(zone: string, instant: number): number {
	const known = clocks.get(zone) ?? new Map<number, number>();
	clocks.set(zone, known);
	let clock = known.get(instant);
	if (clock === undefined) {
		clock = instant + IANAZone.create(zone).offset(instant) * MINUTE;
		known.set(instant, clock);
	}
	return clock;
}

export const dateOf = (zone: string, instant: number): string =>
	new Date(clockOf(zone, instant)).toISOString().slice(0, 10);

/** How the service may write a stamp. */
export type StampForm = "local" | "utc" | "naive";

export function stamp(zone: string, instant: number, form: StampForm): string {
	const text = (ms: number) => new Date(ms).toISOString().slice(0, 19);
	if (form === "utc") return `${text(instant)}Z`;
	const clock = clockOf(zone, instant);
	if (form === "naive") return text(clock);
	const minutes = (clock - instant) / MINUTE;
	const two = (value: number) => String(value).padStart(2, "0");
	const size = Math.abs(minutes);
	return `${text(clock)}${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** All quarters (their starts) of the local dates from the first to the last. */
export function quartersOf(
	zone: string,
	first: string,
	last = first,
): number[] {
	const quarters: number[] = [];
	for (
		let start = at(`${first}T00:00:00Z`) - DAY;
		start < at(`${last}T00:00:00Z`) + 2 * DAY;
		start += QUARTER
	) {
		const date = dateOf(zone, start);
		if (date >= first && date <= last) quarters.push(start);
	}
	return quarters;
}

/** Sunshine in W: dark at night, and different in each quarter of each day. */
export function sun(zone: string, start: number, peak = 4000): number {
	const clock = clockOf(zone, start);
	const hour = (((clock % DAY) + DAY) % DAY) / HOUR;
	if (hour < 6 || hour >= 20) return 0;
	const day = Math.floor(clock / DAY);
	return Math.round(
		peak * Math.sin(((hour - 6) / 14) * Math.PI) + 1 + (day % 7) * 10,
	);
}

/** Rows as the service sends them, each labelled with the end of its quarter. */
export function valueRows(
	zone: string,
	starts: readonly number[],
	form: StampForm = "local",
	power: (start: number) => number | null = (start) => sun(zone, start),
): Record<string, unknown>[] {
	return starts.map((start) => ({
		timestamp: stamp(zone, start + QUARTER, form),
		pv_power: power(start),
	}));
}

export function stringRows(
	zone: string,
	starts: readonly number[],
	form: StampForm,
	index: number,
	id: string | undefined,
	power: (start: number) => number | null,
): Record<string, unknown>[] {
	return valueRows(zone, starts, form, power).map((row) => ({
		...row,
		string_index: index,
		...(id === undefined ? {} : { string_id: id }),
	}));
}

/** Reads and places a response, by way of JSON as on the wire. */
export function place(body: object, placement: Placement = {}): Forecast {
	return placeForecast(
		readForecast(JSON.parse(JSON.stringify(body))),
		placement,
	);
}

/** kWh of a list of mean powers in W over quarter hours. */
export const kwh = (watts: readonly number[]): number =>
	watts.reduce((sum, power) => sum + power, 0) / 4000;

export const near = (a: number | null | undefined, b: number): boolean =>
	typeof a === "number" && Math.abs(a - b) < 1e-9;

/** The first and last stamp of rows, for short comparisons. */
export const ends = (rows: readonly Row[]): unknown[] => [
	rows[0]?.timestamp,
	rows.at(-1)?.timestamp,
];
