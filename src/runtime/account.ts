import { createHash } from "node:crypto";
import type { Node, NodeAPI, NodeDef } from "node-red";
import type { Interval } from "../forecast/forecast";
import { readSiteId } from "../forecast/selection";
import type { Hub } from "../polling/hub";
import { hubFor } from "../polling/hubs";
import { Store } from "../polling/store";
import { SolarYieldClient } from "../service/client";
import { inputError, SolarYieldError } from "../service/errors";
import { show } from "../service/v2/read";
import type { Exchange } from "../service/wire";
import { storeFolder } from "./folder";
import { ownError } from "./handler";

/** Properties of `solar-yield-account` in a flow file (CONTRACT 2). */
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

/** Where a request goes and with what key. */
interface Connection {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly exchange: () => Exchange;
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
	/** For what is no forecast: sites, history, V1. */
	readonly client: SolarYieldClient;
	/** What the path of each file of a kind begins with, kept beside the forecasts. */
	readonly pathOf: (kind: string) => Promise<string>;
}

/** The config node as other nodes find it: with an account, or with why there is none. */
export interface AccountNode extends Node<AccountCredentials> {
	solarYield: {
		account?: Account;
		problem?: SolarYieldError;
		/** Where the stored key may go (CONTRACT 3.9), even when other settings are wrong or the demo answers. */
		baseUrl?: string;
	};
}

const DEMO_URL = "demo:";

type Demo = ReturnType<typeof import("../simulator/demo").createDemo>;
let demo: Demo | undefined;
/** The demo service: one in the process, so that its sites stay as they were changed. */
export function demoService(): Demo {
	if (!demo) {
		// Real accounts need no simulator, and the demo account no HTTP.
		const { createDemo } =
			require("../simulator/demo") as typeof import("../simulator/demo");
		demo = createDemo(() => Date.now());
	}
	return demo;
}

/** A whole number of requests, or null when blank. */
function readCount(field: string, value: unknown): number | null {
	if (value === undefined || value === null || String(value).trim() === "") {
		return null;
	}
	const count = Number(value);
	if (!Number.isInteger(count) || count < 0) {
		throw inputError(
			`${field} is ${show(value)}; enter a whole number of requests, or leave it blank`,
		);
	}
	return count;
}

/** Name of the environment variable that a `${…}` left behind, since it is not set. */
export function unsetVariable(text: string): string | undefined {
	return /^\$\{(.+)\}$/.exec(text.trim())?.[1];
}

function realConnection(baseUrl: string, apiKey: string): Connection {
	for (const [field, value] of [
		["base URL", baseUrl],
		["API key", apiKey],
	] as const) {
		const variable = unsetVariable(value);
		if (variable !== undefined) {
			throw inputError(
				`The account's ${field} names the environment variable ${variable}, which is not set; set it and restart Node-RED`,
			);
		}
	}
	if (baseUrl.trim() === "") {
		throw inputError(
			"The account has no base URL; enter the address of the service",
		);
	}
	const { httpExchange, normaliseBaseUrl } =
		require("../service/transport") as typeof import("../service/transport");
	const url = normaliseBaseUrl(baseUrl);
	const key = apiKey.trim();
	if (key === "") {
		throw new SolarYieldError(
			"AUTH",
			"The account has no API key; enter the key of your account with the service",
		);
	}
	if (/[^\x21-\x7e]/.test(key)) {
		throw new SolarYieldError(
			"AUTH",
			"The account's API key holds blanks or characters that no key has; copy it again",
		);
	}
	return { baseUrl: url, apiKey: key, exchange: () => httpExchange(url, key) };
}

/** Whether an address leaves this machine without encryption. */
function isOpenWire(baseUrl: string): boolean {
	const { protocol, hostname } = new URL(baseUrl);
	const isLoopback =
		/^127(\.\d+){3}$/.test(hostname) ||
		/^(.+\.)?localhost$/.test(hostname) ||
		hostname === "[::1]";
	return protocol === "http:" && !isLoopback;
}

/** Base URLs of which it was said that the key travels unencrypted. */
const openWires = new Set<string>();

/** The accounts that are open, and what starts them all: one listener, however many they are. */
const openAccounts = new Set<Account>();
const startAll = () => {
	const hubs = new Set([...openAccounts].map(({ hub }) => hub));
	for (const hub of hubs) void hub.start();
};

function enter(RED: NodeAPI, account: Account): void {
	if (openAccounts.size === 0) RED.events.on("flows:started", startAll);
	openAccounts.add(account);
}

function leave(RED: NodeAPI, account: Account): void {
	openAccounts.delete(account);
	if (openAccounts.size === 0) {
		RED.events.removeListener("flows:started", startAll);
	}
}

/** All account nodes that run, those in subflow instances and those with a problem included. */
export const accountNodes = new Set<AccountNode>();

/** Wires a `solar-yield-account` node; it does nothing until a node uses it. */
export function openAccount(
	RED: NodeAPI,
	node: AccountNode,
	config: AccountConfig,
): void {
	node.solarYield = {};
	accountNodes.add(node);
	node.on("close", (done: () => void) => {
		accountNodes.delete(node);
		const { account } = node.solarYield;
		if (!account) return done();
		leave(RED, account);
		account.hub.removeAccount(node.id);
		account.hub.flush().finally(done);
	});
	try {
		const account = connect(RED, node, config);
		node.solarYield.account = account;
		enter(RED, account);
	} catch (error) {
		node.solarYield.problem = ownError(error);
	}
}

function connect(
	RED: NodeAPI,
	node: AccountNode,
	config: AccountConfig,
): Account {
	const report = (message: string) => node.warn(message);
	const demo = config.demo === true ? demoService() : undefined;
	const connection: Connection = demo
		? {
				baseUrl: DEMO_URL,
				apiKey: demo.apiKey,
				exchange: () => demo.simulator.exchange(demo.apiKey),
			}
		: realConnection(config.baseUrl ?? "", node.credentials?.apiKey ?? "");
	if (
		!demo &&
		isOpenWire(connection.baseUrl) &&
		!openWires.has(connection.baseUrl)
	) {
		openWires.add(connection.baseUrl);
		node.warn(
			"The base URL begins with http:, so the API key travels unencrypted; use https: if the service offers it",
		);
	}
	const { baseUrl, apiKey } = connection;
	node.solarYield.baseUrl = demo ? (config.baseUrl ?? "") : baseUrl;
	const settings = {
		budget: readCount("budget", config.budget),
		reserve: readCount("reserve", config.reserve),
		interval:
			config.interval === "start" ? ("start" as const) : ("end" as const),
		fingerprint: createHash("sha256")
			.update(
				JSON.stringify([
					config.name,
					config.siteId,
					config.budget,
					config.reserve,
					config.interval,
				]),
			)
			.digest("hex")
			.slice(0, 16),
	};
	const folder = storeFolder(RED);
	const hub = hubFor({ folder, baseUrl, apiKey }, connection.exchange, report);
	const store = new Store(folder, baseUrl, apiKey);
	hub
		.setAccount(node.id, settings)
		.catch((error) => node.warn(ownError(error)));
	return {
		demo: demo !== undefined,
		siteId: demo ? demo.siteId : readSiteId(config.siteId),
		baseUrl,
		hub,
		interval: settings.interval,
		client: new SolarYieldClient(connection.exchange()),
		pathOf: (kind) => store.pathOf(kind),
	};
}

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
