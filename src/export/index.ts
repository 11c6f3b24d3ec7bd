import type { Forecast } from "../forecast/forecast";
import type { NowPayload } from "../forecast/now";
import type { QuotaFacts, SolarFacts } from "../messages/facts";
import { siteTopicOf } from "../messages/topic";
import { inputError } from "../service/errors/solar-yield-error";
import type { Format, OptionValues } from "./format";
import { HomeAssistant } from "./home-assistant/home-assistant";
import { type ExportMessage, messageOf } from "./message";
import { sourceOf } from "./source";
import { DOCUMENT_FORMATS, type FormatName } from "./table";

export type { OptionValues } from "./format";
export {
	HomeAssistant,
	type HomeAssistantInput,
	type Published,
	type PublishedSite,
} from "./home-assistant/home-assistant";
export type { ExportMessage } from "./message";
export { readExportOptions, readFormat } from "./options";
export { FORMAT_NAMES, FORMATS, type FormatName } from "./table";

/** What a message brings to an export. */
export interface ExportInput {
	readonly forecast: Forecast;
	readonly facts: SolarFacts;
	readonly quota?: QuotaFacts | undefined;
	/** Only for `home-assistant`. */
	readonly now?: NowPayload | undefined;
	readonly nowMs: number;
	/** Topic of the incoming message; ours begin as it does. */
	readonly topic?: unknown;
}

/**
 * Writes a forecast as a consumer reads it (behaviour: Messages, `solar-yield-export`),
 * ready for the node that follows. Never a null, a NaN, a negative power or an
 * instant twice; gaps of up to an hour are interpolated and counted in
 * `solar.gaps_filled`, longer ones are left out.
 *
 * `home-assistant` remembers what it published: a node keeps a `HomeAssistant`
 * instead of calling this.
 *
 * @param options as `readExportOptions` gave them
 * @throws SolarYieldError `INPUT` when the forecast lacks what the format needs;
 * `RESPONSE` when EMHASS or EOS would plan over a longer gap, or with nothing
 */
export function exportForecast(
	format: FormatName,
	options: OptionValues,
	input: ExportInput,
): ExportMessage[] {
	if (format === "home-assistant") {
		return new HomeAssistant(options).update(input);
	}
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
