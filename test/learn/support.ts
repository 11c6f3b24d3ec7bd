import { takeRows } from "../../nodes/learn/input";
import { createLearner } from "../../src/learn/learner";
import type { Learned } from "../../src/learn/state";
import type { Reading } from "../../src/learn/tally";
import { Zone } from "../../src/util/zone";
import { DAY, HOUR, MINUTE } from "../support/time";

export { chance } from "../support/chance";
export { DAY, HOUR, MINUTE };

export const QUARTER = 15 * MINUTE;

export const at = (text: string): number => Date.parse(text);

/** What a made-up place looks like. */
interface House {
	readonly zone: string;
	readonly latitude: number | null;
	readonly longitude: number | null;
	/** Peak power, W. */
	readonly peak: number;
}

export const HOUSE: House = {
	zone: "Europe/Berlin",
	latitude: 48.1,
	longitude: 11.6,
	peak: 8000,
};

/** Power of a cloudless day, W: a bow from 6:00 to 18:00 of the sun of the house's longitude, in UTC. */
export function bow(instant: number, house = HOUSE): number {
	const hour =
		(((instant + ((house.longitude ?? 0) / 15) * HOUR) % DAY) + DAY) % DAY;
	const height = Math.sin(((hour / HOUR - 6) / 12) * Math.PI);
	return Math.round(house.peak * Math.max(0, height));
}

/** Output 1 of a forecast node: quarters from the start of a date to the end of another. */
export function message(
	start: number,
	end: number,
	power: (start: number) => number | null,
	given: {
		house?: House;
		site?: string;
		strings?: Readonly<Record<string, (start: number) => number>>;
		fields?: (start: number) => Record<string, number | null>;
		solar?: Record<string, unknown>;
		daily?: readonly Record<string, unknown>[];
	} = {},
): { payload: Record<string, unknown>; solar: Record<string, unknown> } {
	const house = given.house ?? HOUSE;
	const site_id = given.site ?? "site_a";
	const starts: number[] = [];
	for (let quarter = start; quarter < end; quarter += QUARTER) {
		starts.push(quarter);
	}
	const stamp = (quarter: number) => new Date(quarter + QUARTER).toISOString();
	const ids = Object.keys(given.strings ?? {});
	return {
		payload: {
			site_id,
			timezone: house.zone,
			computed_at: new Date(start).toISOString(),
			included: ["default"],
			available: ["default"],
			daily: given.daily ?? [],
			values: starts.map((quarter) => ({
				timestamp: stamp(quarter),
				pv_power: power(quarter),
				...given.fields?.(quarter),
			})),
			...(given.strings
				? {
						strings: ids.flatMap((string_id, string_index) =>
							starts.map((quarter) => ({
								timestamp: stamp(quarter),
								string_index,
								string_id,
								pv_power: given.strings?.[string_id]?.(quarter),
							})),
						),
					}
				: {}),
		},
		solar: {
			site_id,
			timezone: house.zone,
			strings: [],
			...(house.latitude === null
				? {}
				: { latitude: house.latitude, longitude: house.longitude }),
			...given.solar,
		},
	};
}

const reading = (
	time: number,
	given: Partial<Reading> & { power_w?: number | null },
): Reading => ({
	time,
	string_id: null,
	power_w: null,
	energy_kwh: null,
	curtailed: false,
	...given,
});

/** A house that is watched: what it knows and what it gathers. */
export class Watched {
	learner: ReturnType<typeof createLearner>;
	readonly zone: Zone;

	constructor(
		readonly house: House = HOUSE,
		state?: Learned,
	) {
		this.zone = Zone.of(house.zone) as Zone;
		this.learner = createLearner(state);
	}

	read(time: number, given: Partial<Reading>, now = time): void {
		this.learner.takeReading(reading(time, given), now);
	}

	/** Takes the rows of a list in. */
	list(rows: readonly unknown[], now: number): void {
		takeRows(this.learner, rows, now);
	}

	/** @returns whether the forecast is to be sent on */
	foresee(msg: ReturnType<typeof message>, now: number): boolean {
		return this.learner.takeForecast(msg, msg.payload, now);
	}

	/** The rows of a forecast as it is corrected, and all of what is sent. */
	corrected(msg: ReturnType<typeof message>, now: number) {
		this.foresee(msg, now);
		const sent = this.learner.corrected(now, false);
		const payload = sent?.payload as Record<string, any>;
		return {
			payload,
			solar: sent?.solar as Record<string, any>,
			rows: payload.values as Record<string, number>[],
		};
	}

	dayStart(date: string, after = 0): number {
		return this.zone.dayStart(at(date) / DAY + after);
	}

	/**
	 * Lets local dates pass: a forecast of two days at their begin, and a power
	 * reading every five minutes.
	 */
	pass(
		date: string,
		days: number,
		metered: (
			watts: number,
			day: number,
			time: number,
		) => number | Partial<Reading> | null,
		foreseen: (start: number, day: number) => number = (start) =>
			bow(start + QUARTER / 2, this.house),
	): void {
		for (let day = 0; day < days; day += 1) {
			const start = this.dayStart(date, day);
			const end = this.dayStart(date, day + 1);
			this.foresee(
				message(
					start,
					this.dayStart(date, day + 2),
					(quarter) => foreseen(quarter, quarter < end ? day : day + 1),
					{ house: this.house },
				),
				start + MINUTE,
			);
			for (let time = start; time < end; time += 5 * MINUTE) {
				const said = metered(bow(time, this.house), day, time);
				if (said === null) continue;
				this.read(time, typeof said === "number" ? { power_w: said } : said);
			}
		}
		const after = this.dayStart(date, days);
		this.foresee(
			message(
				after,
				this.dayStart(date, days + 2),
				(quarter) => foreseen(quarter, days),
				{ house: this.house },
			),
			after + MINUTE,
		);
	}

	codes(): string[] {
		return this.learner
			.notes()
			.map(({ code }) => code)
			.sort();
	}

	/** The dates of the site's own meter, or of a string. */
	days(stringId: string | null = null) {
		return (
			this.learner.state.meters.find(({ string_id }) => string_id === stringId)
				?.days ?? []
		);
	}
}

/** Energy of a list of rows, kWh. */
export const energy = (
	rows: readonly Record<string, unknown>[],
	field = "pv_power",
): number => rows.reduce((sum, row) => sum + (row[field] as number), 0) / 4000;
