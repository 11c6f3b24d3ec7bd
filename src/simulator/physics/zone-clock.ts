import { DAY_MS, MINUTE_MS } from "../../util/time";
import { dateText } from "../../util/timestamp";
import { zoneOffsets } from "../../util/zone-offset";

/** How a timestamp is written. */
type StampStyle = "offset" | "naive";

interface OffsetDay {
	/** East of UTC before `at`, ms. */
	readonly before: number;
	/** East of UTC from `at` on, ms. */
	readonly after: number;
	/** Instant of the change, or Infinity. */
	readonly at: number;
}

/**
 * The wall clock of one IANA zone. Offsets are looked up once per UTC day, so
 * that thousands of rows can be labelled without a date library per row.
 */
export class ZoneClock {
	static readonly #clocks = new Map<string, ZoneClock>();

	readonly #readOffset: (instant: number) => number;
	readonly #days = new Map<number, OffsetDay>();
	readonly #starts = new Map<number, number>();

	private constructor(readonly name: string) {
		this.#readOffset = zoneOffsets(name);
	}

	static of(name: string): ZoneClock {
		let clock = ZoneClock.#clocks.get(name);
		if (clock === undefined) {
			clock = new ZoneClock(name);
			ZoneClock.#clocks.set(name, clock);
		}
		return clock;
	}

	/** Ms east of UTC at an instant (epoch ms). */
	#offset(at: number): number {
		const index = Math.floor(at / DAY_MS);
		let day = this.#days.get(index);
		if (day === undefined) {
			day = this.#lookUp(index);
			this.#days.set(index, day);
		}
		return at < day.at ? day.before : day.after;
	}

	/** Wall clock reading as if it were UTC ms. */
	local(at: number): number {
		return at + this.#offset(at);
	}

	/** Number of the local date that holds an instant, counted from 1970-01-01. */
	dayOf(at: number): number {
		return Math.floor(this.local(at) / DAY_MS);
	}

	/** First instant of a local date. */
	startOf(day: number): number {
		let start = this.#starts.get(day);
		if (start === undefined) {
			start = this.firstAt(day * DAY_MS);
			this.#starts.set(day, start);
		}
		return start;
	}

	/** First instant at which the wall clock reads `local`; in a skipped hour, the instant of the jump. */
	firstAt(local: number): number {
		const offsets = [
			this.#offset(local - DAY_MS),
			this.#offset(local + DAY_MS),
		];
		const instants = offsets
			.map((offset) => local - offset)
			.sort((a, b) => a - b);
		const exact = instants.find((at) => this.local(at) === local);
		if (exact !== undefined) return exact;
		return bisect(
			local - DAY_MS,
			local + DAY_MS,
			(at) => this.local(at) >= local,
		);
	}

	/** ISO 8601 to the second, with the zone's offset or bare. */
	stamp(at: number, style: StampStyle): string {
		const offset = this.#offset(at);
		const text = isoText(at + offset);
		return style === "naive" ? text : text + offsetText(offset);
	}

	#lookUp(index: number): OffsetDay {
		const from = index * DAY_MS;
		const before = this.#readOffset(from);
		const after = this.#readOffset(from + DAY_MS);
		const at =
			before === after
				? Number.POSITIVE_INFINITY
				: bisect(from, from + DAY_MS, (t) => this.#readOffset(t) === after);
		return { before, after, at };
	}
}

/** ISO 8601 to the second, ending in `Z`. */
export function utcStamp(at: number): string {
	return `${isoText(at)}Z`;
}

let lastDay = Number.NaN;
let lastDate = "";

function isoText(local: number): string {
	const day = Math.floor(local / DAY_MS);
	if (day !== lastDay) {
		lastDay = day;
		lastDate = dateText(day);
	}
	const seconds = Math.floor((local - day * DAY_MS) / 1000);
	const minutes = Math.floor(seconds / 60);
	return `${lastDate}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

function offsetText(offset: number): string {
	const minutes = Math.abs(Math.round(offset / MINUTE_MS));
	return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(value: number): string {
	return value < 10 ? `0${value}` : String(value);
}

/** First millisecond in (low, high] for which `reached` holds; it holds at `high`. */
function bisect(
	low: number,
	high: number,
	reached: (at: number) => boolean,
): number {
	let before = low;
	let after = high;
	while (after - before > 1) {
		const middle = Math.floor((before + after) / 2);
		if (reached(middle)) after = middle;
		else before = middle;
	}
	return after;
}
