import type { Span } from "../prices/spans";
import { HOUR_MS, QUARTER_MS } from "../util/time";
import type { Zone } from "../util/zone";
import { type Frame, frameChange } from "./frame";
import type { DayPlan, Shortage } from "./plan";
import type { Figures } from "./slots";
import {
	recordOf,
	siteZone,
	type WindowInputs,
	type WindowState,
} from "./state";

/** From this age on it is said how old a forecast is; a battery's plan no longer trusts it. */
const OLD_MS = 30 * HOUR_MS;

/** A window with what is foreseen for it. */
export interface PlannedWindow extends Span, Figures {}

/** Why it is on or off. Instants are epoch ms; texts are made of codes and values elsewhere. */
export type Why =
	| { readonly code: "running"; readonly until: number }
	| { readonly code: "waiting"; readonly from: number }
	/** The hours asked for have run, or somebody said that it is enough: then they are null. */
	| { readonly code: "done"; readonly ran_hours: number | null }
	/** Somebody said on or off. */
	| {
			readonly code: "override";
			readonly on: boolean;
			readonly until: number;
	  }
	/** None has come since the start, or the last one's rows are over. */
	| { readonly code: "no-forecast"; readonly until: number | null }
	/** The sun that is left of today is too little to begin for. */
	| { readonly code: "too-late" }
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
	/** What the appliance should take now, W; null = not known. */
	readonly powerW: number | null;
	/** Age of a forecast that is old, hours. */
	readonly oldHours: number | null;
	/** The sun decides although `cost` was asked for: no price ahead is known. */
	readonly lacksPrices: boolean;
	/** When the next transition is due unless something new comes, epoch ms; null = not before. */
	readonly tickAt: number | null;
}

/** What output 1 says of it. */
export type Switch = Pick<Output, "on" | "current" | "next" | "powerW">;

/** What an output is made of besides the state. */
interface Facts {
	readonly inputs: WindowInputs;
	readonly now: number;
	/** Windows to come. */
	readonly windows?: readonly PlannedWindow[];
	readonly today?: DayPlan;
	readonly frame?: Frame;
}

/** End of a forecast's last row. */
const rowsEnd = ({ forecast }: WindowInputs) =>
	forecast && (forecast.values.starts.at(-1) ?? 0) + QUARTER_MS;

/** What follows from a state, and what is planned beside it. */
export function outputOf(state: WindowState, facts: Facts): Output {
	const { inputs, now, windows = [], today, frame } = facts;
	const { settings, forecast } = inputs;
	const { held, override } = state;
	const current = held && plannedWindow(held);
	const zone = siteZone(state, inputs);
	const end = rowsEnd(inputs);
	const age = forecast ? now - forecast.at : 0;
	const why = whyOf(state, facts);
	const isPlanned = why.code !== "no-forecast" && why.code !== "override";
	const due = [
		held?.end,
		held?.limit,
		held?.start,
		override?.until,
		// The running window's power changes with its pieces.
		...(held ? (today?.windows[0]?.pieces ?? []) : []).map(({ end }) => end),
		...windows.map(({ start }) => start),
		zone && frame && frameChange(settings, zone, frame),
		end,
	].filter((at): at is number => typeof at === "number" && at > now);
	return {
		on: held !== null,
		current,
		next: windows[0] ?? null,
		windows: current ? [current, ...windows] : windows,
		why,
		shortage: isPlanned ? (today?.shortage ?? null) : null,
		powerW: held
			? settings.loadW && settings.loadW * (held.log.at(-1)?.share ?? 1)
			: 0,
		oldHours:
			age >= OLD_MS && (end ?? 0) > now ? Math.floor(age / HOUR_MS) : null,
		lacksPrices:
			settings.rank === "cost" && !state.prices.some(({ end }) => end > now),
		tickAt: due.length > 0 ? Math.min(...due) : null,
	};
}

const plannedWindow = ({
	day: _day,
	limit: _limit,
	log: _log,
	...window
}: NonNullable<WindowState["held"]>): PlannedWindow => window;

function whyOf(
	state: WindowState,
	{ inputs, now, windows = [], today, frame }: Facts,
): Why {
	const { held, override } = state;
	if (override) return { code: "override", ...override };
	if (held) return { code: "running", until: held.end };
	const until = rowsEnd(inputs);
	if (until === null || now >= until || !today || !frame) {
		return { code: "no-forecast", until };
	}
	const [first] = today.windows;
	if (first && windows[0]) return { code: "waiting", from: windows[0].start };
	const { done, ran } = recordOf(state, frame.day);
	if (done) return { code: "done", ran_hours: null };
	if (today.isTooLate) return { code: "too-late" };
	return today.shortage ?? { code: "done", ran_hours: ran / HOUR_MS };
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
	/** What the appliance should take now, W; null where its power is not known. */
	readonly power_w: number | null;
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
	{ on, current, next, powerW }: Switch,
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
		power_w: rounded(powerW, 0),
		reason,
	};
}

/** The payload of output 2. */
export const windowRows = ({ windows }: Output, zone: Zone): WindowRow[] =>
	windows.map(({ start, end, energyKwh, meanW, solarShare, cost }) => ({
		start: zone.format(start),
		end: zone.format(end),
		energy_kwh: rounded(energyKwh, 3),
		mean_w: rounded(meanW, 0),
		solar_share: rounded(solarShare, 3),
		cost: rounded(cost, 4),
	}));
