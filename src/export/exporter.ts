import type { ExportMessage } from "./message";
import {
	clearing,
	type Published,
	type PublishedSite,
	removePublished,
	setPublished,
} from "./published";

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
	 * @param siteId undefined for all sites
	 */
	remove(siteId: string | undefined): ExportMessage[] {
		const { published, gone } = removePublished(this.#published, siteId);
		this.#published = published;
		for (const label of this.sites.keys()) {
			if (!(label in published)) this.sites.delete(label);
		}
		return clearing(gone);
	}

	/**
	 * Notes what is published of a site from now on.
	 *
	 * @param now as `setPublished` takes it
	 * @returns topics that held a message before and hold none now
	 */
	protected note(
		label: string,
		now: { topics: string[]; entities?: PublishedSite["entities"] },
	): string[] {
		const { published, gone } = setPublished(this.#published, label, now);
		this.#published = published;
		return gone;
	}
}
