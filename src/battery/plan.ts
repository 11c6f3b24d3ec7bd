import { QUARTER_MS } from "../util/time";
import type { Need } from "./inputs";
import {
	type BatteryPlan,
	DEMO_NOW,
	type InputFacts,
	type NowLimits,
	type PlanRow,
} from "./payload";
import { type PlanInput, type PlanQuarters, planQuarters } from "./plan-inputs";
import { micro, milli } from "./rounding";
import type { BatterySettings } from "./settings";
import { storedPath } from "./strategies";
import { costOf } from "./strategies/least-cost";
import { storedAfterTurn } from "./strategies/margin";
import { selfConsumption } from "./strategies/self-consumption";
import {
	type Begun,
	bestWindows,
	surplusWindows,
	type Window,
} from "./windows";

/** Powers that differ by less are the same but for rounding, W. */
const SAME_W = 0.01;

/** What a plan may be given besides its input and settings. */
interface PlanOptions {
	/** For `best_windows`, which are empty without any. */
	readonly need?: Need | readonly Need[] | null;
	/** Windows that have begun: they stay. */
	readonly begun?: readonly Begun[];
	/** Whether the forecast is made up: then no limits are given. */
	readonly demo?: boolean;
	/** Handed on as `inputs`. */
	readonly inputs?: InputFacts | null;
}

/**
 * The charging plan: quarter hours from the running one to the end of the
 * forecast or its first gap, and what the inverter should be told now.
 *
 * A load that is not given follows what the house has taught or the standard
 * profile. A battery above maxSoc is not charged, one below minSoc not
 * discharged below where it is.
 *
 * @param settings checked by `readSettings`
 * @throws SolarYieldError `INPUT` when the running quarter's power is not known
 */
export function planBattery(
	input: PlanInput,
	settings: BatterySettings,
	{ need = null, begun = [], demo = false, inputs = null }: PlanOptions = {},
): BatteryPlan {
	const quarters = planQuarters(input, settings);
	const { path, plain } = storedPath(quarters, settings.strategy);
	const rows = rowsOf(quarters, path, settings);
	const text = (instant: number) => input.zone.format(instant);
	const until = (index: number) =>
		text((quarters.starts[index - 1] as number) + QUARTER_MS);
	const windowTimes = ({ first, end }: Window) => ({
		start: text(Math.max(quarters.starts[first] as number, input.now)),
		end: until(end),
	});
	const reached = (soc: number, direction: 1 | -1) =>
		(input.soc - soc) * direction >= 0
			? text(input.now)
			: firstEnd(rows, soc, direction);
	const fullAt = reached(settings.maxSoc, 1);
	const isPrice = settings.strategy === "price";
	const byPrice = isPrice && quarters.priced > 0;
	const needs = need === null ? [] : "kwh" in need ? [need] : need;
	return {
		plan: rows,
		now: demo ? DEMO_NOW : limitsNow(quarters, rows, settings),
		full_at: fullAt,
		empty_at: reached(settings.minSoc, -1),
		will_be_full: fullAt !== null,
		...sums(quarters, rows),
		surplus_windows: surplusWindows(quarters).map((window) => ({
			...windowTimes(window),
			energy_kwh: micro(window.energy),
		})),
		best_windows: needs.flatMap((each) =>
			bestWindows(quarters, each, input.zone, begun).map((window) => ({
				start: text(window.start),
				end: text(window.end),
				...(each.name !== null && { name: each.name }),
				energy_kwh: micro(window.energy),
				from_grid_kwh: window.fromGrid === null ? null : micro(window.fromGrid),
			})),
		),
		gap_at: quarters.gapAt === null ? null : text(quarters.gapAt),
		cautious_until:
			quarters.cautiousUntil === null ? null : text(quarters.cautiousUntil),
		priced_until: byPrice ? until(quarters.priced) : null,
		targets: quarters.targets.map(({ target, by, index }) => ({
			soc: target.soc,
			by: text(by),
			planned_soc: rows[index]?.soc as number,
		})),
		margin: plain && marginFacts(quarters, path, plain, settings),
		lacks: isPrice && !byPrice ? ["prices"] : [],
		inputs,
		reason: null,
	};
}

/** End of the first row whose state of charge has risen (1) or fallen (-1) to one; null when none's has. */
function firstEnd(
	rows: readonly PlanRow[],
	soc: number,
	direction: 1 | -1,
): string | null {
	for (const row of rows) {
		if ((row.soc - soc) * direction >= 0) return row.end;
	}
	return null;
}

/** What the margin is, costs and keeps. */
function marginFacts(
	quarters: PlanQuarters,
	path: Float64Array,
	plain: Float64Array,
	{ strategy, capacityKwh }: BatterySettings,
): NonNullable<BatteryPlan["margin"]> {
	const more = (of: (path: Float64Array) => number) =>
		micro(Math.max(0, of(path) - of(plain)));
	const turned = storedAfterTurn(quarters, path);
	return {
		percent: quarters.margin,
		curtailed_kwh: more((of) => curtailedBy(quarters, of)),
		cost:
			strategy === "price"
				? more((of) => costOf(quarters, of, new Map(), quarters.floor))
				: null,
		turned_soc: turned === null ? null : micro((turned / capacityKwh) * 100),
	};
}

/** PV lost above the limit, kWh. */
function curtailedBy(
	{ count, surplus, pvW, hours, feedInMost, stored, oneWay }: PlanQuarters,
	path: Float64Array,
): number {
	let curtailed = 0;
	let before = stored;
	for (let index = 0; index < count; index += 1) {
		const change = (path[index] as number) - before;
		before = path[index] as number;
		const taken = change > 0 ? change / oneWay : change * oneWay;
		const pv = ((pvW[index] as number) * (hours[index] as number)) / 1000;
		const over =
			(surplus[index] as number) - taken - (feedInMost[index] as number);
		curtailed += Math.max(0, Math.min(pv, over));
	}
	return curtailed;
}

/**
 * What each row is a copy of. V8 puts what a literal makes among the long-lived objects,
 * for good, once a collection has come while a plan's rows were in use; a plan lives for
 * a minute, and a day's are 250 MB.
 */
const NO_ROW = {
	start: "",
	end: "",
	pv_w: 0,
	load_w: 0,
	battery_w: 0,
	grid_w: 0,
	curtailed_w: 0,
	soc: 0,
};

function rowsOf(
	quarters: PlanQuarters,
	path: Float64Array,
	{ capacityKwh }: BatterySettings,
): [PlanRow, ...PlanRow[]] {
	const { zone } = quarters;
	const rows: PlanRow[] = [];
	let before = quarters.stored;
	let start = zone.format(quarters.starts[0] as number);
	for (let index = 0; index < quarters.count; index += 1) {
		const after = path[index] as number;
		const change = after - before;
		const energy =
			change > 0 ? change / quarters.oneWay : change * quarters.oneWay;
		const length = quarters.hours[index] as number;
		const pv = quarters.pvW[index] as number;
		const load = quarters.loadW[index] as number;
		const battery = milli((energy * 1000) / length);
		const most = feedInMostW(quarters, index);
		const curtailed = milli(
			Math.max(0, Math.min(pv, pv - load - battery - most)),
		);
		const end = zone.format((quarters.starts[index] as number) + QUARTER_MS);
		const row = { ...NO_ROW };
		row.start = start;
		row.end = end;
		row.pv_w = pv;
		row.load_w = load;
		row.battery_w = battery;
		row.grid_w = milli(load + battery - pv + curtailed);
		row.curtailed_w = curtailed;
		row.soc = micro((after / capacityKwh) * 100);
		rows.push(row);
		before = after;
		start = end;
	}
	return rows as [PlanRow, ...PlanRow[]];
}

const feedInMostW = ({ feedInMost, hours }: PlanQuarters, index: number) =>
	milli(((feedInMost[index] as number) * 1000) / (hours[index] as number));

function sums({ hours }: PlanQuarters, rows: readonly PlanRow[]) {
	let from = 0;
	let to = 0;
	let curtailed = 0;
	for (let index = 0; index < rows.length; index += 1) {
		const { grid_w, curtailed_w } = rows[index] as PlanRow;
		const length = hours[index] as number;
		if (grid_w > 0) from += grid_w * length;
		else to -= grid_w * length;
		curtailed += curtailed_w * length;
	}
	return {
		energy_from_grid_kwh: micro(from / 1000),
		energy_to_grid_kwh: micro(to / 1000),
		curtailed_kwh: micro(curtailed / 1000),
	};
}

/**
 * Limits for the running quarter. One stays at the setting's maximum, so that a
 * sun or a load other than foreseen is still met, unless the plan holds the
 * battery back from what it would do by itself, or minSoc or maxSoc is near (the
 * battery's own bounds of 0 and 100 % need no limit).
 */
function limitsNow(
	quarters: PlanQuarters,
	[row]: readonly [PlanRow, ...PlanRow[]],
	settings: BatterySettings,
): NowLimits {
	const { maxChargeW, maxDischargeW, minSoc, maxSoc } = settings;
	const { stored, floor, ceiling, oneWay } = quarters;
	const power = (energy: number) =>
		milli((Math.max(0, energy) * 1000) / (quarters.hours[0] as number));
	const room =
		maxSoc < 100
			? Math.min(maxChargeW, power((ceiling - stored) / oneWay))
			: maxChargeW;
	const stock =
		minSoc > 0
			? Math.min(maxDischargeW, power((stored - floor) * oneWay))
			: maxDischargeW;
	const [free = stored] = selfConsumption(quarters, 0, 1);
	const charged = power((free - stored) / oneWay);
	const given = power((stored - free) * oneWay);
	const charges = Math.max(0, row.battery_w);
	const gives = Math.max(0, -row.battery_w);
	const chargesLess = charges < charged - SAME_W;
	const givesLess = gives < given - SAME_W;
	const grid = milli(charges - Math.max(0, row.pv_w - row.load_w));
	const sold = milli(gives - Math.max(0, row.load_w - row.pv_w));
	const mode =
		grid > 0
			? "grid-charge"
			: charges > 0
				? "charge"
				: gives > 0
					? "discharge"
					: chargesLess || givesLess
						? "hold"
						: "idle";
	return {
		charge_limit_w: chargesLess ? charges : room,
		discharge_limit_w: givesLess ? gives : stock,
		grid_charge_w: Math.max(0, grid),
		grid_discharge_w: Math.max(0, sold),
		feed_in_limit_w:
			(quarters.feedIn[0] as number) < 0 ? 0 : settings.feedInLimitW,
		mode,
	};
}
