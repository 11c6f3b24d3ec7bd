import { siteLabel, siteTopicOf } from "../messages/topic";
import { inputError } from "../service/errors/solar-yield-error";
import type { Exporter } from "./exporter";
import type { Format, OptionValues } from "./format";
import { type ExportMessage, messageOf } from "./message";
import { followFirstSite } from "./one-site";
import {
	clearing,
	type Published,
	removePublished,
	setPublished,
} from "./published";
import { type ExportInput, sourceOf } from "./source/source";
import { DOCUMENT_FORMATS, type DocumentFormat } from "./table";

/** A forecast for a format of documents. */
export interface DocumentInput extends ExportInput {
	/** `msg.siteId`. */
	readonly siteId?: unknown;
}

/**
 * Writes a forecast in a format of documents, ready for the node that follows.
 * Never a null, a NaN, a negative power or an instant twice; gaps of up to an
 * hour are interpolated and counted in `solar.gaps_filled`, longer ones are left
 * out.
 *
 * @param options as `readExportOptions` gave them
 * @throws SolarYieldError `INPUT` when the forecast lacks what the format needs;
 * `RESPONSE` when the reader would plan over a longer gap, or with nothing
 */
export function makeDocuments(
	format: DocumentFormat,
	options: OptionValues,
	input: ExportInput,
): ExportMessage[] {
	const { make, contentType, anyField }: Format = DOCUMENT_FORMATS[format];
	const source = sourceOf(input);
	if (!anyField && source.curve.isEmpty) {
		throw inputError(
			`The forecast holds no pv_power, which ${format} is made of; select the group default in the forecast node`,
		);
	}
	const base = `${siteTopicOf(input.topic, input.facts)}/${format}`;
	return make(source, options).map((document) =>
		messageOf(
			document.path === undefined ? base : `${base}/${document.path}`,
			document.payload,
			source,
			input.facts,
			document,
			contentType,
		),
	);
}

/** The last forecast of a site, and the local date of its documents. */
interface SiteState {
	readonly input: ExportInput;
	day: number;
}

/** Documents of one format, of every site that a node gets a forecast of. */
export class Documents implements Exporter {
	readonly #name: DocumentFormat;
	readonly #format: Format;
	readonly #options: OptionValues;
	/** Only where a new date changes the topics. */
	readonly #sites = new Map<string, SiteState>();
	#followed: string | undefined;
	#published: Published;

	/**
	 * @param options as `readExportOptions` gave them
	 * @param published what an earlier instance had published
	 */
	constructor(
		format: DocumentFormat,
		options: OptionValues,
		published: Published = {},
	) {
		this.#name = format;
		this.#format = DOCUMENT_FORMATS[format];
		this.#options = options;
		this.#published = published;
	}

	get published(): Published {
		return this.#published;
	}

	/**
	 * Takes a forecast in and answers with its documents.
	 *
	 * @throws SolarYieldError as `makeDocuments`; `INPUT` for a second site where
	 * the document holds one
	 */
	update(input: DocumentInput): ExportMessage[] {
		const { siteId, ...forecast } = input;
		const { facts } = input;
		const followed = this.#format.oneSite
			? followFirstSite(this.#followed, facts.site_id, siteId)
			: undefined;
		const messages = this.#publish(forecast);
		this.#followed = followed;
		if (this.#format.daily?.(this.#options)) {
			const day = input.forecast.zone.dayOf(input.nowMs);
			this.#sites.set(siteLabel(facts), { input: forecast, day });
		}
		return messages;
	}

	renew(nowMs: number): ExportMessage[] {
		const messages: ExportMessage[] = [];
		for (const site of this.#sites.values()) {
			const day = site.input.forecast.zone.dayOf(nowMs);
			if (day === site.day) continue;
			site.day = day;
			messages.push(...this.#publish({ ...site.input, nowMs }));
		}
		return messages;
	}

	nextRenewal(nowMs: number): number | null {
		const midnights = [...this.#sites.values()].map(({ input }) => {
			const { zone } = input.forecast;
			return zone.dayStart(zone.dayOf(nowMs) + 1);
		});
		return midnights.length > 0 ? Math.min(...midnights) : null;
	}

	remove(siteId: string | undefined): ExportMessage[] {
		const { published, gone } = removePublished(this.#published, siteId);
		this.#published = published;
		for (const label of this.#sites.keys()) {
			if (!(label in published)) this.#sites.delete(label);
		}
		if (siteId === undefined || siteId === this.#followed) {
			this.#followed = undefined;
		}
		return clearing(gone);
	}

	#publish(input: ExportInput): ExportMessage[] {
		const messages = makeDocuments(this.#name, this.#options, input);
		const { published, gone } = setPublished(
			this.#published,
			siteLabel(input.facts),
			{ topics: messages.map(({ topic }) => topic) },
		);
		this.#published = published;
		return [...messages, ...clearing(gone)];
	}
}
