import type { NodeAPI } from "node-red";
import { quotaFacts } from "../../src/messages/facts";
import {
	type Account,
	type AccountCredentials,
	type AccountNode,
	accountNodes,
} from "../shared/account-lookup";
import type { AccountFacts } from "../shared/dialog-answers";
import type { AccountsInEditor } from "./dialog-answers";

/**
 * The account of a deployed node, undefined before the first deploy.
 *
 * @throws SolarYieldError why the account cannot work
 */
function deployedAccount(node: AccountNode | null): Account | undefined {
	const { account, problem } = node?.solarYield ?? {};
	if (problem) throw problem;
	return account;
}

/** What is known of a deployed account without asking. */
export async function accountFacts(
	node: AccountNode | null,
): Promise<AccountFacts | undefined> {
	const account = deployedAccount(node);
	if (!account) return undefined;
	const { available, zone, ...known } = await account.hub.account();
	return {
		available,
		quota: quotaFacts(known),
		timezone: zone?.name ?? null,
	};
}

/** Which accounts have a key, and what their sites are called: for triangles and labels. */
export function accountsInEditor(RED: NodeAPI): AccountsInEditor {
	const keys: string[] = [];
	RED.nodes.eachNode(({ id, type }) => {
		if (type !== "solar-yield-account") return;
		const kept = RED.nodes.getCredentials(id) as AccountCredentials | undefined;
		if (kept?.apiKey?.trim()) keys.push(id);
	});
	const names = [...accountNodes].flatMap(({ solarYield: { account } }) =>
		account && !account.demo ? [...account.hub.siteNames] : [],
	);
	return { keys, site_names: Object.fromEntries(names) };
}

/** Makes one request whatever limit holds (behaviour: The month's requests). */
export async function askNow(
	node: AccountNode | null,
): Promise<AccountFacts | undefined> {
	const account = deployedAccount(node);
	if (!account) return undefined;
	const error = await account.hub.askNow();
	if (error) throw error;
	return accountFacts(node);
}
