import { HistoryReader } from "../../src/polling/historical-reader";
import { perHub } from "./account-lookup";

/** The reader of an account's history. */
export const historyOf = perHub(
	({ hub, client, pathOf }) =>
		new HistoryReader(hub, client, pathOf("history")),
);
