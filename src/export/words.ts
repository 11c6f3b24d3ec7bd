import type { StringMeta } from "../service/v2/sites/site";
import { textIn, type Values } from "../texts/texts";
import type { Language } from "../util/language";
import type { Curve } from "./source/curve";
import type { Source } from "./source/source";

/** A word or a name of charts. */
export const word = (name: string, language: Language, values?: Values) =>
	textIn({ key: `chart.${name}`, values }, language);

/** Flatter than this, degrees, a field faces the sky rather than a direction. */
const FLAT = 5;
/** From this slope on, degrees, it hangs on a wall. */
const STEEP = 75;

const numbered = (index: number, language: Language) =>
	word("string", language, { number: index + 1 });

function place(string: StringMeta, language: Language): string {
	const { orientation, slope, string_index } = string;
	if (slope !== null && slope < FLAT) return word("flat", language);
	if (slope === null || orientation === null)
		return numbered(string_index, language);
	const directions = word("directions", language).split(", ");
	const direction = directions[Math.round(orientation / 45) & 7] as string;
	return word(slope < STEEP ? "roof" : "wall", language, { direction });
}

/**
 * Names of strings for people, "East roof 4.2 kW", each once: those that would be
 * alike have their id behind.
 *
 * @returns by `string_index`
 */
export function stringCaptions(
	strings: readonly StringMeta[],
	language: Language,
): ReadonlyMap<number, string> {
	const names = strings.map((string) => {
		const name = place(string, language);
		if (string.power_kw === null) return name;
		const kw = String(Math.round(string.power_kw * 100) / 100);
		return `${name} ${kw.replace(".", word("decimal", language))} kW`;
	});
	return new Map(
		strings.map(({ string_id, string_index }, index) => {
			const name = names[index] as string;
			const isTwice = names.indexOf(name) !== names.lastIndexOf(name);
			return [
				string_index,
				isTwice ? `${name} (${string_id ?? string_index + 1})` : name,
			];
		}),
	);
}

/** The strings of a forecast, named as people know them. */
export function namedStrings(
	{ facts, forecast, strings }: Source,
	language: Language,
): { name: string; curve: Curve }[] {
	const names = stringCaptions(facts.strings, language);
	return (forecast.strings ?? []).map(({ string_index }, index) => ({
		name: names.get(string_index) ?? numbered(string_index, language),
		curve: strings[index] as Curve,
	}));
}
