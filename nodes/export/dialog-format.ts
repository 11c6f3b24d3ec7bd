import type { OptionRule } from "../../src/export/read-option";

type WithTextPattern<Rule> = Rule extends { readonly pattern: RegExp }
	? Omit<Rule, "pattern"> & { readonly pattern: string }
	: Rule;

/** An option as the dialog builds its field. A pattern goes as text, for JSON has no other. */
export type DialogOption = WithTextPattern<OptionRule>;

/** A format as the dialog offers it; its words are in the catalogue. */
export interface DialogFormat {
	readonly name: string;
	readonly options: readonly DialogOption[];
}
