import type { Value } from "../texts/texts";
import { yieldToEventLoop } from "../util/yield-to-event-loop";
import { readHttpDate } from "../util/zone";
import { failureOf } from "./answer-error";
import {
	ForeignAnswerError,
	firstContactError,
	foreignAnswer,
	foreignText,
} from "./first-contact";
import {
	type Exchange,
	HEADER,
	type WireAnswer,
	type WireRequest,
} from "./http/exchange";

import { type Quota, readCount } from "./quota";
import {
	type ForecastAnswer,
	isForecastLike,
	readForecast,
} from "./v2/forecast-answer";
import { responseError, show } from "./v2/schema-errors";

/** Which monthly count a request draws on; `free` draws on none (spec V2, "Limits"). */
export type RequestKind = "forecast" | "historical" | "free";

/** What each answer tells besides its body, errors included. */
export interface AnswerFacts {
	readonly kind: RequestKind;
	readonly status: number;
	/** The server's clock at the answer in epoch ms, undefined without a `Date` header. */
	readonly serverNow: number | undefined;
	readonly quota: Quota | undefined;
	/** Headers of the count that cannot be read, by name. */
	readonly unreadable: Readonly<Record<string, string>> | undefined;
	/** Whether this is a 429 that says that the month's requests are used up. */
	readonly isUsedUp: boolean;
}

export interface ClientOptions {
	/** Called with every answer, before the request's promise settles. */
	readonly onAnswer?: (facts: AnswerFacts) => void;
	/** The host's clock in epoch ms, for answers without a `Date` header. */
	readonly now?: () => number;
	/** Whether this address has answered well before, to another client or process. */
	readonly isKnown?: () => boolean;
}

/** What an answer tells, its rows checked, and its body as received for storage. */
export interface ReceivedForecast extends AnswerFacts {
	readonly answer: ForecastAnswer;
	readonly body: string;
}

/** A request with the monthly count it draws on. */
interface ServiceRequest extends WireRequest {
	readonly kind: RequestKind;
	/** Purpose, in words that complete "The plan does not include …". */
	readonly operation: Value;
	/** Whether the service has this path whatever the account holds. */
	readonly isFixed?: boolean;
	/** IANA zone for the times in errors; this machine's where there is none. */
	readonly zone?: string | undefined;
}

/** The service's time as an answer's headers tell it, epoch ms; NaN where they do not. */
export function timeOf(headers: WireAnswer["headers"]): number {
	// The clock of a proxy's or a hotel's error page is not the service's.
	const isPage = /html/i.test(headers["content-type"] ?? "");
	return isPage ? Number.NaN : readHttpDate(headers[HEADER.date] ?? "");
}

/**
 * Sends requests through an exchange and reads what every answer has: status,
 * clock and quota. Each method rejects with a `SolarYieldError` alone.
 */
export class RequestSender {
	readonly #exchange: Exchange;
	readonly #options: ClientOptions;
	#hasAnsweredWell = false;

	constructor(exchange: Exchange, options: ClientOptions) {
		this.#exchange = exchange;
		this.#options = options;
	}

	/** Whether it is the service that answers at this address: it has answered well once. */
	#isKnown(): boolean {
		return this.#hasAnsweredWell || (this.#options.isKnown?.() ?? false);
	}

	/** Sends a request and returns its answer of any 2xx status. */
	async send({
		kind,
		operation,
		isFixed = false,
		zone,
		...request
	}: ServiceRequest): Promise<WireAnswer & AnswerFacts> {
		try {
			const answer = await this.#exchange(request);
			const { status, headers } = answer;
			const said = timeOf(headers);
			const serverNow = Number.isNaN(said) ? undefined : said;
			const now = serverNow ?? (this.#options.now ?? Date.now)();
			const count = readCount(headers, now);
			const facts: AnswerFacts = {
				kind,
				status,
				serverNow,
				quota: kind === "free" ? undefined : count.quota,
				unreadable: kind === "free" ? undefined : count.unreadable,
				isUsedUp: status === 429 && count.isUsedUp,
			};
			this.#options.onAnswer?.(facts);
			if (status >= 200 && status <= 299) return { ...answer, ...facts };
			const foreign = this.#isKnown()
				? undefined
				: foreignAnswer(answer, isFixed);
			throw foreign ?? failureOf(answer, operation, now, zone);
		} catch (error) {
			throw this.#isKnown() ? error : firstContactError(error);
		}
	}

	/**
	 * Sends a request whose answer has the shape of a forecast, and checks its rows.
	 *
	 * @param siteId the site that is asked for: another one's answer, as a cache or a
	 * proxy may send it, is refused; one that names none is taken as it comes
	 */
	async forecast(
		call: ServiceRequest,
		siteId?: string,
	): Promise<ReceivedForecast> {
		const { value, json, headers, ...received } = await this.read(
			call,
			(json) => {
				const answer = readForecast(json);
				const { site_id } = answer.envelope;
				if (siteId !== undefined && String(site_id ?? siteId) !== siteId) {
					throw responseError("value.other_site", {
						id: show(site_id),
						asked: show(siteId),
					});
				}
				return answer;
			},
			isForecastLike,
		);
		return { ...received, answer: value };
	}

	/**
	 * Sends a request whose answer is JSON, and reads it. What is read proves that it
	 * is the service that answers.
	 *
	 * @param isOwn whether JSON that cannot be read may be the service's all the same
	 */
	async read<Value>(
		call: ServiceRequest,
		read: (json: unknown) => Value,
		isOwn: (json: unknown) => boolean,
	) {
		const answer = await this.json(call);
		await yieldToEventLoop(answer.body.length);
		try {
			const value = read(answer.json);
			this.#hasAnsweredWell = true;
			return { ...answer, value };
		} catch (error) {
			throw this.#isKnown() || isOwn(answer.json)
				? error
				: new ForeignAnswerError({ key: "service.other_data" });
		}
	}

	/**
	 * Sends a request whose answer is JSON.
	 *
	 * @throws SolarYieldError `RESPONSE` when the answer is none
	 */
	async json(
		call: ServiceRequest,
	): Promise<WireAnswer & AnswerFacts & { readonly json: unknown }> {
		const answer = await this.send(call);
		const { body } = answer;
		await yieldToEventLoop(body.length);
		try {
			return { ...answer, json: JSON.parse(body) };
		} catch {
			const foreign = this.#isKnown() ? undefined : foreignText(answer);
			throw (
				foreign ??
				responseError(
					body.trim() === "" ? "service.empty" : "service.no_json",
					{},
					`not JSON: ${body.trim().slice(0, 60)}`,
				)
			);
		}
	}
}
