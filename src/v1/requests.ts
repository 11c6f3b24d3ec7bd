/** Sharing and blocking of V1 requests. */

import type { SolarYieldClient } from "../service/client";
import { SolarYieldError } from "../service/errors/solar-yield-error";
import type { Query } from "../service/http/exchange";
import { Queue } from "../util/queue";
import { MINUTE_MS } from "../util/time";
import { V1_ENDPOINTS, type V1Endpoint } from "./parameters";
import { explainV1Failure } from "./shutdown";

/** How long an answer, or a failure, serves identical requests, ms (behaviour: Messages). */
const SHARED_MS = MINUTE_MS;

interface Shared {
	readonly answer: Promise<unknown>;
	/** Epoch ms; Infinity while the request is under way. */
	until: number;
}

/**
 * The V1 requests of one base URL and key. Identical ones within a minute share
 * one answer, failures included; there is one at a time; and after a refused key
 * or a 429 all are blocked until the time that the error names.
 */
export class V1Requests {
	readonly #now: () => number;
	readonly #shared = new Map<string, Shared>();
	/** Blocks by client: a changed account gets a new client, which lifts the block. */
	readonly #blocked = new WeakMap<
		SolarYieldClient,
		{ readonly error: SolarYieldError; readonly until: number }
	>();
	readonly #queue = new Queue();

	/** @param now the host's clock, epoch ms */
	constructor(now: () => number) {
		this.#now = now;
	}

	/**
	 * The parsed body of an answer, each time an object of its own.
	 *
	 * @param query as `checkV1Parameters` makes it, in its order
	 * @throws SolarYieldError of the request, in V1's own words
	 */
	async ask(
		client: SolarYieldClient,
		endpoint: V1Endpoint,
		query: Query,
	): Promise<unknown> {
		const name = JSON.stringify([endpoint, query]);
		let shared = this.#shared.get(name);
		if (shared === undefined || shared.until <= this.#now()) {
			shared = this.#begin(name, client, endpoint, query);
		}
		return structuredClone(await shared.answer);
	}

	#begin(
		name: string,
		client: SolarYieldClient,
		endpoint: V1Endpoint,
		query: Query,
	): Shared {
		const answer = this.#queue.add(() => this.#send(client, endpoint, query));
		const shared: Shared = { answer, until: Number.POSITIVE_INFINITY };
		const end = (error?: unknown) => {
			// A minute, but no longer than a failure names itself.
			shared.until = Math.min(
				this.#now() + SHARED_MS,
				retryAt(error) ?? Number.POSITIVE_INFINITY,
			);
			// Answers may be large, so they are dropped as soon as they expire.
			setTimeout(() => {
				if (this.#shared.get(name) === shared) this.#shared.delete(name);
			}, SHARED_MS).unref();
		};
		this.#shared.set(name, shared);
		answer.then(() => end(), end);
		return shared;
	}

	async #send(
		client: SolarYieldClient,
		endpoint: V1Endpoint,
		query: Query,
	): Promise<unknown> {
		const blocked = this.#blocked.get(client);
		if (blocked && blocked.until > this.#now()) throw blocked.error;
		try {
			return await requestV1(client, endpoint, query);
		} catch (error) {
			if (!(error instanceof SolarYieldError)) throw error;
			const explained = explainV1Failure(error, this.#now());
			if (["AUTH", "QUOTA", "RATE"].includes(error.kind)) {
				this.#blocked.set(client, {
					error: explained,
					until: retryAt(error) ?? this.#now() + SHARED_MS,
				});
			}
			throw explained;
		}
	}
}

function retryAt(error: unknown): number | undefined {
	const retry_at =
		error instanceof SolarYieldError ? error.cause.retry_at : null;
	return retry_at === null ? undefined : Date.parse(retry_at);
}

/**
 * One V1 request (spec V1, "Endpoints"): the body as received, parsed.
 *
 * @throws SolarYieldError as the client's methods do
 */
export function requestV1(
	client: SolarYieldClient,
	endpoint: V1Endpoint,
	query: Query,
): Promise<unknown> {
	return client.get(V1_ENDPOINTS[endpoint], query, "V1");
}
