import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../util/time";

/**
 * All back-offs: how long to wait before something is tried again, by the reason
 * for the wait. Delays are in ms.
 */

/** Longest `Retry-After` of a passing failure that is obeyed, ms: longer than any maintenance. */
export const LONGEST_WAIT_MS = 6 * HOUR_MS;

/** Doubling delays after failures in a row (behaviour: Failures); the last one stays. */
const RETRY_MS = [1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * MINUTE_MS);

/**
 * Retry: a request failed.
 *
 * @param failures in a row, at least 1
 */
export function retryDelay(failures: number): number {
	return RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] as number;
}

/**
 * Least distance of automatic requests that `next_poll_at` does not ask for
 * (behaviour: When it asks): after an interrupted request, a lost answer, or an
 * answer that brought nothing new.
 */
export const MIN_DISTANCE_MS = 15 * MINUTE_MS;

/** Probe: a free request shows whether the key or the site is good again (behaviour: Failures), first and further ones. */
export const PROBE_MS = [HOUR_MS, 6 * HOUR_MS] as const;

/** Block that only a request for a forecast can test (behaviour: Failures). */
export const BLOCKED_MS = { plan: 24 * HOUR_MS, input: 6 * HOUR_MS } as const;

/** The longest burst limit that is believed, whatever its `Retry-After` says. */
export const LONGEST_BURST_MS = 24 * HOUR_MS;
/** Burst whose length is not told, or not known any more, at most. */
export const BURST_MS = HOUR_MS;

/** Lock file: another process makes its request. */
export const LOCKED_MS = 5 * SECOND_MS;
/** Clock check: a free request tells the server's time; least time after a start or the check before. */
export const CLOCK_CHECK_MS = MINUTE_MS;
/** A site's record is read once a day, before the forecast of a plan that has one a day, too; one that could not be read is left alone for an hour: it may hang, and the forecast waits. */
export const RECORD_MS = { known: 23 * HOUR_MS, failed: HOUR_MS } as const;
/** Refresh: time in which `msg.refresh` gets the answer, the failure or the record that has just come. */
export const REFRESH_MS = MINUTE_MS;
