import { stringNames } from "../forecast/string-names";
import { inputError } from "../service/errors/solar-yield-error";
import { show } from "../service/v2/schema-errors";
import type { StringMeta } from "../service/v2/sites/site";

/** What topics begin with unless a forecast node says otherwise. */
export const DEFAULT_PREFIX = "solar-yield";

interface Named {
	readonly site_id: string;
	readonly demo: boolean;
}

/** An id as one level of an MQTT topic (behaviour: The key). */
export function topicLevel(id: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: MQTT forbids them
	return id.replace(/[\s/+#\u0000-\u001f\u007f]/g, "_");
}

/** Strings as topics name them, in their order: by id, else by position, none like another. */
export const stringLevels = (
	strings: readonly Pick<StringMeta, "string_id" | "string_index">[],
): string[] => stringNames(strings, topicLevel);

/** A site as topics and tags name it; demo data can never be mistaken (behaviour: Messages). */
export const siteLabel = ({ site_id, demo }: Named) =>
	`${demo ? "demo-" : ""}${topicLevel(site_id)}`;

/**
 * What a forecast node's topics begin with.
 *
 * @throws SolarYieldError `INPUT` when no broker would take a message under it
 */
export function readTopicPrefix(value: string | undefined): string {
	const prefix = value?.trim() || DEFAULT_PREFIX;
	if (/[+#\0]/.test(prefix)) {
		throw inputError("forecast.topic", { prefix: show(prefix) });
	}
	return prefix;
}

/** `<prefix>/<site_id>`, and for demo data `<prefix>/demo-<site_id>`. */
export const siteTopic = (prefix: string, facts: Named) =>
	`${prefix}/${siteLabel(facts)}`;

/**
 * The site's topic for an answer to a message: with the prefix of the message's
 * own topic, where that is the topic of a forecast or of its values now.
 *
 * @param before the site's topic where the message's own is none of ours
 */
export function siteTopicOf(
	topic: unknown,
	facts: Named,
	before = siteTopic(DEFAULT_PREFIX, facts),
): string {
	const prefix =
		typeof topic === "string"
			? /^(.+)\/[^/]+\/(?:forecast|now)$/.exec(topic)?.[1]
			: undefined;
	// No broker takes a message whose topic has a wildcard in it.
	return prefix === undefined
		? before
		: siteTopic(prefix.replaceAll(/[+#\0]/g, "_"), facts);
}

/**
 * The site that a topic of ours names, undefined where it is none.
 *
 * @param kinds its last level; a site's refresh button publishes to `refresh`
 */
export function siteOfTopic(
	topic: unknown,
	kinds: readonly string[] = ["forecast", "now"],
): Named | undefined {
	const [kind = "", label] =
		typeof topic === "string" ? topic.split("/").reverse() : [];
	if (!label || !kinds.includes(kind)) return undefined;
	const demo = label.startsWith("demo-");
	return { site_id: demo ? label.slice(5) : label, demo };
}
