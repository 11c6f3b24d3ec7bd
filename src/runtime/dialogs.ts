import type { NodeAPI } from "node-red";
import type { QuotaFacts } from "../forecast/facts";
import { utcText } from "../forecast/zone";
import type { SiteCost } from "../polling/cost";
import { quotaFacts } from "../polling/facts";
import { REASONS } from "../polling/schedule";
import { SolarYieldClient } from "../service/client";
import { inputError } from "../service/errors";
import { httpExchange, normaliseBaseUrl } from "../service/transport";
import type { Site } from "../service/v2/site";
import {
	type Account,
	type AccountNode,
	demoService,
	unsetVariable,
} from "./account";
import type { ForecastNode } from "./forecast";

/** What the editor sends to try an account, deployed or not. */
interface CheckBody {
	readonly demo?: unknown;
	readonly baseUrl?: unknown;
	/** Blank or `__PWRD__`: the stored key. */
	readonly apiKey?: unknown;
}

/** A `${VARIABLE}` as the deployed node would see it. */
function resolve(RED: NodeAPI, node: AccountNode | null, text: string): string {
	const variable = unsetVariable(text);
	if (variable === undefined) return text.trim();
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

/**
 * Tries base URL and key with the free list of sites. The stored key goes only
 * to the stored base URL (CONTRACT 3.9).
 */
export async function checkAccount(
	RED: NodeAPI,
	body: CheckBody,
	node: AccountNode | null,
): Promise<unknown> {
	const account = node?.solarYield?.account;
	const known = account ? await accountFacts(node) : {};
	if (body.demo === true) {
		const demo = demoService();
		const client = new SolarYieldClient(demo.simulator.exchange(demo.apiKey));
		return {
			...(account?.demo ? known : {}),
			sites: (await client.sites()).map(siteChoice),
		};
	}
	const baseUrl = normaliseBaseUrl(
		resolve(RED, node, String(body.baseUrl ?? "")),
	);
	const typed = String(body.apiKey ?? "").trim();
	const stored = typed === "" || typed === "__PWRD__";
	const storedUrl = node?.credentials?.apiKey && node.solarYield?.baseUrl;
	if (stored && storedUrl !== baseUrl) {
		throw inputError(
			storedUrl
				? "The base URL is another than the stored one; type the API key in again, it goes only where you send it"
				: "There is no stored API key to check; type it in",
		);
	}
	const apiKey = stored
		? (node?.credentials?.apiKey ?? "").trim()
		: resolve(RED, node, typed);
	const client = new SolarYieldClient(httpExchange(baseUrl, apiKey));
	const sites = (await client.sites()).map(siteChoice);
	const same = account?.baseUrl === baseUrl;
	return { ...(same ? known : {}), sites };
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

/** Makes one request whatever gate is shut (CONTRACT 3.3). */
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
	const { hub } = settings.account;
	const state = hub.state(settings.source);
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
		/** Quarter hours of today and tomorrow: [start in epoch ms, W]. */
		curve: values
			? values.starts
					.slice(from, to)
					.map((start) => [start, values.valueAt(start, "pv_power")])
			: [],
	};
}
