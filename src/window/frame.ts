import { DAY_MS, MINUTE_MS } from "../util/time";
import type { Zone } from "../util/zone";
import type { WindowSettings } from "./settings";

/** The time of one day in which an appliance may run, epoch ms; empty where the clock skips it. */
export interface Frame {
	/** Local date on which it begins, in days since 1970-01-01. */
	readonly day: number;
	readonly start: number;
	readonly end: number;
}

type FrameTimes = Pick<WindowSettings, "from" | "to">;

const passesMidnight = ({ from, to }: FrameTimes) =>
	to !== null && to <= (from ?? 0);

/**
 * The frame that begins on a local date. A time that spring skips is the moment
 * of the change, one that autumn repeats the earlier of the two.
 */
function frameOf(bounds: FrameTimes, zone: Zone, day: number): Frame {
	const { from, to } = bounds;
	const instant = (date: number, minutes: number) =>
		zone.firstInstantFrom(date * DAY_MS + minutes * MINUTE_MS);
	return {
		day,
		start: from === null ? zone.dayStart(day) : instant(day, from),
		end:
			to === null
				? zone.dayStart(day + 1)
				: instant(passesMidnight(bounds) ? day + 1 : day, to),
	};
}

/**
 * The frame that is today's at an instant: the one that began yesterday while it
 * lasts past midnight, else that of the local date, whether it is still to come,
 * runs or is over.
 */
export function frameAt(
	bounds: FrameTimes,
	zone: Zone,
	instant: number,
): Frame {
	const today = zone.dayOf(instant);
	if (passesMidnight(bounds)) {
		const yesterday = zone.dayOf(zone.dayStart(today) - 1);
		const frame = frameOf(bounds, zone, yesterday);
		if (instant < frame.end) return frame;
	}
	return frameOf(bounds, zone, today);
}

/** The frame of the date after a frame's; where the date line moved, a date may be missing. */
export function frameAfter(
	bounds: FrameTimes,
	zone: Zone,
	{ day }: Frame,
): Frame {
	return frameOf(bounds, zone, zone.dayAfter(day));
}

/** When another frame becomes today's, epoch ms. */
export function frameChange(
	bounds: FrameTimes,
	zone: Zone,
	frame: Frame,
): number {
	return Math.max(
		zone.dayStart(frame.day + 1),
		passesMidnight(bounds) ? frame.end : 0,
	);
}
