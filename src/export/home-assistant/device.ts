import type { SolarFacts } from "../../messages/facts";
import { siteLabel } from "../../messages/topic";
import { USER_AGENT } from "../../service/http/user-agent";
import { keyOf, kindOf, type Sensor } from "./entities";
import { type Component, checkComponent } from "./rules";

/** Hours after which sensors of a forecast without `now` become unavailable: a day's gap, and two hours. */
const FORECAST_HOURS = 26;

const slash = USER_AGENT.lastIndexOf("/");
const ORIGIN = {
	name: USER_AGENT.slice(0, slash),
	sw_version: USER_AGENT.slice(slash + 1),
	support_url: "https://github.com/solar-yield/node-red-solar-yield",
} as const;

/** What topics and unique ids may hold. */
const idText = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, "_");

/** What entity ids and names in templates may hold: `Süd-Dach` is `sud_dach`. */
export function slug(text: string): string {
	return text
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "_")
		.replace(/^_+|_+$/g, "");
}

/** Where a site's messages go, and how its entities are called. */
export interface Device {
	/** `<prefix>/<site_id>`. */
	readonly base: string;
	readonly facts: SolarFacts;
	/** Home Assistant's discovery prefix. */
	readonly prefix: string;
}

const objectId = ({ facts }: Device) =>
	`solar_yield_${idText(siteLabel(facts))}`;
const displayName = ({ facts }: Device) =>
	`${facts.demo ? "Demo " : ""}${facts.site_name || facts.site_id}`;

export const discoveryTopic = (device: Device) =>
	`${device.prefix}/device/${objectId(device)}/config`;
export const stateTopic = ({ base }: Device) => `${base}/home-assistant/state`;
export const curveTopic = ({ base }: Device, index: number) =>
	`${base}/home-assistant/day/${index}`;
/** The refresh button publishes here; an `mqtt in` leads it to a forecast node. */
export const refreshTopic = ({ base }: Device) => `${base}/refresh`;

function identity(device: Device, platform: string, key: string): Component {
	const name =
		slug(displayName(device)) || slug(device.facts.site_id) || "site";
	return {
		platform,
		unique_id: `${objectId(device)}_${key}`,
		default_entity_id: `${platform}.${name}_pv_${slug(key)}`,
	};
}

/** Seconds without a message after which an entity is unavailable. */
export const expireAfter = (everyMinutes: number | null) =>
	everyMinutes === null ? FORECAST_HOURS * 3600 : 3 * everyMinutes * 60;

/**
 * The entities of a site (FORMATS section 1), by key, each checked.
 *
 * @param curves index of the day whose curve is an attribute, by the sensor's field
 * @param everyMinutes how often `now` sends; null without it
 */
export function componentsOf(
	device: Device,
	sensors: readonly Sensor[],
	curves: ReadonlyMap<string, number>,
	everyMinutes: number | null,
): Map<string, Component> {
	const shared = {
		state_topic: stateTopic(device),
		expire_after: expireAfter(everyMinutes),
	};
	const components = new Map<string, Component>();
	for (const sensor of sensors) {
		const key = keyOf(sensor);
		const day = curves.get(sensor.field);
		components.set(key, {
			...identity(device, "sensor", key),
			name: sensor.name,
			...kindOf(sensor),
			...shared,
			value_template: `{{ value_json.${sensor.field} }}`,
			...(day !== undefined && {
				json_attributes_topic: curveTopic(device, day),
			}),
		});
	}
	components.set("stale", {
		...identity(device, "binary_sensor", "stale"),
		name: "Stale",
		device_class: "problem",
		entity_category: "diagnostic",
		...shared,
		value_template: "{{ 'ON' if value_json.stale else 'OFF' }}",
	});
	components.set("refresh", {
		...identity(device, "button", "refresh"),
		name: "Refresh now (costs 1 request)",
		entity_category: "config",
		command_topic: refreshTopic(device),
		payload_press: "PRESS",
	});
	for (const [key, component] of components) checkComponent(key, component);
	return components;
}

/**
 * The discovery message of a site.
 *
 * @param gone platforms of entities that were published and are no more, by
 * key: an entry with nothing but its platform removes the entity
 */
export function discovery(
	device: Device,
	components: ReadonlyMap<string, Component>,
	gone: ReadonlyMap<string, string>,
): Record<string, unknown> {
	return {
		device: {
			identifiers: [objectId(device)],
			name: `PV forecast ${displayName(device)}`,
			manufacturer: "Solar Yield Service",
			model: device.facts.demo ? "Demo data" : "Forecast of a site",
		},
		origin: ORIGIN,
		components: {
			...Object.fromEntries(
				[...gone].map(([key, platform]) => [key, { platform }]),
			),
			...Object.fromEntries(components),
		},
	};
}
