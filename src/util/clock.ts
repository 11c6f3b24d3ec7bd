import { SECOND_MS } from "./time";

/** Time and timers as the poller and the nodes see them, so that a month can pass in a test. */
export interface Clock {
	/** The host's wall clock, epoch ms; it may be wrong and may jump. */
	now(): number;
	/** Ms on a clock that never jumps, but may stand still while the host sleeps. */
	monotonic(): number;
	/** Calls back once, after at most 2 147 483 647 ms; returns what `clear` takes. */
	set(callback: () => void, delayMs: number): unknown;
	clear(timer: unknown): void;
	/**
	 * Calls back about a second after the wall clock has jumped against the monotonic
	 * one: it was set, or the host slept.
	 *
	 * @returns what ends it
	 */
	onJump(callback: () => void): () => void;
}

/**
 * Difference of two clocks, in ms, from which one of them must have jumped: well
 * below the least time by which a request follows `next_poll_at`.
 */
export const JUMP_MS = 2 * SECOND_MS;

/** Looks once a second, while anybody wants to know, whether the clocks still agree: nothing else tells. */
class JumpWatch {
	readonly #callbacks = new Set<() => void>();
	#timer: NodeJS.Timeout | undefined;
	/** The wall clock minus the monotonic one, ms. */
	#offset = 0;

	add(callback: () => void): () => void {
		// A function of its own: one callback may be added twice.
		const own = () => callback();
		this.#callbacks.add(own);
		if (!this.#timer) {
			this.#offset = Date.now() - performance.now();
			this.#timer = setInterval(() => this.#look(), SECOND_MS).unref();
		}
		return () => {
			this.#callbacks.delete(own);
			if (this.#callbacks.size > 0) return;
			clearInterval(this.#timer);
			this.#timer = undefined;
		};
	}

	#look(): void {
		const offset = Date.now() - performance.now();
		const hasJumped = Math.abs(offset - this.#offset) > JUMP_MS;
		this.#offset = offset;
		if (!hasJumped) return;
		for (const callback of [...this.#callbacks]) callback();
	}
}

const watch = new JumpWatch();

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	set: (callback, delayMs) => setTimeout(callback, delayMs),
	clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
	onJump: (callback) => watch.add(callback),
};
