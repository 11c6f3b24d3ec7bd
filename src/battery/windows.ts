import type { ClockOrInstant } from "../messages/value-readers";
import type { Span } from "../prices/spans";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../util/time";
import type { Zone } from "../util/zone";
import { type Proposal, proposeWindows } from "../window/proposals";
import { KWH, type SlotFacts } from "../window/search";
import type { Need } from "./inputs";
import type { PlanQuarters } from "./plan-inputs";

/** How many windows are proposed. */
const MOST_WINDOWS = 5;

/** A run of quarters, from quarter `first` to before quarter `end`. */
export interface Window {
	readonly first: number;
	readonly end: number;
	/** kWh from PV beyond the load. */
	readonly energy: number;
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
export interface Begun extends Span {
	/** Name of its need. */
	readonly name: string | null;
}

/**
 * When to run an appliance: windows that do not overlap, best first, at most five
 * (`proposeWindows`). They are whole quarters, of which the running one may be the
 * first. `earliest` and `latest` bound them: by the next such time in which one fits.
 */
export function bestWindows(
	quarters: PlanQuarters,
	need: Need,
	zone: Zone,
	begun: readonly Begun[] = [],
): Proposal[] {
	const now = (quarters.starts[0] as number) + passedMs(quarters);
	const running = begun.find(
		({ name, start, end }) => name === need.name && start <= now && end > now,
	);
	const chosen = running ? [runningWindow(quarters, need, running)] : [];
	const facts = factsOf(quarters);
	for (const { from, to } of periods(quarters, need, zone, now)) {
		const within = facts.filter(({ start, end }) => start >= from && end <= to);
		const most = MOST_WINDOWS - chosen.length;
		chosen.push(...proposeWindows(within, need, most, chosen));
		if (chosen.length > 0) break;
	}
	return chosen;
}

/** What windows are judged by. Of the running quarter what is left of its energy counts. */
const factsOf = ({
	starts,
	surplus,
	prices,
	priced,
	feedIn,
}: PlanQuarters): SlotFacts[] =>
	starts.map((start, index) => {
		const left = Math.max(0, surplus[index] as number) * KWH;
		return {
			start,
			end: start + QUARTER_MS,
			pv: left / QUARTER_MS,
			surplus: left / QUARTER_MS,
			price: index < priced ? (prices[index] as number) : null,
			// While it costs nothing is fed in. Without any price costs cannot be told.
			feedIn: priced > 0 ? Math.max(0, feedIn[index] as number) : null,
			least: null,
		};
	});

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

/** What is left of a window that has begun. */
function runningWindow(
	quarters: PlanQuarters,
	{ kwh }: Need,
	{ start, end: until }: Begun,
): Proposal {
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
		start,
		end: until,
		energy,
		fromGrid: left === null ? null : Math.max(0, left - energy),
	};
}
