import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Interval } from "../../src/forecast/forecast";
import type { Hub } from "../../src/polling/hub";
import type { SolarYieldClient } from "../../src/service/client";
import type { SolarYieldError } from "../../src/service/errors/solar-yield-error";
import { SetupError } from "./setup-error";
import { variableOf } from "./variable";

/** Properties of `solar-yield-account` in a flow file (behaviour: Messages). */
export interface AccountConfig extends NodeDef {
	baseUrl: string;
	demo: boolean;
	siteId: string;
	budget: string | number;
	reserve: string | number;
	interval: Interval;
}

export interface AccountCredentials {
	apiKey?: string;
}

/** An account as the nodes use it. */
export interface Account {
	readonly demo: boolean;
	/** Default site. */
	readonly siteId: string | undefined;
	readonly baseUrl: string;
	readonly hub: Hub;
	/** Whether a stamp is the start or the end of its quarter hour. */
	readonly interval: Interval;
	/** For requests that are not for forecasts. */
	readonly client: SolarYieldClient;
	/** Beginning of the path of each file of a kind, in the folder of the stored forecasts. */
	readonly pathOf: (kind: string) => string;
}

/** The config node: with an account, or with the reason why there is none. */
export interface AccountNode extends Node<AccountCredentials> {
	solarYield: {
		account?: Account;
		problem?: SolarYieldError;
		/** The only address that the stored key may be sent to (behaviour: The key); known also when other settings are invalid or the demo answers. */
		baseUrl?: string;
	};
}

/** All running account nodes, including those in subflow instances and those with invalid settings. */
export const accountNodes = new Set<AccountNode>();

/**
 * The account that a node names.
 *
 * @throws SolarYieldError when there is none, or none that works
 */
export function accountOf(RED: NodeAPI, id: string): Account {
	const node = RED.nodes.getNode(id) as AccountNode | null;
	if (!node?.solarYield) throw noAccountError(RED, id);
	const { account, problem } = node.solarYield;
	if (account) return account;
	throw problem?.kind === "INPUT"
		? new SetupError("account", problem.text.key, problem.text.values)
		: problem;
}

/** Why no account runs under the id that a node has. */
function noAccountError(RED: NodeAPI, id = ""): SetupError {
	const variable = variableOf(id);
	if (variable !== undefined) {
		return new SetupError("no_account", "account.chosen_by_variable", {
			variable,
		});
	}
	let isKnown = false;
	RED.nodes.eachNode((known) => {
		isKnown ||= known.id === id;
	});
	return isKnown
		? new SetupError("account_disabled", "account.disabled")
		: new SetupError("no_account", "account.none");
}

/** Makes something once for each base URL and key, as hubs are: it outlives a deploy, as they do. */
export function perHub<Made, More extends unknown[]>(
	make: (account: Account, ...more: More) => Made,
): (account: Account, ...more: More) => Made {
	const known = new WeakMap<Hub, Made>();
	return (account, ...more) => {
		const made = known.get(account.hub) ?? make(account, ...more);
		known.set(account.hub, made);
		return made;
	};
}
