import { z } from "zod";
import { siteLabel } from "../messages/topic";
import type { ExportMessage } from "./message";

/** Retained messages and entities of a site that a broker or Home Assistant may hold. */
export const PublishedSite = z.object({
	/** Topics with a retained message. */
	topics: z.array(z.string()).default([]),
	/** Home Assistant's entities that were ever published: platform by key. */
	entities: z.record(z.string(), z.string()).default({}),
	/** Days whose curve version 0.1.0 published; it did not note below which topic. */
	curves: z.array(z.int()).optional(),
});
export type PublishedSite = Readonly<z.infer<typeof PublishedSite>>;

/**
 * What a node has published, by the site's label in topics: plain, to be kept
 * over a restart, since brokers keep it longer than a process lives.
 */
export const Published = z.record(z.string(), PublishedSite);
export type Published = Readonly<Record<string, PublishedSite>>;

const NOTHING: PublishedSite = { topics: [], entities: {} };

/**
 * Sets what is published of a site.
 *
 * @param now topics that hold a message from now on; entities stay where not given
 * @returns the record, and the topics that held a message before and hold none now
 */
export function setPublished(
	published: Published,
	label: string,
	now: {
		topics: Iterable<string>;
		entities?: Readonly<Record<string, string>>;
	},
): { published: Published; gone: string[] } {
	const before = published[label] ?? NOTHING;
	const topics = [...new Set(now.topics)];
	const present = new Set(topics);
	return {
		published: {
			...published,
			[label]: { topics, entities: { ...(now.entities ?? before.entities) } },
		},
		gone: before.topics.filter((topic) => !present.has(topic)),
	};
}

/**
 * Forgets one site, or all.
 *
 * @param siteId undefined for all; a site's demo data go with it
 * @returns the record that remains, and the topics to be cleared
 */
export function removePublished(
	published: Published,
	siteId: string | undefined,
): { published: Published; gone: string[] } {
	const labels =
		siteId === undefined
			? Object.keys(published)
			: [false, true].map((demo) => siteLabel({ site_id: siteId, demo }));
	return {
		published: Object.fromEntries(
			Object.entries(published).filter(([label]) => !labels.includes(label)),
		),
		gone: labels.flatMap((label) => published[label]?.topics ?? []),
	};
}

/** Messages that take retained ones off a broker: an empty payload does. */
export const clearing = (topics: readonly string[]): ExportMessage[] =>
	topics.map((topic) => ({ topic, payload: "", retain: true }));
