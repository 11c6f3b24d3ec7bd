import type { Text, Values } from "../../texts/texts";
import { restated, type SolarYieldError } from "./solar-yield-error";

/** Advice where waiting helps, and whoever asked has to ask again; the poller does so by itself and says so. */
export const TRY_LATER = "try again later";

/** What an error advises, in English: the part behind "what happened; ". */
export const adviceOf = ({ message }: SolarYieldError): string =>
	message.slice(message.lastIndexOf("; ") + 2);

/** What happened, without what an error advises. */
export const whatOf = ({ text: { key, values } }: SolarYieldError): Text => ({
	key,
	values: { ...values, advice: "" },
});

/** The same error with other advice on what to do, by its key; `__own__` in it is what was advised before. */
export function withAdvice(
	error: SolarYieldError,
	key: string,
	values: Values = {},
): SolarYieldError {
	const own = error.text.values?.advice;
	const advice = {
		key,
		values: own === undefined ? values : { own, ...values },
	};
	return restated(error, { values: { ...error.text.values, advice } });
}
