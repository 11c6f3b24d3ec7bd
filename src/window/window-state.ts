import { z } from "zod";
import { HOUR_MS } from "../util/time";
import { Zone } from "../util/zone";
import type { WindowSetting } from "./settings";

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

const PriceRow = z
	.object({ start: Instant, end: Instant, price: z.number() })
	.refine(({ start, end }) => start < end);
const PriceRows = z
	.array(PriceRow)
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
		/** What was foreseen when it began. */
		energyKwh: Figure,
		meanW: Figure,
		solarShare: Figure,
		cost: Figure,
	})
	.refine(
		({ start, end }) => end > start && Length.safeParse(end - start).success,
	);

/** What is known of one day's running. */
const DayRecord = z.object({
	day: Day,
	/** In windows that are over, or as the appliance said; ms. */
	ran: Length,
	/** Instant up to which `ran` counts, where the appliance said it; 0 else. */
	asOf: Instant,
	/** Whether somebody said that it is enough for the day. */
	done: z.boolean(),
});
type DayRecord = z.infer<typeof DayRecord>;

const Override = z.union([z.string().max(100), z.number()]).optional();

/** All that a window must remember beyond a restart. Plain JSON; never changed, only replaced. */
const WindowState = z
	.object({
		version: z.literal(1),
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
		/** The days of which something is known, the last changed last. */
		days: z.array(DayRecord).max(3),
		prices: PriceRows,
		feedIn: z.union([z.number(), PriceRows]),
		/** Settings of messages, as they were given. */
		overrides: z.object({
			hours: Override,
			pieces: Override,
			from: Override,
			to: Override,
			minPowerW: Override,
			loadW: Override,
			baseLoadW: Override,
			rank: Override,
		} satisfies Record<WindowSetting, z.ZodType>),
	})
	.readonly();
export type WindowState = z.infer<typeof WindowState>;
export type HeldWindow = z.infer<typeof HeldWindow>;

/** Before anything is known. */
export const NEW_STATE: WindowState = {
	version: 1,
	site: null,
	held: null,
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
