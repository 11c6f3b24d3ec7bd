import { MINUTE_MS } from "../../util/time";

/**
 * Times read from memory, which a wrong clock may have put too far ahead. All of
 * them are epoch ms on the server's clock.
 */

/** A time that must have passed, yet lies further ahead than this, ms, was read off a wrong clock. */
export const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** A time that must have passed; long past where a wrong clock put it ahead. */
export function pastTime(time: number, now: number): number {
	return time > now + CLOCK_TOLERANCE_MS ? 0 : time;
}

/** Whether a time that must have passed is less than `ms` ago. */
export function isWithin(ms: number, time: number, now: number): boolean {
	return now - time < ms && time <= now + CLOCK_TOLERANCE_MS;
}

/** Whether a limit still lasts; one that would last longer than any can was set by a wrong clock. */
export function isLasting(
	until: number | null | undefined,
	now: number,
	longestMs: number,
): boolean {
	return (
		until != null &&
		now < until &&
		until <= now + longestMs + CLOCK_TOLERANCE_MS
	);
}
