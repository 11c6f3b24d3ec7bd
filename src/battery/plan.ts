import { micro, milli } from "../util/rounding";
import { QUARTER_MS } from "../util/time";
import {
	type BatteryPlan,
	DEMO_NOW,
	type InputFacts,
	type NowLimits,
	type PlanRow,
} from "./payload";
import {
	type PlanInput,
	type PlanQuarters,
	planQuarters,
	type Quarter,
} from "./plan-inputs";
import type { BatterySettings } from "./settings";
import { storedPath } from "./strategies";
import { costOf, isStopped } from "./strategies/least-cost";
import { storedAfterTurn } from "./strategies/margin";
import { fromPv, selfConsumption } from "./strategies/self-consumption";

/** Powers that differ by less are the same but for rounding, W. */
const SAME_W = 0.01;

/** What a plan may be given besides its input and settings. */
interface PlanOptions {
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
	{ demo = false, inputs = null }: PlanOptions = {},
): BatteryPlan {
	const plan = planQuarters(input, settings);
	const { path, plain } = storedPath(plan, settings.strategy);
	const rows = rowsOf(plan, path, settings);
	const text = (instant: number) => input.zone.format(instant);
	const textOrNull = (instant: number | null) =>
		instant === null ? null : text(instant);
	/** When the state of charge has risen (1) or fallen (-1) to one. */
	const reached = (soc: number, direction: 1 | -1) =>
		(input.soc - soc) * direction >= 0
			? text(input.now)
			: (rows.find((row) => (row.soc - soc) * direction >= 0)?.end ?? null);
	const fullAt = reached(settings.maxSoc, 1);
	const isPrice = settings.strategy === "price";
	const byPrice = isPrice && plan.priced > 0;
	return {
		plan: rows,
		now: demo ? DEMO_NOW : limitsNow(plan, rows, settings),
		full_at: fullAt,
		empty_at: reached(settings.minSoc, -1),
		will_be_full: fullAt !== null,
		...sums(plan, rows),
		surplus_windows: surplusWindows(plan, rows, text(input.now)),
		gap_at: textOrNull(plan.gapAt),
		cautious_until: textOrNull(plan.cautiousUntil),
		priced_until: byPrice ? (rows[plan.priced - 1] as PlanRow).end : null,
		targets: plan.targets.map(({ target, by, index }) => ({
			soc: target.soc,
			by: text(by),
			planned_soc: rows[index]?.soc as number,
		})),
		margin: plain && marginFacts(plan, path, plain, settings),
		lacks: isPrice && !byPrice ? ["prices"] : [],
		inputs,
		reason: null,
	};
}

/** The runs of quarters with more PV than load, before the battery takes its part. */
function surplusWindows(
	{ quarters }: PlanQuarters,
	rows: readonly PlanRow[],
	now: string,
): BatteryPlan["surplus_windows"] {
	const windows: { start: string; end: string; energy_kwh: number }[] = [];
	for (const [index, { surplus }] of quarters.entries()) {
		if (surplus <= 0) continue;
		const { start, end } = rows[index] as PlanRow;
		const last = windows.at(-1);
		if (last?.end === start) {
			last.end = end;
			last.energy_kwh += surplus;
		} else {
			windows.push({
				start: index === 0 ? now : start,
				end,
				energy_kwh: surplus,
			});
		}
	}
	return windows.map((window) => ({
		...window,
		energy_kwh: micro(window.energy_kwh),
	}));
}

/** What the margin is, costs and keeps. */
function marginFacts(
	plan: PlanQuarters,
	path: readonly number[],
	plain: readonly number[],
	settings: BatterySettings,
): NonNullable<BatteryPlan["margin"]> {
	const more = (of: (path: readonly number[]) => number) =>
		micro(Math.max(0, of(path) - of(plain)));
	const turned = storedAfterTurn(plan, path);
	const lost = (of: readonly number[]) =>
		plan.quarters.reduce((sum, quarter, index) => {
			const { curtailed_w } = powersOf(plan, of, index);
			return sum + (curtailed_w * quarter.hours) / 1000;
		}, 0);
	return {
		percent: plan.margin,
		curtailed_kwh: more(lost),
		cost:
			settings.strategy === "price"
				? more((of) => costOf(plan, of, plan.floor))
				: null,
		turned_soc:
			turned === null ? null : micro((turned / settings.capacityKwh) * 100),
	};
}

/** The powers of a quarter in W, by what is stored at the end of each, kWh. */
function powersOf(plan: PlanQuarters, path: readonly number[], index: number) {
	const { quarters, stored, oneWay } = plan;
	const quarter = quarters[index] as Quarter;
	const { hours, pvW, loadW, feedInMost } = quarter;
	const change = (path[index] as number) - (path[index - 1] ?? stored);
	const energy = change > 0 ? change / oneWay : change * oneWay;
	const battery = milli((energy * 1000) / hours);
	const over = pvW - loadW - battery - milli((feedInMost * 1000) / hours);
	const curtailed = isStopped(plan, quarter, energy)
		? pvW
		: milli(Math.max(0, Math.min(pvW, over)));
	return {
		pv_w: pvW,
		load_w: loadW,
		battery_w: battery,
		grid_w: milli(loadW + battery - pvW + curtailed),
		curtailed_w: curtailed,
	};
}

function rowsOf(
	plan: PlanQuarters,
	path: readonly number[],
	{ capacityKwh }: BatterySettings,
): [PlanRow, ...PlanRow[]] {
	const { quarters, zone } = plan;
	const [{ start }] = quarters as [Quarter];
	const times = Array.from({ length: quarters.length + 1 }, (_, index) =>
		zone.format(start + index * QUARTER_MS),
	);
	return quarters.map(
		(_, index): PlanRow => ({
			start: times[index] as string,
			end: times[index + 1] as string,
			...powersOf(plan, path, index),
			soc: micro(((path[index] as number) / capacityKwh) * 100),
		}),
	) as [PlanRow, ...PlanRow[]];
}

function sums({ quarters }: PlanQuarters, rows: readonly PlanRow[]) {
	const total = (of: (row: PlanRow) => number) =>
		micro(
			rows.reduce(
				(sum, row, index) => sum + of(row) * (quarters[index] as Quarter).hours,
				0,
			) / 1000,
		);
	return {
		energy_from_grid_kwh: total(({ grid_w }) => Math.max(0, grid_w)),
		energy_to_grid_kwh: total(({ grid_w }) => Math.max(0, -grid_w)),
		curtailed_kwh: total(({ curtailed_w }) => curtailed_w),
	};
}

/**
 * Limits for the running quarter. One stays at the setting's maximum, so that a
 * sun or a load other than foreseen is still met, unless the plan holds the
 * battery back from what it would do by itself, or minSoc or maxSoc is near (the
 * battery's own bounds of 0 and 100 % need no limit).
 */
function limitsNow(
	plan: PlanQuarters,
	[row]: readonly [PlanRow, ...PlanRow[]],
	settings: BatterySettings,
): NowLimits {
	const { maxChargeW, maxDischargeW, minSoc, maxSoc } = settings;
	const { stored, floor, ceiling, oneWay } = plan;
	const [quarter] = plan.quarters as [Quarter];
	const { hours, feedIn, feedInMost } = quarter;
	const power = (energy: number) => milli((Math.max(0, energy) * 1000) / hours);
	const room = maxSoc < 100 ? power((ceiling - stored) / oneWay) : maxChargeW;
	const stock = minSoc > 0 ? power((stored - floor) * oneWay) : maxDischargeW;
	const [free = stored] = selfConsumption(plan, 0, 1);
	const charges = Math.max(0, row.battery_w);
	const gives = Math.max(0, -row.battery_w);
	const chargesLess = charges < power((free - stored) / oneWay) - SAME_W;
	const givesLess = gives < power((stored - free) * oneWay) - SAME_W;
	const isStop = isStopped(plan, quarter, (row.battery_w * hours) / 1000);
	const grid = milli(charges - (isStop ? 0 : power(fromPv(quarter))));
	const sold = milli(gives - Math.max(0, row.load_w - row.pv_w));
	let mode: NowLimits["mode"] = "idle";
	if (grid > 0) mode = "grid-charge";
	else if (charges > 0) mode = "charge";
	else if (gives > 0) mode = "discharge";
	else if (chargesLess || givesLess) mode = "hold";
	return {
		charge_limit_w: chargesLess ? charges : Math.min(maxChargeW, room),
		discharge_limit_w: givesLess ? gives : Math.min(maxDischargeW, stock),
		grid_charge_w: Math.max(0, grid),
		grid_discharge_w: Math.max(0, sold),
		feed_in_limit_w: feedIn < 0 ? 0 : settings.feedInLimitW,
		store_above_w:
			feedInMost < Infinity && stored < ceiling ? power(feedInMost) : null,
		pv_limit_w: isStop ? 0 : null,
		mode,
	};
}
