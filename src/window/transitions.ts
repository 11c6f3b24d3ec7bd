import type { FeedIn, PriceRow } from "../prices/reader";
import { DAY_MS, MINUTE_MS } from "../util/time";
import { Zone } from "../util/zone";
import { frameAfter, frameAt } from "./frame";
import { type Output, outputOf } from "./output";
import { type DayPlan, planDay, type Task } from "./plan";
import type { Overrides } from "./settings";
import { figuresOf } from "./slots";
import {
	type HeldWindow,
	recordOf,
	siteZone,
	type WindowDay,
	type WindowForecast,
	type WindowInputs,
	type WindowState,
	withRecord,
} from "./state";

/** A transition's outcome. */
export interface Step {
	/** The same object where nothing changed that must outlive a restart. */
	readonly state: WindowState;
	readonly output: Output;
}

/**
 * What holds at an instant. Every cause but the messages below is a tick: time
 * that passed, a new forecast, changed settings, a restart, a clock that was set.
 *
 * - A window is begun once it is due. From then on it is held to its end, whatever
 *   forecasts say and whether any comes: half a run is worth nothing.
 * - Changed settings end or shorten it only where its time is no longer allowed
 *   or its hours are no longer asked for; an energy ends once it is in.
 * - On a clock that was set back to before its start it goes on, until that clock
 *   has moved by the window's length.
 * - The hours of a day are those in its windows that began, or what the appliance
 *   said (`ran`); what is missing is planned anew each time.
 *
 * @param now epoch ms; windows begin and end with whole minutes
 */
export function tick(
	before: WindowState,
	inputs: WindowInputs,
	now: number,
): Step {
	const { settings, forecast } = inputs;
	let state = settle(withSite(before, forecast), now);
	const zone = siteZone(state, inputs);
	if (!zone) return { state, output: outputOf(state, { inputs, now }) };
	const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
	const frame = frameAt(settings, zone, minute);
	const { override, prices, feedIn } = state;
	if (override) state = overridden(state, override, frame.day, minute);
	else if (state.held && now < frame.start) state = closeWindow(state, now);
	const outlook = { values: forecast?.values ?? null, prices, feedIn };
	const from = Math.max(minute, override?.until ?? 0);
	const day: Day = { settings, outlook, frame, from };
	/** On a clock that was set back nothing is said of a window that is to begin yet. */
	const isRight = (state.held?.start ?? 0) <= now;
	const today = override?.on ? IDLE : planOf(state, day, isRight);
	if (!override && isRight) state = follow(state, today, day);
	const tomorrow = planOf(
		{ ...state, lastOn: today.windows.at(-1)?.end ?? state.lastOn },
		{ ...day, frame: frameAfter(settings, zone, frame) },
		isRight,
	);
	const isHeld = state.held !== null && today.windows[0]?.start === minute;
	const windows = [...today.windows.slice(isHeld ? 1 : 0), ...tomorrow.windows];
	const output = outputOf(state, {
		inputs,
		now,
		frame,
		today,
		windows: windows.map(({ start, end, pieces }) => ({
			start,
			end,
			...figuresOf(outlook, settings, pieces),
		})),
	});
	return { state: isSame(state, before) ? before : state, output };
}

const IDLE: DayPlan = { windows: [], shortage: null, isTooLate: false };

const isSame = (a: WindowState, b: WindowState) =>
	JSON.stringify(a) === JSON.stringify(b);

const withSite = (
	state: WindowState,
	forecast: WindowForecast | null,
): WindowState => (forecast ? { ...state, site: forecast.site } : state);

/** With what time alone has changed. */
function settle(state: WindowState, now: number): WindowState {
	const { held, override } = state;
	if (override && now >= override.until) {
		return settle({ ...state, override: null }, now);
	}
	if (!held) return state;
	if (now >= held.end) return closeWindow(state, held.end);
	if (now >= held.start) return { ...state, held: { ...held, limit: null } };
	// The clock was set back.
	const limit = Math.min(
		held.limit ?? Number.POSITIVE_INFINITY,
		now + held.end - held.start,
	);
	return now >= limit
		? closeWindow(state, held.end)
		: { ...state, held: { ...held, limit } };
}

/** What a window took between two instants, at full power, ms. */
function workOf({ log }: HeldWindow, from: number, to: number): number {
	return log.reduce((sum, { at, share }, index) => {
		const end = Math.min(to, log[index + 1]?.at ?? to);
		return sum + share * Math.max(0, end - Math.max(from, at));
	}, 0);
}

/** The window that has begun is over, and what it ran is the day's. */
function closeWindow(state: WindowState, end: number): WindowState {
	const { held } = state;
	if (!held) return state;
	const record = recordOf(state, held.day);
	const ran = record.ran + workOf(held, record.asOf, end);
	const closed = { ...state, held: null, lastOn: end };
	return withRecord(closed, { ...record, ran });
}

/** On or off as somebody said. */
function overridden(
	state: WindowState,
	{ on, until }: { readonly on: boolean; readonly until: number },
	day: number,
	minute: number,
): WindowState {
	const { held } = state;
	if (!on) return closeWindow(state, minute);
	if (held?.end === until) return state;
	const start = held?.start ?? minute;
	const log = held?.log ?? [{ at: minute, share: 1 }];
	const unknown = {
		energyKwh: null,
		meanW: null,
		solarShare: null,
		cost: null,
	};
	return {
		...state,
		held: { day, start, end: until, limit: null, log, ...unknown },
	};
}

/** What a day is planned by besides the state. */
type Day = Pick<Task, "settings" | "outlook" | "frame" | "from">;

/** Plans a day after what ran of it. */
function planOf(state: WindowState, day: Day, isRight: boolean): DayPlan {
	const { held, lastOn } = state;
	const { frame, from } = day;
	const { done, asOf, ...record } = recordOf(state, frame.day);
	if (done) return IDLE;
	const isOn =
		held !== null && isRight && from >= frame.start && from < held.end;
	const until = isRight ? from : (held?.end ?? 0);
	const counts = held !== null && (isOn || held.day === frame.day);
	return planDay({
		...day,
		...record,
		from: Math.max(from, until),
		ran: record.ran + (counts ? workOf(held, asOf, until) : 0),
		held: isOn ? { until: held.end, share: held.log.at(-1)?.share ?? 1 } : null,
		lastOn: isOn ? null : lastOn,
	});
}

/** The window that is held from now on: one that is due begins, and one that has begun ends as it is planned. */
function follow(
	state: WindowState,
	{ windows: [first] }: DayPlan,
	{ settings, outlook, frame: { day }, from }: Day,
): WindowState {
	const { held } = state;
	if (first?.start !== from) return closeWindow(state, from);
	const { end, pieces } = first;
	const share = pieces[0]?.share ?? 1;
	const before = held?.log ?? [];
	const isSteady = before.at(-1)?.share === share;
	if (held?.end === end && isSteady)
		return { ...state, held: { ...held, day } };
	const log = isSteady ? before : [...before, { at: from, share }];
	const past = log
		.map((it, index) => ({
			start: it.at,
			end: log[index + 1]?.at ?? from,
			share: it.share,
		}))
		.filter((it) => it.end > it.start);
	const next = {
		day,
		start: held?.start ?? from,
		end,
		limit: null,
		log,
		...figuresOf(outlook, settings, [...past, ...pieces]),
	};
	const record = recordOf(state, day);
	const begun = { ...record, starts: record.starts + 1 };
	return held
		? { ...state, held: next }
		: withRecord({ ...state, held: next }, begun);
}

/** What a message brought besides a forecast; what it did not bring, or wrongly, is absent. */
export interface Brought {
	readonly overrides?: Overrides;
	readonly prices?: readonly PriceRow[] | undefined;
	readonly feedIn?: FeedIn | undefined;
	/** What the appliance ran today, ms. */
	readonly ran?: number | undefined;
	/** What it still lacks, kWh; null takes that back. */
	readonly lackingKwh?: number | null | undefined;
	/** True: enough for today; false, which one that still runs may say, is nothing. */
	readonly done?: boolean | undefined;
	/** On or off until null or midnight. */
	readonly override?: boolean | null | undefined;
}

/** How long prices are kept after their time, and how far ahead: none is asked for beyond. */
const PAST_MS = DAY_MS;
const AHEAD_MS = 400 * DAY_MS;

/**
 * The transition after what a message brought.
 *
 * - `done`: today's window ends, and no other begins today.
 * - `ran`: what the appliance ran less is planned anew; what it ran more shortens
 *   the window that has begun.
 *
 * @param inputsOf settings and forecast with a state
 * @param now epoch ms
 */
export function stepAfter(
	before: WindowState,
	{ overrides, prices, feedIn, ran, lackingKwh, done, override }: Brought,
	inputsOf: (state: WindowState) => WindowInputs,
	now: number,
): Step {
	const recent = (rows: readonly PriceRow[]) =>
		rows
			.filter(({ start, end }) => end > now - PAST_MS && start < now + AHEAD_MS)
			.slice(0, 5000);
	let state: WindowState = {
		...before,
		...(overrides && { overrides: overrides as WindowState["overrides"] }),
		...(prices && { prices: recent(prices) }),
		...(feedIn !== undefined && {
			feedIn: typeof feedIn === "number" ? feedIn : recent(feedIn),
		}),
	};
	const inputs = inputsOf(state);
	state = settle(withSite(state, inputs.forecast), now);
	const zone = siteZone(state, inputs) ?? Zone.utc;
	const day = state.held?.day ?? frameAt(inputs.settings, zone, now).day;
	const note = (more: Partial<WindowDay>) => {
		state = withRecord(state, { ...recordOf(state, day), ...more });
	};
	if (ran !== undefined) note({ ran, asOf: now });
	if (lackingKwh !== undefined) {
		note({ lackingKwh, ...(lackingKwh !== null && { ran: 0, asOf: now }) });
	}
	if (done) {
		state = closeWindow(state, now);
		note({ done });
	}
	if (override !== undefined) {
		if (state.override?.on) state = closeWindow(state, now);
		const until = zone.dayStart(zone.dayOf(now) + 1);
		state = {
			...state,
			override: override === null ? null : { on: override, until },
		};
	}
	return tick(isSame(state, before) ? before : state, inputs, now);
}
