import { HOUR_MS, MINUTE_MS, SECOND_MS } from "./time";

const OFFSET = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/**
 * A reader of a zone's offsets from UTC, as the engine's own time zone data has
 * them: ms, positive east of Greenwich, at an instant in epoch ms. A call takes
 * some µs, so who asks for every row remembers the answers.
 *
 * @param name an IANA name
 * @throws RangeError for any other
 */
export function zoneOffsets(name: string): (instant: number) => number {
	const format = new Intl.DateTimeFormat("en-US", {
		timeZone: name,
		timeZoneName: "longOffset",
	});
	return (instant) => {
		// "6/1/2026, GMT+02:00", and "GMT" alone for none.
		const match = OFFSET.exec(format.format(instant));
		if (!match) return 0;
		const [, sign, hours, minutes, seconds = "0"] = match;
		const ms =
			Number(hours) * HOUR_MS +
			Number(minutes) * MINUTE_MS +
			Number(seconds) * SECOND_MS;
		return sign === "-" ? -ms : ms;
	};
}

/** An offset from UTC in ms as ISO 8601 has it, `+02:00`. */
export function offsetText(offset: number): string {
	const minutes = Math.abs(Math.round(offset / MINUTE_MS));
	const hh = String(Math.floor(minutes / 60)).padStart(2, "0");
	const mm = String(minutes % 60).padStart(2, "0");
	return `${offset < 0 ? "-" : "+"}${hh}:${mm}`;
}
