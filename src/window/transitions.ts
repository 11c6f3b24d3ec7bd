import type { FeedIn, PriceRow } from "../prices/reader";
import { HOUR_MS, MINUTE_MS } from "../util/time";
import { Zone } from "../util/zone";
import { type Frame, frameAfter, frameAt } from "./frame";
import { closeWindow, heldAfter, settleWindow } from "./held";
import { type Output, outputOf } from "./output";
import { planDay, siteZone, troubleOf, type WindowInputs } from "./plan";
import type { Overrides } from "./settings";
import { figuresOf } from "./slots";
import { recordOf, type WindowState, withRecord } from "./window-state";

/** How long prices are kept after their time: none is asked for again. */
const PAST_MS = 24 * HOUR_MS;
/** How far ahead prices are kept: none plans further. */
const AHEAD_MS = 400 * 24 * HOUR_MS;

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
 * - A window is begun once it is due, and only with a forecast that lives. From
 *   then on it is held to its end, whatever forecasts say and whether any comes:
 *   half a run is worth nothing, and its end bounds it.
 * - Changed settings end or shorten it only where its time is no longer allowed
 *   or its hours are no longer asked for.
 * - On a clock that was set back to before its start it goes on, until that clock
 *   has moved by the window's length.
 * - The hours of a day are those in its windows that began, or what the appliance
 *   said (`noteRun`); what is missing is planned anew each time.
 *
 * @param now epoch ms; windows begin and end with whole minutes
 */
export function tick(
	state: WindowState,
	inputs: WindowInputs,
	now: number,
): Step {
	const settled = settleWindow(state, inputs, now);
	const { settings, forecast } = inputs;
	const trouble = troubleOf(forecast, now);
	if (!forecast || trouble) {
		return {
			state: settled,
			output: outputOf(settled, { inputs, now, trouble, windows: [] }),
		};
	}
	const { zone } = forecast.values;
	const { prices, feedIn } = settled;
	const outlook = { values: forecast.values, prices, feedIn };
	const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
	const frame = frameAt(settings, zone, minute);
	const plan = (day: Frame) => planDay(settled, settings, outlook, day, minute);
	const today = plan(frame);
	const held = heldAfter(settled, today.windows, {
		frame,
		outlook,
		settings,
		minute,
	});
	const windows = [
		...(held === settled.held ? today.windows : today.windows.slice(1)),
		...plan(frameAfter(settings, zone, frame)).windows,
	].map(({ start, end }) => ({
		start,
		end,
		...figuresOf(outlook, settings, start, end),
	}));
	const next = held === settled.held ? settled : { ...settled, held };
	return {
		state: next,
		output: outputOf(next, { inputs, now, trouble, windows, today, frame }),
	};
}

/** The appliance has done what it is for: today's window ends, and no other begins today. */
export function noteDone(
	state: WindowState,
	inputs: WindowInputs,
	now: number,
): Step {
	const settled = settleWindow(state, inputs, now);
	const day = dayOf(settled, inputs, now);
	const closed = closeWindow(settled, now);
	return tick(
		withRecord(closed, { ...recordOf(closed, day), done: true }),
		inputs,
		now,
	);
}

/**
 * The appliance says for how long it really ran today, up to now. What it ran
 * less is planned anew; what it ran more shortens the window that has begun.
 *
 * @param ran ms
 */
export function noteRun(
	state: WindowState,
	inputs: WindowInputs,
	now: number,
	ran: number,
): Step {
	const settled = settleWindow(state, inputs, now);
	const day = dayOf(settled, inputs, now);
	return tick(
		withRecord(settled, { ...recordOf(settled, day), ran, asOf: now }),
		inputs,
		now,
	);
}

/** Other prices; those long past or far ahead are left out. A tick follows. */
export const notePrices = (
	state: WindowState,
	prices: readonly PriceRow[],
	now: number,
): WindowState => ({ ...state, prices: recent(prices, now) });

/** Another price for feeding in. A tick follows. */
export const noteFeedIn = (
	state: WindowState,
	feedIn: FeedIn,
	now: number,
): WindowState => ({
	...state,
	feedIn: typeof feedIn === "number" ? feedIn : recent(feedIn, now),
});

/** Other settings of messages (`mergeOverrides`). A tick with the settings that follow from them comes next. */
export const noteOverrides = (
	state: WindowState,
	overrides: Overrides,
): WindowState => ({ ...state, overrides });

const recent = (rows: readonly PriceRow[], now: number) =>
	rows
		.filter(({ start, end }) => end > now - PAST_MS && start < now + AHEAD_MS)
		.slice(0, 5000);

/** The day to whose hours an instant counts. */
function dayOf(state: WindowState, inputs: WindowInputs, now: number): number {
	return (
		state.held?.day ??
		frameAt(inputs.settings, siteZone(state, inputs) ?? Zone.utc, now).day
	);
}

/** What a message brought besides a forecast; what it did not bring, or wrongly, is absent. */
export interface Brought {
	readonly overrides?: Overrides;
	readonly prices?: readonly PriceRow[];
	readonly feedIn?: FeedIn;
	/** What the appliance ran today, ms. */
	readonly ran?: number;
	readonly done?: true;
}

/**
 * The transition after what a message brought.
 *
 * @param inputsOf settings and forecast with a state
 * @param now epoch ms
 */
export function stepAfter(
	before: WindowState,
	{ overrides, prices, feedIn, ran, done }: Brought,
	inputsOf: (state: WindowState) => WindowInputs,
	now: number,
): Step {
	let state = before;
	if (overrides) state = noteOverrides(state, overrides);
	if (prices) state = notePrices(state, prices, now);
	if (feedIn !== undefined) state = noteFeedIn(state, feedIn, now);
	let step = tick(state, inputsOf(state), now);
	if (ran !== undefined) {
		step = noteRun(step.state, inputsOf(step.state), now, ran);
	}
	if (done) step = noteDone(step.state, inputsOf(step.state), now);
	return step;
}
