import {
	type ExportMessage,
	type FormatName,
	type LiveInput,
	type OptionValues,
	openExporter,
} from "../../src/export";
import type { ExportInput } from "../../src/export/source/source";

/**
 * Everything that one forecast becomes in a format, by itself.
 *
 * @param options as `readExportOptions` gives them
 */
export const exportForecast = (
	format: FormatName,
	options: OptionValues,
	input: ExportInput & LiveInput,
): ExportMessage[] => openExporter(format, options).update(input);
