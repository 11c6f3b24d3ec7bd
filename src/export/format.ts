import type { Band } from "../forecast/band";
import type { Forecast } from "../forecast/forecast";
import type { Zone } from "../forecast/zone";
import type { SolarFacts } from "../messages/facts";
import type { Text } from "../texts/texts";
import type { Request } from "./request";
import type { Curve, CurveSpan } from "./source/curve";

/** A forecast made ready for the formats. Instants are epoch ms. */
export interface Source {
	readonly forecast: Forecast;
	readonly facts: SolarFacts;
	readonly nowMs: number;
	readonly zone: Zone;
	/** The site's local date now, days since 1970-01-01. */
	readonly today: number;
	/** First instant of that date. */
	readonly todayStart: number;
	readonly band: Band;
	/** `pv_power`. */
	readonly curve: Curve;
	/** The other power fields that the rows have, by their name; the band only where it is known. */
	readonly curves: ReadonlyMap<string, Curve>;
	/** `pv_power` of each string, in the order of the forecast's. */
	readonly strings: readonly Curve[];
	/** The HTTP request that is answered; empty without one. */
	readonly request: Request;
}

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
			readonly pattern: RegExp;
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
	/** What HTTP answers while no forecast is known, where an error would stop the reader for good. */
	readonly whileUnknown?: unknown;
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
