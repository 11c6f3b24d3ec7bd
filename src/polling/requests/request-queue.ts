/** The queue of an account's requests: one at a time (behaviour: One request per new forecast). */
export class RequestQueue {
	#turn: Promise<unknown> = Promise.resolve();
	/** Requests under way or waiting for their turn. */
	readonly #requests = new Set<Promise<unknown>>();

	/** Does its work when all that came before is done. */
	inTurn<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#turn.then(work);
		this.#turn = result.catch(() => {});
		return result;
	}

	/** Has `idle` wait for a request with all that follows it; it must not reject. */
	track(request: Promise<unknown>): void {
		this.#requests.add(request);
		void request.finally(() => this.#requests.delete(request));
	}

	/** Resolves when no request is under way. */
	async idle(): Promise<void> {
		for (let turn: unknown; turn !== this.#turn; ) {
			turn = this.#turn;
			await turn;
			await Promise.all(this.#requests);
		}
	}
}
