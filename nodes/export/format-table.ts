import { FORMAT_NAMES, FORMATS } from "../../src/export";
import type { Option } from "../../src/export/format";
import type { DialogFormat, DialogOption } from "./dialog-format";

function dialogOption(option: Option): DialogOption {
	if (option.kind !== "text") return option;
	const { hint: _hint, pattern, ...rule } = option;
	return { ...rule, pattern: pattern.source };
}

/** Every format with its options, as `RED.settings.solarYieldExportFormats` in the editor. */
export const formatTable = (): DialogFormat[] =>
	FORMAT_NAMES.map((name) => ({
		name,
		options: FORMATS[name].options.map(dialogOption),
	}));
