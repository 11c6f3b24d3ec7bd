import { readHttpDate } from "../util/timestamp";
import { yieldToEventLoop } from "../util/yield-to-event-loop";
import { failureOf } from "./errors/answer-error";
import {
	type Exchange,
	HEADER,
	type WireAnswer,
	type WireRequest,
} from "./http/exchange";
import { overBounds } from "./http/json-limits";
import { isMonthUsedUp, type Quota, readQuota, unreadableQuota } from "./quota";
import { type ForecastAnswer, readForecast } from "./v2/forecast-answer";
import { responseError } from "./v2/schema-errors";

/** Which monthly count a request draws on; `free` draws on none (spec V2, "Limits"). */
export type RequestKind = "forecast" | "historical" | "free";

/** What each answer tells besides its body, errors included. */
export interface AnswerFacts {
	readonly kind: RequestKind;
	readonly status: number;
	/** The server's clock at the answer in epoch ms, undefined without a `Date` header. */
	readonly serverNow: number | undefined;
	readonly quota: Quota | undefined;
	/** Headers of the count that cannot be read, as text. */
	readonly unreadable: string | undefined;
	/** Whether this is a 429 that says that the month's requests are used up. */
	readonly isUsedUp: boolean;
}

export interface ClientOptions {
	/** Called with every answer, before the request's promise settles. */
	readonly onAnswer?: (facts: AnswerFacts) => void;
	/** The host's clock in epoch ms, for answers without a `Date` header. */
	readonly now?: () => number;
}

/** A checked answer, and its body as received for storage. */
export interface ReceivedForecast {
	readonly answer: ForecastAnswer;
	readonly body: string;
}

/** A request with the monthly count it draws on. */
interface ServiceRequest extends WireRequest {
	readonly kind: RequestKind;
	/** Purpose, in words that complete "The plan does not include …". */
	readonly operation: string;
}

/**
 * Sends requests through an exchange and reads what every answer has: status,
 * clock and quota. Each method rejects with a `SolarYieldError` alone.
 */
export class RequestSender {
	readonly #exchange: Exchange;
	readonly #options: ClientOptions;

	constructor(exchange: Exchange, options: ClientOptions) {
		this.#exchange = exchange;
		this.#options = options;
	}

	/** Sends a request and returns its answer of any 2xx status. */
	async send(call: ServiceRequest, signal?: AbortSignal): Promise<WireAnswer> {
		const { kind, operation, ...request } = call;
		const answer = await this.#exchange(request, signal);
		// The clock of a proxy's or a hotel's error page is not the service's.
		const isService = !/html/i.test(answer.headers["content-type"] ?? "");
		const said = readHttpDate(answer.headers[HEADER.date] ?? "");
		const serverNow = isService && !Number.isNaN(said) ? said : undefined;
		const now = serverNow ?? (this.#options.now ?? Date.now)();
		this.#options.onAnswer?.({
			kind,
			status: answer.status,
			serverNow,
			quota: kind === "free" ? undefined : readQuota(answer.headers, now),
			unreadable:
				kind === "free" ? undefined : unreadableQuota(answer.headers, now),
			isUsedUp: answer.status === 429 && isMonthUsedUp(answer.headers),
		});
		if (answer.status < 200 || answer.status > 299) {
			throw failureOf(answer, operation, now);
		}
		return answer;
	}

	/** Sends a request whose answer has the shape of a forecast, and checks its rows. */
	async forecast(
		call: ServiceRequest,
		signal?: AbortSignal,
	): Promise<ReceivedForecast> {
		const { json, body } = await this.json(call, signal);
		await yieldToEventLoop(body.length);
		return { answer: readForecast(json), body };
	}

	/**
	 * Sends a request whose answer is JSON.
	 *
	 * @throws SolarYieldError `RESPONSE` when the answer is none, or too much of it
	 */
	async json(
		call: ServiceRequest,
		signal?: AbortSignal,
	): Promise<{
		readonly json: unknown;
		readonly body: string;
		readonly headers: WireAnswer["headers"];
	}> {
		const { body, headers } = await this.send(call, signal);
		await yieldToEventLoop(body.length);
		const tooMuch = overBounds(body);
		if (tooMuch) throw responseError(tooMuch);
		await yieldToEventLoop(body.length);
		try {
			return { json: JSON.parse(body), body, headers };
		} catch {
			throw responseError(
				body.trim() === "" ? "it is empty" : "it is no JSON",
				`not JSON: ${body.trim().slice(0, 60)}`,
			);
		}
	}
}
