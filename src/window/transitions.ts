import { z } from "zod";
import type { Series } from "../forecast/series";
import type { ForecastInput } from "../messages/input/forecast-input";
import { siteTopicOf } from "../messages/topic";
import type { FeedIn, PriceRow } from "../prices/reader";
import { DAY_MS, HOUR_MS, MINUTE_MS, readInstant } from "../util/time";
import { Zone } from "../util/zone";
import { type Frame, frameAfter, frameAt } from "./frame";
import { type Output, outputOf } from "./output";
import {
	type DayPlan,
	figuresOf,
	type Outlook,
	type Piece,
	planDay,
	type Stretch,
} from "./plan";
import type { Overrides, WindowSettings } from "./settings";

/** An instant that a clock may have said, epoch ms. */
const Instant = z.number().min(0).max(Date.UTC(2200));
/** Days since 1970-01-01. */
const Day = z.int().min(-1).max(84_100);
/** Longest that one day's windows may last, with an hour from autumn, ms. */
const Length = z
	.number()
	.min(0)
	.max(26 * HOUR_MS);
const Figure = z.number().nullable();

const PriceRows = z
	.array(
		z
			.object({ start: Instant, end: Instant, price: z.number() })
			.refine(({ start, end }) => start < end),
	)
	.max(5000)
	.refine((rows) =>
		rows.every(({ start }, index) => start >= (rows[index - 1]?.end ?? 0)),
	);

/** A window that has begun: it is held to its end. */
const HeldWindow = z
	.object({
		/** The day to whose hours it counts. */
		day: Day,
		start: Instant,
		end: Instant,
		/**
		 * Ends the window on a clock that was set back to before its start, so that
		 * it does not last until that clock arrives; null while the clock is right.
		 */
		limit: Instant.nullable(),
		/** From when on it runs with what share of its power at most. */
		log: z.array(z.object({ at: Instant, share: z.number().min(0).max(1) })),
		/** What was foreseen when its end or power was decided. */
		energyKwh: Figure,
		meanW: Figure,
		solarShare: Figure,
		cost: Figure,
	})
	.refine(
		({ start, end }) => end > start && Length.safeParse(end - start).success,
	);
type HeldWindow = z.infer<typeof HeldWindow>;

/** What is known of one day's running. */
const DayRecord = z.object({
	day: Day,
	/** In windows that are over, or as the appliance said, at full power; ms. */
	ran: Length,
	/** Instant up to which `ran` counts, where the appliance said it; 0 else. */
	asOf: Instant,
	/** Windows that have begun. */
	starts: z.int().min(0).max(2000),
	/** What the appliance said that it lacks since `asOf`, kWh. */
	lackingKwh: z.number().nullable(),
	/** Whether somebody said that it is enough for the day. */
	done: z.boolean(),
});
type DayRecord = z.infer<typeof DayRecord>;

/** All that a window must remember beyond a restart. Plain JSON; never changed, only replaced. */
const WindowState = z
	.object({
		version: z.literal(2),
		/** The site that is followed, null before the first forecast. */
		site: z
			.object({
				id: z.string().min(1),
				/** What topics of its messages begin with. */
				topic: z.string(),
				/** IANA name. */
				zone: z.string().refine((name) => Zone.of(name) !== undefined),
			})
			.nullable(),
		held: HeldWindow.nullable(),
		/** End of the last window that is over. */
		lastOn: Instant.nullable(),
		/** On or off whatever was planned, until an instant. */
		override: z.object({ on: z.boolean(), until: Instant }).nullable(),
		/** The days of which something is known, the last changed last. */
		days: z.array(DayRecord).max(3),
		prices: PriceRows,
		feedIn: z.union([z.number(), PriceRows]),
		/** Settings of messages, as they were given. */
		overrides: z.record(
			z.string(),
			z.union([z.string().max(100), z.number(), z.boolean()]),
		),
	})
	.readonly();
export type WindowState = z.infer<typeof WindowState>;

/** Before anything is known. */
export const NEW_STATE: WindowState = {
	version: 2,
	site: null,
	held: null,
	lastOn: null,
	override: null,
	days: [],
	prices: [],
	feedIn: 0,
	overrides: {},
};

/** The state in a file's JSON; throws where it is none, so that the file can be set aside and a new state begun. */
export const readState = (json: unknown): WindowState =>
	WindowState.parse(json);

/** What is known of a day. */
export const recordOf = ({ days }: WindowState, day: number): DayRecord =>
	days.find((known) => known.day === day) ?? {
		day,
		ran: 0,
		asOf: 0,
		starts: 0,
		lackingKwh: null,
		done: false,
	};

/** With another record of a day; of the days before the last three nothing is kept. */
export const withRecord = (
	state: WindowState,
	record: DayRecord,
): WindowState => ({
	...state,
	days: [...state.days.filter(({ day }) => day !== record.day), record].slice(
		-3,
	),
});

/** A forecast as windows need it. */
export interface WindowForecast {
	readonly site: NonNullable<WindowState["site"]>;
	readonly values: Series;
	/** When it was computed, or received where it does not say; epoch ms. */
	readonly at: number;
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
		at: forecast.computed_at ?? (Number.isNaN(fetchedAt) ? now : fetchedAt),
	};
}

/** A transition's outcome. */
export interface Step {
	/** The same object where nothing changed that must outlive a restart. */
	readonly state: WindowState;
	readonly output: Output;
}

const minuteOf = (now: number) => Math.floor(now / MINUTE_MS) * MINUTE_MS;

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
 *   said (`noteRun`); what is missing is planned anew each time.
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
	const minute = minuteOf(now);
	const frame = frameAt(settings, zone, minute);
	const { override } = state;
	if (override) {
		state = overridden(state, override, frame.day, minute);
	} else if (state.held && now < frame.start) state = closeWindow(state, now);
	const outlook: Outlook = {
		values: forecast?.values ?? null,
		prices: state.prices,
		feedIn: state.feedIn,
	};
	/** On a clock that was set back nothing is said of a window that is to begin yet. */
	const isRight = (state.held?.start ?? 0) <= now;
	const today = override?.on
		? IDLE
		: planOf(state, settings, outlook, frame, {
				from: override ? Math.max(minute, override.until) : minute,
				isRight,
			});
	if (!override && isRight) {
		state = follow(state, today, { settings, outlook, frame, minute });
	}
	const tomorrow = planOf(
		{ ...state, lastOn: today.windows.at(-1)?.end ?? state.lastOn },
		settings,
		outlook,
		frameAfter(settings, zone, frame),
		{ from: override?.on ? override.until : minute, isRight },
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

/** Plans a day after what ran of it. */
function planOf(
	state: WindowState,
	settings: WindowSettings,
	outlook: Outlook,
	frame: Frame,
	{ from, isRight }: { readonly from: number; readonly isRight: boolean },
): DayPlan {
	const { held } = state;
	const record = recordOf(state, frame.day);
	if (record.done) return IDLE;
	const isOn =
		held !== null && isRight && from >= frame.start && from < held.end;
	const start = isRight ? from : Math.max(from, held?.end ?? 0);
	const counts = held !== null && (isOn || held.day === frame.day);
	return planDay({
		settings,
		outlook,
		frame,
		from: start,
		ran:
			record.ran +
			(counts ? workOf(held, record.asOf, isRight ? from : held.end) : 0),
		starts: record.starts,
		lackingKwh: record.lackingKwh,
		held: isOn ? { until: held.end, share: held.log.at(-1)?.share ?? 1 } : null,
		lastOn: isOn ? null : state.lastOn,
	});
}

/** The window that is held from now on: one that is due begins, and one that has begun ends as it is planned. */
function follow(
	state: WindowState,
	{ windows: [first] }: DayPlan,
	now: {
		readonly settings: WindowSettings;
		readonly outlook: Outlook;
		readonly frame: Frame;
		readonly minute: number;
	},
): WindowState {
	const { held } = state;
	const { settings, outlook, frame, minute } = now;
	if (first?.start !== minute) return closeWindow(state, minute);
	const { end, pieces } = first as Stretch;
	const log = [...(held?.log ?? [])];
	const share = (pieces[0] as Piece).share;
	if (log.at(-1)?.share !== share) log.push({ at: minute, share });
	const start = held?.start ?? minute;
	if (held?.end === end && held.log.length === log.length) {
		return { ...state, held: { ...held, day: frame.day } };
	}
	const past = log.map((entry, index) => ({
		start: entry.at,
		end: log[index + 1]?.at ?? minute,
		share: entry.share,
	}));
	const all = [...past.filter((it) => it.end > it.start), ...pieces];
	const next = {
		day: frame.day,
		start,
		end,
		limit: null,
		log,
		...figuresOf(outlook, settings, all),
	};
	const record = recordOf(state, frame.day);
	return held
		? { ...state, held: next }
		: withRecord(
				{ ...state, held: next },
				{ ...record, starts: record.starts + 1 },
			);
}

/** What a message brought besides a forecast; what it did not bring, or wrongly, is absent. */
export interface Brought {
	readonly overrides?: Overrides;
	readonly prices?: readonly PriceRow[];
	readonly feedIn?: FeedIn;
	/** What the appliance ran today, ms. */
	readonly ran?: number;
	/** What it still lacks, kWh; null takes that back. */
	readonly lackingKwh?: number | null;
	readonly done?: true;
	/** On or off until null or midnight. */
	readonly override?: boolean | null;
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
	const note = (more: Partial<DayRecord>) => {
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
