import type { StringMeta } from "../../service/v2/sites/site";
import type { NameLanguage } from "../home-assistant/names";

/** What a chart says, in one language. */
export interface ChartWords {
	readonly forecast: string;
	readonly clearSky: string;
	/** Lower edge of the range. */
	readonly lowest: string;
	/** From the lower to the upper edge. */
	readonly range: string;
	readonly now: string;
	/** Sunday first. */
	readonly weekdays: readonly string[];
	/** Eight names, clockwise from north. */
	readonly directions: readonly string[];
	/** A field of modules that faces a direction. */
	readonly roof: (direction: string) => string;
	readonly wall: (direction: string) => string;
	readonly flat: string;
	/** A string of which nothing but its number is known, counted from 1. */
	readonly string: (number: number) => string;
	readonly decimal: string;
}

export const CHART_WORDS: Readonly<Record<NameLanguage, ChartWords>> = {
	en: {
		forecast: "Forecast",
		clearSky: "Clear sky",
		lowest: "At least",
		range: "Range",
		now: "Now",
		weekdays: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
		directions: [
			"North",
			"North-east",
			"East",
			"South-east",
			"South",
			"South-west",
			"West",
			"North-west",
		],
		roof: (direction) => `${direction} roof`,
		wall: (direction) => `${direction} wall`,
		flat: "Flat roof",
		string: (number) => `String ${number}`,
		decimal: ".",
	},
	de: {
		forecast: "Prognose",
		clearSky: "Klarer Himmel",
		lowest: "Mindestens",
		range: "Spanne",
		now: "Jetzt",
		weekdays: ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"],
		directions: [
			"Nord",
			"Nordost",
			"Ost",
			"Südost",
			"Süd",
			"Südwest",
			"West",
			"Nordwest",
		],
		roof: (direction) => `${direction}dach`,
		wall: (direction) => `${direction}wand`,
		flat: "Flachdach",
		string: (number) => `String ${number}`,
		decimal: ",",
	},
};

/** Flatter than this, degrees, a field faces the sky rather than a direction. */
const FLAT = 5;
/** From this slope on, degrees, it hangs on a wall. */
const STEEP = 75;

function place(string: StringMeta, words: ChartWords): string {
	const { orientation, slope, string_index } = string;
	if (slope !== null && slope < FLAT) return words.flat;
	if (slope === null || orientation === null) {
		return words.string(string_index + 1);
	}
	const index = Math.round(orientation / 45) & 7;
	const direction = words.directions[index] as string;
	return slope < STEEP ? words.roof(direction) : words.wall(direction);
}

/**
 * Names of strings for people, "East roof 4.2 kW", each once: those that would be
 * alike have their id behind.
 *
 * @returns by `string_index`
 */
export function stringCaptions(
	strings: readonly StringMeta[],
	words: ChartWords,
): ReadonlyMap<number, string> {
	const names = strings.map((string) => {
		const name = place(string, words);
		if (string.power_kw === null) return name;
		const kw = String(Math.round(string.power_kw * 100) / 100);
		return `${name} ${kw.replace(".", words.decimal)} kW`;
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
