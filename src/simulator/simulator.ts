import {
	type Exchange,
	HEADER,
	type WireAnswer,
} from "../service/http/exchange";
import { parseBody, readSite, type StringInput } from "./answers/body";
import {
	currentComputation,
	forecastAnswer,
	historicalAnswer,
	inlineSubject,
	nextPollAt,
	type Subject,
	storedSubject,
} from "./answers/forecast";
import type { Group } from "./answers/groups";
import { matchPath } from "./answers/paths";
import {
	forecastParameters,
	historicalParameters,
} from "./answers/query-parameters";
import { errorBody, invalid, Refusal } from "./answers/refusal";
import { DEFAULT_VARIANTS, type Variants } from "./answers/variants";
import { Places } from "./physics/place";
import type { StringSpec } from "./physics/power";
import { type Plan, type PlanName, planOf } from "./plans";
import { Quota, type QuotaKind } from "./quota";
import { type Site, SiteBook, type SiteRecord } from "./sites";
import { answerV1 } from "./v1/answer";

/** A request as a server hears it. Header names in lower case. */
export interface SimulatorRequest {
	readonly method: string;
	/** Path with encoded segments, without the query. */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** What the simulator remembers of a request. */
export interface LoggedRequest {
	/** Epoch ms. */
	readonly at: number;
	readonly method: string;
	readonly path: string;
	readonly query: string;
	readonly status: number;
	/** Whether it was counted against a monthly limit. */
	readonly counted: boolean;
	/** Number of the account in the order of `addAccount`; null without a valid key. */
	readonly account: number | null;
}

/** A site as tests and the demo put it in place. */
export interface SiteSeed {
	readonly id?: string;
	readonly name: string;
	readonly latitude: number;
	readonly longitude: number;
	/** An `id` is kept here, unlike on create. The default string is added only when there are none. */
	readonly strings?: readonly (StringSpec & {
		readonly id?: string;
		readonly near_field_shading?: unknown;
	})[];
	readonly config?: Readonly<Record<string, unknown>>;
	readonly temporary?: boolean;
	/** Switched off, as a site over the plan's limit. */
	readonly inactive?: boolean;
}

interface Account {
	readonly index: number;
	plan: Plan;
	readonly quota: Quota;
}

/** One call on its way through a handler. */
interface Call {
	readonly now: number;
	readonly request: SimulatorRequest;
	readonly account: Account;
	/** Decoded variable segment of the path. */
	readonly id: string;
	counted: boolean;
}

interface Reply {
	readonly status: number;
	readonly body: unknown;
}

interface Route {
	readonly method: string;
	/** Path below the root; `{id}` stands for one segment. A trailing slash does not matter. */
	readonly path: string;
	/** Metered endpoints carry the quota headers. */
	readonly kind?: QuotaKind;
	readonly run: (call: Call) => Reply;
}

const LOG_SIZE = 100_000;

/**
 * The Solar Yield Service of both spec documents, in process: accounts, plans,
 * sites with their states, slots, quotas, forecasts, history and the five V1
 * endpoints. Time comes from `now` (epoch ms) alone; answers are the same on
 * every run.
 */
export class Simulator {
	/** What was asked, oldest first; clear it with `requests.length = 0`. */
	readonly requests: LoggedRequest[] = [];

	readonly #now: () => number;
	readonly #variants: Variants;
	readonly #accounts = new Map<string, Account>();
	readonly #places = new Places();
	readonly #sites: SiteBook;
	readonly #routes: readonly Route[];

	constructor(options: {
		now: () => number;
		variants?: Partial<Variants>;
	}) {
		this.#now = options.now;
		this.#variants = { ...DEFAULT_VARIANTS, ...options.variants };
		this.#sites = new SiteBook(this.#places, this.#variants);
		this.#routes = this.#table();
	}

	/** Registers an API key; the plan is `plus` unless given. */
	addAccount(account: { apiKey: string; plan?: PlanName | Plan }): void {
		this.#accounts.set(account.apiKey, {
			index: this.#accounts.size,
			plan: planOf(account.plan ?? "plus"),
			quota: new Quota(),
		});
	}

	/** Changes the plan from the next request on; cached forecasts are void. */
	setPlan(apiKey: string, plan: PlanName | Plan): void {
		this.#account(apiKey).plan = planOf(plan);
	}

	/** Puts a site in place, whatever the plan allows. Throws on bad fields or an id in use. */
	addSite(apiKey: string, seed: SiteSeed): SiteRecord {
		const { id, inactive, ...fields } = seed;
		const account = this.#account(apiKey);
		const now = this.#now();
		const site = this.#sites.create(
			account.index,
			now,
			readSite({ ...fields }, true),
			{ siteId: id },
		);
		site.inactive = inactive ?? false;
		return this.#record(site, account, now);
	}

	/** Requests of other programs on the account; what is over the limit is refused to them too. */
	spend(apiKey: string, count: number, kind: QuotaKind = "forecast"): void {
		const account = this.#account(apiKey);
		const now = this.#now();
		account.quota.spend(kind, now, count, this.#limit(account, kind, now));
	}

	/** The simulator in place of the network, for one key. Rejects only when the signal is aborted. */
	exchange(apiKey: string): Exchange {
		return async (request, signal) => {
			signal?.throwIfAborted();
			return this.handle({
				method: request.method,
				path: request.path,
				query: new URLSearchParams(
					request.query?.map(
						([name, value]) => [name, value] as [string, string],
					),
				),
				headers: { authorization: `Bearer ${apiKey}` },
				body: request.body === undefined ? "" : JSON.stringify(request.body),
			});
		};
	}

	/** Answers one request; never throws. Every answer has a `date` header. */
	handle(request: SimulatorRequest): WireAnswer {
		const now = this.#now();
		const account = this.#accounts.get(bearer(request.headers));
		const headers: Record<string, string> = {
			[HEADER.date]: new Date(now).toUTCString(),
			"content-type": "application/json",
		};
		let reply: Reply;
		let counted = false;
		try {
			const { route, id } = this.#route(request);
			if (account === undefined)
				throw new Refusal(401, "API key missing or not valid");
			const call: Call = { now, request, account, id, counted };
			try {
				reply = route.run(call);
			} finally {
				counted = call.counted;
				if (route.kind !== undefined)
					Object.assign(
						headers,
						account.quota.headers(
							route.kind,
							now,
							this.#limit(account, route.kind, now),
						),
					);
			}
		} catch (error) {
			const refusal =
				error instanceof Refusal
					? error
					: new Refusal(500, `Internal error: ${error}`);
			reply = {
				status: refusal.status,
				body: errorBody(refusal, this.#variants.errorBody),
			};
			if (this.#variants.errorBody === "html")
				headers["content-type"] = "text/html; charset=utf-8";
		}
		this.#log({
			at: now,
			method: request.method,
			path: request.path,
			query: request.query.toString(),
			status: reply.status,
			counted,
			account: account?.index ?? null,
		});
		return {
			status: reply.status,
			headers,
			body:
				reply.body === undefined
					? ""
					: typeof reply.body === "string"
						? reply.body
						: JSON.stringify(reply.body),
		};
	}

	#table(): Route[] {
		const restore = `${this.#variants.restorePrefix}/{id}/restore`;
		return [
			{ method: "GET", path: "/v2/sites", run: (call) => this.#list(call) },
			{ method: "POST", path: "/v2/sites", run: (call) => this.#create(call) },
			{
				method: "GET",
				path: "/v2/sites/{id}",
				run: (call) => this.#read(call),
			},
			{
				method: "PATCH",
				path: "/v2/sites/{id}",
				run: (call) => this.#update(call),
			},
			{
				method: "DELETE",
				path: "/v2/sites/{id}",
				run: (call) =>
					this.#write(call, (site) => this.#sites.delete(site, call.now)),
			},
			{
				method: "POST",
				path: restore,
				run: (call) =>
					this.#write(call, (site) => this.#sites.restore(site, call.now)),
			},
			{
				method: "POST",
				path: "/v2/forecast/inline",
				kind: "forecast",
				run: (call) => this.#inlineForecast(call),
			},
			{
				method: "GET",
				path: "/v2/forecast/{id}",
				kind: "forecast",
				run: (call) => this.#forecast(call),
			},
			{
				method: "POST",
				path: "/v2/historical/inline",
				kind: "historical",
				run: (call) =>
					this.#historical(
						call,
						inlineSubject(this.#places, this.#inline(call)),
					),
			},
			{
				method: "GET",
				path: "/v2/historical/{id}",
				kind: "historical",
				run: (call) =>
					this.#historical(call, storedSubject(this.#usable(call))),
			},
			...(["yield", "system", "history", "forecast", "recent"] as const).map(
				(endpoint): Route => ({
					method: "GET",
					path: `/v1/${endpoint}`,
					run: ({ request, now }) => {
						if (this.#variants.v1Ended)
							throw new Refusal(410, "V1 has been shut down; use V2");
						return ok(answerV1(endpoint, request.query, this.#places, now));
					},
				}),
			),
		];
	}

	#route(request: SimulatorRequest): { route: Route; id: string } {
		const path = request.path.replace(/\/$/, "");
		const matches = this.#routes.flatMap((route) => {
			const id = matchPath(route.path, path);
			return id === null ? [] : [{ route, id }];
		});
		const match = matches.find(({ route }) => route.method === request.method);
		if (match) return match;
		throw matches.length > 0
			? new Refusal(405, "Method Not Allowed")
			: new Refusal(404, "Not Found");
	}

	// Sites

	#list({ account, now }: Call): Reply {
		const records = this.#sites
			.list(account.index, now)
			.map((site) => this.#record(site, account, now));
		const { listShape } = this.#variants;
		return ok(listShape === "array" ? records : { [listShape]: records });
	}

	#read({ account, id, now }: Call): Reply {
		return ok(
			this.#record(this.#sites.find(account.index, id, now), account, now),
		);
	}

	#create({ account, now, request }: Call): Reply {
		requireSitesApi(account.plan);
		const input = readSite(parseBody(request.body), true);
		const { plan } = account;
		if (input.temporary && !plan.temporarySites)
			throw new Refusal(403, "Your plan does not include temporary sites");
		const living = this.#sites
			.list(account.index, now)
			.filter(({ deletedAt }) => deletedAt === null);
		if (plan.siteLimit !== null && living.length >= plan.siteLimit)
			throw new Refusal(
				403,
				`Site limit of your plan reached (${plan.siteLimit})`,
			);
		checkStringLimit(plan, input.strings);
		const site = this.#sites.create(account.index, now, input);
		return this.#written(201, this.#record(site, account, now));
	}

	#update(call: Call): Reply {
		return this.#write(call, (site) => {
			const input = readSite(parseBody(call.request.body), false);
			checkStringLimit(call.account.plan, input.strings);
			this.#sites.update(site, call.now, input);
		});
	}

	#write({ account, id, now }: Call, change: (site: Site) => void): Reply {
		requireSitesApi(account.plan);
		const site = this.#sites.find(account.index, id, now);
		change(site);
		return this.#written(200, this.#record(site, account, now));
	}

	#written(status: number, record: SiteRecord): Reply {
		return this.#variants.emptyWriteBodies
			? { status: status === 200 ? 204 : status, body: undefined }
			: { status, body: record };
	}

	#record(site: Site, account: Account, now: number): SiteRecord {
		return this.#sites.record(site, account.plan, now);
	}

	// Forecasts and history

	#forecast(call: Call): Reply {
		const { account, now, request } = call;
		const { plan } = account;
		requireForecast(plan);
		const parameters = forecastParameters(request.query);
		const site = this.#usable(call);
		this.#count(call, "forecast", parameters.groups);
		return ok(
			forecastAnswer(
				storedSubject(site),
				plan,
				now,
				parameters,
				this.#variants,
				currentComputation(site, plan, now),
				this.#variants.nextPollAt ? nextPollAt(site, plan, now) : null,
			),
		);
	}

	#inlineForecast(call: Call): Reply {
		const { account, now, request } = call;
		requireForecast(account.plan);
		const parameters = forecastParameters(request.query);
		const subject = inlineSubject(this.#places, this.#inline(call));
		this.#count(call, "forecast", parameters.groups);
		return ok(
			forecastAnswer(
				subject,
				account.plan,
				now,
				parameters,
				this.#variants,
				null,
				null,
			),
		);
	}

	#historical(call: Call, subject: Subject): Reply {
		const { account, now, request } = call;
		const parameters = historicalParameters(
			request.query,
			subject.timezone,
			now,
		);
		this.#count(call, "historical", parameters.groups);
		return ok(
			historicalAnswer(subject, account.plan, now, parameters, this.#variants),
		);
	}

	/** The body of an inline call. */
	#inline({ account, request }: Call) {
		const input = readSite(parseBody(request.body), true);
		if (input.strings?.length === 0)
			throw invalid(["body", "strings"], "Should hold at least one string");
		checkStringLimit(account.plan, input.strings);
		return input;
	}

	/** The site of the path if it can be forecast: 404 when unknown or pending deletion, 403 when inactive. */
	#usable({ account, id, now }: Call): Site {
		const site = this.#sites.find(account.index, id, now);
		if (site.deletedAt !== null)
			throw new Refusal(404, "Site not found: it is pending deletion");
		if (this.#sites.isInactive(site, account.plan, now))
			throw new Refusal(
				403,
				"Site is inactive: it exceeds the site limit of your plan",
			);
		return site;
	}

	/** Refuses what the plan lacks without counting; then counts, or answers 429 without counting. */
	#count(call: Call, kind: QuotaKind, groups: ReadonlySet<Group>): void {
		const { account, now } = call;
		if (groups.has("variability") && !account.plan.variability)
			throw new Refusal(403, "Your plan does not include variability");
		const limit = this.#limit(account, kind, now);
		if (account.quota.spend(kind, now, 1, limit) === 0)
			throw new Refusal(429, `Monthly ${kind} request limit exceeded`);
		call.counted = true;
	}

	#limit(account: Account, kind: QuotaKind, now: number): number | null {
		return account.quota.limit(
			kind,
			account.plan,
			this.#sites
				.list(account.index, now)
				.filter(({ deletedAt }) => deletedAt === null).length,
		);
	}

	// Around a request

	#account(apiKey: string): Account {
		const account = this.#accounts.get(apiKey);
		if (account === undefined)
			throw new Error("No account with this key; add it with addAccount");
		return account;
	}

	#log(entry: LoggedRequest): void {
		if (this.requests.length >= LOG_SIZE) this.requests.splice(0, LOG_SIZE / 2);
		this.requests.push(entry);
	}
}

function ok(body: unknown): Reply {
	return { status: 200, body };
}

function bearer(headers: Readonly<Record<string, string>>): string {
	return /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

function requireSitesApi(plan: Plan): void {
	if (!plan.sitesApi)
		throw new Refusal(403, "Your plan does not include the Sites API");
}

function requireForecast(plan: Plan): void {
	if (!plan.forecastAccess)
		throw new Refusal(403, "Your plan has no forecast access");
}

function checkStringLimit(
	plan: Plan,
	strings: readonly StringInput[] | undefined,
): void {
	if (plan.stringLimit !== null && (strings?.length ?? 0) > plan.stringLimit)
		throw invalid(
			["body", "strings"],
			`Your plan allows at most ${plan.stringLimit} strings per site`,
		);
}
