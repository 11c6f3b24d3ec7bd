import { z } from "zod";
import { QUARTER_MS } from "../util/time";
import type { Zone } from "../util/zone";
import type { PowerQuarter } from "./plan-inputs";

/** Days that are remembered. */
const DAYS = 30;
/** Fewer days teach nothing. */
const LEAST_DAYS = 7;
/** The share of days whose shortfall the margin covers. */
const COVERED = 0.8;
/** Bounds of what is learned, percent. */
const LEAST = 5;
const MOST = 60;
/** Days with less foreseen energy say nothing about a share, Wh. */
const LEAST_WH = 500;

const energy = z.number().min(0).max(1e8);

/**
 * How much of the energy that was foreseen for the rest of a day has failed to
 * come on past days: what the first forecast of a day foresaw, beside what the
 * later ones of the same day say of the same quarters. Plain JSON of bounded size.
 */
export const LearnedMargin = z.object({
	/** The running day: what was foreseen per quarter when it was first seen. */
	day: z
		.object({
			date: z.string(),
			/** Epoch ms of the first quarter that was foreseen. */
			first: z.number(),
			foreseen_w: z.array(energy).max(100),
			/** What the newest forecast has said of each of these quarters. */
			newest_w: z.array(energy).max(100),
		})
		.nullable(),
	/** Share that failed to come on each past day, 0 to 1, the newest last. */
	shortfalls: z.array(z.number().min(0).max(1)).max(DAYS),
});
export type LearnedMargin = z.infer<typeof LearnedMargin>;

/** No forecast has been seen. */
export const noForecasts = (): LearnedMargin => ({ day: null, shortfalls: [] });

const total = (values: readonly number[]) =>
	values.reduce((sum, value) => sum + value, 0) / 4;

/**
 * The memory after a forecast.
 *
 * @param quarters of the forecast, past ones of today included where it has them
 * @param now epoch ms
 */
export function noteForeseen(
	margin: LearnedMargin,
	quarters: readonly PowerQuarter[],
	now: number,
	zone: Zone,
): LearnedMargin {
	const date = zone.dateOf(now);
	let { day, shortfalls } = margin;
	if (day && day.date !== date) {
		const foreseen = total(day.foreseen_w);
		if (foreseen >= LEAST_WH) {
			const failed = Math.max(0, 1 - total(day.newest_w) / foreseen);
			shortfalls = [
				...shortfalls,
				Math.round(Math.min(1, failed) * 1000) / 1000,
			].slice(-DAYS);
		}
		day = null;
	}
	const powers = new Map<number, number>();
	for (const { start, pv_w } of quarters) {
		if (pv_w !== null) powers.set(start, Math.max(0, pv_w));
	}
	if (!day) {
		const first = Math.floor(now / QUARTER_MS) * QUARTER_MS;
		const end = zone.dayStart(zone.dayOf(now) + 1);
		const foreseen_w: number[] = [];
		for (let start = first; start < end; start += QUARTER_MS) {
			const power = powers.get(start);
			if (power === undefined) break;
			foreseen_w.push(Math.round(power));
		}
		day = { date, first, foreseen_w, newest_w: foreseen_w };
	} else {
		const { first, newest_w } = day;
		day = {
			...day,
			newest_w: newest_w.map((known, index) =>
				Math.round(powers.get(first + index * QUARTER_MS) ?? known),
			),
		};
	}
	return { day, shortfalls };
}

/** The margin that past days ask for, percent; null while fewer than a week are known. */
export function learnedMargin({ shortfalls }: LearnedMargin): number | null {
	if (shortfalls.length < LEAST_DAYS) return null;
	const sorted = [...shortfalls].sort((a, b) => a - b);
	const covering = sorted[Math.ceil(COVERED * sorted.length) - 1] as number;
	return Math.round(Math.min(MOST, Math.max(LEAST, covering * 100)));
}
