import type { Row } from "../service/v2/forecast-answer";
import { QUARTER_MS } from "../util/time";
import type { Zone } from "./zone";

/** Fields of a series' rows, so that copying them need not look at each. */
interface RowShape {
	readonly fields: readonly string[];
	readonly isFlat: boolean;
}

function shapeOf(rows: readonly Row[]): RowShape {
	const fields: string[] = [];
	const known = new Set<string>();
	let isFlat = true;
	for (const row of rows) {
		// Nearly every row has the fields of the others, in their order.
		let at = 0;
		for (const field in row) {
			if (fields[at] !== field && !known.has(field)) {
				fields.push(field);
				known.add(field);
			}
			at += 1;
			const value = row[field];
			if (typeof value === "object" && value !== null) isFlat = false;
		}
	}
	return { fields, isFlat };
}

/**
 * Rows in order of time, each a mean over one quarter hour.
 *
 * `starts[i]` is the epoch ms at which the quarter of `rows[i]` begins: strictly
 * ascending, on the quarter grid, with holes where the service sent nothing.
 */
export class Series {
	readonly zone: Zone;
	readonly starts: readonly number[];
	readonly rows: readonly Row[];
	/** Quarters of the local day (0 to 95) whose power is 0 on some day of the answer. */
	#dark: Set<number> | undefined;
	/** Whether any row has a field. */
	readonly #fields = new Map<string, boolean>();

	#shape: RowShape | undefined;
	readonly #dayEnergies = new Map<string, Map<number, number | null>>();

	constructor(zone: Zone, starts: readonly number[], rows: readonly Row[]) {
		this.zone = zone;
		this.starts = starts;
		this.rows = rows;
	}

	/** The fields that any row has, and whether all their values are plain. */
	get shape(): RowShape {
		this.#shape ??= shapeOf(this.rows);
		return this.#shape;
	}

	/** Energies of local dates in kWh, by day, as `dayEnergy` found them: each node asks for the same. */
	dayEnergies(field: string): Map<number, number | null> {
		let energies = this.#dayEnergies.get(field);
		if (!energies) {
			energies = new Map();
			this.#dayEnergies.set(field, energies);
		}
		return energies;
	}

	/** Index of the first quarter that begins at or after an instant. */
	indexFrom(instant: number): number {
		let low = 0;
		let high = this.starts.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((this.starts[middle] as number) < instant) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** The row of the quarter that holds an instant. */
	rowAt(instant: number): Row | undefined {
		const start = Math.floor(instant / QUARTER_MS) * QUARTER_MS;
		const index = this.indexFrom(start);
		return this.starts[index] === start ? this.rows[index] : undefined;
	}

	/**
	 * A field's value in the quarter that holds an instant, null when unknown.
	 *
	 * A power that the service left out, or sent as null, counts as 0 only where
	 * the same quarter of the day is 0 on another day of the answer (behaviour: Where the service's description is silent
	 * "rows"): darkness is known, cloud is not. One below 0, what an inverter takes at
	 * night, is 0.
	 */
	valueAt(instant: number, field: string): number | null {
		return this.valueOf(this.rowAt(instant), instant, field);
	}

	/** The same where the caller has looked the row up; undefined stands for none. */
	valueOf(row: Row | undefined, instant: number, field: string): number | null {
		const value = row?.[field];
		if (typeof value === "number") {
			return value < 0 && field.startsWith("pv_power") ? 0 : value;
		}
		return field.startsWith("pv_power") &&
			this.#has(field) &&
			(row || this.#reaches(instant)) &&
			this.isDark(instant)
			? 0
			: null;
	}

	/** Whether any row has a field: one that was not asked for is unknown, not 0. */
	#has(field: string): boolean {
		let has = this.#fields.get(field);
		if (has === undefined) {
			has = this.rows.some((row) => row[field] !== undefined);
			this.#fields.set(field, has);
		}
		return has;
	}

	/** Whether an instant lies in the local dates from the first row to the last. */
	#reaches(instant: number): boolean {
		const first = this.starts[0];
		const last = this.starts[this.starts.length - 1];
		if (first === undefined || last === undefined) return false;
		const day = this.zone.dayOf(instant);
		return day >= this.zone.dayOf(first) && day <= this.zone.dayOf(last);
	}

	/** Whether the quarter of the day that holds an instant has no power on some day of the answer. */
	isDark(instant: number): boolean {
		if (!this.#dark) {
			this.#dark = new Set();
			for (const [index, row] of this.rows.entries()) {
				if (typeof row.pv_power === "number" && row.pv_power <= 0) {
					this.#dark.add(this.zone.quarterOfDay(this.starts[index] as number));
				}
			}
		}
		return this.#dark.has(this.zone.quarterOfDay(instant));
	}

	/** The local dates (days since 1970-01-01) that have rows, ascending. */
	days(): number[] {
		const days: number[] = [];
		let next = Number.NEGATIVE_INFINITY;
		for (const start of this.starts) {
			if (start < next) continue;
			const day = this.zone.dayOf(start);
			days.push(day);
			next = this.zone.dayStart(day + 1);
		}
		return days;
	}
}

/** Energy of a window, and how many of its quarters are unknown. */
export interface Energy {
	/** kWh; null when any part of the window is unknown. */
	readonly energy_kwh: number | null;
	readonly gaps: number;
}

/**
 * Energy between two instants, parts of quarters by their share of time: the
 * integral of a power that is constant within each quarter hour.
 *
 * @param from epoch ms
 * @param to epoch ms; nothing lies between when it is not after `from`
 * @param field a power field in W
 */
export function energyBetween(
	series: Series,
	from: number,
	to: number,
	field = "pv_power",
): Energy {
	let wattMs = 0;
	let gaps = 0;
	const first = Math.floor(from / QUARTER_MS) * QUARTER_MS;
	let index = series.indexFrom(first);
	for (let start = first; start < to; start += QUARTER_MS) {
		const isThere = series.starts[index] === start;
		const power = series.valueOf(
			isThere ? series.rows[index] : undefined,
			start,
			field,
		);
		if (isThere) index += 1;
		if (power === null) gaps += 1;
		else {
			wattMs +=
				power * (Math.min(to, start + QUARTER_MS) - Math.max(from, start));
		}
	}
	return { energy_kwh: gaps > 0 ? null : wattMs / 3.6e9, gaps };
}

/** Past quarters as last foreseen before they began: [start in epoch ms, W]. */
export type Settled = readonly (readonly [start: number, watts: number])[];

/**
 * Energy of a local date in kWh from its rows and, where a row is missing, from what
 * had settled; null when a quarter is in neither.
 */
export function filledDayEnergy(
	series: Series,
	day: number,
	settled: Settled,
): number | null {
	const { zone } = series;
	const known = new Map(settled);
	const end = zone.dayStart(day + 1);
	let wattQuarters = 0;
	for (let start = zone.dayStart(day); start < end; start += QUARTER_MS) {
		const watts = series.valueAt(start, "pv_power") ?? known.get(start);
		if (watts === undefined) return null;
		wattQuarters += watts;
	}
	return wattQuarters / 4000;
}

/**
 * Energy of a local date in kWh, null when a quarter of it is unknown: 92, 96
 * or 100 quarters, as many as the date has.
 */
export function dayEnergy(
	series: Series,
	day: number,
	field = "pv_power",
): number | null {
	const { zone, starts } = series;
	const known = series.dayEnergies(field);
	let energy = known.get(day);
	if (energy === undefined) {
		const from = zone.dayStart(day);
		const to = zone.dayStart(day + 1);
		const isOutside =
			to <= (starts[0] as number) || from > (starts.at(-1) as number);
		energy = isOutside
			? null
			: energyBetween(series, from, to, field).energy_kwh;
		known.set(day, energy);
	}
	return energy;
}
