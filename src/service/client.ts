import type { Exchange, Query } from "./http/exchange";
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
import { SiteWriter } from "./v2/sites/site-writer";

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
 */
export class SolarYieldClient {
	readonly #sender: RequestSender;
	readonly #writer: SiteWriter;

	constructor(exchange: Exchange, options: ClientOptions = {}) {
		this.#sender = new RequestSender(exchange, options);
		this.#writer = new SiteWriter(this.#sender, this);
	}

	/** Forecast of a stored site (spec V2, "GET /v2/forecast/{site_id}"). */
	async forecast(
		siteId: string,
		parameters: ForecastParameters = {},
		signal?: AbortSignal,
	): Promise<ReceivedForecast> {
		return this.#rows(
			"forecast",
			`/v2/forecast/${idSegment(siteId)}`,
			forecastQuery(parameters),
			{ siteId, zone: parameters.zone },
			signal,
		);
	}

	/** Forecast without a stored site (spec V2, "POST /v2/forecast/inline"). */
	async inlineForecast(
		system: InlineSystem,
		parameters: ForecastParameters = {},
		signal?: AbortSignal,
	): Promise<ReceivedForecast> {
		return this.#rows(
			"forecast",
			"/v2/forecast/inline",
			forecastQuery(parameters),
			{ system, zone: parameters.zone },
			signal,
		);
	}

	/** The account's own sites (spec V2, "GET /v2/sites/"); free. */
	async sites(signal?: AbortSignal): Promise<readonly Site[]> {
		return (await this.siteList(signal)).sites;
	}

	/** The same, and what about the list is not as it should be. */
	async siteList(signal?: AbortSignal): Promise<SiteList> {
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
			signal,
		);
		return value;
	}

	/** One site with its strings (spec V2, "GET /v2/sites/{site_id}"); free. */
	async site(siteId: string, signal?: AbortSignal): Promise<Site> {
		return readSite(
			(
				await this.#sender.json(
					{
						kind: "free",
						operation: { key: "service.reading_sites" },
						method: "GET",
						path: `/v2/sites/${idSegment(siteId)}`,
					},
					signal,
				)
			).json,
			siteId,
		);
	}

	/** Historical data of a stored site (spec V2, "Historical endpoints"). */
	async historical(
		siteId: string,
		parameters: HistoricalParameters,
		signal?: AbortSignal,
	): Promise<ReceivedForecast> {
		return this.#rows(
			"historical",
			`/v2/historical/${idSegment(siteId)}`,
			historicalQuery(parameters),
			{ siteId, zone: parameters.zone },
			signal,
		);
	}

	/** Historical data without a stored site (spec V2, "Historical endpoints"). */
	async historicalInline(
		system: InlineSystem,
		parameters: HistoricalParameters,
		signal?: AbortSignal,
	): Promise<ReceivedForecast> {
		return this.#rows(
			"historical",
			"/v2/historical/inline",
			historicalQuery(parameters),
			{ system, zone: parameters.zone },
			signal,
		);
	}

	/** Rows of a stored site, or of a system that is described. */
	async #rows(
		kind: "forecast" | "historical",
		path: string,
		query: Query,
		of: ({ siteId: string } | { system: InlineSystem }) & {
			zone: string | undefined;
		},
		signal: AbortSignal | undefined,
	): Promise<ReceivedForecast> {
		return this.#sender.forecast(
			{
				kind,
				operation: {
					key:
						kind === "forecast"
							? "service.forecasts"
							: "service.historical_data",
				},
				path,
				query,
				zone: of.zone,
				...("system" in of
					? { method: "POST", body: of.system, isFixed: kind === "forecast" }
					: { method: "GET" }),
			},
			"siteId" in of ? of.siteId : undefined,
			signal,
		);
	}

	/**
	 * Creates a site (spec V2, "POST /v2/sites"). An answer that names none is
	 * no failure: the site is then the one new id in the list.
	 */
	createSite(body: object, signal?: AbortSignal): Promise<Site> {
		return this.#writer.create(body, signal);
	}

	/**
	 * Changes what the body names; `strings` replaces the whole array (spec V2,
	 * "PATCH (update), DELETE, restore").
	 */
	updateSite(
		siteId: string,
		body: object,
		signal?: AbortSignal,
	): Promise<Site> {
		return this.#writer.update(siteId, body, signal);
	}

	/** Sets a site to pending deletion (spec V2, "PATCH (update), DELETE, restore"). */
	deleteSite(siteId: string, signal?: AbortSignal): Promise<Site> {
		return this.#writer.delete(siteId, signal);
	}

	/**
	 * Cancels a pending deletion, or makes a temporary site permanent (spec V2,
	 * "PATCH (update), DELETE, restore").
	 */
	restoreSite(siteId: string, signal?: AbortSignal): Promise<Site> {
		return this.#writer.restore(siteId, signal);
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
		what?: string,
		signal?: AbortSignal,
	): Promise<unknown> {
		const { json } = await this.#sender.json(
			{
				kind: "free",
				operation: what ?? { key: "service.this_request" },
				method: "GET",
				path,
				query,
			},
			signal,
		);
		return json;
	}
}
