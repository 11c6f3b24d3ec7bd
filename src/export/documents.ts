import { readSiteId } from "../messages/selection";
import { siteLabel, siteTopicOf } from "../messages/topic";
import {
	inputError,
	SolarYieldError,
} from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { Exporter } from "./exporter";
import type { Format, OptionValues } from "./format";
import { type ExportMessage, messageOf } from "./message";
import { clearing, type Published } from "./published";
import type { Request } from "./source/request";
import { type ExportInput, sourceOf } from "./source/source";
import { DOCUMENT_FORMATS, type DocumentFormat } from "./table";

/** A forecast for a format of documents. */
interface DocumentInput extends ExportInput {
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
		throw inputError("export.no_pv_power", { format });
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

const notFound = (asked: string, known: string) =>
	new SolarYieldError("NOT_FOUND", "export.unknown_address", {
		asked: show(asked),
		known,
	});

/** The last forecast of a site, kept where time or a request asks for it again, and the local date of its documents. */
interface SiteState {
	readonly input: ExportInput;
	day: number;
}

/** Documents of one format, of every site that a node gets a forecast of. */
export class Documents extends Exporter<SiteState> {
	readonly #name: DocumentFormat;
	readonly #format: Format;
	readonly #options: OptionValues;
	#followed: string | undefined;

	/**
	 * @param options as `readExportOptions` gave them
	 * @param published what an earlier instance had published
	 */
	constructor(
		format: DocumentFormat,
		options: OptionValues,
		published?: Published,
	) {
		super(published);
		this.#name = format;
		this.#format = DOCUMENT_FORMATS[format];
		this.#options = options;
	}

	/** Whether a message that brings no forecast is answered from the last one, as a request is. */
	get onAnyMessage(): boolean {
		return this.#format.onAnyMessage ?? false;
	}

	/**
	 * Takes a forecast in and answers with its documents.
	 *
	 * @throws SolarYieldError as `makeDocuments`; `INPUT` for a second site where
	 * the document holds one; `NOT_FOUND` where the request's address names another
	 */
	update(input: DocumentInput): ExportMessage[] {
		const { siteId, ...forecast } = input;
		const { facts, request } = input;
		const asked = request && this.#format.siteOf?.(request);
		if (asked !== undefined && asked !== facts.site_id) {
			throw notFound(asked, facts.site_id);
		}
		const followed = this.#format.oneSite
			? this.#follow(facts.site_id, siteId)
			: undefined;
		const messages = this.#publish(forecast);
		this.#followed = followed;
		if (this.#isDaily || this.#format.contentType !== null) {
			const day = input.forecast.zone.dayOf(input.nowMs);
			this.sites.set(siteLabel(facts), {
				input: { ...forecast, request: undefined },
				day,
			});
		}
		return messages;
	}

	/**
	 * Answers a request that brings no forecast: the documents of the last one, as
	 * they are at this instant.
	 *
	 * @param siteId undefined for the site that the request's address names, else the only one
	 * @returns while no forecast is known what readers need instead of an error, undefined where they need nothing
	 * @throws SolarYieldError as `makeDocuments`; `INPUT` for a site of which nothing
	 * is known, and where several are and none is named; `NOT_FOUND` where the address
	 * names one of which nothing is known
	 */
	answer(
		siteId: string | undefined,
		request: Request,
		nowMs: number,
	): ExportMessage[] | undefined {
		const inputs = [...this.sites.values()].map(({ input }) => input);
		if (inputs.length === 0) {
			const payload = this.#format.whileUnknown?.(this.#options);
			const headers = { "content-type": String(this.#format.contentType) };
			return (
				payload && [{ topic: this.#name, payload, retain: false, headers }]
			);
		}
		const addressed = this.#format.siteOf?.(request);
		const asked = siteId ?? addressed ?? this.#followed;
		const named = inputs.filter(
			({ facts }) => asked === undefined || facts.site_id === asked,
		);
		const [input] = named;
		if (input && named.length === 1) {
			return makeDocuments(this.#name, this.#options, {
				...input,
				request,
				nowMs,
			});
		}
		const known = inputs.map(({ facts }) => facts.site_id).join(", ");
		if (siteId === undefined && addressed !== undefined) {
			throw notFound(addressed, known);
		}
		throw inputError("export.unknown_site", { asked: show(siteId), known });
	}

	renew(nowMs: number): ExportMessage[] {
		if (!this.#isDaily) return [];
		const messages: ExportMessage[] = [];
		for (const site of this.sites.values()) {
			const day = site.input.forecast.zone.dayOf(nowMs);
			if (day === site.day) continue;
			site.day = day;
			messages.push(...this.#publish({ ...site.input, nowMs }));
		}
		return messages;
	}

	nextRenewal(): number | null {
		if (!this.#isDaily) return null;
		const midnights = [...this.sites.values()].map(
			({ input: { forecast }, day }) => forecast.zone.dayStart(day + 1),
		);
		return midnights.length > 0 ? Math.min(...midnights) : null;
	}

	override remove(siteId: string | undefined): ExportMessage[] {
		if (siteId === undefined || siteId === this.#followed) {
			this.#followed = undefined;
			this.refused = undefined;
		}
		if (siteId === this.refused) this.refused = undefined;
		return super.remove(siteId);
	}

	/**
	 * The site that is followed from a forecast on: the first one until the next deploy.
	 * Another is kept in mind as refused, unless `msg.siteId` names it.
	 */
	#follow(siteId: string, asked: unknown): string {
		const followed = this.#followed ?? siteId;
		if (followed === siteId || readSiteId(asked) === siteId) return followed;
		this.refused = siteId;
		throw inputError("export.one_site", {
			site: show(siteId),
			followed: show(followed),
		});
	}

	/** Whether a new date changes the topics. */
	get #isDaily(): boolean {
		return this.#format.daily?.(this.#options) ?? false;
	}

	#publish(input: ExportInput): ExportMessage[] {
		const messages = makeDocuments(this.#name, this.#options, input);
		const gone = this.note(
			siteLabel(input.facts),
			messages.map(({ topic }) => topic),
		);
		return [...messages, ...clearing(gone)];
	}
}
