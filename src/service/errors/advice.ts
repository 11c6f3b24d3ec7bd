import { SolarYieldError } from "./solar-yield-error";

/** An error's message in its two parts: "what happened; what to do". */
export function messageParts({ message }: SolarYieldError): {
	what: string;
	remedy: string;
} {
	const end = message.lastIndexOf("; ");
	return end < 0
		? { what: message, remedy: "" }
		: { what: message.slice(0, end), remedy: message.slice(end + 2) };
}

/** The same error with other advice on what to do; code and facts stay. */
export function withRemedy(
	error: SolarYieldError,
	remedy: string,
): SolarYieldError {
	const { status, detail, retry_at } = error.cause;
	return new SolarYieldError(
		error.kind,
		`${messageParts(error).what}; ${remedy}`,
		{
			status,
			detail,
			retryAt: retry_at === null ? null : Date.parse(retry_at),
		},
	);
}
