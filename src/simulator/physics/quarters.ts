import { DAY_MS, QUARTER_MS } from "../../util/time";

/** UTC days that are kept at most. */
const MAX_DAYS = 400;

/** What depends on the place and the quarter hour alone, computed a UTC day at a time and kept. */
export class QuarterMemo<T> {
	readonly #days = new Map<number, readonly T[]>();

	/** `compute` gets the middle of a quarter hour, epoch ms. */
	constructor(private readonly compute: (middle: number) => T) {}

	/** The value of the quarter that begins at `start` (epoch ms, on the quarter). */
	at(start: number): T {
		const day = Math.floor(start / DAY_MS);
		let quarters = this.#days.get(day);
		if (quarters === undefined) {
			if (this.#days.size >= MAX_DAYS) this.#days.clear();
			quarters = Array.from({ length: DAY_MS / QUARTER_MS }, (_, k) =>
				this.compute(day * DAY_MS + (k + 0.5) * QUARTER_MS),
			);
			this.#days.set(day, quarters);
		}
		return quarters[Math.floor((start - day * DAY_MS) / QUARTER_MS)] as T;
	}
}
