/** Kinds of errors; an error's `code` has `SOLAR_YIELD_` before it. */
export type ErrorKind =
	| "AUTH"
	| "PLAN"
	| "NOT_FOUND"
	| "QUOTA"
	| "RATE"
	| "INPUT"
	| "SERVICE"
	| "NETWORK"
	| "TIMEOUT"
	| "RESPONSE";

/** Facts of an error, plain values that Node-RED hands on to Catch nodes. */
export interface ErrorCause {
	readonly code: `SOLAR_YIELD_${ErrorKind}`;
	/** HTTP status, when there was an answer. */
	readonly status: number | null;
	/** The service's own words, at most 300 characters. */
	readonly detail: string | null;
	/** UTC ISO time before which asking again is pointless. */
	readonly retry_at: string | null;
}

/**
 * The only error that is thrown here. It holds plain values and never a
 * library's error, so that no request header can travel with it.
 *
 * `message` reads "what happened; what to do".
 */
export class SolarYieldError extends Error {
	override readonly name = "SolarYieldError";
	readonly kind: ErrorKind;
	readonly code: `SOLAR_YIELD_${ErrorKind}`;
	override readonly cause: ErrorCause;

	constructor(
		kind: ErrorKind,
		message: string,
		facts: {
			status?: number | null;
			detail?: string | null;
			/** Epoch milliseconds. */
			retryAt?: number | null;
		} = {},
	) {
		super(message);
		this.kind = kind;
		this.code = `SOLAR_YIELD_${kind}`;
		this.cause = {
			code: this.code,
			status: facts.status ?? null,
			detail: facts.detail ?? null,
			retry_at:
				facts.retryAt == null ? null : new Date(facts.retryAt).toISOString(),
		};
	}

	/** Node-RED makes `msg.error.message` of this: the message alone. */
	override toString(): string {
		return this.message;
	}
}

/**
 * The same error in other words; code and facts are for machines and stay.
 *
 * @param Kind class of the new one
 */
export function withMessage(
	{ kind, cause }: SolarYieldError,
	message: string,
	Kind: typeof SolarYieldError = SolarYieldError,
): SolarYieldError {
	const { status, detail, retry_at } = cause;
	const retryAt = retry_at === null ? null : Date.parse(retry_at);
	return new Kind(kind, message, { status, detail, retryAt });
}

/** Shorthand for a refusal of what a user gave. */
export function inputError(message: string): SolarYieldError {
	return new SolarYieldError("INPUT", message);
}
