import fc from "fast-check";
import { DateTime, IANAZone } from "luxon";
import {
	type ForecastInput,
	forecastFromInput,
} from "../../src/messages/input/forecast-input";
import { QUARTER } from "../support/time";

/** Zones whose days are 23, 23.5, 24, 24.5 and 25 hours long, or whose hours begin at :30 and :45. */
export const PLACES: readonly (readonly [zone: string, date: string])[] = [
	["Europe/Berlin", "2026-03-28"],
	["Europe/Berlin", "2026-10-24"],
	["Europe/Berlin", "2026-12-30"],
	["Asia/Kathmandu", "2026-06-01"],
	["America/St_Johns", "2026-03-07"],
	["America/St_Johns", "2026-10-31"],
	["Pacific/Apia", "2026-09-26"],
	["Australia/Lord_Howe", "2026-04-04"],
	["Australia/Lord_Howe", "2026-10-03"],
	["America/New_York", "2026-11-01"],
];

/** What a made-up forecast is like. */
export interface Plan {
	readonly zone: string;
	/** First local date. */
	readonly date: string;
	readonly days: number;
	/** Peak power of each day, W; the days repeat. */
	readonly peaks: readonly number[];
	readonly interval?: "end" | "start";
	/** Quarters, counted from the first, that are null or left out. */
	readonly gaps?: readonly {
		readonly at: number;
		readonly length: number;
		readonly absent: boolean;
	}[];
	/** Quarters of the night with a small negative power. */
	readonly negatives?: readonly number[];
	/** Hours from the first row for which there is a band. */
	readonly bandHours?: number;
	/** Power of each string in kW; none for no strings block. */
	readonly strings?: readonly number[];
	readonly solar?: Readonly<Record<string, unknown>>;
}

/** Body and truth of a made-up forecast. */
export interface MadeForecast extends ForecastInput {
	readonly body: Record<string, unknown>;
	/** Start of each quarter, epoch ms, and its true power in W. */
	readonly quarters: readonly { start: number; watts: number }[];
	readonly days: readonly {
		date: string;
		start: number;
		end: number;
		/** True energy, kWh. */
		energy: number;
	}[];
}

const zones = new Map<string, Map<number, number>>();

/** Offsets of a zone in ms by a library's word, each quarter hour asked once. */
export function offsetsOf(zone: string): (ms: number) => number {
	const iana = IANAZone.create(zone);
	const known = zones.get(zone) ?? new Map<number, number>();
	zones.set(zone, known);
	return (ms) => {
		let offset = known.get(ms);
		if (offset === undefined) {
			offset = iana.offset(ms) * 60_000;
			known.set(ms, offset);
		}
		return offset;
	};
}

/** Power of a clear-ish day: dark from 20 to 5, at its peak about noon, never quite smooth. */
function powerAt(hour: number, peak: number, index: number): number {
	if (hour < 5 || hour >= 20) return 0;
	const shape = Math.sin(((hour - 5) / 15) * Math.PI);
	const cloud = 0.75 + 0.25 * Math.sin(index * 12.9898 + peak);
	return Math.round(peak * shape * cloud * 10) / 10;
}

/** Makes the body of a forecast response and reads it as a node would. */
export function makeForecast(plan: Plan): MadeForecast {
	const { zone, interval = "end", strings } = plan;
	const quarters: { start: number; watts: number }[] = [];
	const days = [];
	const offset = offsetsOf(zone);
	const first = DateTime.fromISO(plan.date, { zone });
	for (let index = 0; index < plan.days; index += 1) {
		const begin = first.plus({ days: index });
		const start = begin.toMillis();
		const end = begin.plus({ days: 1 }).toMillis();
		let wattQuarters = 0;
		for (let at = start; at < end; at += QUARTER) {
			const peak = plan.peaks[index % plan.peaks.length] ?? 0;
			const hour = new Date(at + offset(at)).getUTCHours();
			const minute = new Date(at + offset(at)).getUTCMinutes();
			const watts = powerAt(hour + minute / 60, peak, quarters.length);
			quarters.push({ start: at, watts });
			wattQuarters += watts;
		}
		days.push({
			date: begin.toISODate() as string,
			start,
			end,
			energy: wattQuarters / 4000,
		});
	}
	const hidden = new Map<number, boolean>();
	for (const { at, length, absent } of plan.gaps ?? []) {
		for (let index = at; index < at + length; index += 1) {
			hidden.set(index, absent);
		}
	}
	const stamp = (start: number) => {
		const at = start + (interval === "end" ? QUARTER : 0);
		const minutes = Math.abs(offset(at)) / 60_000;
		const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
		return `${new Date(at + offset(at)).toISOString().slice(0, 19)}${offset(at) < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
	};
	const values = quarters.flatMap(({ start, watts }, index) => {
		if (hidden.get(index) === true) return [];
		const power = hidden.has(index)
			? null
			: plan.negatives?.includes(index) && watts === 0
				? -0.3
				: watts;
		const spread = index < (plan.bandHours ?? 0) * 4 ? 0.2 : 0;
		return [
			{
				timestamp: stamp(start),
				pv_power: power,
				...(plan.bandHours !== undefined && {
					pv_power_min: power === null ? null : watts * (1 - spread),
					pv_power_max: power === null ? null : watts * (1 + spread),
				}),
				pv_power_clearsky: watts * 1.1,
				temp: 11.5,
				weather_code: 3,
				ghi: watts / 5,
			},
		];
	});
	const total = strings?.reduce((sum, power) => sum + power, 0) ?? 1;
	const body = {
		site_id: "site_a1",
		timezone: zone,
		computed_at: new Date((quarters[0] as { start: number }).start)
			.toISOString()
			.replace(".000Z", "Z"),
		next_poll_at: null,
		included: ["default", "weather", "clearsky", "irradiance"],
		available: ["default"],
		daily: days.map(({ date, energy }) => ({
			date,
			pv_energy_kwh: energy,
			weather_code: 2,
		})),
		values,
		...(strings && {
			strings: strings.flatMap((power, string_index) =>
				quarters.map(({ start, watts }) => ({
					timestamp: stamp(start),
					string_index,
					string_id: `str_${string_index}`,
					pv_power: (watts * power) / total,
				})),
			),
		}),
	};
	const solar = {
		site_id: "site_a1",
		site_name: "Barn",
		timezone: zone,
		interval,
		strings: (strings ?? []).map((power_kw, string_index) => ({
			string_id: `str_${string_index}`,
			string_index,
			slope: 30,
			orientation: 180,
			power_kw,
		})),
		...plan.solar,
	};
	return {
		...forecastFromInput({ payload: body, solar }),
		body,
		quarters,
		days,
	};
}

/** Forecasts without a gap, over all the places. */
export const wholePlans: fc.Arbitrary<Plan> = fc
	.record({
		place: fc.constantFrom(...PLACES),
		days: fc.integer({ min: 2, max: 4 }),
		peaks: fc.array(fc.integer({ min: 200, max: 20_000 }), {
			minLength: 1,
			maxLength: 4,
		}),
		interval: fc.constantFrom("end" as const, "start" as const),
		bandHours: fc.option(fc.integer({ min: 1, max: 72 }), { nil: undefined }),
		strings: fc.option(
			fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
			{ nil: undefined },
		),
		negatives: fc.array(fc.nat(380), { maxLength: 8 }),
	})
	.map(({ place: [zone, date], bandHours, strings, ...rest }) => ({
		...rest,
		zone,
		date,
		...(bandHours !== undefined && { bandHours }),
		...(strings && { strings }),
	}));

/** Forecasts with gaps of any length, some of them too long to be filled. */
export const gappedPlans: fc.Arbitrary<Plan> = fc
	.record({
		plan: wholePlans,
		gaps: fc.array(
			fc.record({
				at: fc.nat(370),
				length: fc.integer({ min: 1, max: 9 }),
				absent: fc.boolean(),
			}),
			{ minLength: 1, maxLength: 6 },
		),
	})
	.map(({ plan, gaps }) => ({ ...plan, gaps }));
