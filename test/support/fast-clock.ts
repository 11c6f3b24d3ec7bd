import type { Clock } from "../../src/util/clock";

/** How many times faster than the real ones these clocks run. */
const SPEED = 1200;
const EPOCH = Date.UTC(2026, 5, 1, 10);

/**
 * A clock of 20 minutes a second, the same in every process.
 *
 * @param begin real epoch ms at which it shows 2026-06-01T10:00:00Z
 */
export function fastClock(begin: number): Clock {
	const now = () => EPOCH + (Date.now() - begin) * SPEED;
	return {
		now,
		monotonic: now,
		set: (callback, delayMs) => setTimeout(callback, delayMs / SPEED),
		clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
		onJump: () => () => {},
	};
}
