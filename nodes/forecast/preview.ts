import { isDeepStrictEqual } from "node:util";
import type { NodeAPI } from "node-red";
import { readSiteId } from "../../src/messages/selection";
import { readInlineSystem } from "../../src/service/v2/sites/site-input";
import type { Text } from "../../src/texts/texts";
import { utcText } from "../../src/util/time";
import type { AccountNode } from "../shared/account-lookup";
import { twoDays } from "../shared/two-days";
import type { ForecastPreview } from "./dialog-answers";
import {
	type ForecastConfig,
	type ForecastNode,
	readForecastSettings,
	type Settings,
} from "./settings";

/** What the dialog has, deployed or not. */
interface EditedSource {
	/** Id of the account's config node. */
	readonly account?: unknown;
	readonly siteId?: unknown;
	readonly source?: unknown;
	/** A system as JSON text. */
	readonly inline?: unknown;
}

/** Whether a node asks for the system of a text. */
function hasSystem({ source }: Settings, text: unknown): boolean {
	if (source.kind !== "inline") return false;
	try {
		return isDeepStrictEqual(source.system, readInlineSystem(text));
	} catch {
		return false;
	}
}

const settingsOf = (RED: NodeAPI, id: string) =>
	(RED.nodes.getNode(id) as ForecastNode | null)?.solarYield;

/** Settings of a running node that shows the forecast of the dialog's site, its own first. */
function settingsAsSet(
	RED: NodeAPI,
	id: string,
	{ account: accountId, siteId: given, source, inline }: EditedSource,
): Settings | undefined {
	const account = (RED.nodes.getNode(String(accountId)) as AccountNode | null)
		?.solarYield?.account;
	if (!account) return undefined;
	const siteId = readSiteId(given) ?? account.siteId;
	const ids = [id];
	RED.nodes.eachNode((node) => {
		if (node.type === "solar-yield-forecast") ids.push(node.id);
	});
	return ids
		.map((each) => settingsOf(RED, each)?.settings)
		.find(
			(settings, index) =>
				settings?.account.hub === account.hub &&
				(source === "inline"
					? index === 0 && hasSystem(settings, inline)
					: settings.source.key === siteId),
		);
}

/**
 * Whether a node could work with what the dialog has in place of what it was deployed with.
 *
 * @throws SolarYieldError what is wrong with that
 */
function judge(RED: NodeAPI, id: string, edited: EditedSource): void {
	const node = RED.nodes.getNode(id) as ForecastNode;
	RED.nodes.eachNode((config) => {
		if (config.id === id) {
			readForecastSettings(RED, node, {
				...config,
				...edited,
			} as ForecastConfig);
		}
	});
}

/**
 * When a forecast is asked for next and why, and its curve for a small chart: that of
 * the dialog's account and site where a running node shows it, else of the node as deployed.
 *
 * @param id of the node in the dialog
 * @throws SolarYieldError what keeps the node from working, as the dialog has it
 */
export async function forecastPreview(
	RED: NodeAPI,
	id: string,
	edited: EditedSource,
): Promise<ForecastPreview<Text> | undefined> {
	const asSet = settingsAsSet(RED, id, edited);
	const deployed = settingsOf(RED, id);
	if (!asSet && deployed?.problem) {
		judge(RED, id, edited);
		return undefined;
	}
	const settings = asSet ?? deployed?.settings;
	if (!settings) return undefined;
	const { hub } = settings.account;
	const state = hub.state(settings.source);
	const { forecast, plan, failure } = state;
	return {
		site:
			settings.source.kind === "inline"
				? null
				: state.site?.name || settings.source.key,
		is_as_set: asSet !== undefined,
		next_request_at: utcText(plan.at),
		reason: plan.reason,
		awaited: state.awaited,
		error: failure?.text ?? null,
		stale: state.stale,
		timezone: forecast?.zone.name ?? state.site?.timezone ?? null,
		...twoDays(forecast, state.now, state.settled),
	};
}
