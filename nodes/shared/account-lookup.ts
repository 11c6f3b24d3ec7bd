import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Interval } from "../../src/forecast/forecast";
import type { Hub } from "../../src/polling/hub";
import type { SolarYieldClient } from "../../src/service/client";
import {
	inputError,
	type SolarYieldError,
} from "../../src/service/errors/solar-yield-error";

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

/** What the nodes of an account work with. */
export interface Account {
	readonly demo: boolean;
	/** Default site. */
	readonly siteId: string | undefined;
	readonly baseUrl: string;
	readonly hub: Hub;
	/** What stamps are taken to mean for this account's nodes. */
	readonly interval: Interval;
	/** For requests that are not for forecasts. */
	readonly client: SolarYieldClient;
	/** What the path of each file of a kind begins with, kept beside the forecasts. */
	readonly pathOf: (kind: string) => Promise<string>;
}

/** The config node as other nodes find it: with an account, or with why there is none. */
export interface AccountNode extends Node<AccountCredentials> {
	solarYield: {
		account?: Account;
		problem?: SolarYieldError;
		/** Where the stored key may go (behaviour: The key), even when other settings are wrong or the demo answers. */
		baseUrl?: string;
	};
}

/** All account nodes that run, those in subflow instances and those with a problem included. */
export const accountNodes = new Set<AccountNode>();

/**
 * The account that a node names.
 *
 * @throws SolarYieldError when there is none, or none that works
 */
export function accountOf(RED: NodeAPI, id: string): Account {
	const node = RED.nodes.getNode(id) as AccountNode | null;
	if (!node?.solarYield) {
		throw inputError(
			"The node has no account, or its account is disabled; choose one in the node's dialog",
		);
	}
	const { account, problem } = node.solarYield;
	if (!account) throw problem;
	return account;
}

/** Name of the environment variable that a `${…}` left behind, since it is not set. */
export function unsetVariable(text: string): string | undefined {
	return /^\$\{(.+)\}$/.exec(text.trim())?.[1];
}
