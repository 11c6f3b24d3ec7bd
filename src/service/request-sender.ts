import { readHttpDate } from "../util/timestamp";
import { yieldToEventLoop } from "../util/yield-to-event-loop";
import { failureOf } from "./errors/answer-error";
import {
	ForeignAnswerError,
	firstContactError,
	foreignAnswer,
	foreignText,
} from "./errors/first-contact";
import {
	type Exchange,
	HEADER,
	type WireAnswer,
	type WireRequest,
} from "./http/exchange";
import { overBounds } from "./http/json-limits";
import { isMonthUsedUp, type Quota, readQuota } from "./quota";
import {
	type ForecastAnswer,
	isForecastLike,
	readForecast,
} from "./v2/forecast-answer";
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
	/** Whether the service has this path whatever the account holds. */
	readonly isFixed?: boolean;
	/** IANA zone for the times in errors; this machine's where there is none. */
	readonly zone?: string | undefined;
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
	async send(call: ServiceRequest, signal?: AbortSignal): Promise<WireAnswer> {
		try {
			return await this.#send(call, signal);
		} catch (error) {
			throw this.#isKnown() ? error : firstContactError(error);
		}
	}

	async #send(
		{ kind, operation, isFixed = false, zone, ...request }: ServiceRequest,
		signal?: AbortSignal,
	): Promise<WireAnswer> {
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
			isUsedUp: answer.status === 429 && isMonthUsedUp(answer.headers),
		});
		if (answer.status < 200 || answer.status > 299) {
			const foreign = this.#isKnown()
				? undefined
				: foreignAnswer(answer, isFixed);
			throw foreign ?? failureOf(answer, operation, now, zone);
		}
		return answer;
	}

	/** Sends a request whose answer has the shape of a forecast, and checks its rows. */
	async forecast(
		call: ServiceRequest,
		signal?: AbortSignal,
	): Promise<ReceivedForecast> {
		const { value, body } = await this.read(
			call,
			readForecast,
			isForecastLike,
			signal,
		);
		return { answer: value, body };
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
		signal?: AbortSignal,
	) {
		const answer = await this.json(call, signal);
		await yieldToEventLoop(answer.body.length);
		let value: Value;
		try {
			value = read(answer.json);
		} catch (error) {
			throw this.#isKnown() || isOwn(answer.json)
				? error
				: new ForeignAnswerError("other data");
		}
		this.#hasAnsweredWell = true;
		return { ...answer, value };
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
		const answer = await this.send(call, signal);
		const { body, headers } = answer;
		await yieldToEventLoop(body.length);
		const tooMuch = overBounds(body);
		if (tooMuch) throw responseError(tooMuch);
		await yieldToEventLoop(body.length);
		try {
			return { json: JSON.parse(body), body, headers };
		} catch {
			const foreign = this.#isKnown() ? undefined : foreignText(answer);
			throw (
				foreign ??
				responseError(
					body.trim() === "" ? "it is empty" : "it is no JSON",
					`not JSON: ${body.trim().slice(0, 60)}`,
				)
			);
		}
	}
}
