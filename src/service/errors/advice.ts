import { type SolarYieldError, withMessage } from "./solar-yield-error";

/** Advice where waiting helps, and whoever asked has to ask again; the poller does so by itself and says so. */
export const TRY_LATER = "try again later";

/** The two parts of an error's message, "what happened; what to do". */
export function messageParts({ message }: SolarYieldError): {
	what: string;
	advice: string;
} {
	const end = message.lastIndexOf("; ");
	return end < 0
		? { what: message, advice: "" }
		: { what: message.slice(0, end), advice: message.slice(end + 2) };
}

/** The same error with other advice on what to do. */
export const withAdvice = (
	error: SolarYieldError,
	advice: string,
): SolarYieldError =>
	withMessage(error, `${messageParts(error).what}; ${advice}`);
