import type { Series } from "../forecast/series";
import type { ForecastInput } from "../messages/input/forecast-input";
import { siteTopicOf } from "../messages/topic";
import type { Span } from "../prices/spans";
import { HOUR_MS, QUARTER_MS, readInstant } from "../util/time";
import { Zone } from "../util/zone";
import { choose, HALF_QUARTER_MS, type Shortage } from "./choice";
import type { Frame } from "./frame";
import type { WindowSettings } from "./settings";
import { type Outlook, slotsOf } from "./slots";
import { recordOf, type WindowState } from "./window-state";

/** Older forecasts begin no window, ms since they were computed; a battery's default is the same. */
const MOST_AGE_MS = 30 * HOUR_MS;

/** A forecast as windows need it. */
export interface WindowForecast {
	readonly site: NonNullable<WindowState["site"]>;
	readonly values: Series;
	/** Epoch ms; null where the forecast does not say, then it is as old as it was received. */
	readonly computedAt: number | null;
	readonly receivedAt: number;
}

/** What a state is judged by besides itself. */
export interface WindowInputs {
	readonly settings: WindowSettings;
	/** The last forecast, null while none has come since the start. */
	readonly forecast: WindowForecast | null;
}

/** The site's zone: that of the forecast, which may show a clock of its own, else by its name. */
export const siteZone = (
	{ site }: Pick<WindowState, "site">,
	{ forecast }: Pick<WindowInputs, "forecast">,
): Zone | undefined =>
	forecast?.values.zone ?? (site ? Zone.of(site.zone) : undefined);

/**
 * What windows need of a forecast that a message brought.
 *
 * @param topic of that message
 * @param now epoch ms
 */
export function windowForecast(
	{ forecast, solar }: ForecastInput,
	topic: unknown,
	now: number,
): WindowForecast {
	const fetchedAt = readInstant(solar.fetched_at ?? "");
	return {
		site: {
			id: solar.site_id,
			topic: siteTopicOf(topic, solar),
			zone: forecast.zone.name,
		},
		values: forecast.values,
		computedAt: forecast.computed_at,
		receivedAt: Number.isNaN(fetchedAt) ? now : fetchedAt,
	};
}

/** Why a forecast begins no window. */
export type Trouble =
	| { readonly code: "no-forecast" }
	| {
			readonly code: "forecast-old";
			readonly age_hours: number;
			readonly most_hours: number;
	  }
	/** Its last row is over. */
	| { readonly code: "forecast-ended"; readonly until: number };

/** End of a forecast's last row, and the moment from which it is too old. */
const rowsEnd = ({ values }: WindowForecast) =>
	(values.starts.at(-1) ?? 0) + QUARTER_MS;
const oldAt = ({ computedAt, receivedAt }: WindowForecast) =>
	(computedAt ?? receivedAt) + MOST_AGE_MS;

/** Until when a forecast may begin windows, epoch ms. */
export const livesUntil = (forecast: WindowForecast): number =>
	Math.min(rowsEnd(forecast), oldAt(forecast));

/** Why no window can begin, null while the forecast lives. */
export function troubleOf(
	forecast: WindowForecast | null,
	now: number,
): Trouble | null {
	if (!forecast) return { code: "no-forecast" };
	const until = rowsEnd(forecast);
	if (now >= until) return { code: "forecast-ended", until };
	const old = oldAt(forecast);
	return now < old
		? null
		: {
				code: "forecast-old",
				age_hours: Math.floor((now - old + MOST_AGE_MS) / HOUR_MS),
				most_hours: MOST_AGE_MS / HOUR_MS,
			};
}

/** The hours asked for, in whole quarters, ms. */
const askedLength = ({ hours }: WindowSettings) =>
	Math.ceil((hours * HOUR_MS) / QUARTER_MS - 1e-9) * QUARTER_MS;

/** As much of it as the day's frame holds: 23 of 24 hours on the day that lacks one. */
const lengthIn = (settings: WindowSettings, { start, end }: Frame) =>
	Math.min(
		askedLength(settings),
		Math.max(0, Math.floor((end - start) / QUARTER_MS)) * QUARTER_MS,
	);

/** What a day's windows that are over or have begun come to, ms. */
function spokenFor(state: WindowState, day: number): number {
	const { ran, asOf } = recordOf(state, day);
	const { held } = state;
	return held?.day === day
		? ran + Math.max(0, held.end - Math.max(held.start, asOf))
		: ran;
}

/** By how much a window that has begun would run for longer than was asked, ms; may be negative. */
export const excessOf = (
	state: WindowState,
	settings: WindowSettings,
	frame: Frame,
): number => spokenFor(state, frame.day) - lengthIn(settings, frame);

/** What is still to come of a day. */
export interface DayPlan {
	/** Windows to come, without the one that has begun. */
	readonly windows: readonly Span[];
	/** Null where all hours are planned, have run, or are no longer wanted. */
	readonly shortage: Shortage | null;
}

/**
 * Plans what is left of a day's hours into what is left of its time, after the
 * window that has begun.
 *
 * @param from epoch ms
 */
export function planDay(
	state: WindowState,
	settings: WindowSettings,
	outlook: Outlook,
	frame: Frame,
	from: number,
): DayPlan {
	if (recordOf(state, frame.day).done) return { windows: [], shortage: null };
	const missing = -excessOf(state, settings, frame);
	const lacking = askedLength(settings) - lengthIn(settings, frame);
	if (missing < HALF_QUARTER_MS) {
		return { windows: [], shortage: shortFrame(settings, lacking) };
	}
	const start = Math.max(from, frame.start, state.held?.end ?? 0);
	const slots = slotsOf(outlook, settings, start, frame.end);
	const { windows, shortage } = choose(slots, missing, settings);
	const isPriced =
		settings.rank === "cost" && outlook.prices.some(({ end }) => end > start);
	return {
		windows,
		shortage: shortage
			? {
					...shortage,
					code:
						shortage.code === "no-sun" && isPriced ? "no-price" : shortage.code,
					wanted_hours: shortage.wanted_hours + lacking / HOUR_MS,
					missing_hours: shortage.missing_hours + lacking / HOUR_MS,
				}
			: shortFrame(settings, lacking),
	};
}

/**
 * What a frame that is shorter than the hours asked for lacks.
 *
 * @param lacking ms
 */
function shortFrame(
	settings: WindowSettings,
	lacking: number,
): Shortage | null {
	if (lacking === 0) return null;
	const asked = askedLength(settings);
	return {
		code: "no-time",
		wanted_hours: asked / HOUR_MS,
		missing_hours: lacking / HOUR_MS,
		found_hours: (asked - lacking) / HOUR_MS,
	};
}
