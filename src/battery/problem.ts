import { inputError } from "../service/errors/solar-yield-error";
import { QUARTER_MS } from "../util/time";
import type { Load, PriceRow } from "./inputs";
import { type LocalTime, profilePower } from "./profile";
import type { Span } from "./read";
import type { BatterySettings } from "./settings";

const HOUR_MS = 3_600_000;

/** PV power of one quarter hour of the forecast. */
export interface PowerQuarter {
	/** Epoch ms at which the quarter begins. */
	readonly start: number;
	/** Mean over the quarter in W; null = gap. */
	readonly pv_w: number | null;
	/** Lower edge of the band in W, null when unknown. */
	readonly pv_min_w: number | null;
}

/** All that a plan is made of; each part checked before (`inputs.ts`). */
export interface PlanInput {
	/** In ascending order; quarters that have passed are skipped. */
	readonly quarters: readonly PowerQuarter[];
	/** Epoch ms at which the last quarter with a known band ends; null = no band. */
	readonly band_until: number | null;
	/** Epoch ms. */
	readonly now: number;
	/** State of charge in percent. */
	readonly soc: number;
	/** Null: the default profile. */
	readonly load: Load | null;
	readonly prices: readonly PriceRow[] | null;
	/** The site's wall clock and calendar at an instant in epoch ms. */
	readonly localTime: (instant: number) => LocalTime;
}

/**
 * The plan's quarters as numbers, and the battery in kWh. Index = quarter.
 *
 * Powers are on the side of the house (AC). The round-trip efficiency is lost
 * in equal parts on both ways: charging x kWh stores `oneWay` · x, and giving
 * x kWh takes x / `oneWay` from the store, with `oneWay` = √efficiency.
 *
 * The running quarter counts with what is left of it: its powers are taken as
 * its mean, its energies cover the time from now to its end.
 */
export interface Problem {
	readonly count: number;
	readonly starts: readonly number[];
	/** What of each quarter lies ahead, in hours: 0.25, less in the first. */
	readonly hours: Float64Array;
	readonly pvW: Float64Array;
	readonly loadW: Float64Array;
	/** PV less load of each quarter, kWh; negative = the house lacks. */
	readonly surplus: Float64Array;
	/** Local day of the month of each quarter: tells days apart. */
	readonly days: readonly number[];
	/** Price of each of the first `priced` quarters. */
	readonly prices: Float64Array;
	readonly priced: number;
	readonly stored: number;
	/** Stored energy at minSoc, or at the start where that is lower: it is not discharged below. */
	readonly floor: number;
	/** Stored energy at maxSoc. */
	readonly ceiling: number;
	readonly oneWay: number;
	/** Most that may be charged and given in each quarter, kWh on the side of the house. */
	readonly chargeMost: Float64Array;
	readonly dischargeMost: Float64Array;
	/** Most that may be fed into the grid in each quarter, kWh; infinite without a limit. */
	readonly feedInMost: Float64Array;
	readonly feedInPrice: number;
	/** End of the last quarter planned with the band's minimum, null when none is. */
	readonly cautiousUntil: number | null;
	/** Start of the gap that ends the plan early, null when none does. */
	readonly gapAt: number | null;
}

/** What of the forecast can be planned: its quarters from the running one to the first gap. */
export interface Ahead {
	readonly quarters: readonly PowerQuarter[];
	readonly gapAt: number | null;
}

/**
 * The quarters from the running one on, up to the first that is missing or has
 * no power: an unknown power is not 0, and what comes behind it stands on
 * nothing. Empty when the running quarter itself is unknown: no plan, and a
 * reason to release the battery.
 */
export function quartersAhead(
	quarters: readonly PowerQuarter[],
	now: number,
): Ahead {
	const ahead = quarters.filter((quarter) => quarter.start + QUARTER_MS > now);
	let next = Math.floor(now / QUARTER_MS) * QUARTER_MS;
	for (const [index, { start, pv_w }] of ahead.entries()) {
		if (start !== next || pv_w === null) {
			return { quarters: ahead.slice(0, index), gapAt: next };
		}
		next += QUARTER_MS;
	}
	return { quarters: ahead, gapAt: null };
}

/**
 * Means of a value over spans, for windows asked for in ascending order.
 *
 * @returns the mean over the covered part of a window, and that part as a share from 0 to 1
 */
export function meanOver<Row extends Span>(
	rows: readonly Row[],
	value: (row: Row) => number,
): (from: number, to: number) => { mean: number; covered: number } {
	let first = 0;
	return (from, to) => {
		while (first < rows.length && (rows[first] as Row).end <= from) first += 1;
		let ms = 0;
		let total = 0;
		let rowsHere = 0;
		let mean = 0;
		for (let index = first; index < rows.length; index += 1) {
			const row = rows[index] as Row;
			if (row.start >= to) break;
			const overlap = Math.min(to, row.end) - Math.max(from, row.start);
			ms += overlap;
			total += overlap * value(row);
			// One row's own value, to the last bit: equal prices must stay equal.
			rowsHere += 1;
			mean = rowsHere === 1 ? value(row) : total / ms;
		}
		return { mean, covered: ms / (to - from) };
	};
}

/** The load in W of each quarter, by what is given and else by the default profile. */
function loadReader(
	load: Load | null,
	settings: BatterySettings,
): (local: LocalTime, from: number, to: number) => number {
	const profile = (local: LocalTime) =>
		profilePower(local, settings.loadKwhPerDay);
	switch (load?.kind) {
		case undefined:
			return profile;
		case "constant":
			return () => load.power_w;
		case "hourly":
			return ({ hour }) => load.power_w[hour] as number;
		case "spans": {
			const given = meanOver(load.rows, (row) => row.power_w);
			return (local, from, to) => {
				const { mean, covered } = given(from, to);
				return mean * covered + profile(local) * (1 - covered);
			};
		}
	}
}

/** To a thousandth, so that sums of written powers stay exact; never -0. */
export const milli = (value: number): number =>
	Math.round(value * 1000) / 1000 + 0;

/**
 * Lays out what is to be planned.
 *
 * @throws SolarYieldError `INPUT` when the running quarter's power is not known
 */
export function problemOf(
	input: PlanInput,
	settings: BatterySettings,
): Problem {
	const { now, prices } = input;
	const { quarters, gapAt } = quartersAhead(input.quarters, now);
	const count = quarters.length;
	if (count === 0) {
		throw inputError(
			"The forecast has no power for the running quarter hour; send a forecast that covers the present",
		);
	}
	const perPercent = settings.capacityKwh / 100;
	const bandUntil = settings.safety === "cautious" ? input.band_until : null;
	const loadOf = loadReader(input.load, settings);
	const priceOf = meanOver(prices ?? [], (row) => row.price);

	const series = () => new Float64Array(count);
	const hours = series();
	const pvW = series();
	const loadW = series();
	const surplus = series();
	const priceSeries = series();
	const chargeMost = series();
	const dischargeMost = series();
	const feedInMost = series();
	const days: number[] = [];
	let priced = 0;
	let cautiousUntil: number | null = null;

	for (const [index, { start, pv_w, pv_min_w }] of quarters.entries()) {
		const from = Math.max(start, now);
		const end = start + QUARTER_MS;
		const length = (end - from) / HOUR_MS;
		const local = input.localTime(start);
		let pv = pv_w as number;
		if (bandUntil !== null && start < bandUntil && pv_min_w !== null) {
			pv = pv_min_w;
			cautiousUntil = end;
		}
		// Services send small negative powers at night now and then.
		const power = milli(Math.max(0, pv));
		const load = milli(loadOf(local, from, end));
		hours[index] = length;
		pvW[index] = power;
		loadW[index] = load;
		surplus[index] = ((power - load) * length) / 1000;
		chargeMost[index] = (settings.maxChargeW * length) / 1000;
		dischargeMost[index] = (settings.maxDischargeW * length) / 1000;
		feedInMost[index] =
			((settings.feedInLimitW ?? Number.POSITIVE_INFINITY) * length) / 1000;
		days.push(local.day);
		if (priced === index) {
			const { mean, covered } = priceOf(from, end);
			// Shares of time are sums of whole ms: a full cover is exactly 1.
			if (covered === 1) {
				priceSeries[index] = mean;
				priced += 1;
			}
		}
	}
	return {
		count,
		starts: quarters.map(({ start }) => start),
		hours,
		pvW,
		loadW,
		surplus,
		days,
		prices: priceSeries,
		priced,
		stored: input.soc * perPercent,
		floor: Math.min(settings.minSoc, input.soc) * perPercent,
		ceiling: settings.maxSoc * perPercent,
		oneWay: Math.sqrt(settings.efficiency),
		chargeMost,
		dischargeMost,
		feedInMost,
		feedInPrice: settings.feedInPrice,
		cautiousUntil,
		gapAt,
	};
}
