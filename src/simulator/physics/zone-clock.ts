import { utcSeconds } from "../../util/timestamp";
import { zoneOffsets } from "../../util/zone-offset";
import { ZoneTime } from "../../util/zone-time";

/** How a timestamp is written. */
type StampStyle = "offset" | "naive";

/** Local time of an IANA zone, and stamps as the service writes them. */
export class ZoneClock extends ZoneTime {
	static readonly #clocks = new Map<string, ZoneClock>();

	static of(name: string): ZoneClock {
		let clock = ZoneClock.#clocks.get(name);
		if (clock === undefined) {
			clock = new ZoneClock(zoneOffsets(name));
			ZoneClock.#clocks.set(name, clock);
		}
		return clock;
	}

	/** ISO 8601 to the second, with the zone's offset or bare. */
	stamp(at: number, style: StampStyle): string {
		return style === "naive" ? utcSeconds(this.wallClock(at)) : this.format(at);
	}
}
