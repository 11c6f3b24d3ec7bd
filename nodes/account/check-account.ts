import type { NodeAPI } from "node-red";
import { SolarYieldClient } from "../../src/service/client";
import { httpExchange } from "../../src/service/http/axios-exchange";
import type { Site } from "../../src/service/v2/sites/site";
import type { Text } from "../../src/texts/texts";
import type { AccountNode } from "../shared/account-lookup";
import type { CheckAnswer, SiteChoice } from "../shared/dialog-answers";
import { accountFacts } from "./account-facts";
import { readBaseUrl, readKey, storedKey, storedUrl } from "./check-key";
import { demoService } from "./demo-service";

/** What the editor sends to try an account, deployed or not. */
interface CheckBody {
	readonly demo?: unknown;
	readonly baseUrl?: unknown;
	/** Blank or `__PWRD__`: the stored key. */
	readonly apiKey?: unknown;
}

/** A site as the picker shows it. */
const siteChoice = (site: Site): SiteChoice => ({
	site_id: site.site_id,
	name: site.name,
	state: site.state,
	timezone: site.timezone,
	strings: site.strings.length,
	power_kw: site.strings.reduce(
		(sum, { power_kw }) => sum + (power_kw ?? 0),
		0,
	),
});

/** Checks base URL and key by asking for the list of sites, which is free. */
export async function checkAccount(
	RED: NodeAPI,
	body: CheckBody,
	node: AccountNode | null,
): Promise<CheckAnswer<Text>> {
	const account = node?.solarYield?.account;
	/** Facts of the account in the dialog, if it is the deployed one. */
	const known = async (isDeployed: boolean | undefined) =>
		account && isDeployed ? await accountFacts(node) : {};
	if (body.demo === true) {
		const client = new SolarYieldClient(demoService().exchange);
		const sites = (await client.sites()).map(siteChoice);
		return { ...(await known(account?.demo)), sites };
	}
	const baseUrl = readBaseUrl(RED, node, String(body.baseUrl ?? ""));
	const apiKey = readKey(RED, node, String(body.apiKey ?? ""), baseUrl);
	const client = new SolarYieldClient(httpExchange(baseUrl, apiKey));
	const { sites, notes } = await client.siteList();
	const isDeployed =
		!account?.demo && storedUrl(node) === baseUrl && storedKey(node) === apiKey;
	return {
		...(await known(isDeployed)),
		sites: sites.map(siteChoice),
		...(notes.length > 0 && { notes }),
	};
}
