/**
 * One HTTP exchange with the service, without any HTTP library in sight.
 *
 * The client knows only this; behind it stands axios (`axios-exchange.ts`) or
 * the simulator in the same process.
 */

/** Parameters in order; a name may be repeated (`include`). */
export type Query = readonly (readonly [name: string, value: string])[];

/** A request without base URL and key: those belong to the exchange. */
export interface WireRequest {
	readonly method: "GET" | "POST" | "PATCH" | "DELETE";
	/** Path below the base URL, beginning with `/`, each segment already encoded. */
	readonly path: string;
	readonly query?: Query;
	/** Sent as JSON when present. */
	readonly body?: unknown;
}

/** An answer of any HTTP status. */
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
export type Exchange = (request: WireRequest) => Promise<WireAnswer>;

/** Most of an error's body that is looked at, bytes: its words stand at its beginning. */
export const MOST_ERROR_BYTES = 64 * 1024;

/** Names of the headers that are read, in lower case (spec V2, "Quota headers"). */
export const HEADER = {
	limit: "requestlimit-limit",
	used: "requestlimit-used",
	remaining: "requestlimit-remaining",
	reset: "requestlimit-reset",
	retryAfter: "retry-after",
	date: "date",
	link: "link",
} as const;

/** Value in place of a number where the plan has no limit. */
export const UNMETERED = "unmetered";
