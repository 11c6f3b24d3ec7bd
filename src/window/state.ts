import { z } from "zod";
import type { Series } from "../forecast/series";
import type { ForecastInput } from "../messages/input/forecast-input";
import { HOUR_MS, readInstant } from "../util/time";
import { Zone } from "../util/zone";
import { mergeOverrides, type WindowSettings } from "./settings";

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
export type HeldWindow = z.infer<typeof HeldWindow>;

/** What is known of one day's running. */
const WindowDay = z.object({
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
export type WindowDay = z.infer<typeof WindowDay>;

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
		days: z.array(WindowDay).max(3),
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
export function readState(json: unknown): WindowState {
	const state = WindowState.parse(json);
	// A later version may have other bounds.
	const { overrides } = mergeOverrides({}, state.overrides);
	return { ...state, overrides: overrides as WindowState["overrides"] };
}

/** What is known of a day. */
export const recordOf = ({ days }: WindowState, day: number): WindowDay =>
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
	record: WindowDay,
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
 * @param input with what its site's topics begin with
 * @param now epoch ms
 */
export function windowForecast(
	{ forecast, solar, base }: ForecastInput & { readonly base: string },
	now: number,
): WindowForecast {
	const fetchedAt = readInstant(solar.fetched_at ?? "");
	return {
		site: { id: solar.site_id, topic: base, zone: forecast.zone.name },
		values: forecast.values,
		at: forecast.computed_at ?? (Number.isNaN(fetchedAt) ? now : fetchedAt),
	};
}
