import type {
	ErrorKind,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";

/** What an `http response` node answers with. */
interface HttpAnswer {
	readonly statusCode: number;
	readonly payload: unknown;
	readonly headers: Readonly<Record<string, string>>;
}

/** Body of an error, as whoever asks reads one. */
export type FailureBody = (words: string, status: number) => unknown;

/** Seconds after which to ask again, where no time is known. */
const USUAL_WAIT = 60;

/** Errors that asking again does not mend. */
const STATUSES: Partial<Record<ErrorKind, number>> = {
	INPUT: 400,
	NOT_FOUND: 404,
};

/**
 * The answer to an HTTP request that ended in an error (behaviour: Errors): 400 for a
 * wrong request, 404 for a site that is not there, else 503 with the time after
 * which to ask again.
 *
 * @param now epoch ms
 */
export function httpFailure(
	{ kind, message, cause }: SolarYieldError,
	now: number,
	body: FailureBody = (error) => ({ error }),
): HttpAnswer {
	const { retry_at } = cause;
	const status = retry_at === null ? (STATUSES[kind] ?? 503) : 503;
	const wait =
		retry_at === null
			? USUAL_WAIT
			: Math.max(1, Math.ceil((Date.parse(retry_at) - now) / 1000));
	return {
		statusCode: status,
		payload: body(message, status),
		headers: {
			"content-type": "application/json",
			...(status === 503 && { "retry-after": String(wait) }),
		},
	};
}
