import { DAY_MS, QUARTER_MS } from "../util/time";
import { dateText, utcText } from "../util/timestamp";
import type { Series } from "./series";
import type { Zone } from "./zone";

/** `T00:00:00` … `T23:45:00` */
const CLOCK = Array.from({ length: 96 }, (_, quarter) => {
	const hh = String(Math.floor(quarter / 4)).padStart(2, "0");
	const mm = String((quarter % 4) * 15).padStart(2, "0");
	return `T${hh}:${mm}:00`;
});

/** How a node writes times: in the site's own time with its offset, or in UTC. */
type StampZone = "local" | "utc";

/** An instant as ISO 8601, in the zone that the node is set to. */
export function instantText(
	instant: number,
	zone: Zone,
	stampZone: StampZone,
): string {
	return stampZone === "utc" ? utcText(instant) : zone.format(instant);
}

/** Stamps of a date by their quarter, under `<date><offset>`: strings, sites and polls have the same. */
const texts = new Map<string, string[]>();
/** Dates kept before the cache is emptied: twice as many as a forecast has. */
const MOST_DATES = 80;

function textsOf(date: string, suffix: string): string[] {
	const key = date + suffix;
	let known = texts.get(key);
	if (!known) {
		if (texts.size >= MOST_DATES) texts.clear();
		known = [];
		texts.set(key, known);
	}
	return known;
}

/** A writer of quarter-hour stamps, quick where they ascend: each text is made once. */
export class StampWriter {
	readonly #zone: Zone;
	readonly #stampZone: StampZone;
	#day = Number.NaN;
	#date = "";
	#offset = Number.NaN;
	#suffix = "Z";
	#known: string[] = [];

	constructor(zone: Zone, stampZone: StampZone) {
		this.#zone = zone;
		this.#stampZone = stampZone;
	}

	/** @param instant epoch ms, a whole quarter hour of the zone's clock */
	write(instant: number): string {
		const isLocal = this.#stampZone === "local";
		const offset = isLocal ? this.#zone.offsetAt(instant) : 0;
		const wallClock = instant + offset;
		const day = Math.floor(wallClock / DAY_MS);
		if (day !== this.#day || offset !== this.#offset) {
			if (isLocal) this.#suffix = this.#zone.format(instant).slice(19);
			this.#day = day;
			this.#offset = offset;
			this.#date = dateText(day);
			this.#known = textsOf(this.#date, this.#suffix);
		}
		const quarter = (wallClock - day * DAY_MS) / QUARTER_MS;
		// Offsets of the 19th century, and Liberia's until 1972, are no whole quarters.
		if (!Number.isInteger(quarter)) return this.#zone.format(instant);
		const known = this.#known;
		known[quarter] ??= this.#date + CLOCK[quarter] + this.#suffix;
		return known[quarter];
	}
}

const written = new WeakMap<
	Series,
	Partial<Record<StampZone, readonly string[]>>
>();

/**
 * The stamps of a series' rows, parallel to them: written once for all nodes that
 * show it, and as received where that is the text that would be written.
 *
 * @param labelShift from the start of a quarter to what its row is labelled by,
 * ms; the same at each call for a series
 */
export function stampsOf(
	series: Series,
	labelShift: number,
	stampZone: StampZone,
): readonly string[] {
	const known = written.get(series) ?? {};
	written.set(series, known);
	known[stampZone] ??= writeStamps(series, labelShift, stampZone);
	return known[stampZone];
}

function writeStamps(
	{ zone, starts, rows }: Series,
	labelShift: number,
	stampZone: StampZone,
): string[] {
	const writer = new StampWriter(zone, stampZone);
	let steadyUntil = Number.NEGATIVE_INFINITY;
	let suffix = "Z";
	return starts.map((start, index) => {
		const instant = start + labelShift;
		if (stampZone === "local" && instant >= steadyUntil) {
			steadyUntil = zone.steadyUntil(instant);
			suffix = zone.format(instant).slice(19);
		}
		const received = rows[index]?.timestamp as string;
		// Of the forms that are read, no other is as long, begins and ends alike.
		return received.length === 19 + suffix.length &&
			received.endsWith(suffix) &&
			received[10] === "T" &&
			!received.startsWith("24", 11)
			? received
			: writer.write(instant);
	});
}
