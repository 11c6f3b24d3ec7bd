import { DateTime, IANAZone } from "luxon";
import {
	DAY_MS,
	dateText,
	HOUR_MS,
	MINUTE_MS,
	minuteText,
	QUARTER_MS,
	readInstant,
	wallText,
} from "./time";

/**
 * Zones and times for people. luxon knows zones and languages; ours are both instants
 * of a time that autumn repeats, and the first instant of a day.
 *
 * Days are whole numbers since 1970-01-01, wall-clock times are ms since 1970-01-01
 * 00:00 of a zone's own clock, instants are epoch ms, offsets are ms east of Greenwich.
 */

/** Epoch ms of an HTTP date (RFC 9110 section 5.6.7) or of a stamp with an offset; NaN for any other text. */
export function readHttpDate(text: string): number {
	const date = DateTime.fromHTTP(text, { zone: "utc" });
	return date.isValid ? date.toMillis() : readInstant(text);
}

/** `+02:00` of an offset. */
function offsetText(offset: number): string {
	const minutes = Math.abs(Math.round(offset / MINUTE_MS));
	return (offset < 0 ? "-" : "+") + minuteText(minutes * MINUTE_MS);
}

/** The clock of a place, by the IANA name of its time zone. */
export class Zone {
	static readonly #known = new Map<string, Zone>();

	/** The zone of an IANA name as this machine's data have it, undefined when there is none of that name. */
	static of(name: string): Zone | undefined {
		let zone = Zone.#known.get(name);
		// Offsets are no names, though some versions of the engine take them.
		if (!zone && /^[A-Za-z]/.test(name) && IANAZone.isValidZone(name)) {
			const iana = IANAZone.create(name);
			zone = new Zone(name, (instant) => iana.offset(instant) * MINUTE_MS);
			Zone.#known.set(name, zone);
		}
		return zone;
	}

	static readonly utc = Zone.of("UTC") as Zone;

	/** The zone of this machine. */
	static get host(): Zone {
		const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
		return Zone.of(timeZone) ?? Zone.utc;
	}

	readonly name: string;
	readonly #offset: (instant: number) => number;
	/** Offsets by day of UTC, NaN for a day on which it changes: each row asks, and luxon takes some µs. */
	readonly #offsets = new Map<number, number>();

	private constructor(name: string, offset: (instant: number) => number) {
		this.name = name;
		this.#offset = offset;
	}

	/** The same zone on another clock; `changes` are the instants from which offsets hold, latest first, the last one before as well. */
	withClock(changes: readonly (readonly [from: number, offset: number])[]) {
		return new Zone(this.name, (instant) => {
			const change = changes.find(([from]) => from <= instant);
			return (change ?? changes.at(-1))?.[1] ?? 0;
		});
	}

	offsetAt(instant: number): number {
		const day = Math.floor(instant / DAY_MS);
		let offset = this.#offsets.get(day);
		if (offset === undefined) {
			offset = this.#offset(day * DAY_MS);
			if (offset !== this.#offset((day + 1) * DAY_MS)) offset = Number.NaN;
			this.#offsets.set(day, offset);
		}
		return Number.isNaN(offset) ? this.#offset(instant) : offset;
	}

	/** The wall clock at an instant. */
	wallClock(instant: number): number {
		return instant + this.offsetAt(instant);
	}

	/** The local date at an instant, as a day. */
	dayOf(instant: number): number {
		return Math.floor(this.wallClock(instant) / DAY_MS);
	}

	/** `YYYY-MM-DD` of the local date at an instant. */
	dateOf(instant: number): string {
		return dateText(this.dayOf(instant));
	}

	/** Quarter of the local day (0 to 95) in which an instant lies. */
	quarterOfDay(instant: number): number {
		const sinceMidnight =
			this.wallClock(instant) - this.dayOf(instant) * DAY_MS;
		return Math.floor(sinceMidnight / QUARTER_MS);
	}

	/**
	 * The instants at which the wall clock shows a time: one as a rule, two in the
	 * repeated hour of autumn (earlier first), none in the hour that spring skips.
	 */
	instantsOf(wallClock: number): number[] {
		const offsets = [DAY_MS, -DAY_MS].map((ms) =>
			this.offsetAt(wallClock - ms),
		);
		const instants = new Set(offsets.map((offset) => wallClock - offset));
		return [...instants]
			.sort((a, b) => a - b)
			.filter((instant) => this.wallClock(instant) === wallClock);
	}

	/** The first instant at which the wall clock shows a time or, where it jumps over that, a later one. */
	firstInstantFrom(wallClock: number): number {
		const [instant] = this.instantsOf(wallClock);
		if (instant !== undefined || Number.isNaN(wallClock)) {
			return instant ?? wallClock;
		}
		let later = wallClock - this.offsetAt(wallClock + DAY_MS);
		while (this.wallClock(later) < wallClock) later += MINUTE_MS;
		return later;
	}

	/** The first instant of a local date. */
	dayStart(day: number): number {
		return this.firstInstantFrom(day * DAY_MS);
	}

	/** The date after another; where the date line moved, one may be missing. */
	dayAfter(day: number): number {
		return this.dayOf(this.dayStart(day + 1));
	}

	/** The local clock hour that holds an instant; a change of the clock within parts it. */
	hourOf(instant: number): { readonly start: number; readonly end: number } {
		const hour = (at: number) => Math.floor(this.wallClock(at) / HOUR_MS);
		const isWithin = (at: number) =>
			hour(at) === hour(instant) &&
			this.offsetAt(at) === this.offsetAt(instant);
		let start = Math.floor(instant / QUARTER_MS) * QUARTER_MS;
		let end = start + QUARTER_MS;
		while (isWithin(start - QUARTER_MS)) start -= QUARTER_MS;
		while (isWithin(end)) end += QUARTER_MS;
		return { start, end };
	}

	/** ISO 8601 with the zone's offset at that instant, seconds included. */
	format<Instant extends number | null>(
		instant: Instant,
	): Instant extends number ? string : null {
		const offset = this.offsetAt(instant ?? 0);
		const text =
			instant === null ? null : wallText(instant + offset) + offsetText(offset);
		return text as Instant extends number ? string : null;
	}
}

/** How a time is written for people. */
interface TimeStyle {
	/** Where there is none, or no known one, this machine's. */
	readonly zone?: Zone | string | null | undefined;
	/** BCP 47; English where there is none. */
	readonly language?: string | undefined;
	/** Whether the year is said: of times that may be years away. */
	readonly withYear?: boolean;
	/** Whether nothing but the date is said, with its year. */
	readonly dateOnly?: boolean;
}

/**
 * An instant as people say it, to the minute: "Dec 1, 01:00", in German "1. Dez., 01:00";
 * in UTC it says so (behaviour: Errors, Statuses).
 */
export function timeText(instant: number, style: TimeStyle = {}): string {
	const { zone, language = "en-US", withYear, dateOnly } = style;
	const place = typeof zone === "string" ? Zone.of(zone) : zone;
	const time = place
		? DateTime.fromMillis(place.wallClock(instant), { zone: "utc" })
		: DateTime.fromMillis(instant, { zone: "system" });
	const local = time.setLocale(language);
	if (dateOnly) return local.toLocaleString({ dateStyle: "medium" });
	const text = local.toLocaleString({
		...(withYear && { year: "numeric" }),
		...{ month: "short", day: "numeric" },
		...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
	});
	const isUtc = (place?.name ?? time.zoneName ?? "").endsWith("UTC");
	return isUtc ? `${text} UTC` : text;
}
