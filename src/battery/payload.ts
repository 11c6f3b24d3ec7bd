import type { BatterySettings } from "./settings";

/**
 * What the battery should do in the running quarter hour, and what its limits
 * in `now` then mean for an inverter that otherwise runs by itself on
 * self-consumption.
 */
const MODES = {
	charge: "takes PV beyond the load, up to charge_limit_w",
	"grid-charge": "takes grid_charge_w from the grid, and PV beyond the load",
	discharge:
		"gives what the house lacks, up to discharge_limit_w, and grid_discharge_w to the grid",
	hold: "is held back for a better time: a limit is 0",
	idle: "has nothing to do, or is at maxSoc or minSoc",
	release: "is on its own: limits sent earlier are lifted, no plan drives it",
	demo: "made-up data: no limits are given, do not drive a battery with it",
} as const;
export type Mode = keyof typeof MODES;

/** Limits for the running quarter; all null in a demo. */
export interface NowLimits {
	/** Most to charge, W: the setting's maximum unless the plan holds charging back or maxSoc is near. */
	readonly charge_limit_w: number | null;
	/** Most to give, W: the setting's maximum unless the plan holds giving back or minSoc is near. */
	readonly discharge_limit_w: number | null;
	/** To be charged from the grid, W. */
	readonly grid_charge_w: number | null;
	/** To be given to the grid from the battery, W; above 0 with `sell` alone. */
	readonly grid_discharge_w: number | null;
	/** Most to feed in, W: 0 while feeding in costs money, else the setting's limit; null = no limit. */
	readonly feed_in_limit_w: number | null;
	/** Whatever exceeds this feed-in is charged, whatever `charge_limit_w` says, W; null = no limit, or no room. */
	readonly store_above_w: number | null;
	/** Most that PV gives, W: 0 while importing pays more than the sun brings; null = no limit. */
	readonly pv_limit_w: number | null;
	readonly mode: Mode;
}

/**
 * One quarter hour. Powers are means in W on the side of the house and balance:
 * `pv_w − curtailed_w + grid_w = load_w + battery_w`. In the running quarter
 * they are the means over what is left of it.
 */
export interface PlanRow {
	readonly start: string;
	readonly end: string;
	readonly pv_w: number;
	readonly load_w: number;
	/** Above 0 charges. */
	readonly battery_w: number;
	/** Above 0 imports. */
	readonly grid_w: number;
	/** PV lost above the feed-in limit or what the inverter passes, or while feeding in costs money or importing pays. */
	readonly curtailed_w: number;
	/** At the quarter's end, percent. */
	readonly soc: number;
}

/** What a strategy lacks, so that it falls back to self-consumption. */
const LACKS = {
	prices: "strategy price has no price for the running quarter hour",
} as const;
type Lack = keyof typeof LACKS;

/** How old an input is and until when it is known; ISO 8601, `until` null = until it is replaced. */
export interface InputFact {
	readonly at: string;
	readonly age_minutes: number;
	readonly until: string | null;
}

/** What came of prices that are not over. */
export interface PriceFact extends InputFact {
	readonly count: number;
	/** As `EUR/kWh`; null where no currency was said. */
	readonly unit: string | null;
	/** Starts of the first and the last row. */
	readonly first: string;
	readonly last: string;
	/** Lowest and highest price per kWh. */
	readonly least: number;
	readonly most: number;
}

/** What a plan was made of; null = not given. */
export interface InputFacts {
	/** `at` is when it was computed, `until` the end of its last quarter. */
	readonly forecast: InputFact | null;
	/** `until` is when it will be too old to drive the battery. */
	readonly soc: InputFact | null;
	readonly load: InputFact | null;
	readonly prices: PriceFact | null;
	readonly feedIn: InputFact | null;
	readonly targets: InputFact | null;
	readonly settings: InputFact | null;
}

/** Times are ISO 8601 with the offset of the forecast's zone; what is unknown is null. */
export interface BatteryPlan {
	readonly plan: readonly PlanRow[];
	readonly now: NowLimits;
	/** When maxSoc is first reached: now, or the end of a quarter; null = not within the plan. */
	readonly full_at: string | null;
	/** When minSoc is first reached, likewise. */
	readonly empty_at: string | null;
	/** Whether `full_at` lies within the plan. */
	readonly will_be_full: boolean | null;
	/** Sums over the plan. */
	readonly energy_from_grid_kwh: number | null;
	readonly energy_to_grid_kwh: number | null;
	readonly curtailed_kwh: number | null;
	/** PV beyond the load, before the battery takes its part. */
	readonly surplus_windows: readonly {
		readonly start: string;
		readonly end: string;
		readonly energy_kwh: number;
	}[];
	/** Start of the first quarter whose power is unknown, where that ends the plan before the forecast's last row. */
	readonly gap_at: string | null;
	/** End of the last quarter planned with the band's minimum; beyond it the expected power holds. */
	readonly cautious_until: string | null;
	/** End of what strategy `price` plans by prices; beyond it self-consumption holds. */
	readonly priced_until: string | null;
	/** Each target that is due within the plan. */
	readonly targets: readonly {
		/** Percent. */
		readonly soc: number;
		readonly by: string;
		/** State of charge that the plan has then, percent. */
		readonly planned_soc: number;
	}[];
	/** What the margin is, costs and keeps; null where the strategy keeps none. */
	readonly margin: {
		/** Share of the remaining energy that may fail to come. */
		readonly percent: number;
		/** What is lost more above the limit for it. */
		readonly curtailed_kwh: number;
		/** What strategy `price` pays more for it, by the known prices; null with another strategy. */
		readonly cost: number | null;
		/** State of charge at the next sunset, percent, were the weather to turn when half of the PV until then has come; null while none is to come. */
		readonly turned_soc: number | null;
	} | null;
	/** What the strategy lacks. */
	readonly lacks: readonly Lack[];
	/** What the plan was made of; null for what was not given, and where the caller does not tell. */
	readonly inputs: InputFacts | null;
	/** Why the battery is released, null while it is not. */
	readonly reason: string | null;
}

const NO_LIMITS = {
	charge_limit_w: null,
	discharge_limit_w: null,
	grid_charge_w: null,
	grid_discharge_w: null,
	feed_in_limit_w: null,
	store_above_w: null,
	pv_limit_w: null,
} as const;

/** `now` of made-up data. */
export const DEMO_NOW: NowLimits = { ...NO_LIMITS, mode: "demo" };

/**
 * Lifts the limits of an earlier plan: the settings' own maxima, so that none
 * stays for ever.
 *
 * @param reason for people
 * @param limits false in a demo, which gives none
 * @param inputs what is known
 */
export function releasePayload(
	settings: Pick<
		BatterySettings,
		"maxChargeW" | "maxDischargeW" | "feedInLimitW"
	>,
	reason: string,
	limits = true,
	inputs: InputFacts | null = null,
): BatteryPlan {
	return {
		plan: [],
		now: limits
			? {
					charge_limit_w: settings.maxChargeW,
					discharge_limit_w: settings.maxDischargeW,
					grid_charge_w: 0,
					grid_discharge_w: 0,
					feed_in_limit_w: settings.feedInLimitW,
					store_above_w: settings.feedInLimitW,
					pv_limit_w: null,
					mode: "release",
				}
			: { ...NO_LIMITS, mode: "release" },
		full_at: null,
		empty_at: null,
		will_be_full: null,
		energy_from_grid_kwh: null,
		energy_to_grid_kwh: null,
		curtailed_kwh: null,
		surplus_windows: [],
		gap_at: null,
		cautious_until: null,
		priced_until: null,
		targets: [],
		margin: null,
		lacks: [],
		inputs,
		reason,
	};
}
