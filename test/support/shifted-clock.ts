import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOUR_MS, MINUTE_MS } from "../../src/util/time";

/** A clock that runs as the real one does, but shows another time. */
export interface ShiftedClock {
	/** How far it is ahead of the real one, ms. */
	readonly shift: number;
	/** Epoch ms. */
	now(): number;
	/** Makes it the clock of a process of Node.js that has this environment. */
	readonly env: Readonly<Record<string, string>>;
}

/** @param shift how far ahead of the real clock, ms; negative for behind */
export function shiftedClock(shift: number): ShiftedClock {
	const preload = join(__dirname, "shifted-date.cjs");
	return {
		shift,
		now: () => Date.now() + shift,
		env: {
			SOLAR_YIELD_TEST_SHIFT: String(shift),
			NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
		},
	};
}

/**
 * A clock that can be set while a process of Node.js runs on it.
 *
 * @param file where its shift is kept
 * @param shift how far ahead of the real clock it is at first, ms
 */
export function settableClock(
	file: string,
	shift: number,
): ShiftedClock & { set(shift: number): void } {
	const set = (ms: number) => writeFileSync(file, String(ms));
	set(shift);
	const { env } = shiftedClock(0);
	return {
		shift,
		now: () => Date.now() + Number(readFileSync(file, "utf8")),
		env: { ...env, SOLAR_YIELD_TEST_SHIFT_FILE: file },
		set,
	};
}

/**
 * A clock on which it is a minute past the full hour now: on the real one a
 * service may renew its forecasts, or a quarter hour end, in the middle of a test.
 */
export function earlyInHour(): ShiftedClock {
	return shiftedClock(MINUTE_MS - (Date.now() % HOUR_MS));
}
