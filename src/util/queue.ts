/** Work that is done one after another, in the order in which it came. */
export class Queue {
	#last: Promise<unknown> = Promise.resolve();

	/** Does work when all that came before is done, and settles as it does. */
	add<T>(work: () => T | Promise<T>): Promise<T> {
		const result = this.#last.then(work);
		this.#last = result.catch(() => {});
		return result;
	}

	/** Resolves when nothing is under way and nothing waits. */
	async idle(): Promise<void> {
		for (let last: unknown; last !== this.#last; ) {
			last = this.#last;
			await last;
		}
	}
}
