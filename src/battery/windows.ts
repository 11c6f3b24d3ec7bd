import type { Zone } from "../forecast/zone";
import type { ClockOrInstant } from "../messages/value-readers";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../util/time";
import type { Need } from "./inputs";
import type { PlanQuarters } from "./plan-inputs";

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
	/** Epoch ms; before quarter `first` where it has begun before the plan. */
	readonly start: number;
	readonly until: number;
	/** What of the needed energy PV does not give, kWh; null when only hours are given. */
	readonly fromGrid: number | null;
}

/** The runs of quarters with more PV than load, before the battery takes its part. */
export function surplusWindows({ count, surplus }: PlanQuarters): Window[] {
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

/** A window that has begun: it stays to its end, whatever later forecasts say. */
export interface Begun {
	/** Of its need. */
	readonly name: string | null;
	/** Epoch ms. */
	readonly start: number;
	readonly end: number;
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
 * Windows are whole quarters, of which the running one may be the first; without
 * prices those without PV are left out. `earliest` and `latest` bound them: by
 * the next such time in which one fits.
 */
export function bestWindows(
	quarters: PlanQuarters,
	need: Need,
	zone: Zone,
	begun: readonly Begun[] = [],
): BestWindow[] {
	const now = (quarters.starts[0] as number) + passedMs(quarters);
	const running = begun.find(
		({ name, start, end }) => name === need.name && start <= now && end > now,
	);
	const first = running && runningWindow(quarters, need, running);
	const chosen: BestWindow[] = first ? [first] : [];
	for (const period of periods(quarters, need, zone, now)) {
		for (const { cost, ...window } of candidates(quarters, need, period)) {
			if (chosen.length === MOST_WINDOWS) break;
			if (
				chosen.every(
					(other) => window.end <= other.first || window.first >= other.end,
				)
			) {
				chosen.push(window);
			}
		}
		if (chosen.length > 0) break;
	}
	return chosen;
}

/** What of the running quarter has passed, ms. */
const passedMs = ({ hours }: PlanQuarters) =>
	QUARTER_MS - (hours[0] as number) * HOUR_MS;

/** In which a window must lie, epoch ms. */
interface Period {
	readonly from: number;
	readonly to: number;
}

/** The periods that `earliest` and `latest` allow, day by day, in order. */
function* periods(
	{ starts, count }: PlanQuarters,
	{ earliest, latest }: Need,
	zone: Zone,
	now: number,
): Generator<Period> {
	const end = (starts[count - 1] as number) + QUARTER_MS;
	const isDaily = [earliest, latest].some((it) => it && "clock" in it);
	const at = (time: ClockOrInstant, day: number) =>
		"instant" in time
			? time.instant
			: zone.firstInstantFrom(day * DAY_MS + time.clock);
	const first = zone.dayOf(now) - 1;
	const last = isDaily ? zone.dayOf(end) : first;
	for (let day = first; day <= last; day += 1) {
		const from = earliest ? at(earliest, day) : Number.NEGATIVE_INFINITY;
		let to = Number.POSITIVE_INFINITY;
		if (latest) {
			to = at(latest, day);
			// A time of day before `earliest` is meant of the day after.
			if (to <= from && "clock" in latest) to = at(latest, day + 1);
		} else if (isDaily) {
			to = zone.dayStart(day + 1);
		}
		if (to > now && to > from) yield { from, to };
	}
}

function candidates(
	quarters: PlanQuarters,
	need: Need,
	{ from, to }: Period,
): Candidate[] {
	const found: Candidate[] = [];
	for (let first = 0; first < quarters.count; first += 1) {
		if ((quarters.starts[first] as number) < from) continue;
		const candidate =
			need.hours === null
				? shortestRun(quarters, first, need.kwh as number, to)
				: fixedRun(quarters, first, need.hours, need.kwh);
		if (!candidate || candidate.until > to) break;
		if (candidate.cost !== null || candidate.energy > LEAST_KWH) {
			found.push(candidate);
		}
	}
	return found.sort(
		(a, b) =>
			(a.cost === null ? 1 : 0) - (b.cost === null ? 1 : 0) ||
			nearly((a.cost ?? 0) - (b.cost ?? 0)) ||
			nearly(b.energy - a.energy) ||
			a.end - a.first - (b.end - b.first) ||
			a.first - b.first,
	);
}

/** 0 for what differs by rounding only, so that length and time decide. */
const nearly = (difference: number) =>
	Math.abs(difference) < 1e-9 ? 0 : difference;

const timesOf = ({ starts }: PlanQuarters, first: number, end: number) => ({
	start: starts[first] as number,
	until: (starts[end - 1] as number) + QUARTER_MS,
});

/** What is left of a window that has begun. */
function runningWindow(
	quarters: PlanQuarters,
	{ kwh }: Need,
	{ start, end: until }: Begun,
): BestWindow {
	const ends = Math.round(
		(until - (quarters.starts[0] as number)) / QUARTER_MS,
	);
	const end = Math.min(Math.max(1, ends), quarters.count);
	const length = Math.max(1, Math.round((until - start) / QUARTER_MS));
	// An even draw gives the quarters that are left their share of the energy.
	const draw = kwh === null ? Number.POSITIVE_INFINITY : kwh / length;
	const left = kwh === null ? null : draw * end;
	let energy = 0;
	for (let index = 0; index < end; index += 1) {
		energy += Math.min(draw, Math.max(0, quarters.surplus[index] as number));
	}
	return {
		first: 0,
		end,
		start,
		until,
		energy,
		fromGrid: left === null ? null : Math.max(0, left - energy),
	};
}

function fixedRun(
	quarters: PlanQuarters,
	first: number,
	hours: number,
	kwh: number | null,
): Candidate | undefined {
	const length = Math.ceil(hours * QUARTERS_PER_HOUR - 1e-9);
	const end = first + length;
	if (end > quarters.count) return undefined;
	const draw = kwh === null ? Number.POSITIVE_INFINITY : kwh / length;
	const nominal = kwh === null ? NOMINAL_KWH : draw;
	let energy = 0;
	let cost = 0;
	let known = quarters.priced > 0;
	for (let index = first; index < end; index += 1) {
		const surplus = Math.max(0, quarters.surplus[index] as number);
		energy += Math.min(draw, surplus);
		const own = Math.min(nominal, surplus);
		const bought = nominal - own;
		if (bought > 0 && index >= quarters.priced) known = false;
		cost +=
			own * soldFor(quarters, index) +
			bought * (quarters.prices[index] as number);
	}
	return {
		first,
		end,
		...timesOf(quarters, first, end),
		energy,
		fromGrid: kwh === null ? null : Math.max(0, kwh - energy),
		cost: known ? cost : null,
	};
}

/** What feeding in brings: nothing while it costs, since then nothing is fed in. */
const soldFor = ({ feedIn }: PlanQuarters, index: number) =>
	Math.max(0, feedIn[index] as number);

function shortestRun(
	quarters: PlanQuarters,
	first: number,
	kwh: number,
	to: number,
): Candidate | undefined {
	const start = quarters.starts[first] as number;
	const most = Math.min(
		LONGEST_QUARTERS,
		Math.floor((to - start) / QUARTER_MS),
	);
	const last = Math.min(quarters.count, first + most);
	if (last <= first) return undefined;
	let end = first;
	let energy = 0;
	let sunset = last;
	for (; end < last && energy < kwh; end += 1) {
		const surplus = quarters.surplus[end] as number;
		if (surplus > 0) {
			energy += surplus;
			sunset = end + 1;
		}
	}
	if (energy < kwh) end = sunset;
	energy = Math.min(energy, kwh);
	const fromGrid = kwh - energy;
	let price = 0;
	let feedIn = 0;
	for (let index = first; index < end; index += 1) {
		price += (quarters.prices[index] as number) / (end - first);
		feedIn += soldFor(quarters, index) / (end - first);
	}
	const known =
		quarters.priced > 0 && (fromGrid === 0 || end <= quarters.priced);
	return {
		first,
		end,
		...timesOf(quarters, first, end),
		energy,
		fromGrid,
		cost: known
			? energy * feedIn + (fromGrid > 0 ? fromGrid * price : 0)
			: null,
	};
}
