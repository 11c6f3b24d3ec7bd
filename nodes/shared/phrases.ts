import type { Node, NodeAPI } from "node-red";
import {
	SolarYieldError,
	withMessage,
} from "../../src/service/errors/solar-yield-error";
import type { Language } from "../../src/util/language";
import { timeText } from "../../src/util/time-text";
import { GERMAN } from "./german";
import { languageOf } from "./status";

/** A phrase that matches a text, and what it is in German. */
interface Phrase {
	readonly pattern: RegExp;
	readonly places: readonly { readonly name: string; readonly mark: string }[];
	readonly german: string;
	/** Letters that are not filled in: the more, the surer a match. */
	readonly length: number;
}

const PLACE = /\{(\w+)([!?#*+]?)\}/g;
/** What may stand in a place, by its mark: never what belongs to the advice behind it. */
const FILLING: Readonly<Record<string, string>> = {
	"": "((?:(?!; ).)+?)",
	"!": "((?:(?!; ).)+?)",
	"?": '(| [("](?:(?!; ).)*?)',
	"#": "([\\w$.:[\\]-]+)",
	"*": "([\\w$.-]+(?:, [\\w$.-]+)*)",
	"+": "(\\w+.* \\(.+\\))",
};
/** What is in brackets, brackets in it included. */
const BRACKETS = /\(((?:[^()]|\([^()]*\))*)\)/g;

/** What is quoted: the service's own words, and values. */
const QUOTED = /\("[\s\S]*?"\)|"(?:[^"\\]|\\.)*"/g;
/** Stands there for the blank behind what would end a part of a text. */
const NO_END = "\0";

function phraseOf([english, german]: [string, string]): Phrase {
	const places = [...english.matchAll(PLACE)].map(
		([, name = "", mark = ""]) => ({ name, mark }),
	);
	const source = english
		.split(PLACE)
		// Texts stand between a name and its mark, and the next name.
		.map((part, index) =>
			index % 3 === 0
				? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
				: index % 3 === 2
					? FILLING[part]
					: "",
		)
		.join("");
	return {
		pattern: new RegExp(`^${source}$`, "s"),
		places,
		german,
		length: english.replace(PLACE, "").length,
	};
}

/** German by English phrase: what all nodes say, and what each of those says that are loaded later or not at all. */
const tables: Readonly<Record<string, string>>[] = [GERMAN];
/** Those of all tables, the surest match first; undefined until they are asked for. */
let phrases: readonly Phrase[] | undefined;

/** Adds what a node says that may be loaded later than others, or not at all. */
export function addGerman(table: Readonly<Record<string, string>>): void {
	tables.push(table);
	phrases = undefined;
}

/** Between errors that are told as one. */
const SEVERAL = /( · |\. )/;

/** "Dec 1, 01:00", as errors have it (`timeText`). */
const TIME =
	/^(?<day>[A-Z][a-z]{2} \d{1,2}), (?:(?<year>\d{4}), )?(?<clock>\d\d:\d\d)(?<zone> UTC)?$/;
const DATE = /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/;

function germanTime(text: string): string | undefined {
	if (DATE.test(text)) return new Date(text).toLocaleDateString("de");
	const { day, year, clock, zone = "" } = TIME.exec(text)?.groups ?? {};
	const instant = Date.parse(`${day} ${year ?? 2024} ${clock} UTC`);
	if (Number.isNaN(instant)) return undefined;
	return timeText(instant, {
		zone: "UTC",
		language: "de",
		withYear: year !== undefined,
	}).replace(" UTC", zone);
}

/** What is filled in, with its brackets in German. */
const bracketed = (given: string) =>
	given
		.replaceAll(") and ", ") und ")
		.replace(BRACKETS, (_all, inner) => `(${germanOf(inner) ?? inner})`);

/** A text in German, undefined where some of it has no phrase. */
function germanOf(text: string): string | undefined {
	phrases ??= tables
		.flatMap(Object.entries<string>)
		.map(phraseOf)
		.sort((a, b) => b.length - a.length);
	for (const { pattern, places, german } of phrases) {
		const match = pattern.exec(text);
		if (!match) continue;
		const values = new Map<string, string>();
		for (const [index, { name, mark }] of places.entries()) {
			const given = match[index + 1] ?? "";
			const value =
				germanOf(given) ?? (mark === "!" ? undefined : bracketed(given));
			if (value !== undefined) values.set(name, value);
		}
		if (values.size < places.length) continue;
		return german.replace(PLACE, (_place, name) => values.get(name) ?? "");
	}
	// What happened, and what to do.
	const end = text.indexOf("; ");
	if (end < 0) return germanTime(text);
	const what = germanOf(text.slice(0, end));
	const advice = what && germanOf(text.slice(end + 2));
	return what && advice && `${what}; ${advice}`;
}

/** A text for people in a language; in English where another has no words for some of it. */
export function inLanguage(text: string, language: Language): string {
	if (language !== "de") return text;
	return text
		.replace(QUOTED, (quoted) => quoted.replace(/([;.]) /g, `$1${NO_END}`))
		.split(SEVERAL)
		.map((each) => germanOf(each) ?? each)
		.join("")
		.replaceAll(NO_END, " ");
}

/** An error in a language. */
export function errorIn(error: SolarYieldError, language: Language) {
	const message = inLanguage(error.message, language);
	return message === error.message ? error : withMessage(error, message);
}

/** Has all that a node says in errors and warnings said in the server's language, as its statuses are. */
export function speakServerLanguage(RED: NodeAPI, node: Node): void {
	const language = languageOf(RED._);
	if (language === "en-US") return;
	const spoken = (said: unknown) =>
		said instanceof SolarYieldError
			? errorIn(said, language)
			: typeof said === "string"
				? inLanguage(said, language)
				: said;
	const { error, warn } = node;
	node.error = (said, msg) => error.call(node, spoken(said), msg);
	node.warn = (said) => warn.call(node, spoken(said));
}
