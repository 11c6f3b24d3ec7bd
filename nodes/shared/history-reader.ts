import { HistoryReader } from "../../src/polling/historical-reader";
import type { Hub } from "../../src/polling/hub";
import type { Account } from "./account-lookup";

const readers = new WeakMap<Hub, HistoryReader>();

/** The reader of an account's history: one per base URL and key, as the hub is. */
export function historyOf({ hub, client, pathOf }: Account): HistoryReader {
	let reader = readers.get(hub);
	if (!reader) {
		reader = new HistoryReader(hub, client, pathOf("history"));
		readers.set(hub, reader);
	}
	return reader;
}
