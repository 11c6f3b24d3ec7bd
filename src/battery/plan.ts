import { stampWriter } from "../forecast/stamps";
import { utcText, Zone } from "../forecast/zone";
import { QUARTER_MS } from "../util/time";
import type { Need } from "./inputs";
import {
	type BatteryPlan,
	DEMO_NOW,
	type NowLimits,
	type PlanRow,
} from "./payload";
import { peakShaving } from "./peak-shaving";
import { leastCost } from "./price";
import { milli, type PlanInput, type Problem, problemOf } from "./problem";
import { selfConsumption } from "./self-consumption";
import type { BatterySettings, Strategy } from "./settings";
import { bestWindows, surplusWindows, type Window } from "./windows";

/** Each gives the stored energy in kWh at the end of each quarter. */
const STRATEGY: Readonly<Record<Strategy, (problem: Problem) => Float64Array>> =
	{
		"self-consumption": (problem) => selfConsumption(problem),
		"peak-shaving": peakShaving,
		price: leastCost,
	};

/** Powers that differ by less are the same but for rounding, W. */
const SAME_W = 0.01;

/**
 * The charging plan: quarter hours from the running one to the end of the
 * forecast or its first gap, and what the inverter should be told now.
 *
 * A load that is not given follows the default profile. A battery above maxSoc
 * is not charged, one below minSoc not discharged below where it is.
 *
 * @param settings checked by `readSettings`
 * @param need for `best_windows`, which are empty without it
 * @param demo whether the forecast is made up: then no limits are given
 * @throws SolarYieldError `INPUT` when the running quarter's power is not known
 */
export function planBattery(
	input: PlanInput,
	settings: BatterySettings,
	{ need = null, demo = false }: { need?: Need | null; demo?: boolean } = {},
): BatteryPlan {
	const problem = problemOf(input, settings);
	const path = STRATEGY[settings.strategy](problem);
	const rows = rowsOf(problem, path, settings);
	const until = (index: number) =>
		utcText((problem.starts[index - 1] as number) + QUARTER_MS);
	const windowTimes = ({ first, end }: Window) => ({
		start: utcText(Math.max(problem.starts[first] as number, input.now)),
		end: until(end),
	});
	const reached = (holds: (soc: number) => boolean) => {
		if (holds(input.soc)) return utcText(input.now);
		return rows.find((row) => holds(row.soc))?.end ?? null;
	};
	const fullAt = reached((soc) => soc >= settings.maxSoc);
	const byPrice = settings.strategy === "price" && problem.priced > 0;
	return {
		plan: rows,
		now: demo ? DEMO_NOW : limitsNow(problem, rows, settings),
		full_at: fullAt,
		empty_at: reached((soc) => soc <= settings.minSoc),
		will_be_full: fullAt !== null,
		...sums(problem, rows),
		surplus_windows: surplusWindows(problem).map((window) => ({
			...windowTimes(window),
			energy_kwh: micro(window.energy),
		})),
		best_windows: (need ? bestWindows(problem, need) : []).map((window) => ({
			...windowTimes(window),
			energy_kwh: micro(window.energy),
			from_grid_kwh: window.fromGrid === null ? null : micro(window.fromGrid),
		})),
		gap_at: problem.gapAt === null ? null : utcText(problem.gapAt),
		cautious_until:
			problem.cautiousUntil === null ? null : utcText(problem.cautiousUntil),
		priced_until: byPrice ? until(problem.priced) : null,
		reason: null,
	};
}

/** To a millionth, for kWh and percent; never -0. */
const micro = (value: number): number => Math.round(value * 1e6) / 1e6 + 0;

function rowsOf(
	problem: Problem,
	path: Float64Array,
	{ capacityKwh, feedInLimitW }: BatterySettings,
): [PlanRow, ...PlanRow[]] {
	const stamp = stampWriter(Zone.utc, "utc");
	const most = feedInLimitW ?? Number.POSITIVE_INFINITY;
	const rows: PlanRow[] = [];
	let before = problem.stored;
	let start = stamp(problem.starts[0] as number);
	for (let index = 0; index < problem.count; index += 1) {
		const after = path[index] as number;
		const change = after - before;
		const energy =
			change > 0 ? change / problem.oneWay : change * problem.oneWay;
		const pv = problem.pvW[index] as number;
		const load = problem.loadW[index] as number;
		const battery = milli((energy * 1000) / (problem.hours[index] as number));
		const curtailed = milli(Math.max(0, pv - load - battery - most));
		const end = stamp((problem.starts[index] as number) + QUARTER_MS);
		rows.push({
			start,
			end,
			pv_w: pv,
			load_w: load,
			battery_w: battery,
			grid_w: milli(load + battery - pv + curtailed),
			curtailed_w: curtailed,
			soc: micro((after / capacityKwh) * 100),
		});
		before = after;
		start = end;
	}
	return rows as [PlanRow, ...PlanRow[]];
}

function sums(
	{ hours }: Problem,
	rows: readonly PlanRow[],
): Pick<
	BatteryPlan,
	"energy_from_grid_kwh" | "energy_to_grid_kwh" | "curtailed_kwh"
> {
	let from = 0;
	let to = 0;
	let curtailed = 0;
	for (const [index, { grid_w, curtailed_w }] of rows.entries()) {
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
	problem: Problem,
	[row]: readonly [PlanRow, ...PlanRow[]],
	{ maxChargeW, maxDischargeW, minSoc, maxSoc }: BatterySettings,
): NowLimits {
	const { stored, floor, ceiling, oneWay } = problem;
	const power = (energy: number) =>
		milli((Math.max(0, energy) * 1000) / (problem.hours[0] as number));
	const room =
		maxSoc < 100
			? Math.min(maxChargeW, power((ceiling - stored) / oneWay))
			: maxChargeW;
	const stock =
		minSoc > 0
			? Math.min(maxDischargeW, power((stored - floor) * oneWay))
			: maxDischargeW;
	const [free = stored] = selfConsumption({ ...problem, count: 1 });
	const charged = power((free - stored) / oneWay);
	const given = power((stored - free) * oneWay);
	const charges = Math.max(0, row.battery_w);
	const gives = Math.max(0, -row.battery_w);
	const chargesLess = charges < charged - SAME_W;
	const givesLess = gives < given - SAME_W;
	const grid = milli(charges - Math.max(0, row.pv_w - row.load_w));
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
		mode,
	};
}
