import { chart } from "./chart/chart";
import type { Format, FormatDescription } from "./format";
import { apexcharts } from "./formats/apexcharts";
import { csv } from "./formats/csv";
import { emhass } from "./formats/emhass";
import { eos } from "./formats/eos";
import { evcc } from "./formats/evcc";
import { forecastSolar } from "./formats/forecast-solar";
import { influxdb } from "./formats/influxdb";
import { openMeteo } from "./formats/open-meteo";
import { solcast } from "./formats/solcast";
import { text } from "./formats/text";
import { v1 } from "./formats/v1";
import { values } from "./formats/values";
import { homeAssistant } from "./home-assistant/home-assistant";

/** Formats that make documents of a forecast, by the name that flows use. */
export const DOCUMENT_FORMATS = {
	evcc,
	emhass,
	eos,
	solcast,
	"forecast-solar": forecastSolar,
	"open-meteo": openMeteo,
	influxdb,
	chart,
	apexcharts,
	csv,
	text,
	v1,
} as const satisfies Record<string, Format>;

export type DocumentFormat = keyof typeof DOCUMENT_FORMATS;
export type FormatName = "home-assistant" | "values" | DocumentFormat;

/** Every format and its options. */
export const FORMATS: Readonly<Record<FormatName, FormatDescription>> = {
	"home-assistant": homeAssistant,
	...DOCUMENT_FORMATS,
	values,
};

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
