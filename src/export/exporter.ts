import type { ExportMessage } from "./message";
import type { Published } from "./published";

/** State of an export node between messages. It has no timer: its owner calls `renew`. */
export interface Exporter {
	/** Topics that brokers may hold, to be handed to the next instance. */
	readonly published: Published;
	/** Messages that are due by time alone; may be called at any time, also early or late. */
	renew(nowMs: number): ExportMessage[];
	/** Epoch ms at which `renew` has something to do next; null while nothing depends on time. */
	nextRenewal(nowMs: number): number | null;
	/**
	 * Takes everything that was ever published off the broker and forgets it;
	 * nothing is sent of the site until its next forecast.
	 *
	 * @param siteId undefined for all sites
	 */
	remove(siteId: string | undefined): ExportMessage[];
}
