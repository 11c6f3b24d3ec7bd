import { z } from "zod";
import { inputError } from "../service/errors/solar-yield-error";
import { firstIssue, show } from "../service/v2/schema-errors";
import { QUARTER_MS } from "../util/time";
import { Zone } from "../util/zone";
import { NOTE_CODES, type NoteCode } from "./notes";

/** Dates that are kept per meter: what is older counts for next to nothing. */
const MOST_DAYS = 120;
/** A quarter's mean needs readings over this share of it. */
const LEAST_COVERED = 0.7;

/** Numbers by quarter hour of a local date, of which the longest has two hours more. */
const Quarters = z.array(z.number().nullable()).max(104);
/** A date's forecast as it stood at a certain time, and as it was corrected then, W; null = unknown. */
const Horizon = z.object({ raw: Quarters, corrected: Quarters }).nullable();

/** One local date of one meter, which changes as forecasts and readings come. */
const DayRecord = z.object({
	/** Local date, days since 1970-01-01. */
	day: z.int(),
	/** Epoch ms of its first quarter. */
	start: z.int(),
	/** How much of each quarter was read, from 0 to 1, and the mean power of that, times this share, W. */
	covered: Quarters,
	read: Quarters,
	/** W as the last forecast before each quarter's begin had it, null = unknown. */
	foreseen: Quarters,
	/** Quarters that a message called curtailed, and those of which only the sum with others was read. */
	curtailed: z.array(z.int()),
	coarse: z.array(z.int()),
	/** How often powers were read, and how far they went from one to the next and to the next but one, W. */
	said: z.tuple([z.number(), z.number(), z.number()]),
	/** The last forecasts before 6:00 and before the date; let go of when the accuracy no longer needs them. */
	same_day: Horizon,
	day_ahead: Horizon,
});
export type DayRecord = z.infer<typeof DayRecord>;

const Meter = z.object({
	/** Null = the whole site. */
	string_id: z.string().nullable(),
	/** Most power that a forecast or the modules' rating has ever named, W. */
	peak: z.number(),
	/** When the first and the last reading were taken, epoch ms. */
	heard: z.tuple([z.number(), z.number()]).nullable(),
	/** The last date that was looked at for notes, days since 1970-01-01. */
	noticed: z.int(),
	/** Ascending; the last may be of tomorrow, with its forecast. */
	days: z.array(DayRecord).max(MOST_DAYS),
});
export type Meter = z.infer<typeof Meter>;

/** Something about the readings that a person should know. */
const Note = z.object({
	code: z.enum(NOTE_CODES),
	string_id: z.string().nullable(),
	count: z.int(),
	/** Epoch ms of the reading or date that it was first and last seen with. */
	first: z.number(),
	last: z.number(),
	/** What it was last seen with: W, kWh, or hours without readings. */
	value: z.number().nullable(),
});
export type Note = z.infer<typeof Note>;

/**
 * Everything that is known of a site's meters, as plain JSON. The factors are
 * no part of it: they follow from the days (`model.ts`), so that a later release
 * may learn better from the same days.
 */
const Learned = z.object({
	version: z.literal(1),
	site_id: z.string().nullable(),
	/** IANA zone of the site, null before the first forecast. */
	timezone: z.string().nullable(),
	/** Degrees to one decimal. */
	latitude: z.number().nullable(),
	longitude: z.number().nullable(),
	/** Whether it was learned from demo data. */
	demo: z.boolean(),
	/** Site's date of the last daily report, days since 1970-01-01. */
	reported: z.int(),
	/** Strings of which the last forecast had rows, null before it. */
	string_ids: z.array(z.string()).nullable(),
	meters: z.array(Meter),
	/** By code and meter. */
	notes: z.record(z.string(), Note),
});
export type Learned = z.infer<typeof Learned>;

/** A state that knows nothing yet. */
export const createState = (): Learned => ({
	version: 1,
	site_id: null,
	timezone: null,
	latitude: null,
	longitude: null,
	demo: false,
	reported: 0,
	string_ids: null,
	meters: [],
	notes: {},
});

/**
 * A state from the JSON of one: text, the bytes of text, or an object.
 *
 * @throws SolarYieldError `INPUT` naming the field that is no part of a state
 */
export function readLearned(value: unknown): Learned {
	let given =
		value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
	try {
		if (typeof given === "string") given = JSON.parse(given);
	} catch {
		throw inputError("learn.no_json", { text: show(given) });
	}
	const { data, error } = Learned.safeParse(given);
	if (!data) {
		const { path, words } = firstIssue(error, given);
		throw inputError("learn.unusable", {
			where: path || { key: "learn.it" },
			words,
		});
	}
	if (data.timezone !== null && !zoneOf(data)) {
		throw inputError("learn.zone", { zone: show(data.timezone) });
	}
	return data;
}

/** The zone of a state, undefined before its first forecast. */
export const zoneOf = ({ timezone }: Learned) => Zone.of(timezone ?? "");

/** The meter of the site (null) or of a string, undefined while it has none. */
export const meterOf = ({ meters }: Learned, stringId: string | null) =>
	meters.find(({ string_id }) => string_id === stringId);

/** The record of a local date, made where there is none; undefined where it is too old to be kept. */
export function dayOf({ days }: Meter, zone: Zone, day: number) {
	let next = days.length;
	while (next > 0 && (days[next - 1]?.day ?? 0) >= day) next -= 1;
	if (days[next]?.day === day) return days[next];
	const isFull = days.length === MOST_DAYS;
	if (isFull && next === 0) return undefined;
	const start = zone.dayStart(day);
	const quarters = (zone.dayStart(day + 1) - start) / QUARTER_MS;
	const all = (value: number | null) => new Array(quarters).fill(value);
	const record: DayRecord = {
		day,
		start,
		covered: all(0),
		read: all(0),
		foreseen: all(null),
		curtailed: [],
		coarse: [],
		said: [0, 0, 0],
		same_day: null,
		day_ahead: null,
	};
	days.splice(next, 0, record);
	if (isFull) days.shift();
	return record;
}

/** Mean power of a date's quarter, W; null where too little of it was read. */
export const measured = ({ read, covered }: DayRecord, index: number) => {
	const share = covered[index] ?? 0;
	return share < LEAST_COVERED ? null : (read[index] ?? 0) / share;
};

/** Notes something: one note per code and meter, with how often and when. */
export function addNote(
	{ notes }: Learned,
	code: NoteCode,
	string_id: string | null,
	at: number,
	value: number | null = null,
) {
	const key = `${code} ${string_id ?? ""}`;
	notes[key] ??= { code, string_id, count: 0, first: at, last: at, value };
	const note = notes[key];
	note.count += 1;
	note.last = Math.max(note.last, at);
	note.value = value;
}
