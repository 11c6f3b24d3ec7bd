import { siteLabel } from "../../messages/topic";
import { type Language, languageFor } from "../../util/language";
import { Exporter } from "../exporter";
import type { Document, OptionValues } from "../format";
import { type LiveInput, LiveSite, nextRenewal } from "../live-site";
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

/** State of one site. */
interface SiteState {
	readonly live: LiveSite;
	/** Indices of days whose curve is published. */
	curves: ReadonlySet<number>;
	/** The last discovery message, as text. */
	discovery: string;
	/** What it was made of, as text, and the facts of its forecast. */
	made: { from: string; facts: LiveSite["facts"] } | undefined;
	/** The site's local date of the last curves. */
	day: number;
}

/** Messages to send besides the state. */
interface Occasion {
	/** The curves, and discovery with them: an mqtt out node drops what it gets while it is not connected. */
	readonly curves: boolean;
	readonly discovery: boolean;
}

/**
 * Home Assistant by MQTT discovery: one device per site, one state, one curve
 * per day. What was published is kept, so that entities of strings and days that
 * are gone are removed, and so that a birth message is answered with everything.
 */
export class HomeAssistant extends Exporter<SiteState> {
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

	/**
	 * Takes a message in and answers with what has to be published: discovery
	 * when it changed, curves of a new forecast or a new day, and the state.
	 */
	update(input: LiveInput): ExportMessage[] {
		const label = siteLabel(input.facts);
		const site: SiteState = this.sites.get(label) ?? {
			live: new LiveSite(input),
			curves: new Set(),
			discovery: "",
			made: undefined,
			day: Number.NaN,
		};
		this.sites.set(label, site);
		site.live.receive(input);
		const isNew = input.forecast !== undefined;
		return this.#publish(site, input.nowMs, {
			curves: isNew,
			discovery: isNew,
		});
	}

	/** Whether a message is Home Assistant's birth or will message. */
	isStatus({ topic }: { readonly topic?: unknown }): boolean {
		return [`${this.#prefix}/status`, "homeassistant/status"].includes(
			topic as string,
		);
	}

	/** Whether a message is Home Assistant's birth message. */
	isBirth(message: {
		readonly topic?: unknown;
		readonly payload?: unknown;
	}): boolean {
		const { payload } = message;
		const text =
			payload instanceof Uint8Array
				? Buffer.from(payload).toString("utf8")
				: payload;
		return this.isStatus(message) && text === "online";
	}

	/** Answers the birth message: everything of every site. */
	birth(nowMs: number): ExportMessage[] {
		return [...this.sites.values()].flatMap((site) =>
			this.#publish(site, nowMs, { curves: true, discovery: true }),
		);
	}

	/** Sends the values of this instant where no `solar-yield-now` node does, and a new day's curves. */
	renew(nowMs: number): ExportMessage[] {
		return [...this.sites.values()].flatMap((site) => {
			const { forecast } = site.live;
			const isNewDay =
				forecast !== undefined && forecast.zone.dayOf(nowMs) !== site.day;
			return isNewDay || site.live.isDue(nowMs)
				? this.#publish(site, nowMs, { curves: isNewDay, discovery: false })
				: [];
		});
	}

	nextRenewal(nowMs: number): number | null {
		return nextRenewal(this.sites.values(), nowMs);
	}

	#publish(
		site: SiteState,
		nowMs: number,
		occasion: Occasion,
	): ExportMessage[] {
		const { live } = site;
		const dated = live.values(nowMs);
		if (!dated) return [];
		const { facts, forecast } = live;
		const device: Device = {
			base: live.base,
			facts,
			prefix: this.#prefix,
			language: this.#language,
		};
		// Between forecasts the curves change with the day only.
		const source =
			forecast && (occasion.curves || forecast.zone.dayOf(nowMs) !== site.day)
				? sourceOf({ forecast, facts, nowMs })
				: undefined;
		const curves = source
			? dayAttributes(
					source,
					this.#curveDays,
					dated.values.days,
					this.#language,
				)
			: [];
		if (source) {
			site.day = source.today;
			site.curves = new Set(curves.map(({ index }) => index));
		}

		const { entities: before = {}, curves: earlier = [] } =
			this.published[live.label] ?? {};
		const labels = stringLabels(dated.values);
		const state = stateOf(dated, labels, facts, live.quota);
		const sensors = sensorsOf(
			dated.values,
			labels,
			state,
			(key) => key in before,
		);
		const expireS = live.validMinutes(nowMs) * 60;
		const fields = sensors.map(({ field }) => field);
		for (const field of fields) state[field] ??= null;
		const from = [live.base, expireS, ...fields].join("\n");
		// Between forecasts, as a rule each minute, nothing but the state is another.
		if (
			!source &&
			!occasion.discovery &&
			site.made?.from === from &&
			site.made.facts === facts
		) {
			return [messageOf(stateTopic(device), state, source, facts)];
		}
		site.made = { from, facts };
		const components = componentsOf(
			device,
			sensors,
			new Map([...site.curves].map((index) => [curveField(index), index])),
			expireS,
		);
		const gone = new Map(
			Object.entries(before).filter(([key]) => !components.has(key)),
		);

		const messages: ExportMessage[] = [];
		const send = (topic: string, payload: unknown, document?: Document) =>
			messages.push(messageOf(topic, payload, source, facts, document));
		const config = discovery(device, components, gone);
		const text = `${discoveryTopic(device)} ${JSON.stringify(config)}`;
		if (occasion.discovery || text !== site.discovery) {
			site.discovery = text;
			send(discoveryTopic(device), config);
		}
		for (const document of curves) {
			send(curveTopic(device, document.index), document.payload, document);
		}
		const gonePublished = this.note(live.label, {
			topics: [
				discoveryTopic(device),
				stateTopic(device),
				...[...site.curves].map((index) => curveTopic(device, index)),
			],
			entities: {
				...before,
				...Object.fromEntries(
					[...components].map(([key, { platform }]) => [
						key,
						platform as string,
					]),
				),
			},
		});
		const goneCurves = earlier
			.filter((index) => !site.curves.has(index))
			.map((index) => curveTopic(device, index));
		messages.push(...clearing([...new Set([...gonePublished, ...goneCurves])]));
		send(stateTopic(device), state);
		return messages;
	}
}

/** The field of the sensor that has a day's curve as its attribute. */
const curveField = (index: number) =>
	["energy_today_kwh", "energy_tomorrow_kwh"][index] ?? daySensor(index).field;
