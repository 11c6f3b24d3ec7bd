import type { Node, NodeAPI, NodeDef } from "node-red";
import { readSiteId } from "../forecast/selection";
import { utcText } from "../forecast/zone";
import type { Hub } from "../polling/hub";
import { Shelf } from "../polling/shelf";
import { inputError } from "../service/errors";
import { Moves } from "../service/v2/moves";
import { show } from "../service/v2/read";
import type { Site } from "../service/v2/site";
import { temporaryUntil } from "../service/v2/site-dates";
import {
	SITE_OPERATIONS,
	SiteManager,
	type SiteOperation,
	type SiteResult,
} from "../service/v2/site-manager";
import { type Account, accountOf } from "./account";
import { handleInput, type Message, ownError } from "./handler";
import { historyOf } from "./history-reader";
import { refuseInput } from "./refuse";
import { siteStatus } from "./status";

/** Properties of `solar-yield-site` in a flow file (CONTRACT 2). */
export interface SiteConfig extends NodeDef {
	account: string;
	siteId: string;
	/** Blank: `msg.operation` decides. */
	operation: SiteOperation | "";
}

const managers = new WeakMap<Hub, SiteManager>();

/** The manager of an account's sites: one per base URL and key, so that changes go one after another. */
export function managerOf(account: Account): SiteManager {
	const { hub, client, pathOf } = account;
	let manager = managers.get(hub);
	if (!manager) {
		const shelf = new Shelf(() => pathOf("sites"));
		const history = historyOf(account);
		manager = new SiteManager(client, {
			moves: new Moves({
				load: () => shelf.load("places"),
				save: (text) => shelf.save("places", text),
			}),
			now: () => hub.now(),
			onChange(siteId, forecast) {
				hub.siteChanged(siteId, forecast);
				if (forecast) void history.forget(siteId);
			},
		});
		managers.set(hub, manager);
	}
	return manager;
}

/** A site as other nodes and the editor show it, whatever the form of its record. */
export function siteFacts(site: Site) {
	const until = site.state === "temporary" ? temporaryUntil(site) : null;
	const { site_id, name, state, timezone, deleted_at, strings } = site;
	return {
		site_id,
		name,
		/** `active`, `temporary`, `deleted` (pending deletion) or `inactive` (over the plan's limit) */
		state,
		/** When a temporary site is deleted, UTC. */
		temporary_until: until === null ? null : utcText(until),
		deleted_at,
		timezone,
		power_kw: strings.reduce((sum, { power_kw }) => sum + (power_kw ?? 0), 0),
		strings: strings.map((string) => ({ ...string })),
	};
}

/** What a result puts on a message. */
function fieldsOf(
	result: SiteResult,
	operation: SiteOperation,
	demo: boolean,
): Record<string, unknown> {
	const { site, sites, restoreUntil, stringId, notes } = result;
	const common = { operation, notes, solar: { demo } };
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
			restore_until: restoreUntil === null ? null : utcText(restoreUntil),
		}),
	};
}

function readOperation(value: unknown): SiteOperation | undefined {
	if (value === undefined || value === null || value === "") return undefined;
	if (!SITE_OPERATIONS.includes(value as SiteOperation)) {
		throw inputError(
			`operation is ${show(value)}; give one of ${SITE_OPERATIONS.join(", ")}`,
		);
	}
	return value as SiteOperation;
}

/** Wires a `solar-yield-site` node. */
export function openSite(RED: NodeAPI, node: Node, config: SiteConfig): void {
	let settings: {
		account: Account;
		operation: SiteOperation | undefined;
		siteId: string | undefined;
	};
	try {
		settings = {
			account: accountOf(RED, config.account),
			operation: readOperation(config.operation),
			siteId: readSiteId(config.siteId),
		};
	} catch (error) {
		refuseInput(RED, node, error);
		return;
	}
	const { account, siteId } = settings;
	const manager = managerOf(account);
	let closed = false;
	const showStatus = (state: Parameters<typeof siteStatus>[0]) => {
		if (!closed) node.status(siteStatus(state, account.demo, RED._));
	};
	node.status({});
	node.on("close", () => {
		closed = true;
		node.status({});
	});

	const perform = async (msg: Message) => {
		const operation = settings.operation ?? readOperation(msg.operation);
		if (!operation) {
			throw inputError(
				`operation is missing; choose it in the node, or set msg.operation to one of ${SITE_OPERATIONS.join(", ")}`,
			);
		}
		const result = await manager.run({
			operation,
			siteId: readSiteId(msg.siteId) ?? siteId,
			defaultSiteId: account.siteId,
			body: msg.payload,
			stringId: msg.stringId,
			removeStrings: msg.removeStrings === true,
		});
		return { operation, result };
	};

	handleInput(node, async (msg, send) => {
		showStatus({ asking: true });
		try {
			const { operation, result } = await perform(msg);
			const { site, sites, notes } = result;
			if (!closed) for (const note of notes) node.warn(note);
			showStatus(
				operation === "list"
					? { operation, count: sites?.length ?? 0 }
					: { operation, site: site?.name || site?.site_id || "" },
			);
			// Of an earlier operation on this message.
			delete msg.restore_until;
			send(Object.assign(msg, fieldsOf(result, operation, account.demo)));
		} catch (error) {
			showStatus({ failure: ownError(error) });
			throw error;
		}
	});
}
