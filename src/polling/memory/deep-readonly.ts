import type { Text } from "../../texts/texts";

/** A value that nobody changes: memory is replaced as a whole, by the transitions of the account room. */
export type DeepReadonly<T> = T extends Text
	? T
	: T extends object
		? { readonly [K in keyof T]: DeepReadonly<T[K]> }
		: T;
