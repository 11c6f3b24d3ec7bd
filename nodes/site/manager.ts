import { SiteManager } from "../../src/service/site-manager";
import type { Site } from "../../src/service/v2/sites/site";
import { temporaryUntil } from "../../src/service/v2/sites/site-dates";
import { utcText } from "../../src/util/time";
import { perHub } from "../shared/account-lookup";
import { historyOf } from "../shared/history-reader";

/** The manager of an account's sites: one per base URL and key, so that changes go one after another. */
export const managerOf = perHub((account) => {
	const { hub, client } = account;
	const history = historyOf(account);
	return new SiteManager(client, {
		now: () => hub.now(),
		onChange(siteId, forecast) {
			hub.siteChanged(siteId, forecast);
			if (forecast) void history.forget(siteId);
		},
	});
});

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
		temporary_until: utcText(until),
		deleted_at,
		timezone,
		power_kw: strings.reduce((sum, { power_kw }) => sum + (power_kw ?? 0), 0),
		strings: strings.map((string) => ({ ...string })),
	};
}
