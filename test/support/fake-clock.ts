import { type Clock, JUMP_MS } from "../../src/util/clock";
import { SECOND_MS } from "../../src/util/time";

interface Timer {
	/** On the monotonic clock, as the host's timers are. */
	readonly due: number;
	readonly callback: () => void;
	/** Of the clock itself, which notices a jump. */
	readonly isOwn?: boolean;
}

/**
 * A clock that moves only when told. `true time` is what the outside world runs
 * on; the wall clock may be off it and may be corrected, and the monotonic clock
 * stands still while the host sleeps.
 */
export class FakeClock implements Clock {
	#time: number;
	#wallError = 0;
	/** Ms by which the monotonic clock is behind, for a host that slept. */
	slept = 0;
	readonly #timers = new Set<Timer>();
	readonly #jumps = new Set<() => void>();

	constructor(start: number | string) {
		this.#time = new Date(start).getTime();
	}

	get time(): number {
		return this.#time;
	}
	/** The wall clock minus the true time, ms; to set it is a jump, which is noticed a second later. */
	get wallError(): number {
		return this.#wallError;
	}
	set wallError(ms: number) {
		const by = Math.abs(ms - this.#wallError);
		this.#wallError = ms;
		if (by > JUMP_MS) this.#noticeJump();
	}
	#noticeJump(): void {
		if (this.#jumps.size === 0) return;
		this.#timers.add({
			due: this.monotonic() + SECOND_MS,
			isOwn: true,
			callback: () => {
				for (const callback of [...this.#jumps]) callback();
			},
		});
	}
	onJump(callback: () => void): () => void {
		const own = () => callback();
		this.#jumps.add(own);
		return () => void this.#jumps.delete(own);
	}
	/** Timers that were set. */
	get timers(): number {
		return [...this.#timers].filter(({ isOwn }) => !isOwn).length;
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
		if (ms > JUMP_MS) this.#noticeJump();
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
	readonly #listening = new Set<() => void>();

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
	onJump(callback: () => void): () => void {
		const end = this.#host.onJump(callback);
		this.#listening.add(end);
		return () => {
			this.#listening.delete(end);
			end();
		};
	}
	end(): void {
		for (const end of this.#listening) end();
		for (const timer of [...this.#timers]) this.clear(timer);
	}
}
