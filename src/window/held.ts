import type { Span } from "../prices/spans";
import { MINUTE_MS } from "../util/time";
import { HALF_QUARTER_MS } from "./choice";
import { type Frame, frameAt } from "./frame";
import {
	excessOf,
	siteZone,
	type WindowForecast,
	type WindowInputs,
} from "./plan";
import type { WindowSettings } from "./settings";
import { figuresOf, type Outlook, UNKNOWN_FIGURES } from "./slots";
import {
	type HeldWindow,
	recordOf,
	type WindowState,
	withRecord,
} from "./window-state";

/** The state with what time and settings alone have changed. */
export function settleWindow(
	state: WindowState,
	inputs: WindowInputs,
	now: number,
): WindowState {
	const followed = withSite(state, inputs.forecast);
	const { held } = followed;
	if (!held) return followed;
	if (now < held.start) return setBack(followed, held, now);
	if (now >= held.end) return closeWindow(followed, held.end);
	const right = held.limit === null ? held : { ...held, limit: null };
	const bounded = boundWindow({ ...followed, held: right }, right, inputs, now);
	return bounded.held === held ? followed : bounded;
}

function withSite(
	state: WindowState,
	forecast: WindowForecast | null,
): WindowState {
	if (!forecast) return state;
	const { site } = forecast;
	const isKnown =
		state.site?.id === site.id &&
		state.site.topic === site.topic &&
		state.site.zone === site.zone;
	return isKnown ? state : { ...state, site };
}

/** On a clock that shows a time before the window's start. */
function setBack(
	state: WindowState,
	held: HeldWindow,
	now: number,
): WindowState {
	const length = held.end - held.start;
	const limit = Math.min(held.limit ?? Number.POSITIVE_INFINITY, now + length);
	if (now >= limit) return closeWindow(state, held.end);
	return limit === held.limit ? state : { ...state, held: { ...held, limit } };
}

/** Ends or shortens a window as the settings want it by now. */
function boundWindow(
	state: WindowState,
	held: HeldWindow,
	inputs: WindowInputs,
	now: number,
): WindowState {
	const { settings } = inputs;
	const zone = siteZone(state, inputs);
	if (!zone) return state;
	const frame = frameAt(settings, zone, now);
	if (now < frame.start || now >= frame.end) return closeWindow(state, now);
	const inFrame = {
		...held,
		day: frame.day,
		end: Math.min(held.end, frame.end),
	};
	const excess = excessOf({ ...state, held: inFrame }, settings, frame);
	const end =
		excess < HALF_QUARTER_MS
			? inFrame.end
			: Math.floor((inFrame.end - excess) / MINUTE_MS) * MINUTE_MS;
	if (end <= now) return closeWindow({ ...state, held: inFrame }, now);
	return end === held.end && frame.day === held.day
		? state
		: { ...state, held: { ...inFrame, ...UNKNOWN_FIGURES, end } };
}

/** The window that has begun is over, and what it ran is the day's. */
export function closeWindow(state: WindowState, end: number): WindowState {
	const { held } = state;
	if (!held) return state;
	const record = recordOf(state, held.day);
	const ran = Math.max(0, end - Math.max(held.start, record.asOf));
	return withRecord(
		{ ...state, held: null },
		{ ...record, ran: record.ran + ran },
	);
}

/** What the present is judged by. */
interface Present {
	readonly settings: WindowSettings;
	readonly outlook: Outlook;
	/** Today's. */
	readonly frame: Frame;
	/** Epoch ms of the whole minute. */
	readonly minute: number;
}

/** The window that is held from now on: one that is due begins, one that would begin at the end of another makes that longer. */
export function heldAfter(
	{ held }: WindowState,
	[first]: readonly Span[],
	{ frame, outlook, settings, minute }: Present,
): HeldWindow | null {
	if (!first || first.start !== (held?.end ?? minute)) return held;
	if (held && held.day !== frame.day) return held;
	const start = held?.start ?? first.start;
	return {
		day: frame.day,
		start,
		end: first.end,
		limit: held?.limit ?? null,
		...figuresOf(outlook, settings, start, first.end),
	};
}
