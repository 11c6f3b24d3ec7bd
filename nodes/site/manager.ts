import type { Hub } from "../../src/polling/hub";
import type { Site } from "../../src/service/v2/sites/site";
import { temporaryUntil } from "../../src/service/v2/sites/site-dates";
import { SiteManager } from "../../src/service/v2/sites/site-manager";
import { utcText } from "../../src/util/time";
import type { Account } from "../shared/account-lookup";
import { historyOf } from "../shared/history-reader";

const managers = new WeakMap<Hub, SiteManager>();

/** The manager of an account's sites: one per base URL and key, so that changes go one after another. */
export function managerOf(account: Account): SiteManager {
	const { hub, client } = account;
	let manager = managers.get(hub);
	if (!manager) {
		const history = historyOf(account);
		manager = new SiteManager(client, {
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

/** Facts of a site for messages and dialogs, independent of the form of its record. */
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
