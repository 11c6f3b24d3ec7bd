import { inputError } from "../service/errors/solar-yield-error";
import { HOUR_MS, QUARTER_MS } from "../util/time";
import type { Zone } from "../util/zone";
import { type Target, targetTimes } from "./inputs/targets";
import {
	type PowerQuarter,
	type QuarterInputs,
	QuarterReader,
	wholeQuarters,
} from "./inputs/whole-quarters";
import type { BatterySettings } from "./settings";

/** Share of the remaining energy that may fail to come where nothing has been learned, percent. */
const DEFAULT_MARGIN = 20;

/** All that a plan is made of; each part checked before (`inputs/`). */
export interface PlanInput extends QuarterInputs {
	/** Epoch ms. */
	readonly now: number;
	/** State of charge in percent. */
	readonly soc: number;
	readonly targets?: readonly Target[] | null;
	/** Percent, where `settings.margin` is null. */
	readonly learnedMargin?: number | null;
}

/** State of charge to be reached by the end of a quarter. */
interface PlannedTarget {
	readonly target: Target;
	/** Epoch ms. */
	readonly by: number;
	/** Quarter at whose end, or before, `by` lies. */
	readonly index: number;
	/** Stored energy, kWh; at most the ceiling. */
	readonly stored: number;
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
export interface PlanQuarters {
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
	/** Mean price of these, 0 where none is known. */
	readonly meanPrice: number;
	readonly stored: number;
	/** Stored energy at minSoc, or at the start where that is lower: it is not discharged below. */
	readonly floor: number;
	/** Stored energy at maxSoc. */
	readonly ceiling: number;
	readonly oneWay: number;
	/** Most that may be charged and given in each quarter, kWh on the side of the house. */
	readonly chargeMost: Float64Array;
	readonly dischargeMost: Float64Array;
	/** Most that is fed into the grid in each quarter, kWh; infinite without a limit, 0 while feeding in costs money. */
	readonly feedInMost: Float64Array;
	/** Paid per kWh fed in, each quarter. */
	readonly feedIn: Float64Array;
	readonly targets: readonly PlannedTarget[];
	/** Whether the battery may be charged from the grid. */
	readonly gridCharge: boolean;
	/** Whether the battery may give to the grid. */
	readonly sell: boolean;
	/** Percent of the remaining energy that may fail to come. */
	readonly margin: number;
	/** End of the last quarter planned with the band's minimum, null when none is. */
	readonly cautiousUntil: number | null;
	/** Start of the gap that ends the plan early, null when none does. */
	readonly gapAt: number | null;
	readonly zone: Zone;
}

/** What of the forecast can be planned: its quarters from the running one to the first gap. */
interface Ahead {
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
	let first = 0;
	while ((quarters[first]?.start ?? now) + QUARTER_MS <= now) first += 1;
	let next = Math.floor(now / QUARTER_MS) * QUARTER_MS;
	for (let index = first; index < quarters.length; index += 1) {
		const { start, pv_w } = quarters[index] as PowerQuarter;
		if (start !== next || pv_w === null) {
			return { quarters: quarters.slice(first, index), gapAt: next };
		}
		next += QUARTER_MS;
	}
	return { quarters: quarters.slice(first), gapAt: null };
}

/**
 * Lays out what is to be planned.
 *
 * @throws SolarYieldError `INPUT` when the running quarter's power is not known
 */
export function planQuarters(
	input: PlanInput,
	settings: BatterySettings,
): PlanQuarters {
	const { now, zone } = input;
	const { quarters, gapAt } = quartersAhead(input.quarters, now);
	const count = quarters.length;
	if (count === 0) {
		throw inputError("battery.no_power");
	}
	const { starts, days, pvW, loads, feedIns, prices, cautiousUntil } =
		wholeQuarters(quarters, input, settings);
	const perPercent = settings.capacityKwh / 100;
	const margin = settings.margin ?? input.learnedMargin ?? DEFAULT_MARGIN;
	const series = () => new Float64Array(count);
	const hours = series();
	const loadW = loads.slice();
	const surplus = series();
	const priceSeries = series();
	const feedInSeries = feedIns.slice();
	const chargeMost = series();
	const dischargeMost = series();
	const feedInMost = series();

	// Of the running quarter what is left counts.
	const running = new QuarterReader(input, settings).read(
		Math.max(starts[0] as number, now),
		(starts[0] as number) + QUARTER_MS,
	);
	loadW[0] = running.load;
	feedInSeries[0] = running.feedIn;
	let priced = 0;
	let total = 0;
	for (let index = 0; index < count; index += 1) {
		const start = starts[index] as number;
		const length = (start + QUARTER_MS - Math.max(start, now)) / HOUR_MS;
		const power = pvW[index] as number;
		hours[index] = length;
		surplus[index] = ((power - (loadW[index] as number)) * length) / 1000;
		chargeMost[index] = (settings.maxChargeW * length) / 1000;
		dischargeMost[index] = (settings.maxDischargeW * length) / 1000;
		feedInMost[index] =
			(feedInSeries[index] as number) < 0
				? 0
				: ((settings.feedInLimitW ?? Number.POSITIVE_INFINITY) * length) / 1000;
		const price = index === 0 ? running.price : (prices[index] as number);
		if (priced === index && !Number.isNaN(price)) {
			priceSeries[index] = price;
			priced += 1;
			total += price;
		}
	}
	const ceiling = settings.maxSoc * perPercent;
	const until = (starts[count - 1] as number) + QUARTER_MS;
	return {
		count,
		starts,
		hours,
		pvW,
		loadW,
		surplus,
		days,
		prices: priceSeries,
		priced,
		meanPrice: priced > 0 ? total / priced : 0,
		stored: input.soc * perPercent,
		floor: Math.min(settings.minSoc, input.soc) * perPercent,
		ceiling,
		oneWay: Math.sqrt(settings.efficiency),
		chargeMost,
		dischargeMost,
		feedInMost,
		feedIn: feedInSeries,
		targets: targetTimes(input.targets ?? [], now, until, zone)
			.map(({ target, by }) => ({
				target,
				by,
				index: Math.floor((by - (starts[0] as number)) / QUARTER_MS) - 1,
				stored: Math.min(target.soc * perPercent, ceiling),
			}))
			.filter(({ index }) => index >= 0),
		gridCharge: settings.gridCharge ?? settings.strategy === "price",
		sell: settings.sell && settings.strategy === "price",
		margin,
		cautiousUntil,
		gapAt,
		zone,
	};
}
