import type { NodeAPI } from "node-red";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { normaliseBaseUrl } from "../../src/service/http/base-url";
import { isBlank } from "../../src/util/guards";
import {
	type AccountConfig,
	type AccountCredentials,
	type AccountNode,
	accountNodes,
} from "../shared/account-lookup";
import { variableOf } from "../shared/variable";
import { apiKeyOf } from "./api-key";

/**
 * The value of an environment variable, as the node sees it once it is deployed.
 *
 * @throws SolarYieldError `INPUT` when it is not set
 */
function readVariable(
	RED: NodeAPI,
	node: AccountNode | null,
	variable: string,
): string {
	const { getSetting } = RED.util as unknown as {
		getSetting(node: unknown, name: string, flow?: unknown): unknown;
	};
	const value = getSetting(
		node ?? {},
		variable,
		(node as { _flow?: unknown } | null)?._flow,
	);
	if (isBlank(value)) {
		throw inputError("account.variable_unset", { variable });
	}
	return String(value).trim();
}

/** Key of a deployed node, blank where it has none. */
export const storedKey = (node: AccountNode | null): string =>
	apiKeyOf(node?.credentials?.apiKey ?? "");

/**
 * The base URL to check, as it is typed or as a variable holds it.
 *
 * @throws SolarYieldError `INPUT` when it is none
 */
export function readBaseUrl(
	RED: NodeAPI,
	node: AccountNode | null,
	text: string,
): string {
	const variable = variableOf(text);
	if (variable === undefined) return normaliseBaseUrl(text);
	const value = readVariable(RED, node, variable);
	try {
		return normaliseBaseUrl(value);
	} catch {
		// The error of a typed address shows it; what a variable holds may be a secret.
		throw inputError("account.variable_no_url", { variable });
	}
}

/** Base URL of a deployed node, also while the demo answers for it. */
export function storedUrl(node: AccountNode | null): string | undefined {
	try {
		return normaliseBaseUrl(node?.solarYield?.baseUrl ?? "");
	} catch {
		return undefined;
	}
}

/**
 * Base URLs of the deployed accounts that use the value of a variable as their key;
 * blank where an account's base URL is not known.
 */
function deployedUrls(RED: NodeAPI, variable: string, value: string): string[] {
	const urls: string[] = [];
	for (const node of accountNodes) {
		const baseUrl = storedUrl(node);
		if (baseUrl && storedKey(node) === value) {
			urls.push(baseUrl);
		}
	}
	// Disabled nodes and those in a subflow have no running node; their settings are as written.
	RED.nodes.eachNode((config) => {
		const { id, type, baseUrl } = config as AccountConfig;
		if (type !== "solar-yield-account" || RED.nodes.getNode(id)) return;
		const kept = RED.nodes.getCredentials(id) as AccountCredentials | undefined;
		const key = apiKeyOf(kept?.apiKey ?? "");
		if (key !== value && variableOf(key) !== variable) return;
		try {
			urls.push(readBaseUrl(RED, null, baseUrl ?? ""));
		} catch {
			urls.push("");
		}
	});
	return urls;
}

/**
 * The key to check a base URL with (behaviour: The key). The stored key goes to the
 * stored base URL only. What an environment variable holds goes where a deployed
 * account sends it already, and nowhere else.
 *
 * @throws SolarYieldError `INPUT` when there is no key for that address
 */
export function readKey(
	RED: NodeAPI,
	node: AccountNode | null,
	typed: string,
	baseUrl: string,
): string {
	const text = apiKeyOf(typed);
	if (text === "" || text === "__PWRD__") {
		const stored = storedKey(node);
		const url = storedUrl(node);
		if (stored && url === baseUrl) return stored;
		throw inputError(
			stored && url ? "account.other_url" : "account.no_stored_key",
		);
	}
	const variable = variableOf(text);
	if (variable === undefined) return text;
	const value = apiKeyOf(readVariable(RED, node, variable));
	const urls = deployedUrls(RED, variable, value);
	if (urls.includes(baseUrl)) return value;
	throw inputError(
		urls.length > 0 ? "account.variable_elsewhere" : "account.variable_nowhere",
		{ variable },
	);
}
