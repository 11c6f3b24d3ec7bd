import type { NodeAPI } from "node-red";
import { siteDayEnergy } from "../../src/forecast/forecast";
import { utcText } from "../../src/forecast/zone";
import type { QuotaFacts } from "../../src/messages/facts";
import { quotaFacts } from "../../src/messages/make-facts";
import { REASONS } from "../../src/messages/reasons";
import type { SiteCost } from "../../src/polling/pacing/site-cost";
import { SolarYieldClient } from "../../src/service/client";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { httpExchange } from "../../src/service/http/axios-exchange";
import { normaliseBaseUrl } from "../../src/service/http/base-url";
import type { Site } from "../../src/service/v2/sites/site";
import { dateText } from "../../src/util/timestamp";
import type { ForecastNode } from "../forecast/node";
import {
	type Account,
	type AccountConfig,
	type AccountCredentials,
	type AccountNode,
	accountNodes,
	unsetVariable,
} from "../shared/account-lookup";
import { demoService } from "./demo-service";

/** What the editor sends to try an account, deployed or not. */
interface CheckBody {
	readonly demo?: unknown;
	readonly baseUrl?: unknown;
	/** Blank or `__PWRD__`: the stored key. */
	readonly apiKey?: unknown;
}

/** What variables are called that hold a key of ours, for who tries one before a deploy. */
const OUR_VARIABLES = /^SOLAR_YIELD_/;

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
	if (value === undefined || value === null || value === "") {
		throw inputError(
			`The environment variable ${variable} is not set; set it and restart Node-RED`,
		);
	}
	return String(value).trim();
}

function readBaseUrl(
	RED: NodeAPI,
	node: AccountNode | null,
	text: string,
): string {
	const variable = unsetVariable(text);
	if (variable === undefined) return normaliseBaseUrl(text);
	const value = readVariable(RED, node, variable);
	try {
		return normaliseBaseUrl(value);
	} catch {
		// The error of a typed address shows it; what a variable holds may be a secret.
		throw inputError(
			`The environment variable ${variable} holds no address of a service; let it begin with https://`,
		);
	}
}

/** The base URL that a deployed node stands with, whether or not the demo answers for it now. */
function storedUrl(node: AccountNode | null): string | undefined {
	try {
		return normaliseBaseUrl(node?.solarYield?.baseUrl ?? "");
	} catch {
		return undefined;
	}
}

/**
 * Base URLs that the value of a variable is the key for in what is deployed; blank
 * where that is not known.
 */
function deployedUrls(RED: NodeAPI, variable: string, value: string): string[] {
	const urls: string[] = [];
	for (const node of accountNodes) {
		const baseUrl = storedUrl(node);
		if (baseUrl && node.credentials?.apiKey?.trim() === value) {
			urls.push(baseUrl);
		}
	}
	// What is disabled, or stands in a subflow, is kept as it was written.
	RED.nodes.eachNode((config) => {
		const { id, type, baseUrl } = config as AccountConfig;
		if (type !== "solar-yield-account" || RED.nodes.getNode(id)) return;
		const kept = RED.nodes.getCredentials(id) as AccountCredentials | undefined;
		const key = kept?.apiKey?.trim() ?? "";
		if (key !== value && unsetVariable(key) !== variable) return;
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
 * account sends it already; while none does, and only if the variable's name
 * says that it is ours, it goes to the address that is to be tried.
 */
function readKey(
	RED: NodeAPI,
	node: AccountNode | null,
	text: string,
	baseUrl: string,
): string {
	if (text === "" || text === "__PWRD__") {
		const stored = node?.credentials?.apiKey?.trim();
		const url = storedUrl(node);
		if (stored && url === baseUrl) return stored;
		throw inputError(
			stored && url
				? "The base URL is another than the stored one; type the API key in again, it goes only where you send it"
				: "There is no stored API key to check; type it in",
		);
	}
	const variable = unsetVariable(text);
	if (variable === undefined) return text;
	const value = readVariable(RED, node, variable);
	const urls = deployedUrls(RED, variable, value);
	const isAllowed =
		urls.length > 0 ? urls.includes(baseUrl) : OUR_VARIABLES.test(variable);
	if (isAllowed) return value;
	throw inputError(
		urls.length > 0
			? `The key in the environment variable ${variable} belongs to a deployed account with another base URL and is not sent to this one; type a key in to check, or deploy the account as it stands`
			: `What the environment variable ${variable} holds is not sent to an address that no deployed account uses it with; deploy first and check then, type the key itself in, or take a variable whose name begins with SOLAR_YIELD_`,
	);
}

/** A site as the picker shows it. */
const siteChoice = (site: Site) => ({
	site_id: site.site_id,
	name: site.name,
	state: site.state,
	deleted_at: site.deleted_at,
	timezone: site.timezone,
	strings: site.strings.length,
	power_kw: site.strings.reduce(
		(sum, { power_kw }) => sum + (power_kw ?? 0),
		0,
	),
});

/** Tries base URL and key with the free list of sites. */
export async function checkAccount(
	RED: NodeAPI,
	body: CheckBody,
	node: AccountNode | null,
): Promise<unknown> {
	const account = node?.solarYield?.account;
	/** What is known of the account in the dialog, if it is the deployed one. */
	const known = async (isDeployed: boolean | undefined) =>
		account && isDeployed ? await accountFacts(node) : {};
	if (body.demo === true) {
		const demo = demoService();
		const client = new SolarYieldClient(demo.simulator.exchange(demo.apiKey));
		const sites = (await client.sites()).map(siteChoice);
		return { ...(await known(account?.demo)), sites };
	}
	const baseUrl = readBaseUrl(RED, node, String(body.baseUrl ?? ""));
	const apiKey = readKey(RED, node, String(body.apiKey ?? "").trim(), baseUrl);
	const client = new SolarYieldClient(httpExchange(baseUrl, apiKey));
	const sites = (await client.sites()).map(siteChoice);
	const isDeployed =
		!account?.demo &&
		storedUrl(node) === baseUrl &&
		node?.credentials?.apiKey?.trim() === apiKey;
	return { ...(await known(isDeployed)), sites };
}

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
export async function accountFacts(node: AccountNode | null): Promise<
	| {
			available: readonly string[] | null;
			quota: QuotaFacts;
			/** What one more site would cost a month at full pace. */
			one_more_site: SiteCost | null;
	  }
	| undefined
> {
	const account = deployedAccount(node);
	if (!account) return undefined;
	const { available, oneMore, ...known } = await account.hub.account();
	return { available, quota: quotaFacts(known), one_more_site: oneMore };
}

/** Makes one request whatever gate is shut (behaviour: The month's requests). */
export async function askNow(node: AccountNode | null): Promise<unknown> {
	const account = deployedAccount(node);
	if (!account) return undefined;
	const error = await account.hub.askNow();
	if (error) throw error;
	return accountFacts(node);
}

/** When a deployed forecast node asks next and why, and its curve for a small chart. */
export async function forecastPreview(
	node: ForecastNode | null,
): Promise<unknown> {
	const { settings, problem } = node?.solarYield ?? {};
	if (problem) throw problem;
	if (!settings) return undefined;
	const { hub, interval } = settings.account;
	const state = hub.state(settings.source, interval);
	const { forecast, plan, failure } = state;
	const values = forecast?.values;
	const today = forecast ? forecast.zone.dayOf(state.now) : 0;
	const from = values?.indexFrom(forecast?.zone.dayStart(today) ?? 0) ?? 0;
	const to = values?.indexFrom(forecast?.zone.dayStart(today + 2) ?? 0) ?? 0;
	return {
		next_request_at: plan.at === null ? null : utcText(plan.at),
		reason: plan.reason,
		reason_text: REASONS[plan.reason],
		error: failure && {
			code: `SOLAR_YIELD_${failure.kind}`,
			message: failure.message,
		},
		stale: state.stale,
		available: forecast?.available ?? null,
		timezone: forecast?.zone.name ?? null,
		computed_at:
			forecast?.computed_at == null ? null : utcText(forecast.computed_at),
		quota: quotaFacts(state),
		/** Today and tomorrow, with the energy that statuses and messages name. */
		days: forecast
			? [today, today + 1].map((day) => ({
					date: dateText(day),
					energy_kwh: siteDayEnergy(forecast, day),
				}))
			: [],
		/** Quarter hours of these days: [start in epoch ms, W]. */
		curve: values
			? values.starts
					.slice(from, to)
					.map((start) => [start, values.valueAt(start, "pv_power")])
			: [],
	};
}
