import { LANGUAGE_CODES } from "../../util/language";
import type { FormatDescription } from "../format";

/** Description of the format; `home-assistant.ts` makes its messages. */
export const homeAssistant: FormatDescription = {
	contentType: null,
	options: [
		{
			kind: "text",
			name: "prefix",
			pattern: /^[^/+#\s](?:[^+#\s]*[^/+#\s])?$/,
			hint: "export.prefix",
			default: "homeassistant",
		},
		{
			kind: "choice",
			name: "language",
			values: LANGUAGE_CODES,
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
