import type { FormatDescription } from "../format";
import { NAME_LANGUAGES } from "./names";

/** Description of the format; `home-assistant.ts` makes its messages. */
export const homeAssistant: FormatDescription = {
	contentType: null,
	options: [
		{
			kind: "text",
			name: "prefix",
			pattern: /^[^/+#\s](?:[^+#\s]*[^/+#\s])?$/,
			hint: "a topic without +, #, blanks, and without / at its ends",
			default: "homeassistant",
		},
		{
			kind: "choice",
			name: "language",
			values: NAME_LANGUAGES,
			default: "en",
		},
		{
			kind: "integer",
			name: "curveDays",
			min: 0,
			max: 8,
			default: null,
		},
	],
};
