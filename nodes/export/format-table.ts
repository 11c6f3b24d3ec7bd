import { FORMAT_NAMES, FORMATS } from "../../src/export";
import type { Option } from "../../src/export/format";

/** An option as the dialog builds its field. A pattern goes as text, for JSON has no other. */
export type DialogOption = Omit<Option, "help" | "pattern" | "hint"> & {
	readonly pattern?: string;
};

/** A format as the dialog offers it; its words are in the catalogue. */
export interface DialogFormat {
	readonly name: string;
	readonly options: readonly DialogOption[];
}

const dialogOption = (option: Option): DialogOption => {
	if (option.kind !== "text") {
		const { help: _help, ...rest } = option;
		return rest;
	}
	const { help: _help, hint: _hint, pattern, ...rest } = option;
	return { ...rest, pattern: pattern.source };
};

/** Every format with its options, as `RED.settings.solarYieldExportFormats` in the editor. */
export const formatTable = (): DialogFormat[] =>
	FORMAT_NAMES.map((name) => ({
		name,
		options: FORMATS[name].options.map(dialogOption),
	}));
