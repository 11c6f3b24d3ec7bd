import {
	currentComputation,
	forecastBodyOf,
	historicalBodyOf,
	inlineSubject,
	nextPollAt,
	type Subject,
	storedSubject,
} from "./answers/forecast-body";
import type { GroupName } from "./answers/groups";
import { HttpError, invalid } from "./answers/http-error";
import { readForecastQuery, readHistoricalQuery } from "./answers/query";
import { parseBody, readSiteBody } from "./answers/site-body";
import type { Plan } from "./plans";
import type { QuotaKind } from "./request-counts";
import {
	type Call,
	ok,
	type Reply,
	type Route,
	type ServiceState,
	type SimulatedAccount,
} from "./routes";
import { checkStringLimit } from "./site-endpoints";
import type { StoredSite } from "./stored-site";

/** Metered endpoints: forecasts and history, of stored sites and inline (spec, Endpoints). */
export const FORECAST_ROUTES: readonly Route[] = [
	{
		method: "POST",
		path: "/v2/forecast/inline",
		kind: "forecast",
		run: inlineForecast,
	},
	{
		method: "GET",
		path: "/v2/forecast/{id}",
		kind: "forecast",
		run: storedForecast,
	},
	{
		method: "POST",
		path: "/v2/historical/inline",
		kind: "historical",
		run: (call) => historical(call, inline(call)),
	},
	{
		method: "GET",
		path: "/v2/historical/{id}",
		kind: "historical",
		run: (call) => historical(call, storedSubject(usableSite(call))),
	},
];

function storedForecast(call: Call): Reply {
	const { state, account, now, request } = call;
	const { plan } = account;
	requireForecast(plan);
	const query = readForecastQuery(request.query);
	const site = usableSite(call);
	count(call, "forecast", query.groups);
	return ok(
		forecastBodyOf(
			storedSubject(site),
			plan,
			now,
			query,
			state.variants,
			currentComputation(site, plan, now),
			state.variants.nextPollAt ? nextPollAt(site, plan, now) : null,
		),
	);
}

function inlineForecast(call: Call): Reply {
	const { state, account, now, request } = call;
	requireForecast(account.plan);
	const query = readForecastQuery(request.query);
	const subject = inline(call);
	count(call, "forecast", query.groups);
	return ok(
		forecastBodyOf(
			subject,
			account.plan,
			now,
			query,
			state.variants,
			null,
			null,
		),
	);
}

function historical(call: Call, subject: Subject): Reply {
	const { state, account, now, request } = call;
	const query = readHistoricalQuery(request.query, subject.timezone, now);
	count(call, "historical", query.groups);
	return ok(
		historicalBodyOf(subject, account.plan, now, query, state.variants),
	);
}

/** The system in the body of an inline call. */
function inline({ state, account, request }: Call): Subject {
	const body = readSiteBody(parseBody(request.body), true);
	if (body.strings?.length === 0)
		throw invalid(["body", "strings"], "Should hold at least one string");
	checkStringLimit(account.plan, body.strings);
	return inlineSubject(state.places, body);
}

/** The site of the path if it can be forecast: 404 when unknown or pending deletion, 403 when inactive. */
function usableSite({ state, account, id, now }: Call): StoredSite {
	const site = state.sites.find(account.index, id, now);
	if (site.deletedAt !== null)
		throw new HttpError(404, "Site not found: it is pending deletion");
	if (state.sites.isInactive(site, account.plan, now))
		throw new HttpError(
			403,
			"Site is inactive: it exceeds the site limit of your plan",
		);
	return site;
}

function requireForecast(plan: Plan): void {
	if (!plan.forecastAccess)
		throw new HttpError(403, "Your plan has no forecast access");
}

/** Refuses what the plan lacks without counting; then counts, or answers 429 without counting. */
function count(
	call: Call,
	kind: QuotaKind,
	groups: ReadonlySet<GroupName>,
): void {
	const { state, account, now } = call;
	if (groups.has("variability") && !account.plan.variability)
		throw new HttpError(403, "Your plan does not include variability");
	const limit = limitOf(state, account, kind, now);
	if (account.counts.spend(kind, now, 1, limit) === 0)
		throw new HttpError(429, `Monthly ${kind} request limit exceeded`);
	call.counted = true;
}

/** Requests of a kind that an account may make a month; null = unmetered. */
export function limitOf(
	{ sites }: ServiceState,
	{ index, plan, counts }: SimulatedAccount,
	kind: QuotaKind,
	now: number,
): number | null {
	return counts.limit(kind, plan, sites.living(index, now).length);
}
