import type { Clock } from "../../src/polling/schedule/server-clock";

interface Timer {
	/** On the monotonic clock, as the host's timers are. */
	readonly due: number;
	readonly callback: () => void;
}

/**
 * A clock that moves only when told. `true time` is what the outside world runs
 * on; the wall clock may be off it and may be corrected, and the monotonic clock
 * stands still while the host sleeps.
 */
export class FakeClock implements Clock {
	#time: number;
	/** The wall clock minus the true time, ms. */
	wallError = 0;
	/** Ms by which the monotonic clock is behind, for a host that slept. */
	slept = 0;
	readonly #timers = new Set<Timer>();

	constructor(start: number | string) {
		this.#time = new Date(start).getTime();
	}

	get time(): number {
		return this.#time;
	}
	get timers(): number {
		return this.#timers.size;
	}
	now(): number {
		return this.#time + this.wallError;
	}
	monotonic(): number {
		return this.#time - this.slept;
	}
	set(callback: () => void, delayMs: number): Timer {
		const timer = { due: this.monotonic() + Math.max(0, delayMs), callback };
		this.#timers.add(timer);
		return timer;
	}
	clear(timer: unknown): void {
		this.#timers.delete(timer as Timer);
	}

	/** The host sleeps: time passes, no timer fires, the monotonic clock stands still. */
	sleep(ms: number): void {
		this.#time += ms;
		this.slept += ms;
	}

	/** Lets time pass up to an instant, timer by timer; `settle` runs after each. */
	async runTo(
		end: number | string,
		settle: () => Promise<void>,
	): Promise<void> {
		const until = new Date(end).getTime();
		await settle();
		for (;;) {
			let next: Timer | undefined;
			for (const timer of this.#timers) {
				if (!next || timer.due < next.due) next = timer;
			}
			if (!next || next.due + this.slept > until) break;
			this.#timers.delete(next);
			this.#time = Math.max(this.#time, next.due + this.slept);
			next.callback();
			await settle();
		}
		this.#time = Math.max(this.#time, until);
	}
}

/**
 * The clock of one process on a host: its timers end with it.
 */
export class ProcessClock implements Clock {
	readonly #host: FakeClock;
	readonly #timers = new Set<unknown>();

	constructor(host: FakeClock) {
		this.#host = host;
	}
	now(): number {
		return this.#host.now();
	}
	monotonic(): number {
		return this.#host.monotonic();
	}
	set(callback: () => void, delayMs: number): unknown {
		const timer = this.#host.set(() => {
			this.#timers.delete(timer);
			callback();
		}, delayMs);
		this.#timers.add(timer);
		return timer;
	}
	clear(timer: unknown): void {
		this.#timers.delete(timer);
		this.#host.clear(timer);
	}
	end(): void {
		for (const timer of [...this.#timers]) this.clear(timer);
	}
}
