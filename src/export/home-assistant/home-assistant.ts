import type { Forecast } from "../../forecast/forecast";
import { type NowPayload, nowValues } from "../../forecast/now";
import type { QuotaFacts, SolarFacts } from "../../messages/facts";
import { siteLabel, siteTopicOf } from "../../messages/topic";
import { dateText } from "../../util/timestamp";
import { curvePoints } from "../apexcharts";
import type { Document, OptionValues, Source } from "../format";
import { type ExportMessage, messageOf } from "../message";
import { sourceOf } from "../source";
import { wholeDays } from "../values";
import {
	componentsOf,
	curveTopic,
	type Device,
	discovery,
	discoveryTopic,
	expireAfter,
	slug,
	stateTopic,
} from "./device";
import {
	daySensor,
	keyOf,
	SENSORS,
	type Sensor,
	stringSensors,
} from "./entities";
import { checkAttributes } from "./rules";

/** What a message brings: a forecast, the values of `solar-yield-now`, or both. */
export interface HomeAssistantInput {
	readonly forecast?: Forecast | undefined;
	readonly now?: NowPayload | undefined;
	/** Minutes between two messages of `solar-yield-now`. */
	readonly every?: number | undefined;
	readonly facts: SolarFacts;
	readonly quota?: QuotaFacts | undefined;
	readonly nowMs: number;
	/** Topic of the incoming message; ours begin as it does. */
	readonly topic?: unknown;
}

/** What a broker still holds of a site. Plain, to be kept over a restart. */
export interface PublishedSite {
	/** Platform by key, of all entities that were ever published. */
	readonly entities: Readonly<Record<string, string>>;
	/** Days, counted from today, whose curve was published last. */
	readonly curves: readonly number[];
	/** Minutes between two messages of `solar-yield-now`; null without it. */
	readonly every: number | null;
}

/** By the site's label in topics. */
export type Published = Readonly<Record<string, PublishedSite>>;

/** The slowest `now`, where a message does not tell. */
const SLOWEST_EVERY = 15;

/** What is known of one site. */
interface SiteState {
	device: Device;
	quota: QuotaFacts | undefined;
	forecast: Forecast | undefined;
	now: { readonly payload: NowPayload; readonly at: number } | undefined;
	every: number | null;
	/** When `now` was last heard of, or could first have been, and forecasts since. */
	heard: { at: number; forecasts: number };
	/** Platform by key, of all that was ever published. */
	readonly published: Map<string, string>;
	/** Indices of days whose curve is published. */
	curves: ReadonlySet<number>;
	/** The last discovery message, as text. */
	discovery: string;
	/** The site's local date of the last curves. */
	day: number;
}

/**
 * Home Assistant by MQTT discovery: one device per site, one state, one curve
 * per day (FORMATS section 1). It remembers what it published, so that entities
 * of strings and days that are gone are removed, and so that a birth message is
 * answered with everything.
 */
export class HomeAssistant {
	readonly #prefix: string;
	readonly #sites = new Map<string, SiteState>();
	readonly #published: Published;

	/**
	 * @param options as `readExportOptions("home-assistant", …)` gave them
	 * @param published what an earlier instance had published
	 */
	constructor(options: OptionValues, published: Published = {}) {
		this.#prefix = options.prefix as string;
		this.#published = published;
	}

	/** What is published, to be handed to the next instance. */
	get published(): Published {
		return {
			...this.#published,
			...Object.fromEntries(
				[...this.#sites].map(([label, site]) => [
					label,
					{
						entities: Object.fromEntries(site.published),
						curves: [...site.curves].sort((a, b) => a - b),
						every: site.every,
					},
				]),
			),
		};
	}

	/**
	 * Takes a message in and answers with what has to be published: discovery
	 * when it changed, curves of a new forecast or a new day, and the state.
	 */
	update(input: HomeAssistantInput): ExportMessage[] {
		const site = this.#siteOf(input);
		if (input.forecast) {
			site.forecast = input.forecast;
			site.heard.forecasts += 1;
		}
		if (input.now) {
			site.now = { payload: input.now, at: input.nowMs };
			site.every = input.every ?? site.every ?? SLOWEST_EVERY;
			site.heard = { at: input.nowMs, forecasts: 0 };
		} else if (isSilent(site, input.nowMs)) {
			site.every = null;
		}
		if (input.quota) site.quota = input.quota;
		return publish(site, input.nowMs, {
			curves: input.forecast !== undefined,
			all: false,
			now: input.now,
		});
	}

	/** Whether a message is Home Assistant's word of its own state. */
	isStatus({ topic }: { readonly topic?: unknown }): boolean {
		return [`${this.#prefix}/status`, "homeassistant/status"].includes(
			topic as string,
		);
	}

	/** Whether a message is Home Assistant's word that it has started. */
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
		return [...this.#sites.values()].flatMap((site) =>
			publish(site, nowMs, { curves: true, all: true }),
		);
	}

	/** Sends what a new local day changes, for the sites where one has begun. */
	midnight(nowMs: number): ExportMessage[] {
		return [...this.#sites.values()].flatMap((site) =>
			site.forecast && site.forecast.zone.dayOf(nowMs) !== site.day
				? publish(site, nowMs, { curves: true, all: false })
				: [],
		);
	}

	/** Epoch ms at which `midnight` has something to do next; null without a forecast. */
	nextMidnight(nowMs: number): number | null {
		const ends = [...this.#sites.values()].flatMap(({ forecast }) =>
			forecast ? [forecast.zone.dayStart(forecast.zone.dayOf(nowMs) + 1)] : [],
		);
		return ends.length > 0 ? Math.min(...ends) : null;
	}

	#siteOf({ forecast, facts, topic, nowMs }: HomeAssistantInput): SiteState {
		const label = siteLabel(facts);
		const known = this.#sites.get(label);
		// Values alone may come with no more than their topic: what a forecast said stays.
		const kept = known?.forecast && !forecast ? known.device.facts : facts;
		const base =
			known && topic === undefined
				? known.device.base
				: siteTopicOf(topic, facts);
		const device = { base, facts: kept, prefix: this.#prefix };
		if (known) {
			known.device = device;
			return known;
		}
		const before = this.#published[label];
		const site: SiteState = {
			device,
			quota: undefined,
			forecast: undefined,
			now: undefined,
			every: before?.every ?? null,
			heard: { at: nowMs, forecasts: 0 },
			published: new Map(Object.entries(before?.entities ?? {})),
			curves: new Set(before?.curves),
			discovery: "",
			day: Number.NaN,
		};
		this.#sites.set(label, site);
		return site;
	}
}

/**
 * Whether `now` is no longer wired to us: it missed a whole forecast, and is
 * late. (A host that was asleep has missed none.)
 */
const isSilent = ({ every, heard }: SiteState, nowMs: number) =>
	heard.forecasts > 1 && nowMs - heard.at > expireAfter(every) * 1000;

/** The values to show: those received now, else those of the forecast at this moment. */
function valuesOf(
	site: SiteState,
	nowMs: number,
	received: NowPayload | undefined,
): NowPayload | undefined {
	if (received) return received;
	if (site.forecast) {
		return nowValues(site.forecast, site.device.facts, nowMs);
	}
	// Values that are older than they are good for must not be brought to life again.
	return site.now && nowMs - site.now.at < expireAfter(site.every) * 1000
		? site.now.payload
		: undefined;
}

/** The state: one flat object, a field per sensor. */
function stateOf(
	values: NowPayload,
	strings: ReadonlyMap<string, string>,
	{ device, quota, every }: SiteState,
): Record<string, unknown> {
	const { days, strings: perString, ...flat } = values;
	const state: Record<string, unknown> = {
		...flat,
		weather_code_now:
			flat.weather_code_now === null ? null : String(flat.weather_code_now),
		demo: device.facts.demo,
	};
	for (const [index, day] of days.entries()) {
		if (index > 1) state[daySensor(index).field] = day.pv_energy_kwh;
	}
	for (const { string_id, ...fields } of perString) {
		for (const [field, value] of Object.entries(fields)) {
			state[`string_${strings.get(string_id)}_${field}`] = value;
		}
	}
	for (const [field, value] of Object.entries(quota ?? {})) {
		state[`requests_${field}`] = value;
	}
	if (every === null) {
		// Without `now` nobody keeps these up to date.
		for (const { field } of SENSORS.filter(({ live }) => live)) {
			delete state[field];
		}
		for (const [id, label] of strings) {
			for (const { field } of stringSensors(label, id).filter(
				({ live }) => live,
			)) {
				delete state[field];
			}
		}
	}
	return state;
}

/** A name for each string that templates can hold, none twice. */
function stringLabels({ strings }: NowPayload): Map<string, string> {
	const labels = new Map<string, string>();
	const taken = new Set<string>();
	for (const { string_id } of strings) {
		const wanted = slug(string_id) || "string";
		let label = wanted;
		for (let next = 2; taken.has(label); next += 1) label = `${wanted}_${next}`;
		taken.add(label);
		labels.set(string_id, label);
	}
	return labels;
}

/** The sensors that a state has; an optional one from its first value on. */
function sensorsOf(
	site: SiteState,
	values: NowPayload,
	strings: ReadonlyMap<string, string>,
	state: Readonly<Record<string, unknown>>,
): Sensor[] {
	const all = [
		...SENSORS,
		...values.days.flatMap((_, index) => (index > 1 ? [daySensor(index)] : [])),
		...[...strings].flatMap(([id, label]) => stringSensors(label, id)),
	];
	return all.filter((sensor) => {
		if (sensor.live && site.every === null) return false;
		return (
			!sensor.optional ||
			state[sensor.field] != null ||
			site.published.has(keyOf(sensor))
		);
	});
}

/** One message per day with a curve, as attributes of that day's energy. */
function curveDocuments(source: Source): (Document & { index: number })[] {
	return wholeDays(source, source.today).map(({ day, from, to }) => {
		const payload = {
			date: dateText(day),
			forecast: curvePoints(source, from, to),
		};
		checkAttributes(payload);
		return { index: day - source.today, payload, span: { from, to } };
	});
}

const curveField = (index: number) =>
	["energy_today_kwh", "energy_tomorrow_kwh"][index] ?? daySensor(index).field;

function publish(
	site: SiteState,
	nowMs: number,
	what: {
		readonly curves: boolean;
		readonly all: boolean;
		readonly now?: NowPayload | undefined;
	},
): ExportMessage[] {
	const values = valuesOf(site, nowMs, what.now);
	if (!values) return [];
	const { device, forecast } = site;
	const { facts } = device;
	const today = forecast?.zone.dayOf(nowMs);
	// Between forecasts the curves change with the day only.
	const source =
		forecast && (what.curves || today !== site.day)
			? sourceOf({ forecast, facts, nowMs })
			: undefined;
	const curves = source && !source.curve.isEmpty ? curveDocuments(source) : [];
	const present = source
		? new Set(curves.map(({ index }) => index))
		: site.curves;
	const strings = stringLabels(values);
	const state = stateOf(values, strings, site);
	const sensors = sensorsOf(site, values, strings, state);
	for (const { field } of sensors) state[field] ??= null;
	const components = componentsOf(
		device,
		sensors,
		new Map([...present].map((index) => [curveField(index), index])),
		site.every,
	);

	const gone = new Map(
		[...site.published].filter(([key]) => !components.has(key)),
	);
	for (const [key, { platform }] of components) {
		site.published.set(key, platform as string);
	}
	const messages: ExportMessage[] = [];
	const send = (topic: string, payload: unknown, document?: Document) =>
		messages.push(messageOf(topic, payload, source, facts, document));

	const config = discovery(device, components, gone);
	const text = `${discoveryTopic(device)} ${JSON.stringify(config)}`;
	// With each forecast anew: an mqtt out node drops what it gets while it is not connected.
	if (what.all || what.curves || text !== site.discovery) {
		site.discovery = text;
		send(discoveryTopic(device), config);
	}
	if (source) {
		site.day = source.today;
		for (const document of curves) {
			send(curveTopic(device, document.index), document.payload, document);
		}
		for (const index of site.curves) {
			// An empty retained message takes the old one off the broker.
			if (!present.has(index)) send(curveTopic(device, index), "");
		}
		site.curves = present;
	}
	send(stateTopic(device), state);
	return messages;
}
