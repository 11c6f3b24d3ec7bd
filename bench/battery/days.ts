import type { PlanInput } from "../../src/battery/plan-inputs";
import { DAY_MS, QUARTER_MS } from "../../src/util/time";
import { Zone } from "../../src/util/zone";

const QUARTERS = 192;
/** Installed power, W. */
export const INSTALLED_W = 10_000;
const ZONE = Zone.of("Europe/Berlin") as Zone;

/** Numbers from 0 to 1 that are the same in every run (Numerical Recipes' generator). */
function randomOf(seed: number): () => number {
	let state = (seed * 2654435761 + 12345) >>> 0;
	return () => {
		state = (state * 1664525 + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

interface Season {
	readonly month: number;
	/** Sunrise and sunset, hours of the local clock; highest power of a clear day, W. */
	readonly rise: number;
	readonly set: number;
	readonly peak: number;
	/** Wholesale prices per MWh by the hour, as an average day of the season has them. */
	readonly spot: readonly number[];
}

/** The shape of German day-ahead prices: two peaks, and a valley at noon that is deep in summer. */
const SEASONS: Readonly<Record<string, Season>> = {
	winter: {
		month: 0,
		rise: 8,
		set: 16.5,
		peak: 4200,
		spot: [
			82, 78, 75, 73, 75, 82, 98, 121, 132, 125, 115, 108, 104, 103, 107, 116,
			130, 148, 152, 141, 124, 110, 100, 90,
		],
	},
	spring: {
		month: 3,
		rise: 6.3,
		set: 20.2,
		peak: 8200,
		spot: [
			78, 73, 70, 69, 72, 82, 98, 102, 85, 58, 35, 18, 8, 2, 5, 22, 48, 82, 112,
			128, 119, 102, 92, 84,
		],
	},
	summer: {
		month: 6,
		rise: 5.2,
		set: 21.4,
		peak: 8800,
		spot: [
			86, 81, 78, 76, 78, 84, 94, 96, 82, 62, 44, 28, 16, 8, 10, 24, 46, 74,
			104, 128, 132, 118, 105, 95,
		],
	},
};

/** A day and the one after it, as they are known at its first midnight. */
export interface Day {
	readonly season: string;
	readonly input: Omit<PlanInput, "soc" | "prices" | "feedIn">;
	/** Wholesale price of each quarter hour, per kWh. */
	readonly spot: readonly number[];
}

function dayOf(season: string, number: number): Day {
	const { month, rise, set, peak, spot } = SEASONS[season] as Season;
	const random = randomOf(number + 1000 * month);
	const start = ZONE.dayStart(Date.UTC(2026, month, 1 + number) / DAY_MS);
	let cloud = random();
	let level = 0;
	let wind = 0;
	const power: number[] = [];
	const prices: number[] = [];
	for (let index = 0; index < QUARTERS; index += 1) {
		const hour = (index % 96) / 4;
		if (index % 96 === 0) {
			level = random();
			wind = 70 * (random() - 0.6);
		}
		cloud += 0.25 * (level - cloud) + 0.25 * (random() - 0.5);
		const light = Math.sin(((hour - rise) / (set - rise)) * Math.PI);
		const clear = 0.15 + 0.85 * Math.min(1, Math.max(0, 1.3 * cloud));
		power.push(hour > rise && hour < set ? peak * light * clear : 0);
		const at = Math.floor(hour);
		const [here, next] = [spot[at] as number, spot[(at + 1) % 24] as number];
		// Quarters of an hour slope towards the next hour, and a little beyond.
		const slope = (next - here) * (hour - at - 0.375) * 1.4;
		prices.push((here + slope + wind + 8 * (random() - 0.5)) / 1000);
	}
	return {
		season,
		input: {
			now: start,
			quarters: power.map((pv_w, index) => ({
				start: start + index * QUARTER_MS,
				pv_w,
				pv_min_w: null,
			})),
			band_until: null,
			load: null,
			zone: ZONE,
		},
		spot: prices,
	};
}

/** 60 days: 20 of each season. */
export const DAYS: readonly Day[] = Object.keys(SEASONS).flatMap((season) =>
	Array.from({ length: 20 }, (_, number) => dayOf(season, number)),
);

/** Rows of prices, quarter by quarter or as means of hours. */
export function rowsOf(
	{ input: { now } }: Day,
	prices: readonly number[],
	quarters: 1 | 4,
) {
	return Array.from({ length: QUARTERS / quarters }, (_, row) => {
		const part = prices.slice(row * quarters, (row + 1) * quarters);
		return {
			start: now + row * quarters * QUARTER_MS,
			end: now + (row + 1) * quarters * QUARTER_MS,
			price: part.reduce((sum, value) => sum + value, 0) / quarters,
		};
	});
}
