import { QUARTER_MS } from "../util/time";
import type { Need } from "./inputs";
import type { Problem } from "./problem";

const QUARTERS_PER_HOUR = 4;
/** Longest window for an energy whose duration is not given. */
const LONGEST_QUARTERS = 6 * QUARTERS_PER_HOUR;
/** Energy per quarter by which windows are priced when only hours are given: 1 kW. */
const NOMINAL_KWH = 0.25;
/** Energy from PV that is worth a window: what is written as 0 is not. */
const LEAST_KWH = 1e-6;
/** How many windows are proposed. */
const MOST_WINDOWS = 5;

/** A run of quarters, from quarter `first` to before quarter `end`. */
export interface Window {
	readonly first: number;
	readonly end: number;
	/** kWh from PV beyond the load. */
	readonly energy: number;
}

export interface BestWindow extends Window {
	/** What of the needed energy PV does not give, kWh; null when only hours are given. */
	readonly fromGrid: number | null;
}

/** The runs of quarters with more PV than load, before the battery takes its part. */
export function surplusWindows({ count, surplus }: Problem): Window[] {
	const windows: Window[] = [];
	let first = -1;
	let energy = 0;
	for (let index = 0; index <= count; index += 1) {
		const here = surplus[index] ?? 0;
		if (here > 0) {
			if (first < 0) first = index;
			energy += here;
		} else if (first >= 0) {
			windows.push({ first, end: index, energy });
			first = -1;
			energy = 0;
		}
	}
	return windows;
}

interface Candidate extends BestWindow {
	/** Null where a price is not known. */
	readonly cost: number | null;
}

/**
 * When to run an appliance: windows that do not overlap, best first, at most five.
 *
 * With prices a window's cost decides, PV counted with what feeding it in would
 * have brought; windows that need the grid where no price is known come last.
 * Without prices, and at equal cost, the energy from PV decides, then the
 * shorter window, then the earlier.
 *
 * - hours: windows of that length, rounded up to quarters. Energy and cost of
 *   an even draw of `kwh`; without `kwh` all PV counts, and the cost is that of
 *   an appliance of 1 kW.
 * - only kwh: the shortest run in which PV gives it, 6 h at most; the rest comes
 *   from the grid at the run's mean price.
 *
 * Windows begin with a whole quarter; without prices those without PV are left out.
 */
export function bestWindows(problem: Problem, need: Need): BestWindow[] {
	const candidates: Candidate[] = [];
	const partial = (problem.hours[0] as number) * 3_600_000 < QUARTER_MS;
	for (let first = partial ? 1 : 0; first < problem.count; first += 1) {
		const candidate =
			need.hours === null
				? shortestRun(problem, first, need.kwh as number)
				: fixedRun(problem, first, need.hours, need.kwh);
		if (!candidate) break;
		if (candidate.cost !== null || candidate.energy > LEAST_KWH) {
			candidates.push(candidate);
		}
	}
	candidates.sort(
		(a, b) =>
			(a.cost === null ? 1 : 0) - (b.cost === null ? 1 : 0) ||
			nearly((a.cost ?? 0) - (b.cost ?? 0)) ||
			nearly(b.energy - a.energy) ||
			a.end - a.first - (b.end - b.first) ||
			a.first - b.first,
	);
	const chosen: BestWindow[] = [];
	for (const { cost, ...window } of candidates) {
		if (chosen.length === MOST_WINDOWS) break;
		if (
			chosen.every(
				(other) => window.end <= other.first || window.first >= other.end,
			)
		) {
			chosen.push(window);
		}
	}
	return chosen;
}

/** 0 for what differs by rounding only, so that length and time decide. */
const nearly = (difference: number) =>
	Math.abs(difference) < 1e-9 ? 0 : difference;

function fixedRun(
	problem: Problem,
	first: number,
	hours: number,
	kwh: number | null,
): Candidate | undefined {
	const length = Math.ceil(hours * QUARTERS_PER_HOUR - 1e-9);
	const end = first + length;
	if (end > problem.count) return undefined;
	const draw = kwh === null ? Number.POSITIVE_INFINITY : kwh / length;
	const nominal = kwh === null ? NOMINAL_KWH : draw;
	let energy = 0;
	let cost = 0;
	let known = problem.priced > 0;
	for (let index = first; index < end; index += 1) {
		const surplus = Math.max(0, problem.surplus[index] as number);
		energy += Math.min(draw, surplus);
		const own = Math.min(nominal, surplus);
		const bought = nominal - own;
		if (bought > 0 && index >= problem.priced) known = false;
		cost +=
			own * problem.feedInPrice + bought * (problem.prices[index] as number);
	}
	return {
		first,
		end,
		energy,
		fromGrid: kwh === null ? null : Math.max(0, kwh - energy),
		cost: known ? cost : null,
	};
}

function shortestRun(problem: Problem, first: number, kwh: number): Candidate {
	const last = Math.min(problem.count, first + LONGEST_QUARTERS);
	let end = first;
	let energy = 0;
	let sunset = last;
	for (; end < last && energy < kwh; end += 1) {
		const surplus = problem.surplus[end] as number;
		if (surplus > 0) {
			energy += surplus;
			sunset = end + 1;
		}
	}
	if (energy < kwh) end = sunset;
	energy = Math.min(energy, kwh);
	const fromGrid = kwh - energy;
	let price = 0;
	for (let index = first; index < end; index += 1) {
		price += (problem.prices[index] as number) / (end - first);
	}
	const known = problem.priced > 0 && (fromGrid === 0 || end <= problem.priced);
	return {
		first,
		end,
		energy,
		fromGrid,
		cost: known
			? energy * problem.feedInPrice + (fromGrid > 0 ? fromGrid * price : 0)
			: null,
	};
}
