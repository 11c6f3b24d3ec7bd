import type { NodeAPI } from "node-red";
import { readSiteId } from "../../src/messages/selection";
import { hubFor } from "../../src/polling/hubs";
import { AccountFiles } from "../../src/polling/storage/account-files";
import { SolarYieldClient } from "../../src/service/client";
import {
	inputError,
	SolarYieldError,
} from "../../src/service/errors/solar-yield-error";
import { normaliseBaseUrl } from "../../src/service/http/base-url";
import type { Exchange } from "../../src/service/http/exchange";
import { show } from "../../src/service/v2/schema-errors";
import type { Text } from "../../src/texts/texts";
import { hashOf } from "../../src/util/disk/atomic-file";
import { isBlank } from "../../src/util/guards";
import {
	type Account,
	type AccountConfig,
	type AccountNode,
	accountNodes,
} from "../shared/account-lookup";
import { onFlowsStarted } from "../shared/flows-started";
import { ownError, tellWarning } from "../shared/handler";
import {
	rememberFolder,
	storeFolder,
	warnIfVanished,
} from "../shared/user-folder";
import { variableOf } from "../shared/variable";
import { apiKeyOf, isApiKey } from "./api-key";
import { demoService } from "./demo-service";

/** Address, key and transport of an account. */
interface Connection {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly exchange: () => Exchange;
}

const DEMO_URL = "demo:";

/** A whole number of requests, or null when blank. */
function readCount(field: string, value: unknown): number | null {
	if (isBlank(value)) {
		return null;
	}
	const count = Number(value);
	if (!Number.isInteger(count) || count < 0) {
		throw inputError("account.count", { field, value: show(value) });
	}
	return count;
}

function realConnection(baseUrl: string, apiKey: string): Connection {
	for (const [key, value] of [
		["account.url_unset", baseUrl],
		["account.key_unset", apiKey],
	] as const) {
		const variable = variableOf(value);
		if (variable !== undefined) {
			throw inputError(key, { variable });
		}
	}
	if (baseUrl.trim() === "") {
		throw inputError("account.no_url");
	}
	const { httpExchange } =
		require("../../src/service/http/axios-exchange") as typeof import("../../src/service/http/axios-exchange");
	const url = normaliseBaseUrl(baseUrl);
	const key = apiKeyOf(apiKey);
	if (key === "") {
		throw new SolarYieldError("AUTH", "account.no_key");
	}
	if (!isApiKey(key)) {
		throw new SolarYieldError("AUTH", "account.key_characters");
	}
	return { baseUrl: url, apiKey: key, exchange: () => httpExchange(url, key) };
}

/** Whether requests to an address leave this machine unencrypted. */
function isOpenWire(baseUrl: string): boolean {
	const { protocol, hostname } = new URL(baseUrl);
	const isLoopback =
		/^127(\.\d+){3}$/.test(hostname) ||
		/^(.+\.)?localhost$/.test(hostname) ||
		hostname === "[::1]";
	return protocol === "http:" && !isLoopback;
}

/** Base URLs for which a warning was given that the key travels unencrypted. */
const openWires = new Set<string>();

/** Starts the hubs of all accounts, each once whatever number of accounts share it. */
const startHubs = () => {
	const hubs = new Set(
		[...accountNodes].map(({ solarYield }) => solarYield.account?.hub),
	);
	for (const hub of hubs) void hub?.start();
};

/** Wires a `solar-yield-account` node; it does nothing until a node uses it. */
export function openAccount(
	RED: NodeAPI,
	node: AccountNode,
	config: AccountConfig,
): void {
	node.solarYield = {};
	accountNodes.add(node);
	const stopStarting = onFlowsStarted(RED, startHubs);
	node.on("close", (done: () => void) => {
		accountNodes.delete(node);
		if (accountNodes.size === 0) stopStarting();
		const { account } = node.solarYield;
		if (!account) return done();
		account.hub.removeAccount(node.id);
		account.hub.flush().finally(done);
	});
	try {
		node.solarYield.account = connect(RED, node, config);
	} catch (error) {
		node.solarYield.problem = ownError(error);
	}
}

function connect(
	RED: NodeAPI,
	node: AccountNode,
	config: AccountConfig,
): Account {
	const report = (text: Text) => tellWarning(RED, node, text);
	// A variable brings it as text.
	const demo = String(config.demo) === "true" ? demoService() : undefined;
	const connection: Connection = demo
		? {
				baseUrl: DEMO_URL,
				apiKey: demo.apiKey,
				exchange: () => demo.exchange,
			}
		: realConnection(config.baseUrl ?? "", node.credentials?.apiKey ?? "");
	if (
		!demo &&
		isOpenWire(connection.baseUrl) &&
		!openWires.has(connection.baseUrl)
	) {
		openWires.add(connection.baseUrl);
		report({ key: "account.open_wire" });
	}
	const { baseUrl, apiKey } = connection;
	node.solarYield.baseUrl = demo ? (config.baseUrl ?? "") : baseUrl;
	const settings = {
		budget: readCount("budget", config.budget),
		reserve: readCount("reserve", config.reserve),
		interval:
			config.interval === "start" ? ("start" as const) : ("end" as const),
		fingerprint: hashOf(
			JSON.stringify([
				config.name,
				config.siteId,
				config.budget,
				config.reserve,
				config.interval,
			]),
			16,
		),
	};
	const folder = storeFolder(RED);
	warnIfVanished(RED, folder, report);
	const hub = hubFor(folder, baseUrl, apiKey, connection.exchange, report);
	const files = new AccountFiles(folder, baseUrl, apiKey);
	hub
		.setAccount(node.id, settings)
		.then(() => rememberFolder(RED, folder))
		.catch((error) => tellWarning(RED, node, error));
	return {
		demo: demo !== undefined,
		siteId: demo ? demo.siteId : readSiteId(config.siteId),
		baseUrl,
		hub,
		interval: settings.interval,
		client: new SolarYieldClient(connection.exchange(), {
			isKnown: () => hub.hasAnswered,
		}),
		pathOf: (kind) => files.pathOf(kind),
	};
}
