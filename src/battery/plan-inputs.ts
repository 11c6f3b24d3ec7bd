import { priceReader } from "../prices/means";
import { SpanMeans } from "../prices/spans";
import { inputError } from "../service/errors/solar-yield-error";
import { milli } from "../util/rounding";
import { HOUR_MS, QUARTER_MS } from "../util/time";
import type { Zone } from "../util/zone";
import { isKnown, type LearnedLoad, learnedPower } from "./house/learned-load";
import { localTime, profilePower } from "./house/standard-profile";
import type { FeedIn, Load, PriceRow } from "./inputs";
import { type Target, targetTimes } from "./inputs/targets";
import type { BatterySettings } from "./settings";

/** Share of the remaining energy that may fail to come where nothing has been learned, percent. */
const DEFAULT_MARGIN = 20;

/** PV power of one quarter hour of the forecast. */
export interface PowerQuarter {
	/** Epoch ms at which the quarter begins. */
	readonly start: number;
	/** Mean over the quarter in W; null = gap. */
	readonly pv_w: number | null;
	/** Lower edge of the band in W, null when unknown. */
	readonly pv_min_w: number | null;
}

/** All that a plan is made of; each part checked before (`inputs/`). */
export interface PlanInput {
	/** Epoch ms. */
	readonly now: number;
	/** In ascending order; quarters that have passed are skipped. */
	readonly quarters: readonly PowerQuarter[];
	/** Epoch ms at which the last quarter with a known band ends; null = no band. */
	readonly band_until: number | null;
	/** State of charge in percent. */
	readonly soc: number;
	/** Null: what the house has taught, or the standard profile (`settings.load`). */
	readonly load: Load | null;
	readonly prices: readonly PriceRow[] | null;
	/** Paid per kWh fed in; null, and where rows do not reach: `settings.feedInPrice`. */
	readonly feedIn?: FeedIn | null;
	/** What the house has taught, for `settings.load` = `learned`. */
	readonly learnedLoad?: LearnedLoad | null;
	readonly targets?: readonly Target[] | null;
	/** Percent, where `settings.margin` is null. */
	readonly learnedMargin?: number | null;
	/** The site's zone. */
	readonly zone: Zone;
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
 * A quarter hour of a plan. Powers are on the side of the house (AC); of the
 * running quarter they are the mean, and energies cover the time from now to its end.
 */
export interface Quarter {
	/** Epoch ms. */
	readonly start: number;
	/** Local day of the month: tells days apart. */
	readonly day: number;
	/** What of it lies ahead, hours: 0.25, less in the first. */
	readonly hours: number;
	readonly pvW: number;
	readonly loadW: number;
	/** PV less load, kWh; negative = the house lacks. */
	readonly surplus: number;
	/** Per kWh; null where any part of it has no price. */
	readonly price: number | null;
	/** Paid per kWh fed in. */
	readonly feedIn: number;
	/** Most that may be charged, of that from the grid, and given, kWh. */
	readonly chargeMost: number;
	readonly gridMost: number;
	readonly giveMost: number;
	/** Most that is imported for the battery's sake, the house's own counted, kWh. */
	readonly importMost: number;
	/**
	 * Most that is fed into the grid, kWh; infinite without a limit, 0 while feeding in
	 * costs money, below 0 where the house takes more than a hybrid inverter passes.
	 */
	readonly feedInMost: number;
}

/**
 * The plan's quarters, and the battery in kWh.
 *
 * The round-trip efficiency is lost in equal parts on both ways: charging x kWh
 * stores `oneWay` · x, and giving x kWh takes x / `oneWay` from the store, with
 * `oneWay` = √efficiency.
 */
export interface PlanQuarters {
	readonly quarters: readonly Quarter[];
	/** How many quarters from the first on have a price. */
	readonly priced: number;
	/** Mean price of these, 0 where none is known. */
	readonly meanPrice: number;
	readonly stored: number;
	/** Stored energy at minSoc, or at the start where that is lower: it is not discharged below. */
	readonly floor: number;
	/** Stored energy at maxSoc: it is not charged above. */
	readonly ceiling: number;
	readonly oneWay: number;
	readonly targets: readonly PlannedTarget[];
	/** Whether the battery may be charged from the grid. */
	readonly gridCharge: boolean;
	/** Whether the battery may give to the grid. */
	readonly sell: boolean;
	/** What storing a kWh costs. */
	readonly wearPrice: number;
	/** Whether PV may be stopped while importing pays. */
	readonly mayCurtail: boolean;
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
	const ahead = quarters.filter(({ start }) => start + QUARTER_MS > now);
	const first = Math.floor(now / QUARTER_MS) * QUARTER_MS;
	const due = (index: number) => first + index * QUARTER_MS;
	const gap = ahead.findIndex(
		({ start, pv_w }, index) => start !== due(index) || pv_w === null,
	);
	return gap < 0
		? { quarters: ahead, gapAt: null }
		: { quarters: ahead.slice(0, gap), gapAt: due(gap) };
}

/** The load in W over a span, by what is given and else by what the house has taught or the standard profile; for spans in ascending order. */
function loadReader(
	{ load, learnedLoad, zone }: PlanInput,
	settings: BatterySettings,
): (from: number, end: number) => number {
	if (load?.kind === "constant") return () => load.power_w;
	if (load?.kind === "hourly") {
		return (from) => load.power_w[localTime(zone, from).hour] as number;
	}
	const learned =
		settings.load === "learned" && learnedLoad && isKnown(learnedLoad)
			? learnedLoad
			: null;
	const usual = (from: number) =>
		(learned && learnedPower(learned, from, zone)) ??
		profilePower(localTime(zone, from), settings.loadKwhPerDay);
	const rows = new SpanMeans(load?.rows ?? [], ({ power_w }) => power_w);
	return (from, end) => {
		const { mean, covered } = rows.over(from, end);
		return mean * covered + usual(from) * (1 - covered);
	};
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
	const { now, zone, soc } = input;
	const ahead = quartersAhead(input.quarters, now);
	const [first] = ahead.quarters;
	if (!first) throw inputError("battery.no_power");
	const loadOf = loadReader(input, settings);
	const priceOf = priceReader(input.prices ?? []);
	const feedInOf = priceReader(input.feedIn ?? []);
	const isDc = settings.coupling === "dc";
	const acMost = settings.acLimitW ?? Infinity;
	const isCautious = settings.safety === "cautious";
	const gridCharge = settings.gridCharge ?? settings.strategy === "price";
	let cautiousUntil: number | null = null;
	const quarters = ahead.quarters.map(({ start, pv_w, pv_min_w }): Quarter => {
		const end = start + QUARTER_MS;
		const from = Math.max(start, now);
		const hours = (end - from) / HOUR_MS;
		const kilo = hours / 1000;
		let power = pv_w as number;
		if (isCautious && pv_min_w !== null && start < (input.band_until ?? 0)) {
			power = pv_min_w;
			cautiousUntil = end;
		}
		// Services send small negative powers at night now and then.
		const all = milli(Math.max(0, power));
		const pvW = isDc ? all : Math.min(all, acMost);
		const loadW = milli(loadOf(from, end));
		const feedIn = feedInOf(from, end) ?? settings.feedInPrice;
		const gridW = Math.min(
			settings.gridChargeW ?? settings.maxChargeW,
			isDc ? acMost : Infinity,
		);
		const feedInW = feedIn < 0 ? 0 : (settings.feedInLimitW ?? Infinity);
		const giveW = isDc
			? Math.min(settings.maxDischargeW, Math.max(0, acMost - pvW))
			: settings.maxDischargeW;
		return {
			start,
			day: localTime(zone, start).day,
			hours,
			pvW,
			loadW,
			surplus: (pvW - loadW) * kilo,
			price: priceOf(from, end),
			feedIn,
			chargeMost: settings.maxChargeW * kilo,
			gridMost: gridCharge ? gridW * kilo : 0,
			importMost: (settings.importLimitW ?? Infinity) * kilo,
			giveMost: giveW * kilo,
			feedInMost: Math.min(feedInW, isDc ? acMost - loadW : Infinity) * kilo,
		};
	});
	const hole = quarters.findIndex(({ price }) => price === null);
	const priced = hole < 0 ? quarters.length : hole;
	const total = quarters
		.slice(0, priced)
		.reduce((sum, { price }) => sum + (price as number), 0);
	const perPercent = settings.capacityKwh / 100;
	const ceiling = settings.maxSoc * perPercent;
	const until = first.start + quarters.length * QUARTER_MS;
	return {
		quarters,
		priced,
		meanPrice: total / (priced || 1),
		stored: soc * perPercent,
		floor: Math.min(settings.minSoc, soc) * perPercent,
		ceiling,
		oneWay: Math.sqrt(settings.efficiency),
		targets: targetTimes(input.targets ?? [], now, until, zone)
			.map(({ target, by }) => ({
				target,
				by,
				index: Math.floor((by - first.start) / QUARTER_MS) - 1,
				stored: Math.min(target.soc * perPercent, ceiling),
			}))
			.filter(({ index }) => index >= 0),
		gridCharge,
		sell: settings.sell && settings.strategy === "price",
		wearPrice: settings.wearPrice,
		mayCurtail: settings.mayCurtail && settings.strategy === "price",
		margin: settings.margin ?? input.learnedMargin ?? DEFAULT_MARGIN,
		cautiousUntil,
		gapAt: ahead.gapAt,
		zone,
	};
}
