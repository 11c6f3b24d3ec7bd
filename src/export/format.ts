import type { Band } from "../forecast/band";
import type { Forecast } from "../forecast/forecast";
import type { Zone } from "../forecast/zone";
import type { SolarFacts } from "../messages/facts";
import type { Curve, Span } from "./curve";

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
}

/** One message of a format, before it gets its topic's beginning and its facts. */
export interface Document {
	/** Below `<prefix>/<site_id>/<format>`; absent for that topic itself. */
	readonly path?: string;
	readonly payload: unknown;
	/** The time that it speaks of. */
	readonly span: Span;
	/** Further message properties that the node behind needs. */
	readonly extra?: Readonly<Record<string, unknown>>;
}

/** A setting of a format, and what it may be. */
export type Option = {
	readonly name: string;
	/** One sentence. */
	readonly help: string;
} & (
	| {
			readonly kind: "choice";
			readonly values: readonly (string | number)[];
			readonly default: string | number;
	  }
	| {
			readonly kind: "text";
			readonly pattern: RegExp;
			/** What the pattern asks for. */
			readonly hint: string;
			readonly default: string;
	  }
	| {
			readonly kind: "integer";
			readonly min: number;
			readonly max: number;
			readonly default: number;
	  }
	| { readonly kind: "boolean"; readonly default: boolean }
);

export type OptionValue = string | number | boolean;
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** A format that consumers of a solar forecast read: a row of the table. */
export interface Format {
	/** One sentence: for whom, and what it is. */
	readonly help: string;
	/** What the time of an entry names. */
	readonly label: string;
	/** Of the payload over HTTP, null where it goes another way. */
	readonly contentType: string | null;
	readonly options: readonly Option[];
	/** Whether it can do without `pv_power`. */
	readonly anyField?: true;
	/**
	 * @param options as `readExportOptions` gave them
	 * @throws SolarYieldError `RESPONSE` when the forecast has a gap that the
	 * consumer could not bear
	 */
	make(source: Source, options: OptionValues): Document[];
}
