import fc from "fast-check";
import { readLoad, readPrices } from "../../src/battery/inputs";
import type { PlanInput } from "../../src/battery/plan-inputs";
import { readSettings } from "../../src/battery/settings";
import type { ReadResult } from "../../src/messages/value-readers";
import { Zone } from "../../src/util/zone";
import { DAY, HOUR, QUARTER } from "../support/time";

export { DAY, HOUR, MINUTE, QUARTER } from "../support/time";

export const zone = (name: string): Zone => Zone.of(name) as Zone;

/** What was read, where nothing was wrong. */
export function good<Value>({ value, errors }: ReadResult<Value>): Value {
	if (errors.length > 0) throw errors[0];
	return value as Value;
}
const load = (value: unknown) => good(readLoad(value));
/** In a currency in which any price may be. */
const priceRows = (prices: unknown) =>
	good(readPrices("prices", prices ? { unit: "HUF", prices } : null))?.rows ??
	null;

/** A battery of 10 kWh without losses, used from 0 to 100 %, 4 kW each way, without a margin. */
export const settings = (given: Record<string, unknown> = {}) =>
	readSettings({
		capacityKwh: 10,
		minSoc: 0,
		maxSoc: 100,
		maxChargeW: 4000,
		maxDischargeW: 4000,
		efficiency: 1,
		margin: 0,
		...given,
	});

/** 2026-06-20 00:00 UTC */
export const MIDNIGHT = Date.UTC(2026, 5, 20);

/** Quarters with these powers, one after another; null = gap. */
export function input(
	pv: readonly (number | null)[],
	given: {
		start?: number;
		now?: number;
		soc?: number;
		load?: unknown;
		prices?: readonly number[];
		min?: readonly (number | null)[];
		band_until?: number | null;
		zone?: Zone;
	} = {},
): PlanInput {
	const start = given.start ?? MIDNIGHT;
	return {
		quarters: pv.map((pv_w, index) => ({
			start: start + index * QUARTER,
			pv_w,
			pv_min_w: given.min?.[index] ?? null,
		})),
		band_until: given.band_until ?? null,
		now: given.now ?? start,
		soc: given.soc ?? 0,
		load: load(given.load ?? 0),
		prices: priceRows(
			given.prices?.map((price, index) => ({
				start: start + index * QUARTER,
				end: start + (index + 1) * QUARTER,
				price,
			})),
		),
		zone: given.zone ?? Zone.utc,
	};
}

/** Worth of a stored kWh at the end of prices. */
export const endWorth = (prices: readonly number[], efficiency = 1) =>
	Math.max(0, Math.min(...prices)) * Math.sqrt(efficiency);

/** The load per quarter, as rows. */
export const loads = (power: readonly number[], start = MIDNIGHT) =>
	power.map((power_w, index) => ({
		start: start + index * QUARTER,
		end: start + (index + 1) * QUARTER,
		power_w,
	}));

/** Zones and dates whose days have 23, 23.5, 24, 24.5 and 25 hours, in zones of :00, :30 and :45. */
const DATES: readonly [zone: string, date: string][] = [
	["Europe/Berlin", "2026-03-29"],
	["Europe/Berlin", "2026-10-25"],
	["Europe/Berlin", "2026-06-21"],
	["Europe/Berlin", "2026-12-31"],
	["America/St_Johns", "2026-03-08"],
	["America/St_Johns", "2026-11-01"],
	["Australia/Lord_Howe", "2026-04-05"],
	["Australia/Lord_Howe", "2026-10-04"],
	["Asia/Kathmandu", "2026-02-28"],
	["Pacific/Chatham", "2026-09-27"],
	["UTC", "2026-06-20"],
];

/** A battery, a house and a sky, each at random, over one local day and some of the next. */
export const randomDay = fc
	.record({
		date: fc.constantFrom(...DATES),
		/** Quarters beyond the first day. */
		more: fc.nat(96),
		into: fc.nat(QUARTER - 1),
		dawn: fc.integer({ min: 0, max: 40 }),
		peak: fc.constantFrom(0, 500, 3000, 8000, 20_000),
		clouds: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
			minLength: 20,
			maxLength: 20,
		}),
		soc: fc.double({ min: 0, max: 100, noNaN: true }),
		load: fc.oneof(
			fc.constant(null),
			fc.integer({ min: 0, max: 6000 }),
			fc.array(fc.integer({ min: 0, max: 5000 }), {
				minLength: 24,
				maxLength: 24,
			}),
		),
		prices: fc.array(fc.integer({ min: -10, max: 60 }), {
			minLength: 1,
			maxLength: 50,
		}),
		settings: fc.record({
			capacityKwh: fc.constantFrom(0.5, 5, 10, 40),
			minSoc: fc.constantFrom(0, 5, 20),
			maxSoc: fc.constantFrom(60, 95, 100),
			maxChargeW: fc.constantFrom(500, 3000, 10_000),
			maxDischargeW: fc.constantFrom(500, 3000, 10_000),
			efficiency: fc.constantFrom(0.6, 0.9, 1),
			loadKwhPerDay: fc.constantFrom(0, 8, 30),
			feedInLimitW: fc.constantFrom(null, 0, 1500, 5000),
			feedInPrice: fc.constantFrom(0, 0.08, 0.3),
		}),
	})
	.map((day) => {
		const [name, date] = day.date;
		const site = zone(name);
		const first = site.dayStart(Date.parse(date) / DAY);
		const length =
			(site.dayStart(Date.parse(date) / DAY + 1) - first) / QUARTER;
		const count = length + day.more;
		const pv = Array.from({ length: count }, (_, index) => {
			const height = Math.sin((((index % length) - day.dawn) / 48) * Math.PI);
			const cloud = day.clouds[(index * 7) % day.clouds.length] as number;
			const light = index % length < day.dawn + 48 ? Math.max(0, height) : 0;
			return day.peak * light * cloud;
		});
		const now = first + day.into;
		return {
			length,
			input: {
				...input(pv, {
					start: first,
					now,
					soc: day.soc,
					load: day.load,
					zone: site,
				}),
				load: load(day.load),
				// Hourly prices, as far as they reach.
				prices: priceRows(
					day.prices.map((cents, index) => ({
						start: first + index * HOUR,
						end: first + (index + 1) * HOUR,
						price: cents / 100,
					})),
				),
			} satisfies PlanInput,
			settings: readSettings({ margin: 0, ...day.settings }),
			site,
		};
	});
