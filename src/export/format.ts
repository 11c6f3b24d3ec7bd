import type { Text } from "../texts/texts";
import { LANGUAGE_CODES } from "../util/language";
import type { CurveSpan } from "./source/curve";
import type { Request } from "./source/request";
import type { Source } from "./source/source";

/** One message of a format, before it gets its topic's beginning and its facts. */
export interface Document {
	/** Below `<prefix>/<site_id>/<format>`; absent for that topic itself. */
	readonly path?: string;
	readonly payload: unknown;
	/** Period that the payload covers. */
	readonly span: CurveSpan;
	/** Further message properties that the node behind needs. */
	readonly extra?: Readonly<Record<string, unknown>>;
}

/** A setting of a format, and what it may be; its words are in the node's catalogues. */
export type Option = { readonly name: string } & (
	| {
			readonly kind: "choice";
			readonly values: readonly (string | number)[];
			readonly default: string | number;
	  }
	| {
			readonly kind: "text";
			/** A regular expression. */
			readonly pattern: string;
			/** Key of what the pattern asks for. */
			readonly hint: string;
			readonly default: string;
	  }
	| {
			readonly kind: "integer";
			readonly min: number;
			readonly max: number;
			/** Null where blank means something of its own. */
			readonly default: number | null;
	  }
	| { readonly kind: "boolean"; readonly default: boolean }
);

/** An option of several choices; the first one is the default where none is named. */
export const choice = (
	name: string,
	values: readonly (string | number)[],
	standard = values[0] as string | number,
): Option => ({ kind: "choice", name, values, default: standard });

export const languageOption = choice("language", LANGUAGE_CODES, "en");

/** The step of formats that take any, minutes: they divide an hour. */
export const stepOption = (minutes: number): Option =>
	choice("step", [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60], minutes);

export type OptionValue = string | number | boolean | null;
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** What is known of a format besides how it is made. */
export interface FormatDescription {
	/** MIME type of the payload over HTTP, null where it goes another way. */
	readonly contentType: string | null;
	readonly options: readonly Option[];
	/** The document holds one site: a second one would take the first one's place. */
	readonly oneSite?: true;
	/** The site that a request names in its address, as the format's readers do; undefined where it names none. */
	siteOf?(request: Request): string | undefined;
	/** Whether any message that brings no forecast asks for it, not HTTP requests alone. */
	readonly onAnyMessage?: true;
	/** What HTTP answers while no forecast is known, where an error would stop the reader for good. */
	whileUnknown?(options: OptionValues): readonly [] | undefined;
	/** Body of an answer to a request that ended in an error, where readers know one. */
	failure?(words: string, status: number): unknown;
	/** Warning about options that only the user can check: what may go wrong; what to do. */
	warning?(options: OptionValues): Text | undefined;
}

/** A format whose documents need nothing but a forecast; one entry of the table. */
export interface Format extends FormatDescription {
	/** Whether it can do without `pv_power`. */
	readonly anyField?: true;
	/** Whether a new local date of the site changes its topics. */
	daily?(options: OptionValues): boolean;
	/**
	 * @param options as `readExportOptions` gave them
	 * @throws SolarYieldError `RESPONSE` when the forecast has a gap that the
	 * consumer cannot handle; `INPUT` when a request asks for something that does
	 * not exist
	 */
	make(source: Source, options: OptionValues): Document[];
}
