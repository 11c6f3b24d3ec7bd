import { HttpError, invalid } from "./answers/http-error";
import { parseBody, readSiteBody, type StringBody } from "./answers/site-body";
import type { Variants } from "./answers/variants";
import type { Plan } from "./plans";
import { type Call, ok, type Reply, type Route } from "./routes";
import type { SiteRecord, StoredSite } from "./stored-site";

/** Endpoints of sites (spec, Endpoints); none is counted. */
export function siteRoutes({ restorePrefix }: Variants): readonly Route[] {
	return [
		{ method: "GET", path: "/v2/sites", run: list },
		{ method: "POST", path: "/v2/sites", run: create },
		{ method: "GET", path: "/v2/sites/{id}", run: read },
		{ method: "PATCH", path: "/v2/sites/{id}", run: update },
		{
			method: "DELETE",
			path: "/v2/sites/{id}",
			run: (call) =>
				change(call, (site) => call.state.sites.delete(site, call.now)),
		},
		{
			method: "POST",
			path: `${restorePrefix}/{id}/restore`,
			run: (call) =>
				change(call, (site) => call.state.sites.restore(site, call.now)),
		},
	];
}

function list(call: Call): Reply {
	const { state, account, now } = call;
	const records = state.sites
		.list(account.index, now)
		.map((site) => recordOf(call, site));
	const { listShape } = state.variants;
	return ok(listShape === "array" ? records : { [listShape]: records });
}

function read(call: Call): Reply {
	const { state, account, id, now } = call;
	return ok(recordOf(call, state.sites.find(account.index, id, now)));
}

function create(call: Call): Reply {
	const { state, account, now, request } = call;
	const { plan } = account;
	requireSitesApi(plan);
	const body = readSiteBody(parseBody(request.body), true);
	if (body.temporary && !plan.temporarySites)
		throw new HttpError(403, "Your plan does not include temporary sites");
	const living = state.sites.living(account.index, now);
	if (plan.siteLimit !== null && living.length >= plan.siteLimit)
		throw new HttpError(
			403,
			`Site limit of your plan reached (${plan.siteLimit})`,
		);
	checkStringLimit(plan, body.strings);
	const site = state.sites.create(account.index, now, body);
	return written(call, 201, site);
}

function update(call: Call): Reply {
	return change(call, (site) => {
		const body = readSiteBody(parseBody(call.request.body), false);
		checkStringLimit(call.account.plan, body.strings);
		call.state.sites.update(site, call.now, body);
	});
}

function change(call: Call, make: (site: StoredSite) => void): Reply {
	const { state, account, id, now } = call;
	requireSitesApi(account.plan);
	const site = state.sites.find(account.index, id, now);
	make(site);
	return written(call, 200, site);
}

function written(call: Call, status: number, site: StoredSite): Reply {
	return call.state.variants.emptyWriteBodies
		? { status: status === 200 ? 204 : status, body: undefined }
		: { status, body: recordOf(call, site) };
}

function recordOf({ state, account, now }: Call, site: StoredSite): SiteRecord {
	return state.sites.record(site, account.plan, now);
}

function requireSitesApi(plan: Plan): void {
	if (!plan.sitesApi)
		throw new HttpError(403, "Your plan does not include the Sites API");
}

/** 422 for more strings than the plan allows in one site. */
export function checkStringLimit(
	plan: Plan,
	strings: readonly StringBody[] | undefined,
): void {
	if (plan.stringLimit !== null && (strings?.length ?? 0) > plan.stringLimit)
		throw invalid(
			["body", "strings"],
			`Your plan allows at most ${plan.stringLimit} strings per site`,
		);
}
