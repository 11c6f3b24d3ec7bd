import { FORMAT_NAMES, FORMATS } from "../../src/export";

/** Every format with its options, as `RED.settings.solarYieldExportFormats` in the editor; its words are in the catalogue. */
export const formatTable = () =>
	FORMAT_NAMES.map((name) => ({ name, options: FORMATS[name].options }));
