/** Languages that people are spoken to in; each has its catalogues. */
export const LANGUAGES = ["en-US", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that a name like "de-AT" means, as far as there are texts in it. */
export const languageFor = (name: unknown): Language =>
	LANGUAGES.find((it) => String(name).startsWith(it.slice(0, 2))) ??
	LANGUAGES[0];

/** The languages as options of exports name them. */
export const LANGUAGE_CODES = LANGUAGES.map((it) => it.slice(0, 2));
