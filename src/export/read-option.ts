import type { Option, OptionValue } from "./format";

/** The value as its kind has it; numbers and truth values may be text. Undefined when it is none. */
export function readOption(
	option: Option,
	value: unknown,
): OptionValue | undefined {
	switch (option.kind) {
		case "choice":
			return option.values.find((choice) => String(choice) === String(value));
		case "text":
			return typeof value === "string" && new RegExp(option.pattern).test(value)
				? value
				: undefined;
		case "integer": {
			const number = typeof value === "string" ? Number(value) : value;
			return Number.isInteger(number) &&
				(number as number) >= option.min &&
				(number as number) <= option.max
				? (number as number)
				: undefined;
		}
		case "boolean":
			return { true: true, false: false }[String(value)];
	}
}
/**
 * Whether EMHASS may put a list of powers on other steps than ours: it begins with
 * the running step only where its `method_ts_round` is `first`.
 */
export const isListUnsure = (options: {
	readonly shape?: unknown;
	readonly rounding?: unknown;
}): boolean => options.shape === "list" && options.rounding !== "first";
