import { isDeepStrictEqual } from "node:util";
import { siteLabel } from "../messages/topic";
import type { ExportMessage } from "./message";
import { clearing, type Published, type PublishedSite } from "./published";

/** State of an export node between messages. It has no timer: its owner calls `renew`. */
export abstract class Exporter<Site = unknown> {
	/** State of each site, by its label in topics. */
	protected readonly sites = new Map<string, Site>();
	#published: Published;
	/** A site that comes though the document holds another: the node's status says so until it goes. */
	refused: string | undefined;

	/** @param published what an earlier instance of the same node had published */
	constructor(published: Published = {}) {
		this.#published = published;
	}

	/** Topics that brokers may hold, to be handed to the next instance. */
	get published(): Published {
		return this.#published;
	}

	/** Messages that are due by time alone; may be called at any time, also early or late. */
	abstract renew(nowMs: number): ExportMessage[];
	/** Epoch ms at which `renew` has something to do next; null while nothing depends on time. */
	abstract nextRenewal(nowMs: number): number | null;

	/**
	 * Takes everything that was ever published off the broker and forgets it;
	 * nothing is sent of the site until its next forecast.
	 *
	 * @param siteId undefined for all sites; a site's demo data go with it
	 */
	remove(siteId: string | undefined): ExportMessage[] {
		const labels =
			siteId === undefined
				? [...this.sites.keys(), ...Object.keys(this.#published)]
				: [false, true].map((demo) => siteLabel({ site_id: siteId, demo }));
		const left = { ...this.#published };
		const gone = [...new Set(labels)].flatMap((label) => {
			this.sites.delete(label);
			const { topics = [] } = left[label] ?? {};
			delete left[label];
			return topics;
		});
		this.#published = left;
		return clearing(gone);
	}

	/**
	 * Notes what is published of a site from now on; entities stay where not given.
	 *
	 * @returns topics that held a message before and hold none now
	 */
	protected note(
		label: string,
		topics: readonly string[],
		entities?: PublishedSite["entities"],
	): string[] {
		const before = this.#published[label] ?? { topics: [], entities: {} };
		const now = {
			topics: [...new Set(topics)],
			entities: entities ?? before.entities,
		};
		// The same record is not written again.
		if (!isDeepStrictEqual(now, before))
			this.#published = { ...this.#published, [label]: now };
		return before.topics.filter((topic) => !now.topics.includes(topic));
	}
}
