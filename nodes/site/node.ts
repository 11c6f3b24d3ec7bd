import type { Node, NodeAPI, NodeDef } from "node-red";
import { readSiteId } from "../../src/messages/selection";
import { readFlag } from "../../src/messages/value-readers";
import { inputError } from "../../src/service/errors/solar-yield-error";
import { show } from "../../src/service/v2/schema-errors";
import type { NewSite } from "../../src/service/v2/sites/site-input";
import {
	isAboutSite,
	SITE_OPERATIONS,
	type SiteOperation,
	type SiteRequest,
	type SiteResult,
	siteIdOf,
} from "../../src/service/v2/sites/site-operations";
import { textIn } from "../../src/texts/texts";
import { isBlank } from "../../src/util/guards";
import { utcText } from "../../src/util/time";
import { type Account, accountOf } from "../shared/account-lookup";
import {
	handleRequests,
	type Message,
	ownError,
	refuseInput,
	tellWarning,
} from "../shared/handler";
import { SetupError } from "../shared/setup-error";
import { managerOf, siteFacts } from "./manager";
import { newSiteOf } from "./new-site";
import { type SiteNodeState, siteStatus } from "./status";

/** Properties of `solar-yield-site` in a flow file (behaviour: Messages). */
export interface SiteConfig extends NodeDef {
	account: string;
	siteId: string;
	/** Blank: `msg.operation` decides. */
	operation: SiteOperation | "";
	/** JSON text of the site that is created where no message brings one; may be missing. */
	system?: string;
}

/** What a result puts on a message. */
function fieldsOf(
	result: SiteResult,
	operation: SiteOperation,
	demo: boolean,
): Record<string, unknown> {
	const { site, sites, restoreUntil, stringId, notes } = result;
	const common = {
		operation,
		notes: notes.map((note) => textIn(note)),
		solar: { demo },
	};
	if (!site) {
		return {
			...common,
			payload: sites?.map(({ record }) => record),
			sites: sites?.map(siteFacts),
		};
	}
	const { site_id, name, timezone } = site;
	return {
		...common,
		payload: site.record,
		siteId: site_id,
		site: siteFacts(site),
		solar: { site_id, site_name: name, timezone, demo },
		...(stringId !== undefined && { stringId }),
		...(restoreUntil !== undefined && {
			restore_until: utcText(restoreUntil),
		}),
	};
}

function readOperation(value: unknown): SiteOperation | undefined {
	if (isBlank(value)) return undefined;
	if (!SITE_OPERATIONS.includes(value as SiteOperation)) {
		throw inputError("sites.operation", {
			value: show(value),
			operations: SITE_OPERATIONS,
		});
	}
	return value as SiteOperation;
}

/** @throws SetupError when an operation needs a site and none is named */
function requireSite(request: SiteRequest): void {
	try {
		siteIdOf(request);
	} catch (error) {
		const { key, values } = ownError(error).text;
		throw new SetupError("no_site", key, values);
	}
}

/** Whether a payload is meant as a site, well or badly made; a button's is not. */
const bringsSite = (payload: unknown) =>
	(typeof payload === "object" && payload !== null) ||
	/^\s*[{[]/.test(String(payload));

/** Wires a `solar-yield-site` node. */
export function openSite(RED: NodeAPI, node: Node, config: SiteConfig): void {
	let settings: {
		account: Account;
		operation: SiteOperation | undefined;
		siteId: string | undefined;
		newSite: NewSite | undefined;
	};
	try {
		settings = {
			account: accountOf(RED, config.account),
			operation: readOperation(config.operation),
			siteId: readSiteId(config.siteId),
			newSite:
				config.operation !== "create" || isBlank(config.system)
					? undefined
					: newSiteOf(config.system),
		};
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	const { account, siteId, newSite } = settings;
	const manager = managerOf(account);
	const perform = async (msg: Message) => {
		const operation = settings.operation ?? readOperation(msg.operation);
		if (!operation) {
			throw inputError("sites.no_operation", { operations: SITE_OPERATIONS });
		}
		const request = {
			operation,
			siteId: readSiteId(msg.siteId) ?? siteId,
			defaultSiteId: account.siteId,
			body: newSite && !bringsSite(msg.payload) ? newSite : msg.payload,
			stringId: msg.stringId,
			removeStrings: readFlag("removeStrings", msg.removeStrings),
		};
		if (isAboutSite(operation)) requireSite(request);
		const result = await manager.run(request);
		return { operation, result };
	};

	const statusOf = (state: SiteNodeState) =>
		siteStatus(state, account.demo, RED._);
	handleRequests(RED, node, statusOf, async (msg, send, show, isClosed) => {
		const { operation, result } = await perform(msg);
		const { site, sites, notes } = result;
		if (!isClosed()) for (const note of notes) tellWarning(RED, node, note);
		show(
			operation === "list"
				? { operation, count: sites?.length ?? 0 }
				: { operation, site: site?.name || site?.site_id || "" },
		);
		// It may be left from an earlier operation on this message.
		delete msg.restore_until;
		send(Object.assign(msg, fieldsOf(result, operation, account.demo)));
	});
}
