import { isObject } from "../util/guards";
import type { Language } from "../util/language";
import { timeText } from "../util/zone";

/** A text for people: its key in the catalogues, and what stands in its places. */
export interface Text {
	/** `section.name` */
	readonly key: string;
	readonly values?: Values | undefined;
}

/** What stands in the places of a text, `__name__`, by name. */
export type Values = { readonly [place: string]: Value };

/** Values of a list are separated by commas. */
export type Value = string | number | Text | Instant | readonly Value[];

/** A time that is written as the reader's language does. */
export interface Instant {
	/** Epoch ms. */
	readonly at: number;
	/** IANA name; else this machine's. */
	readonly zone?: string | null | undefined;
	/** Whether the year is said: of times that may be years away. */
	readonly withYear?: boolean;
	/** Whether nothing but the date is said. */
	readonly dateOnly?: boolean;
}

/** Whether a value is a text and nothing else. */
export const isText = (value: unknown): value is Text =>
	isObject(value) &&
	typeof value.key === "string" &&
	Object.keys(value).every((name) => name === "key" || name === "values");

type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;
type Source = (language: Language) => Catalogue;

const sources: Source[] = [(language) => require(`./${language}.json`)];

/**
 * Adds the catalogues of what may be missing in a later release.
 *
 * @internal
 */
export const addTexts = (source: Source) => void sources.push(source);

/**
 * A text in a language; a key that no catalogue has stands for itself.
 *
 * A value `advice` stands in place of what the catalogue advises, behind the last "; ",
 * which is `__own__` in it; blank, nothing is advised.
 *
 * @internal
 */
export function textIn(
	{ key, values = {} }: Text,
	language: Language = "en-US",
): string {
	const [section = "", name = ""] = key.split(".");
	const found =
		sources
			.map((source) => source(language)[section]?.[name])
			.find((text) => typeof text === "string") ?? key;
	const { advice } = values;
	const end = found.lastIndexOf("; ");
	if (advice === undefined || end < 0) return filled(found, values, language);
	const what = filled(found.slice(0, end), values, language);
	if (advice === "") return what;
	const own = filled(found.slice(end + 2), { ...values, advice: "" }, language);
	const said = written(advice, language).replace("__own__", () => own);
	return `${what}; ${said}`;
}

const filled = (text: string, values: Values, language: Language) =>
	text.replace(/__(\w+?)__/g, (place, name) => {
		const value = values[name];
		return value === undefined ? place : written(value, language);
	});

/** A value as it stands in a text. */
function written(value: Value, language: Language): string {
	// What was kept on disk may hold null.
	if (typeof value !== "object" || value === null) return String(value);
	if ("key" in value) return textIn(value, language);
	if ("map" in value)
		return value.map((each) => written(each, language)).join(", ");
	return timeText(value.at, { ...value, language });
}

/** Several texts told as one, by a text with the places `__first__` and `__other__`. */
export const joinTexts = (key: string, texts: readonly Text[]): Text =>
	texts.reduce((first, other) => ({ key, values: { first, other } }));
