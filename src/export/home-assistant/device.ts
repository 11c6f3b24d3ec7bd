import type { SolarFacts } from "../../messages/facts";
import { siteLabel } from "../../messages/topic";
import { USER_AGENT } from "../../service/http/user-agent";
import { textIn, type Value } from "../../texts/texts";
import type { Language } from "../../util/language";
import { keyOf, kindOf, type Sensor } from "./entities";
import { slug } from "./slug";

const slash = USER_AGENT.lastIndexOf("/");
const ORIGIN = {
	name: USER_AGENT.slice(0, slash),
	sw_version: USER_AGENT.slice(slash + 1),
	support_url: "https://github.com/solar-yield/node-red-solar-yield",
} as const;

/** One entity in the `components` of a device's discovery message. */
type Component = Readonly<Record<string, unknown>>;

/** Topics and names of a site in Home Assistant. */
export interface Device {
	/** `<prefix>/<site_id>`. */
	readonly base: string;
	readonly facts: SolarFacts;
	/** Home Assistant's discovery prefix. */
	readonly prefix: string;
	/** Of the names. */
	readonly language: Language;
}

/** What topics and unique ids may hold. */
const objectId = ({ facts }: Device) =>
	`solar_yield_${siteLabel(facts).replace(/[^A-Za-z0-9_-]/g, "_")}`;
/** Name of the site that ids are made of, the same in every language. */
const displayName = ({ facts }: Device) =>
	`${facts.demo ? "Demo " : ""}${facts.site_name || facts.site_id}`;

export const discoveryTopic = (device: Device) =>
	`${device.prefix}/device/${objectId(device)}/config`;
export const stateTopic = ({ base }: Device) => `${base}/home-assistant/state`;
export const curveTopic = ({ base }: Device, index: number) =>
	`${base}/home-assistant/day/${index}`;
function identity(device: Device, platform: string, key: string): Component {
	const name =
		slug(displayName(device)) || slug(device.facts.site_id) || "site";
	const object_id = `${name}_pv_${slug(key)}`;
	return {
		platform,
		unique_id: `${objectId(device)}_${key}`,
		default_entity_id: `${platform}.${object_id}`,
		// The same for releases before 2025.10, which do not know the other.
		object_id,
	};
}

/**
 * The entities of a site (home-assistant.io, integrations/mqtt, "MQTT
 * discovery"), by key.
 *
 * @param curves index of the day whose curve is an attribute, by the sensor's field
 * @param validSeconds how long a state is good for
 */
export function componentsOf(
	device: Device,
	sensors: readonly Sensor[],
	curves: ReadonlyMap<string, number>,
	validSeconds: number,
): Record<string, Component> {
	const { language } = device;
	const shared = {
		state_topic: stateTopic(device),
		expire_after: validSeconds,
		// By the age of the values on Home Assistant's own clock: a retained state that is
		// delivered again after a restart proves nothing.
		availability: [
			{
				topic: stateTopic(device),
				value_template: `{{ 'online' if as_timestamp(now()) - as_timestamp(value_json.sent_at, 0) < ${validSeconds} else 'offline' }}`,
			},
		],
	};
	const components: Record<string, Component> = {};
	for (const sensor of sensors) {
		const key = keyOf(sensor);
		const day = curves.get(sensor.field);
		components[key] = {
			...identity(device, "sensor", key),
			name: textIn(sensor.name, language),
			...kindOf(sensor),
			...shared,
			value_template: `{{ value_json.${sensor.field} }}`,
			...(day !== undefined && {
				json_attributes_topic: curveTopic(device, day),
			}),
		};
	}
	return {
		...components,
		stale: {
			...identity(device, "binary_sensor", "stale"),
			name: textIn({ key: "home_assistant.stale" }, language),
			device_class: "problem",
			entity_category: "diagnostic",
			...shared,
			value_template: "{{ 'ON' if value_json.stale else 'OFF' }}",
		},
		refresh: {
			...identity(device, "button", "refresh"),
			name: textIn({ key: "home_assistant.refresh" }, language),
			entity_category: "config",
			// An `mqtt in` leads it to the site's forecast node.
			command_topic: `${device.base}/refresh`,
			payload_press: "PRESS",
		},
	};
}

/**
 * The discovery message of a site.
 *
 * @param published platforms of all entities that ever were, by key: an entry with
 * nothing but its platform removes what is no more
 */
export function discovery(
	device: Device,
	components: Readonly<Record<string, Component>>,
	published: Readonly<Record<string, string>>,
): Record<string, unknown> {
	const { facts, language } = device;
	const said = (key: string, site: Value = "") =>
		textIn({ key: `home_assistant.${key}`, values: { site } }, language);
	const site = facts.site_name || facts.site_id;
	const named = { key: "home_assistant.demo", values: { site } };
	return {
		device: {
			identifiers: [objectId(device)],
			name: said("device", facts.demo ? named : site),
			manufacturer: "Solar Yield Service",
			model: said(facts.demo ? "demo_model" : "model"),
		},
		origin: ORIGIN,
		components: {
			...Object.fromEntries(
				Object.entries(published).map(([key, platform]) => [key, { platform }]),
			),
			...components,
		},
	};
}
