import { DateTime } from "luxon";
import {
	type Exchange,
	HEADER,
	UNMETERED,
	type WireAnswer,
	type WireRequest,
} from "../../../src/service/http/exchange";
import { isoText } from "../../../src/simulator/answer-rows";
import { errorBody, HttpError, invalid, refusalOf } from "./errors";
import { forecastOf, historyOf } from "./forecasts";
import { PLANS, type Plan, type PlanName } from "./plans";
import { SiteBody, SiteBook, SiteChange, type StoredSite } from "./sites";
import { DEFAULT_VARIANTS, type Variants } from "./variants";

/** A request as a server hears it; header names in lower case. */
export interface HeardRequest {
	readonly method: string;
	/** With encoded segments, without the query. */
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** What a test can see of a request that came. */
interface LoggedRequest {
	/** Epoch ms. */
	readonly at: number;
	readonly method: string;
	readonly path: string;
	readonly query: string;
	readonly status: number;
	/** Whether it was counted against a monthly limit. */
	readonly counted: boolean;
}

/** A site that a test adds: fields as on create, but ids are kept. */
export interface SiteSeed {
	readonly id?: string;
	readonly name: string;
	readonly latitude: number;
	readonly longitude: number;
	readonly strings?: readonly object[];
	readonly config?: object;
	readonly temporary?: boolean;
	/** Switched off, as a site over the plan's limit. */
	readonly inactive?: boolean;
}

/** Forecasts and history have separate budgets. */
type Kind = "forecast" | "historical";

interface Account {
	plan: Plan;
	/** Requests counted, by kind and month. */
	readonly used: Map<string, number>;
}

/** A request that is being answered. */
interface Call {
	readonly now: number;
	readonly account: Account;
	readonly plan: Plan;
	/** Decoded segment of the path. */
	readonly id: string;
	readonly query: URLSearchParams;
	/** The body as JSON; refuses any other. */
	readonly body: () => unknown;
	/** Counts the request, or refuses it. */
	readonly admit: (groups: ReadonlySet<string>) => void;
}

const WITH_ID = /^(.*\/(?:sites|forecast|historical))\/([^/]+)(\/restore)?$/;
const COUNTED = /^\/v2\/(forecast|historical)\//;

/**
 * The Solar Yield Service as its description has it, for tests: accounts, plans,
 * sites with their states, slots, quotas, forecasts and history. Time comes from
 * `now` (epoch ms) alone; answers are the same on every run.
 */
export class Simulator {
	/** What was asked, oldest first; clear it with `requests.length = 0`. */
	readonly requests: LoggedRequest[] = [];
	/** Answers in the place of what is here, where it does. */
	others:
		| ((request: WireRequest, now: number) => WireAnswer | undefined)
		| undefined;

	readonly #now: () => number;
	readonly #variants: Variants;
	readonly #sites: SiteBook;
	readonly #accounts = new Map<string, Account>();
	/** Answers by method and path, `*` for an id. */
	readonly #endpoints: Readonly<Record<string, (call: Call) => unknown>>;

	constructor(options: { now: () => number; variants?: Partial<Variants> }) {
		this.#now = options.now;
		const variants = { ...DEFAULT_VARIANTS, ...options.variants };
		const sites = new SiteBook(variants);
		this.#variants = variants;
		this.#sites = sites;
		const found = ({ account, id, now }: Call) => sites.find(account, id, now);
		const record = (site: StoredSite, { plan, now }: Call) =>
			sites.record(site, plan, now);
		const changed =
			(change: (site: StoredSite, call: Call) => void) => (call: Call) => {
				requireSitesApi(call.plan);
				const site = found(call);
				change(site, call);
				return record(site, call);
			};
		const stored = (call: Call) => {
			const site = found(call);
			if (site.deletedAt !== null)
				throw new HttpError(404, "Site not found: it is pending deletion");
			if (sites.isInactive(site, call.plan, call.now))
				throw new HttpError(
					403,
					"Site is inactive: it exceeds the site limit of your plan",
				);
			return site;
		};
		const inline = ({ plan, body }: Call) => {
			const system = SiteBody.parse(body());
			if (system.strings?.length === 0)
				throw invalid(["body", "strings"], "Should hold at least one string");
			checkStrings(plan, system.strings);
			return system;
		};
		type Of = (call: Call) => StoredSite | SiteBody;
		const forecast = (of: Of) => (call: Call) => {
			if (!call.plan.forecastAccess)
				throw new HttpError(403, "Your plan has no forecast access");
			return forecastOf({ ...call, variants, site: of(call) });
		};
		const history = (of: Of) => (call: Call) =>
			historyOf({ ...call, variants, site: of(call) });
		this.#endpoints = {
			"GET /v2/sites": (call) => {
				const all = sites.list(call.account, call.now);
				const records = all.map((site) => record(site, call));
				const { listShape } = variants;
				return listShape === "array" ? records : { [listShape]: records };
			},
			"GET /v2/sites/*": (call) => record(found(call), call),
			"POST /v2/sites": (call) => {
				const { account, plan, now } = call;
				requireSitesApi(plan);
				const body = SiteBody.parse(call.body());
				if (sites.living(account, now).length >= (plan.siteLimit ?? Infinity))
					throw new HttpError(403, "Site limit of your plan reached");
				checkStrings(plan, body.strings);
				return record(sites.create(account, now, body), call);
			},
			"PATCH /v2/sites/*": changed((site, { plan, now, body }) => {
				const change = SiteChange.parse(body());
				checkStrings(plan, change.strings);
				sites.update(site, now, change);
			}),
			"DELETE /v2/sites/*": changed((site, { now }) => {
				site.deletedAt ??= now;
			}),
			[`POST ${variants.restorePrefix}/*/restore`]: changed((site, { now }) =>
				sites.restore(site, now),
			),
			"GET /v2/forecast/*": forecast(stored),
			"POST /v2/forecast/inline": forecast(inline),
			"GET /v2/historical/*": history(stored),
			"POST /v2/historical/inline": history(inline),
		};
	}

	/** Registers an API key; the plan is `plus` unless given. */
	addAccount({
		apiKey,
		plan = "plus",
	}: {
		apiKey: string;
		plan?: PlanName | Plan;
	}): void {
		this.#accounts.set(apiKey, { plan: planOf(plan), used: new Map() });
	}

	/** Changes the plan from the next request on; cached forecasts are void. */
	setPlan(apiKey: string, plan: PlanName | Plan): void {
		this.#account(apiKey).plan = planOf(plan);
	}

	/** Adds a site regardless of the plan and gives its id. Throws on bad fields or an id in use. */
	addSite(
		apiKey: string,
		{ id, inactive = false, ...fields }: SiteSeed,
	): string {
		const site = this.#sites.create(
			this.#account(apiKey),
			this.#now(),
			SiteBody.parse(fields),
			{ id },
		);
		site.inactive = inactive;
		return site.id;
	}

	/** Counts requests of other programs on the account, up to its limit. */
	spend(apiKey: string, count: number, kind: Kind = "forecast"): void {
		this.#count(this.#account(apiKey), kind, count);
	}

	/** In place of the network, for one key. */
	exchange(apiKey: string): Exchange {
		return async (request) => {
			return this.handle({
				method: request.method,
				path: request.path,
				query: new URLSearchParams(
					request.query?.map(([name, value]): [string, string] => [
						name,
						value,
					]),
				),
				headers: { authorization: `Bearer ${apiKey}` },
				body: request.body === undefined ? "" : JSON.stringify(request.body),
			});
		};
	}

	/** Answers one request; never throws. Every answer has a `date` header. */
	handle(request: HeardRequest): WireAnswer {
		const now = this.#now();
		const { method, path, query } = request;
		const headers: Record<string, string> = {
			[HEADER.date]: new Date(now).toUTCString(),
			"content-type": "application/json",
		};
		let answer: { status: number; body?: unknown };
		let counted = false;
		try {
			const key = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "");
			const account = this.#accounts.get(key?.[1] ?? "");
			if (!account) throw new HttpError(401, "API key missing or not valid");
			answer =
				this.others?.(
					{ method: method as "GET", path, query: [...query] },
					now,
				) ??
				this.#answer(request, account, headers, () => {
					counted = true;
				});
		} catch (error) {
			const refusal = refusalOf(error);
			const body = errorBody(refusal, this.#variants.errorBody);
			answer = { status: refusal.status, body };
			if (typeof body === "string") headers["content-type"] = "text/html";
		}
		const { status, body = "" } = answer;
		this.requests.push({
			at: now,
			method,
			path,
			query: query.toString(),
			status,
			counted,
		});
		return {
			status,
			headers,
			body: typeof body === "string" ? body : JSON.stringify(body),
		};
	}

	#answer(
		{ method, path, query, body }: HeardRequest,
		account: Account,
		headers: Record<string, string>,
		onCounted: () => void,
	): { status: number; body?: unknown } {
		const now = this.#now();
		const plain = path.replace(/\/$/, "");
		const [, before, id = "", after = ""] = WITH_ID.exec(plain) ?? [];
		const run =
			this.#endpoints[`${method} ${plain}`] ??
			this.#endpoints[`${method} ${before}/*${after}`];
		if (!run) throw new HttpError(404, "Not Found");
		const { plan } = account;
		const kind = COUNTED.exec(plain)?.[1] as Kind | undefined;
		const call: Call = {
			now,
			account,
			plan,
			id: decodeURIComponent(id),
			query,
			body: () => parsed(body),
			admit: (groups) => {
				if (groups.has("variability") && !plan.variability)
					throw new HttpError(403, "Your plan does not include variability");
				if (this.#count(account, kind as Kind, 1) === 0)
					throw new HttpError(429, `Monthly ${kind} request limit exceeded`);
				onCounted();
			},
		};
		try {
			const answer = run(call);
			const isWrite = !kind && method !== "GET";
			if (!isWrite) return { status: 200, body: answer };
			return this.#variants.emptyWriteBodies
				? { status: 204 }
				: { status: path.endsWith("sites") ? 201 : 200, body: answer };
		} finally {
			if (kind) Object.assign(headers, this.#quotaHeaders(account, kind));
		}
	}

	/** Counts up to so many requests and gives how many fitted under the limit. */
	#count(account: Account, kind: Kind, count: number): number {
		const { name, used, limit } = this.#quota(account, kind);
		const granted =
			limit === null ? count : Math.max(0, Math.min(count, limit - used));
		account.used.set(name, used + granted);
		return granted;
	}

	/** Requests of this month, in UTC. */
	#quota({ used, plan }: Account, kind: Kind) {
		const month = DateTime.fromMillis(this.#now(), { zone: "utc" });
		const name = `${kind} ${month.toFormat("yyyy-MM")}`;
		return {
			name,
			used: used.get(name) ?? 0,
			limit:
				kind === "forecast" ? plan.forecastRequests : plan.historicalRequests,
			reset: month.startOf("month").plus({ months: 1 }),
		};
	}

	#quotaHeaders(account: Account, kind: Kind): Record<string, string> {
		const { used, limit, reset } = this.#quota(account, kind);
		return {
			[HEADER.limit]: limit === null ? UNMETERED : String(limit),
			[HEADER.used]: String(used),
			[HEADER.remaining]:
				limit === null ? UNMETERED : String(Math.max(0, limit - used)),
			[HEADER.reset]: isoText(reset.toMillis(), "utc"),
		};
	}

	#account(apiKey: string): Account {
		const account = this.#accounts.get(apiKey);
		if (!account)
			throw new Error("No account with this key; add it with addAccount");
		return account;
	}
}

const planOf = (plan: PlanName | Plan): Plan =>
	typeof plan === "string" ? PLANS[plan] : plan;

function parsed(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		throw invalid(["body"], "Body is not valid JSON");
	}
}

function requireSitesApi(plan: Plan): void {
	if (!plan.sitesApi)
		throw new HttpError(403, "Your plan does not include the Sites API");
}

function checkStrings(
	{ stringLimit }: Plan,
	strings: readonly unknown[] | null | undefined,
): void {
	if (stringLimit !== null && (strings?.length ?? 0) > stringLimit)
		throw invalid(
			["body", "strings"],
			`Your plan allows at most ${stringLimit} strings per site`,
		);
}
