/**
 * Whether EMHASS may put a list of powers on other steps than ours: it begins with
 * the running step only where its `method_ts_round` is `first`.
 */
export const isListUnsure = (options: {
	readonly shape?: unknown;
	readonly rounding?: unknown;
}): boolean => options.shape === "list" && options.rounding !== "first";
