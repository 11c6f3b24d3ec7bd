import { Zone } from "../../util/zone";

/** Local time of an IANA zone. */
export type ZoneClock = Zone;
export const ZoneClock = { of: (name: string) => Zone.of(name) as Zone };

/** ISO 8601 to the second, with the zone's offset or bare, as the service writes it. */
export const stampText = (
	clock: ZoneClock,
	at: number,
	style: "offset" | "naive",
): string =>
	style === "naive" ? clock.format(at).slice(0, 19) : clock.format(at);
