import type { FormatDescription } from "../format";
import { LANGUAGES } from "./names";

/** Description of the format; `home-assistant.ts` makes its messages. */
export const homeAssistant: FormatDescription = {
	help: "For Home Assistant: MQTT discovery, state and a curve per day; a button publishes to <prefix>/<site_id>/refresh.",
	label: "middle of a quarter hour (curves)",
	contentType: null,
	options: [
		{
			kind: "text",
			name: "prefix",
			help: "Home Assistant's discovery prefix.",
			pattern: /^[^/+#\s](?:[^+#\s]*[^/+#\s])?$/,
			hint: "a topic without +, #, blanks, and without / at its ends",
			default: "homeassistant",
		},
		{
			kind: "choice",
			name: "language",
			help: "Language of the names; the ids of entities are the same in each.",
			values: LANGUAGES,
			default: "en",
		},
		{
			kind: "integer",
			name: "curveDays",
			help: "Days with a curve as an attribute, today included; 0 for none, blank for all. Each curve is recorded anew with each forecast.",
			min: 0,
			max: 8,
			default: null,
		},
	],
};
