import { Documents } from "./documents";
import type { OptionValues } from "./format";
import { ScalarValues } from "./formats/values";
import { HomeAssistant } from "./home-assistant/home-assistant";
import type { Published } from "./published";
import type { FormatName } from "./table";

export { Documents } from "./documents";
export type { OptionValues } from "./format";
export { ScalarValues } from "./formats/values";
export { HomeAssistant } from "./home-assistant/home-assistant";
export type { LiveInput } from "./live-site";
export type { ExportMessage } from "./message";
export { readExportOptions, readFormat } from "./options";
export { Published } from "./published";
export { type Request, readRequest } from "./source/request";
export { FORMAT_NAMES, FORMATS, type FormatName } from "./table";

export type AnyExporter = HomeAssistant | ScalarValues | Documents;

/**
 * The exporter of a format, as a node keeps it: told of forecasts, of the values
 * of now (`HomeAssistant`, `ScalarValues`), of time and of removals.
 *
 * @param options as `readExportOptions` gave them
 * @param published what an earlier instance of the same node had published
 */
export function openExporter(
	format: FormatName,
	options: OptionValues,
	published: Published = {},
): AnyExporter {
	switch (format) {
		case "home-assistant":
			return new HomeAssistant(options, published);
		case "values":
			return new ScalarValues(published);
		default:
			return new Documents(format, options, published);
	}
}
