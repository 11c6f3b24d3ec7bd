import { type Language, languageFor } from "../../util/language";
import {
	type Document,
	type FormatDescription,
	languageOption,
	type OptionValues,
} from "../format";
import { LiveExporter, LiveSite } from "../live-site";
import { type ExportMessage, messageOf } from "../message";
import { clearing, type Published } from "../published";
import { sourceOf } from "../source/source";
import { dayAttributes } from "./day-attributes";
import {
	componentsOf,
	curveTopic,
	type Device,
	discovery,
	discoveryTopic,
	stateTopic,
} from "./device";
import { daySensor } from "./entities";
import { sensorsOf, stateOf, stringLabels } from "./state";

export const homeAssistant: FormatDescription = {
	contentType: null,
	options: [
		{
			kind: "text",
			name: "prefix",
			pattern: "^[^/+#\\s](?:[^+#\\s]*[^/+#\\s])?$",
			hint: "export.prefix",
			default: "homeassistant",
		},
		languageOption,
		{
			kind: "integer",
			name: "curveDays",
			min: 0,
			max: 8,
			default: null,
		},
	],
};

/** One site and what was sent of it. */
class Site extends LiveSite {
	/** Indices of days whose curve is published. */
	curves: readonly number[] = [];
	/** The last discovery message, as text. */
	discovery = "";
	/** The site's local date of the last curves. */
	day = Number.NaN;
}

/**
 * Home Assistant by MQTT discovery: one device per site, one state, one curve
 * per day. What was published is kept, so that entities of strings and days that
 * are gone are removed, and so that a birth message is answered with everything.
 */
export class HomeAssistant extends LiveExporter<Site> {
	protected readonly Site = Site;
	readonly #prefix: string;
	readonly #language: Language;
	/** Days with a curve. */
	readonly #curveDays: number;

	/**
	 * @param options as `readExportOptions("home-assistant", …)` gave them
	 * @param published what an earlier instance had published
	 */
	constructor(options: OptionValues, published?: Published) {
		super(published);
		this.#prefix = options.prefix as string;
		this.#language = languageFor(options.language);
		this.#curveDays =
			(options.curveDays as number | null) ?? Number.POSITIVE_INFINITY;
	}

	/** What Home Assistant says of itself, `online` or `offline`; undefined for any other message. */
	statusIn(message: {
		readonly topic?: unknown;
		readonly payload?: unknown;
	}): string | undefined {
		const { topic, payload } = message;
		const topics = [`${this.#prefix}/status`, "homeassistant/status"];
		if (!topics.includes(topic as string)) return undefined;
		return payload instanceof Uint8Array
			? Buffer.from(payload).toString()
			: String(payload);
	}

	/** Answers the birth message: everything of every site. */
	birth(nowMs: number): ExportMessage[] {
		return [...this.sites.values()].flatMap((site) =>
			this.publish(site, nowMs, true),
		);
	}

	protected override isDue(site: Site, nowMs: number): boolean {
		return this.#isNewDay(site, nowMs) || super.isDue(site, nowMs);
	}

	#isNewDay({ forecast, day }: Site, nowMs: number): boolean {
		return forecast !== undefined && forecast.zone.dayOf(nowMs) !== day;
	}

	/** Discovery when it changed, curves of a new forecast or a new day, and the state. */
	protected publish(
		site: Site,
		nowMs: number,
		isAll: boolean,
	): ExportMessage[] {
		const dated = site.values(nowMs);
		if (!dated) return [];
		const { base, facts, forecast, label } = site;
		const device: Device = {
			base,
			facts,
			prefix: this.#prefix,
			language: this.#language,
		};
		// Between forecasts the curves change with the day only.
		const source =
			forecast && (isAll || this.#isNewDay(site, nowMs))
				? sourceOf({ forecast, facts, nowMs })
				: undefined;
		const { days } = dated.values;
		const curves = source
			? dayAttributes(source, this.#curveDays, days, this.#language)
			: [];
		if (source) {
			site.day = source.today;
			site.curves = curves.map(({ index }) => index);
		}

		const { entities: before = {} } = this.published[label] ?? {};
		const labels = stringLabels(dated.values);
		const state = stateOf(dated, labels, facts, site.quota);
		const sensors = sensorsOf(
			dated.values,
			labels,
			state,
			(key) => key in before,
		);
		for (const { field } of sensors) state[field] ??= null;
		const components = componentsOf(
			device,
			sensors,
			new Map(site.curves.map((index) => [curveField(index), index])),
			site.validMinutes(nowMs) * 60,
		);
		const messages: ExportMessage[] = [];
		const send = (topic: string, payload: unknown, document?: Document) =>
			messages.push(messageOf(topic, payload, source, facts, document));
		const config = discovery(device, components, before);
		const text = `${discoveryTopic(device)} ${JSON.stringify(config)}`;
		if (isAll || text !== site.discovery) {
			site.discovery = text;
			send(discoveryTopic(device), config);
		}
		const curveTopics = site.curves.map((index) => curveTopic(device, index));
		for (const document of curves) {
			send(curveTopic(device, document.index), document.payload, document);
		}
		const platforms = Object.entries(components).map(([key, { platform }]) => [
			key,
			platform,
		]);
		const goneTopics = this.note(
			label,
			[discoveryTopic(device), stateTopic(device), ...curveTopics],
			{ ...before, ...Object.fromEntries(platforms) },
		);
		messages.push(...clearing(goneTopics));
		send(stateTopic(device), state);
		return messages;
	}
}

/** The field of the sensor that has a day's curve as its attribute. */
const curveField = (index: number) =>
	["energy_today_kwh", "energy_tomorrow_kwh"][index] ?? daySensor(index).field;
