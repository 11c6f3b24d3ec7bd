/**
 * One HTTP exchange with the service, without any HTTP library in sight.
 *
 * The account's client speaks only this; behind it stands either axios
 * (`transport.ts`) or the simulator in the same process.
 */

/** Parameters in order; a name may be repeated (`include`). */
export type Query = readonly (readonly [name: string, value: string])[];

/** What is sent. The base URL and the key belong to the exchange, not to the request. */
export interface WireRequest {
	readonly method: "GET" | "POST" | "PATCH" | "DELETE";
	/** Path below the base URL, beginning with `/`, each segment already encoded. */
	readonly path: string;
	readonly query?: Query;
	/** Sent as JSON when present. */
	readonly body?: unknown;
}

/** What came back, whatever its status. */
export interface WireAnswer {
	readonly status: number;
	/** Header names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/**
 * Sends one request and resolves with the answer of any HTTP status; rejects
 * with a `SolarYieldError` (`NETWORK`, `TIMEOUT`, `RESPONSE`) when there is none.
 */
export type Exchange = (
	request: WireRequest,
	signal?: AbortSignal,
) => Promise<WireAnswer>;

/** Every literal name the service uses in headers, in lower case. */
export const HEADER = {
	limit: "requestlimit-limit",
	used: "requestlimit-used",
	remaining: "requestlimit-remaining",
	reset: "requestlimit-reset",
	retryAfter: "retry-after",
	date: "date",
} as const;

/** The literal that stands for a number in a plan without a limit. */
export const UNMETERED = "unmetered";
