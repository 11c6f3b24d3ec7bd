import type { Text } from "../texts/texts";
import { whatOf, withAdvice } from "./errors/advice";
import { SolarYieldError } from "./errors/solar-yield-error";
import { ForeignAnswerError } from "./first-contact";
import type { Exchange, Query, WireRequest } from "./http/exchange";
import {
	type ClientOptions,
	type ReceivedForecast,
	RequestSender,
} from "./request-sender";
import {
	type ForecastParameters,
	forecastQuery,
	type HistoricalParameters,
	historicalQuery,
	type InlineSystem,
} from "./v2/request-parameters";
import {
	readSite,
	readSiteList,
	type Site,
	type SiteList,
} from "./v2/sites/site";
import { idSegment } from "./v2/sites/site-id";

export type {
	AnswerFacts,
	ClientOptions,
	ReceivedForecast,
	RequestKind,
} from "./request-sender";
export type {
	ForecastParameters,
	HistoricalParameters,
	InlineSystem,
} from "./v2/request-parameters";

/**
 * The service's endpoints, one method each. Every method rejects with a
 * `SolarYieldError` (behaviour: Errors), and with nothing else.
 *
 * No change of a site is sent twice: an error tells whether it may have been made all
 * the same (behaviour: Where the service's description is silent "write answers").
 */
export class SolarYieldClient {
	readonly #sender: RequestSender;
	/** What stands before the path of a restore; the one that worked last comes first. */
	#restorePrefixes: readonly [string, string] = ["/sites", "/v2/sites"];

	constructor(exchange: Exchange, options: ClientOptions = {}) {
		this.#sender = new RequestSender(exchange, options);
	}

	/** Forecast of a stored site, or of a system that is described (spec V2, "GET /v2/forecast/{site_id}", "POST /v2/forecast/inline"). */
	async forecast(
		of: string | InlineSystem,
		parameters: ForecastParameters = {},
	): Promise<ReceivedForecast> {
		const query = forecastQuery(parameters);
		return this.#rows("forecast", of, query, parameters.zone);
	}

	/** Historical data of a stored site, or of a system that is described (spec V2, "Historical endpoints"). */
	async historical(
		of: string | InlineSystem,
		parameters: HistoricalParameters,
	): Promise<ReceivedForecast> {
		const query = historicalQuery(parameters);
		return this.#rows("historical", of, query, parameters.zone);
	}

	#rows(
		kind: "forecast" | "historical",
		of: string | InlineSystem,
		query: Query,
		zone: string | undefined,
	): Promise<ReceivedForecast> {
		const siteId = typeof of === "string" ? of : undefined;
		const name = siteId === undefined ? "inline" : idSegment(siteId);
		return this.#sender.forecast(
			{
				kind,
				operation: { key: `service.rows_of_${kind}` },
				path: `/v2/${kind}/${name}`,
				query,
				zone,
				...(siteId === undefined
					? { method: "POST", body: of, isFixed: kind === "forecast" }
					: { method: "GET" }),
			},
			siteId,
		);
	}

	/** The account's own sites (spec V2, "GET /v2/sites/"); free. */
	async sites(): Promise<readonly Site[]> {
		return (await this.siteList()).sites;
	}

	/** The same, and what about the list is not as it should be. */
	async siteList(): Promise<SiteList> {
		const { value } = await this.#sender.read(
			{
				kind: "free",
				operation: { key: "service.reading_sites" },
				method: "GET",
				path: "/v2/sites/",
				isFixed: true,
			},
			readSiteList,
			// Nothing of it can be read.
			() => false,
		);
		return value;
	}

	/** One site with its strings (spec V2, "GET /v2/sites/{site_id}"); free. */
	async site(siteId: string): Promise<Site> {
		const what = { key: "service.reading_sites" };
		const path = `/v2/sites/${idSegment(siteId)}`;
		return readSite(await this.get(path, [], what), siteId);
	}

	/**
	 * A GET request that has no method of its own here: the body, parsed.
	 *
	 * @param path below the base URL, beginning with `/`, each segment encoded
	 * @param what is asked for, in words that complete "The plan does not include …"
	 */
	async get(
		path: string,
		query: Query = [],
		what: string | Text = { key: "service.this_request" },
	): Promise<unknown> {
		const call = { kind: "free", method: "GET", path, query } as const;
		return (await this.#sender.json({ ...call, operation: what })).json;
	}

	/**
	 * Creates a site (spec V2, "POST /v2/sites"). An answer that names none is no
	 * failure: the site is then the one new id in the list, which is why that is read
	 * before as well; both are free.
	 */
	async createSite(body: object): Promise<Site> {
		const before = new Set((await this.sites()).map(({ site_id }) => site_id));
		const isTemporary = "temporary" in body && body.temporary === true;
		const change = isTemporary ? "creating_temporary" : "creating";
		const answer = await this.#write(change, "POST", "/v2/sites", body);
		return afterwards(async () => {
			const created = siteIn(answer) ?? onlyNew(before, await this.sites());
			return isWhole(created) ? created : this.site(created.site_id);
		});
	}

	/**
	 * Changes what the body names; `strings` replaces the whole array (spec V2,
	 * "PATCH (update), DELETE, restore").
	 */
	async updateSite(siteId: string, body: object): Promise<Site> {
		const path = `/v2/sites/${idSegment(siteId)}`;
		try {
			return await this.#written(siteId, "changing", "PATCH", path, body);
		} catch (error) {
			throw "latitude" in body || "longitude" in body
				? withLocationRule(error)
				: error;
		}
	}

	/** Sets a site to pending deletion (spec V2, "PATCH (update), DELETE, restore"). */
	async deleteSite(siteId: string): Promise<Site> {
		const path = `/v2/sites/${idSegment(siteId)}`;
		return this.#written(siteId, "deleting", "DELETE", path);
	}

	/**
	 * Cancels a pending deletion, or makes a temporary site permanent (spec V2,
	 * "PATCH (update), DELETE, restore"; behaviour: Where the service's description is
	 * silent "restore").
	 */
	async restoreSite(siteId: string): Promise<Site> {
		const attempt = (prefix: string) => {
			const path = `${prefix}/${idSegment(siteId)}/restore`;
			return this.#written(siteId, "restoring", "POST", path);
		};
		const [first, second] = this.#restorePrefixes;
		try {
			return await attempt(first);
		} catch (error) {
			if (![404, 405].includes(statusOf(error))) throw error;
		}
		const site = await attempt(second);
		this.#restorePrefixes = [second, first];
		return site;
	}

	/**
	 * Sends a change of a site, once. An error whose cause has a status of 4xx says that
	 * nothing was changed; after any other the change may have been made.
	 *
	 * @param change what it is, in words that complete "The plan does not include …"
	 * @returns the body of the answer
	 */
	async #write(
		change: string,
		method: WireRequest["method"],
		path: string,
		body?: object,
	): Promise<string> {
		const operation = { key: `sites.${change}` };
		try {
			const call = { kind: "free", operation, method, path, body } as const;
			return (await this.#sender.send(call)).body;
		} catch (error) {
			throw error instanceof SolarYieldError && mayHaveHappened(error)
				? withAdvice(error, "sites.maybe_changed")
				: error;
		}
	}

	/** The site after a change: as the answer has it, else as it is read, free of charge. */
	async #written(
		siteId: string,
		change: string,
		method: WireRequest["method"],
		path: string,
		body?: object,
	): Promise<Site> {
		const site = siteIn(await this.#write(change, method, path, body));
		return site?.site_id === siteId && isWhole(site)
			? site
			: afterwards(() => this.site(siteId));
	}
}

/** Reads what a change has made; a failure does not undo the change. */
async function afterwards(read: () => Promise<Site>): Promise<Site> {
	try {
		return await read();
	} catch (error) {
		if (!(error instanceof SolarYieldError)) throw error;
		throw new SolarYieldError(
			error.kind,
			"sites.unread_after_change",
			{ what: whatOf(error) },
			{ detail: error.cause.detail },
		);
	}
}

/** The site in the answer to a change, undefined where it holds none: the status has confirmed the change. */
function siteIn(body: string): Site | undefined {
	try {
		return readSite(JSON.parse(body));
	} catch {
		return undefined;
	}
}

/** Whether a record is complete: lists and short answers may leave the strings out. */
const isWhole = ({ record }: Site) => Array.isArray(record.strings);

function onlyNew(before: ReadonlySet<string>, after: readonly Site[]): Site {
	const added = after.filter(({ site_id }) => !before.has(site_id));
	const [site] = added;
	if (site && added.length === 1) return site;
	throw new SolarYieldError("RESPONSE", "sites.no_new_site", {
		count: added.length,
	});
}

/** HTTP status of an error, 0 for none. */
const statusOf = (error: unknown): number =>
	error instanceof SolarYieldError ? (error.cause.status ?? 0) : 0;

/** Whether the service has refused a change, so that nothing was changed. */
export const isRefusal = (error: unknown): error is SolarYieldError =>
	statusOf(error) >= 400 && statusOf(error) < 500;

/** Adds the 30-day rule to a refused change of location, since the answer does not name it (behaviour: Where the service's description is silent). */
const withLocationRule = (error: unknown): unknown =>
	isRefusal(error) && ![401, 404, 407].includes(statusOf(error))
		? withAdvice(error, "sites.location_rule")
		: error;

/** Codes of network errors that occur before a request is sent. */
const NEVER_SENT =
	/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EPROTO)$|CERT|SIGNATURE|ALTNAME|SSL/;

/** Whether a change may have been made although no answer confirms it. */
const mayHaveHappened = (error: SolarYieldError): boolean =>
	["TIMEOUT", "SERVICE"].includes(error.kind) ||
	(error.kind === "RESPONSE" && !(error instanceof ForeignAnswerError)) ||
	(error.kind === "NETWORK" && !NEVER_SENT.test(error.cause.detail ?? ""));
