import type { Span } from "../prices/spans";
import { HOUR_MS } from "../util/time";
import type { Zone } from "../util/zone";
import type { Shortage } from "./choice";
import { type Frame, frameChange } from "./frame";
import {
	type DayPlan,
	livesUntil,
	type Trouble,
	type WindowInputs,
} from "./plan";
import type { Rank } from "./settings";
import type { Figures } from "./slots";
import { type HeldWindow, recordOf, type WindowState } from "./window-state";

/** A window with what is foreseen for it. */
export interface PlannedWindow extends Span, Figures {}

/** Why it is on or off. Instants are epoch ms; texts are made of codes and values elsewhere. */
export type Why =
	| { readonly code: "running"; readonly until: number }
	| { readonly code: "waiting"; readonly from: number }
	/** The hours asked for have run. */
	| { readonly code: "done"; readonly ran_hours: number }
	/** Somebody said that it is enough for today. */
	| { readonly code: "told-done" }
	| Trouble
	| Shortage;

/** What holds after a transition. */
export interface Output {
	readonly on: boolean;
	/** The window that has begun. */
	readonly current: PlannedWindow | null;
	/** The first window to come, today or tomorrow. */
	readonly next: PlannedWindow | null;
	/** The one that has begun, and those to come today and tomorrow. */
	readonly windows: readonly PlannedWindow[];
	readonly why: Why;
	/** What today's hours lack, also while it is on or waits. */
	readonly shortage: Shortage | null;
	/** `sun` although `cost` was asked for: no price ahead is known. */
	readonly rankedBy: Rank;
	/** When the next transition is due unless something new comes, epoch ms; null = not before. */
	readonly tickAt: number | null;
}

/** What an output is made of besides the state. */
interface Facts {
	readonly inputs: WindowInputs;
	readonly now: number;
	readonly trouble: Trouble | null;
	/** Windows to come. */
	readonly windows: readonly PlannedWindow[];
	readonly today?: DayPlan;
	readonly frame?: Frame;
}

/** What follows from a state, and what is planned beside it. */
export function outputOf(state: WindowState, facts: Facts): Output {
	const { inputs, now, windows, today, frame } = facts;
	const { held } = state;
	const current = held && plannedWindow(held);
	const due = [
		held?.end,
		held?.limit,
		held?.start,
		...windows.map(({ start }) => start),
		frame &&
			inputs.forecast &&
			frameChange(inputs.settings, inputs.forecast.values.zone, frame),
		facts.trouble || !inputs.forecast ? null : livesUntil(inputs.forecast),
	].filter((at): at is number => typeof at === "number" && at > now);
	return {
		on: held !== null,
		current,
		next: windows[0] ?? null,
		windows: current ? [current, ...windows] : windows,
		why: whyOf(state, facts),
		shortage: today?.shortage ?? null,
		rankedBy:
			inputs.settings.rank === "cost" &&
			state.prices.some(({ end }) => end > now)
				? "cost"
				: "sun",
		tickAt: due.length > 0 ? Math.min(...due) : null,
	};
}

const plannedWindow = ({
	day: _day,
	limit: _limit,
	...window
}: HeldWindow): PlannedWindow => window;

function whyOf(
	state: WindowState,
	{ windows, trouble, today, frame }: Facts,
): Why {
	const { held } = state;
	if (held) return { code: "running", until: held.end };
	if (trouble || !today || !frame) return trouble ?? { code: "no-forecast" };
	const [first] = today.windows;
	if (first && windows[0]) return { code: "waiting", from: windows[0].start };
	const record = recordOf(state, frame.day);
	if (record.done) return { code: "told-done" };
	return today.shortage ?? { code: "done", ran_hours: record.ran / HOUR_MS };
}

const rounded = (value: number | null, digits: number): number | null =>
	value === null ? null : Number(value.toFixed(digits)) + 0;

/** `msg.window` of output 1. Times are ISO 8601 with the site's offset. */
export interface WindowFacts {
	readonly on: boolean;
	/** Start of the window that has begun, null while none has. */
	readonly start: string | null;
	readonly end: string | null;
	readonly next_start: string | null;
	readonly next_end: string | null;
	/** Solar energy for the appliance in the window that has begun, else in the next, kWh. */
	readonly energy_kwh: number | null;
	/** Share of the appliance's energy, 0 to 1; null where its power is not known. */
	readonly solar_share: number | null;
	/** Why it is on or off, for people. */
	readonly reason: string;
}

/** A window of output 2. */
export interface WindowRow {
	readonly start: string;
	readonly end: string;
	readonly energy_kwh: number | null;
	/** Mean solar power that is left over after the base load, W. */
	readonly mean_w: number | null;
	readonly solar_share: number | null;
	readonly cost: number | null;
}

/** @param reason `output.why` in words */
export function windowFacts(
	{ on, current, next }: Output,
	zone: Zone,
	reason: string,
): WindowFacts {
	const text = (instant: number | undefined) =>
		instant === undefined ? null : zone.format(instant);
	const shown = current ?? next;
	return {
		on,
		start: text(current?.start),
		end: text(current?.end),
		next_start: text(next?.start),
		next_end: text(next?.end),
		energy_kwh: rounded(shown?.energyKwh ?? null, 3),
		solar_share: rounded(shown?.solarShare ?? null, 3),
		reason,
	};
}

/** The payload of output 2. */
export const windowRows = ({ windows }: Output, zone: Zone): WindowRow[] =>
	windows.map((window) => windowRow(window, zone));

const windowRow = (window: PlannedWindow, zone: Zone): WindowRow => ({
	start: zone.format(window.start),
	end: zone.format(window.end),
	energy_kwh: rounded(window.energyKwh, 3),
	mean_w: rounded(window.meanW, 0),
	solar_share: rounded(window.solarShare, 3),
	cost: rounded(window.cost, 4),
});
