import type { NodeAPI } from "node-red";
import { readSiteId } from "../../src/messages/selection";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { restorableUntil } from "../../src/service/v2/sites/site-dates";
import type { SiteResult } from "../../src/service/v2/sites/site-operations";
import type { Text } from "../../src/texts/texts";
import { utcText } from "../../src/util/time";
import {
	type Account,
	type AccountNode,
	accountOf,
} from "../shared/account-lookup";
import type { DialogString } from "../shared/dialog-answers";
import type { DialogSite } from "./dialog-answers";
import { managerOf, siteFacts } from "./manager";
import { newSiteOf } from "./new-site";

/** What the dialog shows of a site: how it stands, and its strings as stored. */
function shown({ site, notes }: SiteResult): DialogSite<Text> | undefined {
	if (!site) return undefined;
	return {
		...siteFacts(site),
		restore_until: utcText(restorableUntil(site)),
		strings: site.record.strings as readonly DialogString[],
		notes,
	};
}

/** The account of a config node, undefined while it is not deployed. */
function deployed(RED: NodeAPI, id: unknown): Account | undefined {
	const node = RED.nodes.getNode(String(id)) as AccountNode | null;
	return node?.solarYield ? accountOf(RED, String(id)) : undefined;
}

/**
 * A site as it is stored; a free request.
 *
 * @param siteId blank for the account's default
 */
export async function readStoredSite(
	RED: NodeAPI,
	accountId: unknown,
	siteId: unknown,
): Promise<DialogSite<Text> | undefined> {
	const account = deployed(RED, accountId);
	if (!account) return undefined;
	const result = await managerOf(account).run({
		operation: "get",
		siteId: readSiteId(siteId),
		defaultSiteId: account.siteId,
	});
	return shown(result);
}

/** Creates the site of the dialog's form. */
export async function createSite(
	RED: NodeAPI,
	accountId: unknown,
	system: unknown,
): Promise<DialogSite<Text> | undefined> {
	const account = deployed(RED, accountId);
	if (!account) {
		throw inputError("account.not_deployed");
	}
	const result = await managerOf(account).run({
		operation: "create",
		body: newSiteOf(system),
	});
	return shown(result);
}

/** What the dialog sends to have strings stored. */
interface StringsBody {
	readonly siteId?: unknown;
	/** All strings, stored ones with their ids. */
	readonly strings?: unknown;
	/** Whether stored ones that are not among them may be removed. */
	readonly removeStrings?: unknown;
}

/** Stores the strings of the dialog, with the guards of every update. */
export async function saveStrings(
	RED: NodeAPI,
	accountId: unknown,
	{ siteId, strings, removeStrings }: StringsBody,
): Promise<DialogSite<Text> | undefined> {
	const account = deployed(RED, accountId);
	if (!account) return undefined;
	const result = await managerOf(account).run({
		operation: "update",
		siteId: readSiteId(siteId),
		body: { strings },
		removeStrings: removeStrings === true,
	});
	return shown(result);
}
