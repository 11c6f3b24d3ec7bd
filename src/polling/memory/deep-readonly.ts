/** A value that nobody changes: memory is replaced as a whole, by the transitions of the account room. */
export type DeepReadonly<T> = T extends object
	? { readonly [K in keyof T]: DeepReadonly<T[K]> }
	: T;
