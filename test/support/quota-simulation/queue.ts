/** Items by time, the earliest first: a binary heap in which an item may be moved. */
export class Queue<T> {
	readonly #items: { item: T; at: number }[] = [];
	readonly #at = new Map<T, number>();

	/** Puts an item at a time, or moves it there. */
	set(item: T, at: number): void {
		this.#at.set(item, at);
		const items = this.#items;
		items.push({ item, at });
		for (let index = items.length - 1; index > 0; ) {
			const parent = (index - 1) >> 1;
			if (this.#time(parent) <= this.#time(index)) break;
			this.#swap(index, parent);
			index = parent;
		}
	}

	/** The earliest item. */
	first(): { item: T; at: number } | undefined {
		const items = this.#items;
		for (;;) {
			const first = items[0];
			if (!first || this.#at.get(first.item) === first.at) return first;
			// It was moved.
			const last = items.pop() as { item: T; at: number };
			if (items.length > 0) {
				items[0] = last;
				this.#sink();
			}
		}
	}

	#sink(): void {
		const { length } = this.#items;
		for (let index = 0; ; ) {
			let least = index;
			for (const child of [2 * index + 1, 2 * index + 2]) {
				if (child < length && this.#time(child) < this.#time(least)) {
					least = child;
				}
			}
			if (least === index) return;
			this.#swap(index, least);
			index = least;
		}
	}

	#time(index: number): number {
		return (this.#items[index] as { at: number }).at;
	}

	#swap(a: number, b: number): void {
		const items = this.#items;
		const item = items[a] as { item: T; at: number };
		items[a] = items[b] as { item: T; at: number };
		items[b] = item;
	}
}
