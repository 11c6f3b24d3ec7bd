import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import { isBlank } from "../util/guards";
import type { OptionValues } from "./format";
import { readOption } from "./read-option";
import { FORMAT_NAMES, FORMATS, type FormatName } from "./table";

/**
 * Reads the name of a format.
 *
 * @throws SolarYieldError `INPUT`
 */
export function readFormat(value: unknown): FormatName {
	const name = FORMAT_NAMES.find((known) => known === value);
	if (name) return name;
	throw inputError("export.format", {
		value: show(value),
		formats: FORMAT_NAMES,
	});
}

/**
 * Reads a format's options from a node's settings: blank is the default, numbers
 * may be text, what the format does not know is not looked at.
 *
 * @throws SolarYieldError `INPUT` naming the option, its value and what it may be
 */
export function readExportOptions(
	format: FormatName,
	config: Readonly<Record<string, unknown>>,
): OptionValues {
	return Object.fromEntries(
		FORMATS[format].options.map((option) => {
			const given = config[option.name];
			const value = isBlank(given) ? option.default : readOption(option, given);
			if (value !== undefined) return [option.name, value];
			throw inputError(`export.option_${option.kind}`, {
				name: option.name,
				value: show(given),
				format,
				...(option.kind === "choice" && { choices: option.values }),
				...(option.kind === "text" && { wanted: { key: option.hint } }),
				...(option.kind === "integer" && {
					least: option.min,
					most: option.max,
				}),
			});
		}),
	);
}
