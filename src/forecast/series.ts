import type { Row } from "../service/v2/forecast-answer";
import { QUARTER_MS, utcText } from "../util/time";
import type { Zone } from "../util/zone";

/** An instant as ISO 8601, in the site's own time with its offset, or in UTC. */
export const instantText = <Instant extends number | null>(
	instant: Instant,
	zone: Zone,
	timezone: "local" | "utc",
) => (timezone === "utc" ? utcText(instant) : zone.format(instant));

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
	#fields: ReadonlySet<string> | undefined;
	#nested: readonly string[] | undefined;
	readonly #stamps: Record<number, readonly string[]> = {};

	constructor(zone: Zone, starts: readonly number[], rows: readonly Row[]) {
		this.zone = zone;
		this.starts = starts;
		this.rows = rows;
	}

	/** The fields that any row has. */
	get fields(): ReadonlySet<string> {
		if (!this.#fields) {
			const fields = new Set<string>();
			for (const row of this.rows) for (const name in row) fields.add(name);
			this.#fields = fields;
		}
		return this.#fields;
	}

	/** The fields in which any row has an object or a list. */
	get nested(): readonly string[] {
		this.#nested ??= [...this.fields].filter((field) =>
			this.rows.some(
				(row) => typeof row[field] === "object" && row[field] !== null,
			),
		);
		return this.#nested;
	}

	/**
	 * Stamps of the rows in the zone's own time with its offset; written once for all
	 * who show them, and not kept twice where the rows came with the same.
	 *
	 * @param shift from the start of a quarter to what its row is labelled by, ms
	 */
	stamps(shift: number): readonly string[] {
		this.#stamps[shift] ??= this.starts.map((start, index) => {
			const received = this.rows[index]?.timestamp;
			const stamp = this.zone.format(start + shift);
			return received === stamp ? received : stamp;
		});
		return this.#stamps[shift];
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
			// A field that was not asked for is unknown, not 0.
			this.fields.has(field) &&
			(row || this.#reaches(instant)) &&
			this.isDark(instant)
			? 0
			: null;
	}

	/** Whether an instant lies in the local dates from the first row to the last. */
	#reaches(instant: number): boolean {
		const [first, last] = [this.starts[0], this.starts.at(-1)];
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

/** Past quarters as last foreseen before they began: [start in epoch ms, W]. */
export type Settled = readonly (readonly [start: number, watts: number])[];

/** Energy of a window, and how many of its quarters are unknown. */
export interface Energy {
	/** kWh; null when any part of the window is unknown. */
	readonly energy_kwh: number | null;
	readonly gaps: number;
}

/** Which power is summed up, and what stands in its place: W by the start of a quarter. */
interface EnergySource {
	/** A power field in W. */
	readonly field?: string;
	/** What counts before the rows. */
	readonly settled?: ReadonlyMap<number, number> | undefined;
	/** What stands where rows say nothing. */
	readonly filled?: ReadonlyMap<number, number> | undefined;
}

/**
 * Energy between two instants, parts of quarters by their share of time: the integral
 * of a power that is constant within each quarter hour.
 *
 * @param from epoch ms
 * @param to epoch ms; nothing lies between when it is not after `from`
 */
export function energy(
	series: Series,
	from: number,
	to: number,
	{ field = "pv_power", settled, filled }: EnergySource = {},
): Energy {
	let wattMs = 0;
	let gaps = 0;
	const first = Math.floor(from / QUARTER_MS) * QUARTER_MS;
	for (let start = first; start < to; start += QUARTER_MS) {
		const watts =
			settled?.get(start) ??
			series.valueAt(start, field) ??
			filled?.get(start) ??
			null;
		if (watts === null) gaps += 1;
		else {
			wattMs +=
				watts * (Math.min(to, start + QUARTER_MS) - Math.max(from, start));
		}
	}
	return { energy_kwh: gaps > 0 ? null : wattMs / 3.6e9, gaps };
}

/** Energy of a local date in kWh, of its 92, 96 or 100 quarters; null when one of them is unknown. */
export function dayEnergy(
	series: Series,
	day: number,
	source: EnergySource = {},
): number | null {
	const { zone } = series;
	const [from, to] = [zone.dayStart(day), zone.dayStart(day + 1)];
	return energy(series, from, to, source).energy_kwh;
}

/** A sum, null where a part is not known. */
export const added = (parts: readonly unknown[]): number | null =>
	parts.every((it) => typeof it === "number")
		? parts.reduce((sum, it) => sum + it, 0)
		: null;
