import {
	type Exchange,
	HEADER,
	type WireAnswer,
} from "../service/http/exchange";
import { errorBody, HttpError } from "./answers/http-error";
import { readSiteBody } from "./answers/site-body";
import { DEFAULT_VARIANTS, type Variants } from "./answers/variants";
import { FORECAST_ROUTES, limitOf } from "./forecast-endpoints";
import { Places } from "./physics/place";
import type { StringSpec } from "./physics/power";
import { type Plan, type PlanName, planNamed } from "./plans";
import { type QuotaKind, RequestCounts } from "./request-counts";
import {
	type Call,
	findRoute,
	type Reply,
	type Route,
	type ServiceState,
	type SimulatedAccount,
	type SimulatorRequest,
} from "./routes";
import { SiteBook } from "./site-book";
import { siteRoutes } from "./site-endpoints";
import type { SiteRecord } from "./stored-site";

/** What tests and the demo can see of a request that came. */
interface LoggedRequest {
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

/** A site that tests and the demo add. */
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

const LOG_SIZE = 100_000;

/**
 * The Solar Yield Service as its description has it, in process: accounts, plans,
 * sites with their states, slots, quotas, forecasts and history. Time comes from
 * `now` (epoch ms) alone; answers are the same on every run.
 */
export class Simulator {
	/** What was asked, oldest first; clear it with `requests.length = 0`. */
	readonly requests: LoggedRequest[] = [];

	readonly #now: () => number;
	readonly #accounts = new Map<string, SimulatedAccount>();
	readonly #state: ServiceState;
	readonly #routes: readonly Route[];

	constructor(options: {
		now: () => number;
		variants?: Partial<Variants>;
	}) {
		this.#now = options.now;
		const variants = { ...DEFAULT_VARIANTS, ...options.variants };
		const places = new Places();
		const sites = new SiteBook(places, variants);
		this.#state = { places, sites, variants };
		this.#routes = [
			...siteRoutes(variants),
			...FORECAST_ROUTES,
			...olderRoutes(),
		];
	}

	/** Registers an API key; the plan is `plus` unless given. */
	addAccount(account: { apiKey: string; plan?: PlanName | Plan }): void {
		this.#accounts.set(account.apiKey, {
			index: this.#accounts.size,
			plan: planNamed(account.plan ?? "plus"),
			counts: new RequestCounts(),
		});
	}

	/** Changes the plan from the next request on; cached forecasts are void. */
	setPlan(apiKey: string, plan: PlanName | Plan): void {
		this.#account(apiKey).plan = planNamed(plan);
	}

	/** Adds a site regardless of the plan. Throws on bad fields or an id in use. */
	addSite(apiKey: string, seed: SiteSeed): SiteRecord {
		const { id, inactive, ...fields } = seed;
		const account = this.#account(apiKey);
		const now = this.#now();
		const { sites } = this.#state;
		const site = sites.create(
			account.index,
			now,
			readSiteBody({ ...fields }, true),
			{ siteId: id },
		);
		site.inactive = inactive ?? false;
		return sites.record(site, account.plan, now);
	}

	/** Counts requests of other programs on the account, up to its limit. */
	spend(apiKey: string, count: number, kind: QuotaKind = "forecast"): void {
		const account = this.#account(apiKey);
		const now = this.#now();
		const limit = limitOf(this.#state, account, kind, now);
		account.counts.spend(kind, now, count, limit);
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
		const { variants } = this.#state;
		const account = this.#accounts.get(bearer(request.headers));
		const headers: Record<string, string> = {
			[HEADER.date]: new Date(now).toUTCString(),
			"content-type": "application/json",
		};
		let reply: Reply;
		let counted = false;
		try {
			const { route, id } = findRoute(this.#routes, request);
			if (account === undefined)
				throw new HttpError(401, "API key missing or not valid");
			if (variants.gonePaths.some((path) => request.path.startsWith(path)))
				throw new HttpError(410, "This interface has been shut down; use V2");
			const call: Call = {
				state: this.#state,
				now,
				request,
				account,
				id,
				counted,
			};
			try {
				reply = route.run(call);
			} finally {
				counted = call.counted;
				if (route.kind !== undefined) {
					const limit = limitOf(this.#state, account, route.kind, now);
					Object.assign(
						headers,
						account.counts.headers(route.kind, now, limit),
					);
				}
			}
		} catch (error) {
			const refusal =
				error instanceof HttpError
					? error
					: new HttpError(500, `Internal error: ${error}`);
			reply = {
				status: refusal.status,
				body: errorBody(refusal, variants.errorBody),
			};
			if (variants.errorBody === "html")
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

	#account(apiKey: string): SimulatedAccount {
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

function bearer(headers: Readonly<Record<string, string>>): string {
	return /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

/** Routes of an older interface, for as long as its folder is there. */
function olderRoutes(): readonly Route[] {
	try {
		return (require("./v1/routes") as { routes: readonly Route[] }).routes;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return [];
		throw error;
	}
}
