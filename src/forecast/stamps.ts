import { QUARTER_MS } from "../service/wire";
import { utcText, type Zone } from "./zone";

const DAY_MS = 86_400_000;
/** `T00:00:00` … `T23:45:00` */
const CLOCK = Array.from({ length: 96 }, (_, quarter) => {
	const hh = String(Math.floor(quarter / 4)).padStart(2, "0");
	const mm = String((quarter % 4) * 15).padStart(2, "0");
	return `T${hh}:${mm}:00`;
});

/** How a node writes times: in the site's own time with its offset, or in UTC. */
export type StampZone = "local" | "utc";

/** Writes any instant as the node's setting wants it. */
export function instantText(
	instant: number,
	zone: Zone,
	stampZone: StampZone,
): string {
	return stampZone === "utc" ? utcText(instant) : zone.format(instant);
}

/** A writer of ascending quarter-hour stamps that makes each date's text once. */
export function stampWriter(
	zone: Zone,
	stampZone: StampZone,
): (instant: number) => string {
	let day = Number.NaN;
	let date = "";
	let offset = Number.NaN;
	let suffix = "Z";
	return (instant) => {
		const current = stampZone === "utc" ? 0 : zone.offsetAt(instant);
		if (current !== offset) {
			offset = current;
			if (stampZone === "local") suffix = zone.format(instant).slice(19);
		}
		const wallClock = instant + current;
		const today = Math.floor(wallClock / DAY_MS);
		if (today !== day) {
			day = today;
			date = new Date(day * DAY_MS).toISOString().slice(0, 10);
		}
		return date + CLOCK[(wallClock - day * DAY_MS) / QUARTER_MS] + suffix;
	};
}
