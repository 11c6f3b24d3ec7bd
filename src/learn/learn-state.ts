import { z } from "zod";
import { inputError } from "../service/errors/solar-yield-error";
import { firstIssue, show } from "../service/v2/schema-errors";

/** Days that are kept per meter: a year, so that last year's sun is known. */
export const MOST_DAYS = 366;
/** Meters per site: the site's own and one per string. */
export const MOST_METERS = 100;
/** Quarters of the longest local date: two hours more than a day. */
const MOST_QUARTERS = 104;
const MOST_NOTES = 200;

const Time = z.number().min(0).max(Date.UTC(2200));
/** W; beyond any roof, and far from where a sum would leave the numbers. */
const Watts = z.number().min(-1e9).max(1e9);
const Quarters = z.array(Watts.nullable()).max(MOST_QUARTERS);

/**
 * Sums over the quarters of one date in which a forecast and a meter are known
 * and sun was foreseen or measured, enough to add up to any period.
 */
export const ErrorSums = z.object({
	quarters: z.int().min(0),
	/** W summed over quarters. */
	foreseen: z.number(),
	metered: z.number(),
	absolute: z.number().min(0),
	squared: z.number().min(0),
	/** Of the quarters whose meter is also known a day earlier. */
	lagged_quarters: z.int().min(0),
	lagged_squared: z.number().min(0),
	/** Error of "as a day earlier" in the same quarters. */
	lag_squared: z.number().min(0),
});
export type ErrorSums = z.infer<typeof ErrorSums>;

/** Forecasts of one date as they stood at a certain time before it. */
const Horizon = z.object({ raw: Quarters, corrected: Quarters });
const HorizonErrors = z.object({ raw: ErrorSums, corrected: ErrorSums });

/**
 * One local date of one meter: a value per quarter hour, W, null = unknown. The
 * forecasts by horizon give way to their errors once the date is over.
 */
export const DayRecord = z.object({
	/** Local date, days since 1970-01-01. */
	day: z.int().min(0).max(100_000),
	/** Epoch ms of its first quarter. */
	start: Time,
	metered: Quarters,
	/** As the last forecast before each quarter's begin had it. */
	foreseen: Quarters,
	/** Indexes of the quarters that a message called curtailed. */
	curtailed: z.array(z.int().min(0).max(MOST_QUARTERS)).max(MOST_QUARTERS),
	/** Whether the day's readings seem to come from two meters in turn. */
	mixed: z.boolean(),
	same_day: Horizon.nullable(),
	day_ahead: Horizon.nullable(),
	errors: z
		.object({
			same_day: HorizonErrors.nullable(),
			day_ahead: HorizonErrors.nullable(),
		})
		.nullable(),
});
export type DayRecord = z.infer<typeof DayRecord>;

export const NOTE_CODES = [
	"clipping",
	"counter_jump",
	"counter_reset",
	"curtailed",
	"dead_meter",
	"future",
	"gap",
	"high_day",
	"low_day",
	"moved",
	"negative",
	"no_forecast",
	"no_position",
	"no_strings",
	"out_of_order",
	"too_high",
	"too_old",
	"two_meters",
	"unavailable",
	"unit_kw",
	"unknown_string",
] as const;
export type NoteCode = (typeof NOTE_CODES)[number];

/** Something about the readings that a person should know. */
export const Note = z.object({
	code: z.enum(NOTE_CODES),
	string_id: z.string().nullable(),
	count: z.int().min(1),
	/** Epoch ms of the reading or date it was first and last seen with; of readings dated ahead, when they came. */
	first: Time,
	last: Time,
	/** The value it was last seen with: W, kWh or a ratio. */
	value: z.number().nullable(),
});
export type Note = z.infer<typeof Note>;

const StringId = z.string().min(1).max(200);
/** Whether a forecast's `string_id` can be that of a meter. */
export const isStringId = (value: unknown): value is string =>
	StringId.safeParse(value).success;

/** What is known of one meter. All times are epoch ms. */
export const Meter = z.object({
	/** Null = the whole site. */
	string_id: StringId.nullable(),
	/** Most power that a forecast or the modules' rating has ever named, W. */
	peak: Watts.min(0),
	/** End of the last quarter that was read. */
	read_until: Time.nullable(),
	/** The forecast that stands, from the start of the date it came on to the end of the next. */
	standing: z
		.object({
			received: Time,
			start: Time,
			watts: z.array(Watts.nullable()).max(3 * MOST_QUARTERS),
		})
		.nullable(),
	/** Dates that are over, ascending. */
	past: z.array(DayRecord).max(MOST_DAYS),
	today: DayRecord.nullable(),
});
export type Meter = z.infer<typeof Meter>;

/**
 * Everything that is known of a site's meters, as plain JSON. The factors are
 * no part of it: they follow from the days (`model.ts`), so that a later release
 * may learn better from the same year.
 */
export const LearnState = z.object({
	version: z.literal(1),
	site_id: z.string().max(200).nullable(),
	/** IANA zone of the site, null before the first forecast. */
	timezone: z.string().max(200).nullable(),
	/** Degrees to one decimal. */
	latitude: z.number().min(-90).max(90).nullable(),
	longitude: z.number().min(-180).max(180).nullable(),
	/** When the youngest forecast was computed, by the service's clock, epoch ms. */
	computed_at: Time.nullable().default(null),
	/** Strings of which the last forecast had rows, null before it. */
	string_ids: z.array(StringId).max(MOST_METERS).nullable().default(null),
	meters: z.array(Meter).max(MOST_METERS),
	notes: z.array(Note).max(MOST_NOTES),
});
export type LearnState = z.infer<typeof LearnState>;

/** A state that knows nothing yet. */
export function createLearnState(siteId: string | null = null): LearnState {
	return {
		version: 1,
		site_id: siteId,
		timezone: null,
		latitude: null,
		longitude: null,
		computed_at: null,
		string_ids: null,
		meters: [],
		notes: [],
	};
}

/** JSON text of a state, to be kept in a file or handed to a person. */
export function exportState(state: LearnState): string {
	return JSON.stringify(state);
}

/**
 * A state from what `exportState` wrote, as text or as an object.
 *
 * @throws SolarYieldError `INPUT` naming the field that is no part of a state
 */
export function importState(value: unknown): LearnState {
	let given = value;
	if (typeof value === "string") {
		try {
			given = JSON.parse(value);
		} catch {
			throw inputError("learn.no_json", { text: show(value) });
		}
	}
	const result = LearnState.safeParse(given);
	if (result.success && isOrdered(result.data)) return result.data;
	const { path, words } = result.error
		? firstIssue(result.error, given)
		: { path: "meters", words: { key: "learn.order" } };
	throw inputError("learn.unusable", {
		where: path || { key: "learn.it" },
		words,
	});
}

function isOrdered({ meters }: LearnState): boolean {
	return (
		new Set(meters.map(({ string_id }) => string_id)).size === meters.length &&
		meters.every(({ past, today }) =>
			[...past, ...(today ? [today] : [])].every(
				(record, index, days) =>
					index === 0 || record.day > (days[index - 1] as DayRecord).day,
			),
		)
	);
}

/** The meter of the site (null) or of a string, undefined while it has none. */
export function meterOf(
	{ meters }: LearnState,
	stringId: string | null,
): Meter | undefined {
	// Neither find() nor an iterator, which are most of what a reading costs.
	for (let index = 0; index < meters.length; index += 1) {
		const meter = meters[index] as Meter;
		if (meter.string_id === stringId) return meter;
	}
	return undefined;
}

// What changes with each quarter hour is copied field by field: a spread takes ten times as long.

/** With one meter in place of the one of the same string, or added. */
export function withMeter(state: LearnState, meter: Meter): LearnState {
	const known = meterOf(state, meter.string_id);
	if (known === meter) return state;
	const meters = state.meters.slice();
	if (known) meters[meters.indexOf(known)] = meter;
	else if (meters.length < MOST_METERS) meters.push(meter);
	else return state;
	return {
		version: state.version,
		site_id: state.site_id,
		timezone: state.timezone,
		latitude: state.latitude,
		longitude: state.longitude,
		computed_at: state.computed_at,
		string_ids: state.string_ids,
		meters,
		notes: state.notes,
	};
}

/** A meter with some of its fields changed. */
export const meterWith = (
	meter: Meter,
	{
		peak = meter.peak,
		read_until = meter.read_until,
		standing = meter.standing,
		past = meter.past,
		today = meter.today,
	}: Partial<Meter>,
): Meter => ({
	string_id: meter.string_id,
	peak,
	read_until,
	standing,
	past,
	today,
});

/** A date's record with some of what is known of it changed. */
export const recordWith = (
	record: DayRecord,
	{
		metered = record.metered,
		foreseen = record.foreseen,
		curtailed = record.curtailed,
		mixed = record.mixed,
		same_day = record.same_day,
		day_ahead = record.day_ahead,
		errors = record.errors,
	}: Partial<DayRecord>,
): DayRecord => ({
	day: record.day,
	start: record.start,
	metered,
	foreseen,
	curtailed,
	mixed,
	same_day,
	day_ahead,
	errors,
});

export function newMeter(stringId: string | null): Meter {
	return {
		string_id: stringId,
		peak: 0,
		read_until: null,
		standing: null,
		past: [],
		today: null,
	};
}

/**
 * With one more of a note; one per code and meter, with how often and when.
 * Where there are too many, the one not seen for longest gives way.
 */
export function withNote(
	state: LearnState,
	code: NoteCode,
	stringId: string | null,
	time: number,
	value: number | null = null,
): LearnState {
	const at = Math.max(0, time);
	const index = state.notes.findIndex(
		(note) => note.code === code && note.string_id === stringId,
	);
	const known = state.notes[index];
	const note: Note = known
		? {
				...known,
				count: known.count + 1,
				first: Math.min(known.first, at),
				last: Math.max(known.last, at),
				value,
			}
		: { code, string_id: stringId, count: 1, first: at, last: at, value };
	const notes = state.notes.slice();
	if (!known && notes.length >= MOST_NOTES) {
		const oldest = Math.min(...notes.map(({ last }) => last));
		notes.splice(
			notes.findIndex(({ last }) => last === oldest),
			1,
		);
	}
	notes[known ? index : notes.length] = note;
	return { ...state, notes };
}
