import { readHttpDate } from "../util/timestamp";
import { yieldToEventLoop } from "../util/yield-to-event-loop";
import { messageParts, withRemedy } from "./errors/advice";
import { failureOf } from "./errors/answer-error";
import { inputError, SolarYieldError } from "./errors/solar-yield-error";
import {
	type Exchange,
	HEADER,
	type Query,
	type WireAnswer,
	type WireRequest,
} from "./http/exchange";
import { overBounds } from "./http/json-limits";
import { type Quota, readQuota } from "./quota";
import { type ForecastAnswer, readForecast } from "./v2/forecast-answer";
import type { HistoricalRange } from "./v2/historical";
import { responseError } from "./v2/schema-errors";
import { readSite, readSiteList, type Site } from "./v2/sites/site";
import { isSiteId } from "./v2/sites/site-id";

/** Which monthly count a request draws on; `free` draws on none (spec V2, "Limits"). */
export type RequestKind = "forecast" | "historical" | "free";

/** Query parameters of the forecast endpoints (spec V2, "GET /v2/forecast/{site_id}"). */
export interface ForecastParameters {
	/** Days after today, 0 to 7; left out for all that the plan has. */
	readonly forecastDays?: number;
	/** Days before today, 0 to 30. */
	readonly pastDays?: number;
	/** Field groups; sent as a repeated `include`. */
	readonly include?: readonly string[];
	readonly timezone?: "local" | "utc";
}

/** Query parameters of the historical endpoints (behaviour: Where the service's description is silent "historical parameters"). */
export interface HistoricalParameters {
	readonly range: HistoricalRange;
	/** Field groups; sent as a repeated `include`. */
	readonly include?: readonly string[];
	/** Parameters that the spec does not show, passed through as they are. */
	readonly params?: Readonly<Record<string, string>>;
}

/** A system without a stored site (behaviour: Where the service's description is silent "inline bodies"). */
export interface InlineSystem {
	/** degrees */
	readonly latitude: number;
	/** degrees */
	readonly longitude: number;
	readonly strings: readonly Readonly<Record<string, unknown>>[];
	readonly config?: Readonly<Record<string, unknown>>;
}

/** What each answer tells besides its body, errors included. */
export interface AnswerFacts {
	readonly kind: RequestKind;
	readonly status: number;
	/** The server's clock at the answer in epoch ms, undefined without a `Date` header. */
	readonly serverNow: number | undefined;
	readonly quota: Quota | undefined;
}

export interface ClientOptions {
	/** Told of every answer before the call returns. */
	readonly onAnswer?: (facts: AnswerFacts) => void;
	/** The host's clock in epoch ms, for answers without a `Date` header. */
	readonly now?: () => number;
}

/** A checked answer with the body as received, for whoever keeps it. */
export interface ReceivedForecast {
	readonly answer: ForecastAnswer;
	readonly body: string;
}

interface Call extends WireRequest {
	readonly kind: RequestKind;
	/** What it is for, in words that complete "The plan does not include …". */
	readonly operation: string;
}

/**
 * The service's endpoints, one method each. Every method rejects with a
 * `SolarYieldError` (behaviour: Errors), and with nothing else.
 */
export class SolarYieldClient {
	readonly #exchange: Exchange;
	readonly #options: ClientOptions;
	#restorePrefixes: readonly [string, string] = ["/sites", "/v2/sites"];

	constructor(exchange: Exchange, options: ClientOptions = {}) {
		this.#exchange = exchange;
		this.#options = options;
	}

	/** Forecast of a stored site (spec V2, "GET /v2/forecast/{site_id}"). */
	async forecast(
		siteId: string,
		parameters: ForecastParameters = {},
		signal?: AbortSignal,
	): Promise<ReceivedForecast> {
		return this.#rows(
			{
				kind: "forecast",
				operation: "forecasts",
				method: "GET",
				path: `/v2/forecast/${idSegment(siteId)}`,
				query: forecastQuery(parameters),
			},
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
			{
				kind: "forecast",
				operation: "forecasts",
				method: "POST",
				path: "/v2/forecast/inline",
				query: forecastQuery(parameters),
				body: system,
			},
			signal,
		);
	}

	/** The account's own sites (spec V2, "GET /v2/sites/"); free. */
	async sites(signal?: AbortSignal): Promise<Site[]> {
		return readSiteList(
			(
				await this.#json(
					{
						kind: "free",
						operation: "reading sites",
						method: "GET",
						path: "/v2/sites/",
					},
					signal,
				)
			).json,
		);
	}

	/** One site with its strings (spec V2, "GET /v2/sites/{site_id}"); free. */
	async site(siteId: string, signal?: AbortSignal): Promise<Site> {
		return readSite(
			(
				await this.#json(
					{
						kind: "free",
						operation: "reading sites",
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
			{
				kind: "historical",
				operation: "historical data",
				method: "GET",
				path: `/v2/historical/${idSegment(siteId)}`,
				query: historicalQuery(parameters),
			},
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
			{
				kind: "historical",
				operation: "historical data",
				method: "POST",
				path: "/v2/historical/inline",
				query: historicalQuery(parameters),
				body: system,
			},
			signal,
		);
	}

	/**
	 * Creates a site (spec V2, "POST /v2/sites"). An answer that names none is
	 * no failure: the site is then the one new id in the list (behaviour: Where the service's description is silent "write
	 * answers"), which is why the list is read before as well; both are free.
	 */
	async createSite(body: object, signal?: AbortSignal): Promise<Site> {
		const before = new Set(
			(await this.sites(signal)).map(({ site_id }) => site_id),
		);
		const change =
			"temporary" in body && body.temporary === true
				? "creating a temporary site"
				: "creating a site";
		const answer = await this.#write(
			{ change, method: "POST", path: "/v2/sites", body },
			signal,
		);
		return this.#afterwards(async () => {
			const created =
				siteIn(answer) ?? onlyNewSite(before, await this.sites(signal));
			return isWhole(created) ? created : this.site(created.site_id, signal);
		});
	}

	/**
	 * Changes what the body names; `strings` replaces the whole array (spec V2,
	 * "PATCH (update), DELETE, restore").
	 */
	async updateSite(
		siteId: string,
		body: object,
		signal?: AbortSignal,
	): Promise<Site> {
		const path = `/v2/sites/${idSegment(siteId)}`;
		const answer = await this.#write(
			{ change: "changing a site", method: "PATCH", path, body },
			signal,
		).catch((error) => {
			throw "latitude" in body || "longitude" in body
				? withLocationRule(error)
				: error;
		});
		return this.#written(siteId, answer, signal);
	}

	/** Sets a site to pending deletion (spec V2, "PATCH (update), DELETE, restore"). */
	async deleteSite(siteId: string, signal?: AbortSignal): Promise<Site> {
		const path = `/v2/sites/${idSegment(siteId)}`;
		const answer = await this.#write(
			{ change: "deleting a site", method: "DELETE", path },
			signal,
		);
		return this.#written(siteId, answer, signal);
	}

	/**
	 * Cancels a pending deletion, or makes a temporary site permanent (spec V2,
	 * "PATCH (update), DELETE, restore"). Of the two forms of the path the one
	 * that worked last is tried first (behaviour: Where the service's description is silent "restore").
	 */
	async restoreSite(siteId: string, signal?: AbortSignal): Promise<Site> {
		const id = idSegment(siteId);
		const attempt = (prefix: string) =>
			this.#write(
				{
					change: "restoring a site",
					method: "POST",
					path: `${prefix}/${id}/restore`,
				},
				signal,
			);
		const [first, second] = this.#restorePrefixes;
		let answer: string;
		try {
			answer = await attempt(first);
		} catch (error) {
			const status = isOwnError(error) ? error.cause.status : null;
			if (status !== 404 && status !== 405) throw error;
			answer = await attempt(second);
			this.#restorePrefixes = [second, first];
		}
		return this.#written(siteId, answer, signal);
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
		what = "this request",
		signal?: AbortSignal,
	): Promise<unknown> {
		const { json } = await this.#json(
			{ kind: "free", operation: what, method: "GET", path, query },
			signal,
		);
		return json;
	}

	/**
	 * Sends a change of a site, once (behaviour: Where the service's description is silent "write answers"). An error whose
	 * cause has a status of 4xx says that nothing was changed; after any other the
	 * change may have been made.
	 *
	 * @returns the body of the answer
	 */
	async #write(
		{ change, ...request }: WireRequest & { readonly change: string },
		signal?: AbortSignal,
	): Promise<string> {
		try {
			const { body } = await this.#send(
				{ kind: "free", operation: `the Sites API (${change})`, ...request },
				signal,
			);
			return body;
		} catch (error) {
			throw isOwnError(error) && mayHaveHappened(error)
				? withRemedy(
						error,
						"the change may have been made all the same and is not repeated: look at the account's sites first",
					)
				: error;
		}
	}

	/** The site after a change: as the answer has it, else as it is read, free of charge. */
	#written(siteId: string, answer: string, signal?: AbortSignal) {
		const site = siteIn(answer);
		return site?.site_id === siteId && isWhole(site)
			? Promise.resolve(site)
			: this.#afterwards(() => this.site(siteId, signal));
	}

	/** Reads what a change has made; a failure does not undo the change. */
	async #afterwards(read: () => Promise<Site>): Promise<Site> {
		try {
			return await read();
		} catch (error) {
			if (!isOwnError(error)) throw error;
			throw new SolarYieldError(
				error.kind,
				`The change was made, but the site could not be read afterwards: ${messageParts(error).what}; do not repeat it, look at the account's sites`,
				{ detail: error.cause.detail },
			);
		}
	}

	/** Sends a request and returns its answer of any 2xx status. */
	async #send(call: Call, signal?: AbortSignal): Promise<WireAnswer> {
		const { kind, operation, ...request } = call;
		const answer = await this.#exchange(request, signal);
		// A proxy's or a hotel's error page tells nothing of the service's clock.
		const isService = !/html/i.test(answer.headers["content-type"] ?? "");
		const said = readHttpDate(answer.headers[HEADER.date] ?? "");
		const serverNow = isService && !Number.isNaN(said) ? said : undefined;
		const now = serverNow ?? (this.#options.now ?? Date.now)();
		this.#options.onAnswer?.({
			kind,
			status: answer.status,
			serverNow,
			quota: kind === "free" ? undefined : readQuota(answer.headers, now),
		});
		if (answer.status < 200 || answer.status > 299) {
			throw failureOf(answer, operation, now);
		}
		return answer;
	}

	/** Sends a request whose answer is rows, and checks them. */
	async #rows(call: Call, signal?: AbortSignal): Promise<ReceivedForecast> {
		const { json, body } = await this.#json(call, signal);
		await yieldToEventLoop(body.length);
		return { answer: readForecast(json), body };
	}

	async #json(
		call: Call,
		signal?: AbortSignal,
	): Promise<{ readonly json: unknown; readonly body: string }> {
		const { body } = await this.#send(call, signal);
		await yieldToEventLoop(body.length);
		const tooMuch = overBounds(body);
		if (tooMuch) throw responseError(tooMuch);
		await yieldToEventLoop(body.length);
		try {
			return { json: JSON.parse(body), body };
		} catch {
			throw responseError(
				body.trim() === "" ? "it is empty" : "it is no JSON",
				`not JSON: ${body.trim().slice(0, 60)}`,
			);
		}
	}
}

/** The site in the answer to a change, where there is one: the status has said that it was made. */
function siteIn(body: string): Site | undefined {
	try {
		return readSite(JSON.parse(body));
	} catch {
		return undefined;
	}
}

/** Whether a record is the whole one: the list and short answers may leave the strings out. */
const isWhole = ({ record }: Site) => Array.isArray(record.strings);

function onlyNewSite(before: ReadonlySet<string>, after: Site[]): Site {
	const added = after.filter(({ site_id }) => !before.has(site_id));
	const [site] = added;
	if (site && added.length === 1) return site;
	throw new SolarYieldError(
		"RESPONSE",
		`the answer names no site, and the list holds ${added.length} new ones; look at the account's sites`,
	);
}

/** A refused change of location: the rule that nobody can guess from the answer (behaviour: Where the service's description is silent). */
function withLocationRule(error: unknown): unknown {
	if (!isOwnError(error)) return error;
	const status = error.cause.status ?? 0;
	return status >= 400 && status < 500 && ![401, 404, 407].includes(status)
		? withRemedy(
				error,
				`${messageParts(error).remedy}, and note that the location of a site can be changed only once in 30 days`,
			)
		: error;
}

/** What the network says when a request did not even leave. */
const NEVER_SENT =
	/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EPROTO)$|CERT|SIGNATURE|ALTNAME|SSL/;

/** Whether the service may have done what it was asked, though it did not say so. */
function mayHaveHappened({ kind, cause }: SolarYieldError): boolean {
	return (
		kind === "TIMEOUT" ||
		kind === "SERVICE" ||
		kind === "RESPONSE" ||
		(kind === "NETWORK" && !NEVER_SENT.test(cause.detail ?? ""))
	);
}

/** An id as one segment of a path (behaviour: The key). */
export function idSegment(id: string): string {
	if (!isSiteId(id)) {
		throw inputError(
			`The id ${JSON.stringify(id.slice(0, 40))} is none the service could have given; check siteId`,
		);
	}
	return encodeURIComponent(id);
}

function forecastQuery(parameters: ForecastParameters): Query {
	const query: (readonly [string, string])[] = [];
	const { forecastDays, pastDays, include, timezone } = parameters;
	if (forecastDays !== undefined) {
		query.push(["forecast_days", String(forecastDays)]);
	}
	if (pastDays !== undefined && pastDays > 0) {
		query.push(["past_days", String(pastDays)]);
	}
	for (const group of include ?? []) query.push(["include", group]);
	if (timezone !== undefined) query.push(["timezone", timezone]);
	return query;
}

function historicalQuery({
	range,
	include,
	params,
}: HistoricalParameters): Query {
	return [
		...(range.period === undefined
			? [
					["start_date", range.startDate] as const,
					["end_date", range.endDate] as const,
				]
			: [["period", range.period] as const]),
		...(include ?? []).map((group) => ["include", group] as const),
		...Object.entries(params ?? {}),
	];
}

/** Whether something is one of our own errors, whose text and cause are safe to show. */
export function isOwnError(error: unknown): error is SolarYieldError {
	return error instanceof SolarYieldError;
}
