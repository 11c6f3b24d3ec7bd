import { dateText } from "../util/timestamp";
import { isZoneName } from "../util/zone-name";
import { zoneOffsets } from "../util/zone-offset";
import { ZoneTime } from "../util/zone-time";

/** Known without the engine's zone data, whose first use costs a process 20 ms. */
const UTC = "UTC";

/** Offsets of a zone, whose data is loaded with the first. */
function lazyOffsets(name: string): (instant: number) => number {
	let read: ((instant: number) => number) | undefined;
	return (instant) => {
		read ??= zoneOffsets(name);
		return read(instant);
	};
}

/**
 * A time zone by its IANA name. Days are whole numbers since 1970-01-01, wall-clock
 * times are ms since 1970-01-01 00:00 of the zone's own clock, instants are epoch ms.
 */
export class Zone extends ZoneTime {
	static readonly #known = new Map<string, Zone>();

	/** The zone of an IANA name, undefined when there is none of that name. */
	static of(name: string): Zone | undefined {
		let zone = Zone.#known.get(name);
		if (!zone && (name === UTC || isZoneName(name))) {
			zone = new Zone(name);
			Zone.#known.set(name, zone);
		}
		return zone;
	}

	static readonly utc = Zone.of(UTC) as Zone;

	readonly name: string;

	private constructor(name: string) {
		super(name === UTC ? () => 0 : lazyOffsets(name));
		this.name = name;
	}

	/** `YYYY-MM-DD` of the local date at an instant. */
	dateOf(instant: number): string {
		return dateText(this.dayOf(instant));
	}
}
