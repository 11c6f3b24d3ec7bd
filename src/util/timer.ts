import type { Clock } from "./clock";
import { MINUTE_MS } from "./time";

/** Longest sleep in ms, whatever a clock says. */
const LONGEST_SLEEP_MS = MINUTE_MS;

/**
 * Wakes its owner when a time on the owner's clock has come, at once when the host's
 * clock has jumped, and at least once a minute. It has one wake-up at a time, none when
 * stopped.
 */
export class Timer {
	readonly #clock: Clock;
	readonly #wake: () => void;
	#timer: unknown;
	#ignoreJumps: (() => void) | undefined;

	constructor(clock: Clock, wake: () => void) {
		this.#clock = clock;
		this.#wake = wake;
	}

	/** @param delayMs until the time comes; Infinity for none */
	set(delayMs: number): void {
		this.#clear();
		this.#ignoreJumps ??= this.#clock.onJump(() => {
			this.#clear();
			this.#wake();
		});
		this.#timer = this.#clock.set(
			() => {
				this.#timer = undefined;
				this.#wake();
			},
			Math.min(Math.max(delayMs, 0), LONGEST_SLEEP_MS),
		);
	}

	stop(): void {
		this.#clear();
		this.#ignoreJumps?.();
		this.#ignoreJumps = undefined;
	}

	#clear(): void {
		if (this.#timer !== undefined) this.#clock.clear(this.#timer);
		this.#timer = undefined;
	}
}
