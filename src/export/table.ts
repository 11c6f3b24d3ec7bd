import { apexcharts } from "./apexcharts";
import { chart } from "./chart";
import { csv } from "./csv";
import { emhass } from "./emhass";
import { eos } from "./eos";
import { evcc } from "./evcc";
import { forecastSolar } from "./forecast-solar";
import type { Format } from "./format";
import { influxdb } from "./influxdb";
import { solcast } from "./solcast";
import { v1 } from "./v1";

/** Home Assistant is no document but a conversation: see `home-assistant/`. */
const homeAssistant: Omit<Format, "make"> = {
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
	],
};

/** Formats that make documents of a forecast, by the name that flows use. */
export const DOCUMENT_FORMATS = {
	evcc,
	emhass,
	eos,
	solcast,
	"forecast-solar": forecastSolar,
	influxdb,
	chart,
	apexcharts,
	csv,
	v1,
} as const satisfies Record<string, Format>;

export type DocumentFormat = keyof typeof DOCUMENT_FORMATS;
export type FormatName = "home-assistant" | DocumentFormat;

/** Every format: a sentence of help, its options, and what its labels name. */
export const FORMATS: Readonly<Record<FormatName, Omit<Format, "make">>> = {
	"home-assistant": homeAssistant,
	...DOCUMENT_FORMATS,
};

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
