import { z } from "zod";
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

/** Messages that take retained ones off a broker: an empty payload does. */
export const clearing = (topics: readonly string[]): ExportMessage[] =>
	topics.map((topic) => ({ topic, payload: "", retain: true }));
