import { type Text, textIn, type Values } from "../../texts/texts";
import type { Language } from "../../util/language";

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
 * Facts of an error as they are given; all may be unknown.
 *
 * @internal
 */
export interface ErrorFacts {
	readonly status?: number | null;
	readonly detail?: string | null;
	/** Epoch milliseconds. */
	readonly retryAt?: number | null;
}

/**
 * The only error that is thrown here. It holds plain values and never a
 * library's error, so that no request header can travel with it.
 *
 * `message` reads "what happened; what to do", in English unless told.
 */
export class SolarYieldError extends Error {
	override readonly name = "SolarYieldError";
	readonly kind: ErrorKind;
	readonly code: `SOLAR_YIELD_${ErrorKind}`;
	override readonly cause: ErrorCause;
	/**
	 * What `message` says, for other languages.
	 *
	 * @internal
	 */
	declare readonly text: Text;

	/**
	 * @param key of the text in the catalogues
	 * @param values what stands in its places
	 * @internal
	 */
	constructor(
		kind: ErrorKind,
		key: string,
		values: Values = {},
		facts: ErrorFacts = {},
		language?: Language,
	) {
		const text = { key, values };
		super(textIn(text, language));
		this.kind = kind;
		this.code = `SOLAR_YIELD_${kind}`;
		this.cause = {
			code: this.code,
			status: facts.status ?? null,
			detail: facts.detail ?? null,
			retry_at:
				facts.retryAt == null ? null : new Date(facts.retryAt).toISOString(),
		};
		// Debug output need not show it.
		Object.defineProperty(this, "text", { value: text });
	}

	/** Node-RED makes `msg.error.message` of this: the message alone. */
	override toString(): string {
		return this.message;
	}
}

/**
 * The facts of an error, for another one.
 *
 * @internal
 */
export const errorFacts = ({
	cause: { status, detail, retry_at },
}: SolarYieldError) => ({
	status,
	detail,
	retryAt: retry_at === null ? null : Date.parse(retry_at),
});

/**
 * An error like another one, but for its values, facts or language.
 *
 * @internal
 */
export const restated = (
	error: SolarYieldError,
	{
		values = error.text.values,
		facts,
		language,
	}: { values?: Values; facts?: ErrorFacts; language?: Language },
) =>
	new SolarYieldError(
		error.kind,
		error.text.key,
		values,
		{ ...errorFacts(error), ...facts },
		language,
	);

/**
 * Shorthand for a refusal of what a user gave.
 *
 * @internal
 */
export const inputError = (key: string, values?: Values): SolarYieldError =>
	new SolarYieldError("INPUT", key, values);
